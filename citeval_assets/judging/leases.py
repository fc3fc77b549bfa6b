"""One payer per call: leases on call keys, taken from the ledger in batches.

Several processes may resume the same run. Before a call is made its key is leased; whoever does
not get it waits for the holder's reply instead of paying a second time.
"""

import asyncio
from dataclasses import dataclass, field

from citeval_assets.ledger.owners import process_owner
from citeval_assets.ledger.store import Ledger


@dataclass
class LeaseDesk:
    """Takes and gives back leases for one session, one transaction for all that wait.

    ``fresh``: lease keys also where a reply is stored (an extra call was asked for).
    """

    ledger: Ledger
    lease_s: float
    fresh: bool = False
    owner: str = field(default_factory=process_owner)
    _waiting: list[tuple[str, asyncio.Future[bool]]] = field(default_factory=list)
    _draining: asyncio.Task[None] | None = None

    async def take(self, call_key: str) -> bool:
        """Lease a key, or renew the lease; ``False``: another owner has it, or its reply is in."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((call_key, future))
        if self._draining is None or self._draining.done():
            self._draining = asyncio.create_task(self._drain())
        return await future

    async def give_back(self, call_key: str) -> None:
        """Let others have a key whose call brought no reply (a stored reply ends the lease)."""
        await asyncio.to_thread(self.ledger.release, [call_key], self.owner)

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
