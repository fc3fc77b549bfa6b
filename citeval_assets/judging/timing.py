"""Clock, sleep and chance, handed in so that tests neither wait nor guess."""

import asyncio
import os
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _new_id() -> str:
    """Return 32 hex digits: microseconds of the clock, then chance.

    Ids that follow each other in time lie side by side in the indexes of the ledger, so a commit
    writes fewer of their pages.
    """
    return f"{time.time_ns() // 1000:014x}{os.urandom(9).hex()}"


@dataclass(frozen=True, slots=True)
class Timing:
    """Where a session takes time and randomness from.

    Attributes:
        clock: Seconds of a clock that never goes back.
        sleep: Waits the given seconds.
        now: The time of day, with its zone.
        draw: Jitter.
        new_id: A name no other call has.
    """

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    now: Callable[[], datetime] = _utc_now
    draw: random.Random = field(default_factory=random.Random)
    new_id: Callable[[], str] = _new_id

    def timestamp(self) -> str:
        """Return the present time as the ledger writes it: ISO-8601, UTC, microseconds."""
        return self.now().astimezone(UTC).isoformat(timespec="microseconds")
