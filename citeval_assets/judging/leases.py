"""One payer per call: leases on call keys, taken from the ledger in batches.

Several processes may resume the same run. Before a call is made its key is leased; whoever does
not get it waits for the holder's reply instead of paying a second time. Leases are short and
prolonged while the call is under way: the key of a process that died is soon free, that of a
slow call stays.
"""

import asyncio
from dataclasses import dataclass, field

from citeval_assets.ledger.errors import LedgerError
from citeval_assets.ledger.owners import process_owner
from citeval_assets.ledger.store import Ledger

LEASE_S = 60.0
"""How long a lease holds when nobody prolongs it."""

_RENEWALS_PER_LEASE = 3


@dataclass
class LeaseDesk:
    """Takes, prolongs and gives back leases for one session, in one transaction for all.

    ``fresh``: lease keys also where a reply is stored (an extra call was asked for).
    """

    ledger: Ledger
    lease_s: float = LEASE_S
    fresh: bool = False
    owner: str = field(default_factory=process_owner)
    _held: set[str] = field(default_factory=set[str])
    _waiting: list[tuple[str, asyncio.Future[bool]]] = field(default_factory=list)
    _draining: asyncio.Task[None] | None = None
    _renewing: asyncio.Task[None] | None = None

    async def take(self, call_key: str) -> bool:
        """Lease a key, or renew the lease; ``False``: another owner has it, or its reply is in."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((call_key, future))
        if self._draining is None or self._draining.done():
            self._draining = asyncio.create_task(self._drain())
        won = await future
        if won:
            self._held.add(call_key)
            if self._renewing is None or self._renewing.done():
                self._renewing = asyncio.create_task(self._renew())
        return won

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

    async def _drain(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            keys = [key for key, _ in batch]
            try:
                won = await asyncio.to_thread(
                    self.ledger.claim, keys, self.owner, self.lease_s, fresh=self.fresh
                )
            except Exception as error:  # noqa: BLE001 - handed to everyone who waits for it
                for _, future in batch:
                    if not future.done():
                        future.set_exception(error)
                continue
            for key, future in batch:
                if not future.done():
                    future.set_result(key in won)
