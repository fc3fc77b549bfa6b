"""What stands before every page: who is asked for, who asks, and what a browser may do with it.

The pages show texts that other people and models wrote, and take decisions. So: the Host header
must name this server (an attacker's own name that resolves to 127.0.0.1 does not), a request that
changes something must come from a page of this server, and no page may run or load anything but
the files of this package.
"""

import hmac
import ipaddress
from http.cookies import CookieError, SimpleCookie
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from citeval_assets.web.sessions import COOKIE, Session, read_session
from citeval_assets.web.site import Access, Site

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_CHANGES_NOTHING = frozenset({"GET", "HEAD"})
_OPEN_TO_ALL = ("/static/", "/login")


class Guard:
    """The middleware around all pages."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self.app = app
        self.site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what must not reach a page; add the headers to what comes back."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        session = read_session(self.site, _cookie(headers))
        scope["citeval.session"] = session
        refusal = self._refusal(scope, headers, session)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._complete(MutableHeaders(scope=message), scope, session)
            await send(message)

        await (refusal or self.app)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope, headers: Headers, session: Session) -> Response | None:
        host = headers.get("host", "")
        if not host_known(host, self.site.access):
            return PlainTextResponse(
                "This server does not answer to the host name it was asked for. Use the address "
                "`citeval serve` printed, or start it with --name for another.",
                status_code=421,
            )
        if scope["method"] not in _CHANGES_NOTHING and not _from_own_page(headers, host):
            return PlainTextResponse(
                "Refused: the form was not sent by a page of this server.", status_code=403
            )
        if self._let_in(scope, headers, session):
            return None
        if scope["method"] == "GET" and "text/html" in headers.get("accept", ""):
            query = scope["query_string"].decode("latin-1")
            target = scope["path"] + (f"?{query}" if query else "")
            return RedirectResponse(f"/login?next={quote(target, safe='')}", status_code=303)
        return PlainTextResponse(
            "This server wants its access token: sign in at /login, or send it as "
            "'Authorization: Bearer ...'.",
            status_code=401,
            headers={"WWW-Authenticate": "Bearer"},
        )

    def _let_in(self, scope: Scope, headers: Headers, session: Session) -> bool:
        token = self.site.access.token
        if token is None or session.trusted:
            return True
        path = scope["path"]
        if path.startswith(_OPEN_TO_ALL[0]) or path == _OPEN_TO_ALL[1]:
            return True
        kind, _, given = headers.get("authorization", "").partition(" ")
        return kind.lower() == "bearer" and hmac.compare_digest(given.encode(), token.encode())

    def _complete(self, headers: MutableHeaders, scope: Scope, session: Session) -> None:
        for name, value in _HEADERS.items():
            headers[name] = value
        if "cache-control" not in headers:
            headers["Cache-Control"] = "no-store"
        current = scope.get("citeval.session", session)
        if current.fresh and not scope["path"].startswith("/static/"):
            headers.append(
                "Set-Cookie",
                f"{COOKIE}={current.cookie(self.site)}; Path=/; HttpOnly; SameSite=Strict",
            )


def host_known(host: str, access: Access) -> bool:
    """Whether a Host header names this server. The port does not matter: a tunnel changes it."""
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return False
    if not name or "@" in host:
        return False
    if name in LOOPBACK or name in access.names:
        return True
    return access.any_address and _is_address(name)


def is_loopback(name: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    if name == "localhost":
        return True
    return _is_address(name) and ipaddress.ip_address(name).is_loopback


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _from_own_page(headers: Headers, host: str) -> bool:
    """Whether a request that may change something was sent by a page of this server.

    A browser says where it comes from: by ``Origin``, and the newer ones by ``Sec-Fetch-Site``.
    Whatever says neither is no browser, holds no cookie of ours, and fails at the form's token.
    """
    origin = headers.get("origin")
    if origin is not None:
        found = urlsplit(origin)
        if found.scheme not in ("http", "https") or found.netloc.lower() != host.lower():
            return False
    return headers.get("sec-fetch-site", "same-origin") == "same-origin"


def _cookie(headers: Headers) -> str | None:
    try:
        jar: SimpleCookie = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return None
    found = jar.get(COOKIE)
    return None if found is None else found.value
