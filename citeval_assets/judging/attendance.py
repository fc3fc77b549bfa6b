"""Several processes for one model share the calls that may be open at one time.

Each says in the ledger that it is at work, and takes an equal share of the limit. Whoever comes or
goes is noticed by the others within ``EVERY_S`` seconds.
"""

import asyncio
from dataclasses import dataclass

from citeval_assets.judging.concurrency import AdaptiveLimit
from citeval_assets.ledger.errors import LedgerError
from citeval_assets.ledger.store import Ledger

EVERY_S = 2.0
_LEASE_S = 10.0


@dataclass
class Attendance:
    """The presence of one session among those that ask the same model."""

    ledger: Ledger
    scope: str
    owner: str
    limit: AdaptiveLimit
    _keeping: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Come in.

        Raises:
            LedgerError: the ledger cannot be written.
        """
        await self._tell()
        self._keeping = asyncio.create_task(self._keep())

    async def end(self) -> None:
        """Go."""
        if self._keeping is None:
            return
        self._keeping.cancel()
        await asyncio.gather(self._keeping, return_exceptions=True)
        try:
            await asyncio.to_thread(self.ledger.leave, self.scope, self.owner)
        except LedgerError:
            return  # it runs out by itself; what is wrong with the ledger others have met

    async def _tell(self) -> None:
        present = await asyncio.to_thread(self.ledger.attend, self.scope, self.owner, _LEASE_S)
        self.limit.share_among(present)

    async def _keep(self) -> None:
        # Real time, not the session's clock: attendance is measured by the ledger's.
        while True:
            await asyncio.sleep(EVERY_S)
            try:
                await self._tell()
            except LedgerError:
                # The next call that needs the ledger reports what is wrong with it.
                continue
