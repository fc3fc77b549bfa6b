"""Coming to an end on request."""

import asyncio
from collections.abc import Awaitable, Callable


class Stop:
    """Set once when no further call is to be made; wakes those who wait."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def set(self) -> None:
        """Ask everyone to come to an end."""
        self._event.set()

    @property
    def is_set(self) -> bool:
        """Whether an end was asked for."""
        return self._event.is_set()

    async def pause(self, seconds: float, sleep: Callable[[float], Awaitable[None]]) -> None:
        """Wait, but not longer than until an end is asked for."""
        if seconds <= 0 or self.is_set:
            return
        nap = asyncio.ensure_future(sleep(seconds))
        end = asyncio.ensure_future(self._event.wait())
        try:
            await asyncio.wait((nap, end), return_when=asyncio.FIRST_COMPLETED)
        finally:
            nap.cancel()
            end.cancel()
