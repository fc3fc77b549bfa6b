"""Clock, sleep and chance, handed in so that tests neither wait nor guess."""

import asyncio
import random
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _new_id() -> str:
    return uuid.uuid4().hex


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
