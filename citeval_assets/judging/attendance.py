"""Several processes for one model share the calls that may be open at one time.

Each says in the ledger that it is at work and how many calls it holds, and is granted an equal
share of the limit. Whoever comes or goes is noticed by the others within ``EVERY_S`` seconds; who
comes has nothing until the others' surplus calls have ended, so together they never pass the limit.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic

from citeval_assets.judging.concurrency import AdaptiveLimit
from citeval_assets.ledger.errors import LedgerError
from citeval_assets.ledger.store import Ledger

EVERY_S = 0.5
_LOOK_S = 0.02
"""How often to look whether the calls above a share that became smaller have ended."""

_LEASE_S = 10.0


@dataclass
class Attendance:
    """The presence of one session among those that ask the same model."""

    ledger: Ledger
    scope: str
    owner: str
    limit: AdaptiveLimit
    _granted: int = 0
    _said: int = 0
    """What the others believe this one to hold: its share, or more while calls end."""

    _keeping: asyncio.Task[None] | None = None
    _going: asyncio.Event = field(default_factory=asyncio.Event)

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
        # Not cancelled: what it may be telling the ledger just now must not come after the leave.
        self._going.set()
        await asyncio.gather(self._keeping, return_exceptions=True)
        try:
            await asyncio.to_thread(self.ledger.leave, self.scope, self.owner)
        except LedgerError:
            return  # it runs out by itself; what is wrong with the ledger others have met

    async def _tell(self) -> None:
        holds = max(self.limit.in_use, self._granted)
        granted = await asyncio.to_thread(
            self.ledger.attend, self.scope, self.owner, _LEASE_S, holds=holds, most=self.limit.most
        )
        self._granted, self._said = granted, max(holds, granted)
        self.limit.grant(granted)

    async def _keep(self) -> None:
        # Real time, not the session's clock: attendance is measured by the ledger's.
        while not await self._pause():
            try:
                await self._tell()
            except LedgerError:
                # The next call that needs the ledger reports what is wrong with it.
                continue

    async def _pause(self) -> bool:
        """Wait for the next time, not so long where somebody waits for calls to end.

        Returns whether this one goes.
        """
        surplus = self._said > self._granted
        until = monotonic() + EVERY_S
        while (left := until - monotonic()) > 0 and not self._going.is_set():
            if surplus and self.limit.in_use <= self._granted:
                break
            with suppress(TimeoutError):
                await asyncio.wait_for(self._going.wait(), min(left, _LOOK_S) if surplus else left)
        return self._going.is_set()
