"""One payer per call: leases on call keys.

Several processes may resume the same run. The transaction that records a request leases its key;
whoever does not get it waits for the holder's reply instead of paying a second time. Leases are
short and prolonged while the call is under way: the key of a process that died is soon free, that
of a slow call stays.
"""

import asyncio
from dataclasses import dataclass, field

from citeval_assets.ledger.errors import LedgerError
from citeval_assets.ledger.leases import Leasing
from citeval_assets.ledger.owners import process_owner
from citeval_assets.ledger.store import Ledger

LEASE_S = 60.0
"""How long a lease holds when nobody prolongs it."""

_RENEWALS_PER_LEASE = 3


@dataclass
class LeaseDesk:
    """Prolongs and gives back the leases of one session.

    ``fresh``: lease keys also where a reply is stored (an extra call was asked for).
    """

    ledger: Ledger
    lease_s: float = LEASE_S
    fresh: bool = False
    owner: str = field(default_factory=process_owner)
    _held: set[str] = field(default_factory=set[str])
    _renewing: asyncio.Task[None] | None = None

    @property
    def terms(self) -> Leasing:
        """How the keys of requests are leased when they are recorded."""
        return Leasing(self.owner, self.lease_s, self.fresh)

    def hold(self, call_key: str) -> None:
        """Prolong the lease of this key, as far as it is ours, until it ends."""
        self._held.add(call_key)
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.create_task(self._renew())

    def ended(self, call_key: str) -> None:
        """Note that the reply of a key is stored, which ended its lease."""
        self._held.discard(call_key)

    async def give_back(self, call_key: str) -> None:
        """Let others have a key whose call brought no reply."""
        self._held.discard(call_key)
        await asyncio.to_thread(self.ledger.release, [call_key], self.owner)

    async def close(self) -> None:
        """Prolong no lease any more."""
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.gather(self._renewing, return_exceptions=True)

    async def _renew(self) -> None:
        # Real time, not the session's clock: a lease is measured by the ledger's.
        while True:
            await asyncio.sleep(self.lease_s / _RENEWALS_PER_LEASE)
            if not self._held:
                return
            try:
                await asyncio.to_thread(
                    self.ledger.renew, list(self._held), self.owner, self.lease_s
                )
            except LedgerError:
                # The next call that needs the ledger reports what is wrong with it.
                continue
