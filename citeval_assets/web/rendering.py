"""Templates: every value stands in a page as text, whatever it holds."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from citeval_assets.text.invisible import visible
from citeval_assets.web.forms import TOKEN_FIELD, session_of
from citeval_assets.web.pages import NavEntry
from citeval_assets.web.site import site_of
from citeval_assets.web.tones import (
    finding_tone,
    report_tone,
    routing_tone,
    severity_tone,
    status_tone,
    verdict_tone,
)

_STATIC = files("citeval_assets.web").joinpath("static")


def render(
    request: Request,
    template: str,
    /,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """Return a page made of a template of this room.

    The template has, beside ``values``: ``nav`` (the navigation), ``path`` (of this page),
    ``form_token_field`` and ``form_token`` (use the macro ``token()`` of ``macros.html``),
    ``published`` (the state of the snapshot) and ``project_name``.
    """
    site = site_of(request)
    given = {
        "nav": request.app.state.nav,
        "path": request.url.path,
        "form_token_field": TOKEN_FIELD,
        "form_token": session_of(request).form_token(site),
        "published": site.snapshot.state(),
        "project_name": site.project.settings.project_dir.resolve().name,
        "signed_in": site.access.token is not None and session_of(request).trusted,
    }
    text = environment().get_template(template).render({**given, **values})
    return HTMLResponse(text, status, headers=headers)


@cache
def environment() -> Environment:
    """Return the template environment of the pages."""
    made = Environment(
        loader=PackageLoader("citeval_assets.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(
        url=url,
        static=static_path,
        nav_here=nav_here,
        report_tone=report_tone,
        finding_tone=finding_tone,
        routing_tone=routing_tone,
        severity_tone=severity_tone,
        status_tone=status_tone,
        verdict_tone=verdict_tone,
    )
    made.filters.update(
        score=score_text,
        points=points_text,
        percent=percent_text,
        moment=moment_text,
        count=count_text,
        usd=usd_text,
        words=words_text,
    )
    return made


def url(path: str, /, **parameters: Any) -> str:
    """Return an address with its parameters encoded; those without a value are left out.

    A sequence gives one parameter for each of its members. A name that is a Python keyword is
    written with an underscore behind it (``from_``).
    """
    pairs = [
        (name.removesuffix("_"), str(item))
        for name, value in parameters.items()
        for item in (value if isinstance(value, list | tuple) else (value,))
        if item is not None and item != ""
    ]
    return f"{path}?{urlencode(pairs)}" if pairs else path


def whole_number(text: str | None, default: int) -> int:
    """Return a number of an address; the default where there is none, or one of absurd length."""
    plain = text is not None and text.isascii() and text.isdecimal() and len(text) <= 9
    return int(text or "") if plain else default


@cache
def static_path(name: str) -> str:
    """Return the address of a file of this package; it changes with the file's content."""
    digest = sha256(_STATIC.joinpath(name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?{digest}"


def nav_here(entry: NavEntry, path: str) -> bool:
    """Whether a page belongs to this entry of the navigation."""
    return path == entry.path or (entry.path != "/" and path.startswith(f"{entry.path}/"))


def score_text(value: float | None) -> str:
    """Return a score in 0..1 with three digits; a dash where there is none."""
    return "–" if value is None else f"{value:.3f}"


def points_text(value: float | None) -> str:
    """Return a difference of scores in points of a hundred, with its sign."""
    return "–" if value is None else f"{100 * value:+.1f}".replace("-", "−")


def percent_text(value: float | None) -> str:
    """Return a share in 0..1 as a percentage; 100 % is never rounded up to."""
    if value is None:
        return "–"
    shown = f"{100 * value:.0f}"
    if shown == "100" and value < 1:
        return f"{100 * value:.2f} %" if value < 0.9999 else "99.99 %"
    return f"{shown} %"


def moment_text(value: datetime | str | None) -> str:
    """Return a time in UTC to the minute; the page says that it is UTC."""
    if value is None:
        return "–"
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def count_text(value: float | None) -> str:
    """Return a number with thin spaces between its thousands."""
    return "–" if value is None else f"{value:,}".replace(",", "\u202f")


def usd_text(value: Any) -> str:
    """Return a cost in US dollars; a dash where it is not known."""
    return "–" if value is None else f"{float(value):.4f} USD"


def words_text(value: str) -> str:
    """Return a name of the vocabulary as words."""
    return value.replace("_", " ")


def _shown(value: Any) -> Any:
    """Return text as a reader may see it: what turns or hides text is written as a code."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return "–" if value is None else value
