"""What every page is given: the project, the snapshot, the ledger, and who may come in."""

import hmac
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256

from starlette.requests import Request

from citeval_assets.evaluation.project import Project
from citeval_assets.ledger.store import Ledger
from citeval_assets.web.memo import Memo
from citeval_assets.web.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Access:
    """Who may come in, and under which names this server is called.

    ``token``: what a visitor must know; ``None`` lets in everybody who reaches the server, which
    is right on loopback only. ``names``: host names beside those of loopback. ``any_address``:
    whether literal IP addresses are good names, too (of no use to a rebinding attack, which needs
    a name).
    """

    token: str | None = None
    names: frozenset[str] = frozenset()
    any_address: bool = False


@dataclass(frozen=True)
class Site:
    """One running server over one project."""

    project: Project
    snapshot: Snapshot
    secret: bytes
    access: Access = field(default_factory=Access)
    memo: Memo = field(init=False)
    _ledgers: list[Ledger] = field(init=False, default_factory=list, repr=False)
    _opening: threading.Lock = field(init=False, default_factory=threading.Lock, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "memo", Memo(self.snapshot))

    @contextmanager
    def ledger(self) -> Iterator[Ledger]:
        """Yield the ledger. It is opened once: every page would else pay for the opening."""
        with self._opening:
            if not self._ledgers:
                self._ledgers.append(self.project.open_ledger())
        yield self._ledgers[0]

    def close(self) -> None:
        """Close snapshot and ledger."""
        self.snapshot.close()
        with self._opening:
            while self._ledgers:
                self._ledgers.pop().close()

    def sign(self, purpose: str, text: str) -> str:
        """Return a tag that only this installation can make, as hex digits."""
        return hmac.new(self.secret, f"{purpose}\0{text}".encode(), sha256).hexdigest()


def site_of(request: Request) -> Site:
    """Return the site a request came to."""
    return request.app.state.site
