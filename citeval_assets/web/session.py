"""Signing in and out, where the server wants a token."""

import hmac

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from citeval_assets.web.forms import Form, posting
from citeval_assets.web.pages import PageModule
from citeval_assets.web.rendering import render
from citeval_assets.web.sessions import new_session
from citeval_assets.web.site import site_of


def show_login(request: Request) -> Response:
    """Show the form that takes the token."""
    return render(request, "login.html", next=_local(request.query_params.get("next")), wrong=False)


def login(request: Request, form: Form) -> Response:
    """Take the token; the visitor gets a session nobody knew before."""
    target, token = _local(form.get("next")), site_of(request).access.token
    if token is None:
        return RedirectResponse(target, 303)
    if not hmac.compare_digest(form.get("token", "").encode(), token.encode()):
        return render(request, "login.html", status=401, next=target, wrong=True)
    request.scope["citeval.session"] = new_session(trusted=True)
    return RedirectResponse(target, 303)


def logout(request: Request, form: Form) -> Response:
    """Give the visitor a session that is not trusted."""
    request.scope["citeval.session"] = new_session(trusted=False)
    return RedirectResponse("/login", 303)


def _local(target: str | None) -> str:
    """Return where to go next: a page of this server, never another one."""
    if not target or not target.startswith("/") or target.startswith(("//", "/\\")):
        return "/"
    return target if target.isprintable() else "/"


PAGE = PageModule(
    routes=(
        Route("/login", show_login),
        posting("/login", login),
        posting("/logout", logout),
    )
)
