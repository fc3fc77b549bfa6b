"""Forms: read with bounds, and taken only from a page this visitor was given."""

import hmac
from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from citeval_assets.web.sessions import Session
from citeval_assets.web.site import site_of

TOKEN_FIELD = "form_token"
LARGEST_FORM = 1 << 20
"""Bytes of the largest form that is read: a reviewer's answer is a page or two."""

_MOST_FIELDS = 200

Form = Mapping[str, str]
FormHandler = Callable[[Request, Form], Response]


def session_of(request: Request) -> Session:
    """Return the visitor's session."""
    return request.scope["citeval.session"]


def posting(path: str, handler: FormHandler) -> Route:
    """Return a route that takes a form by POST, once its token was checked.

    The handler runs in a thread, like any other page. Of a field that comes twice the last counts.
    """

    async def endpoint(request: Request) -> Response:
        form = await _read(request)
        site, session = site_of(request), session_of(request)
        expected = session.form_token(site)
        if session.fresh or not hmac.compare_digest(form.get(TOKEN_FIELD, ""), expected):
            raise HTTPException(
                403,
                "The form is not from a page you were given here, or it is older than your "
                "session. Go back, load the page again, and send it once more.",
            )
        return await run_in_threadpool(handler, request, form)

    return Route(path, endpoint, methods=["POST"], name=f"post {path}")


async def _read(request: Request) -> Form:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(415, "Only plain forms are taken here.")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_FORM:
            raise HTTPException(413, f"The form is larger than {LARGEST_FORM} bytes.")
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except ValueError:
        raise HTTPException(400, "The form cannot be read.") from None
    return {name: value.replace("\r\n", "\n") for name, value in pairs}
