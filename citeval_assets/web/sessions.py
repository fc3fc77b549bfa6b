"""One visitor's session: a random name in a cookie, signed once the visitor gave the token."""

import hmac
import re
import secrets
from dataclasses import dataclass

from citeval_assets.web.site import Site

COOKIE = "citeval_session"

_VALUE = re.compile(r"([A-Za-z0-9_-]{32})\.([0-9a-f]{64})?")


@dataclass(frozen=True, slots=True)
class Session:
    """A visitor. ``fresh``: the cookie has to be set with the answer."""

    name: str
    trusted: bool
    fresh: bool = False

    def cookie(self, site: Site) -> str:
        """Return what the cookie holds."""
        return f"{self.name}.{site.sign('trusted', self.name) if self.trusted else ''}"

    def form_token(self, site: Site) -> str:
        """Return what a form of this visitor must carry."""
        return site.sign("form", self.name)


def read_session(site: Site, cookie: str | None) -> Session:
    """Return the session a cookie stands for, or a new one."""
    found = _VALUE.fullmatch(cookie or "")
    if found is None:
        return new_session(trusted=False)
    name, tag = found.group(1), found.group(2) or ""
    return Session(name, hmac.compare_digest(tag, site.sign("trusted", name)))


def new_session(*, trusted: bool) -> Session:
    """Return a session nobody has had before."""
    return Session(secrets.token_urlsafe(24), trusted, fresh=True)
