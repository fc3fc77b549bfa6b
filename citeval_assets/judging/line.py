"""Standing in line for money that calls under way may leave over."""

import asyncio
from dataclasses import dataclass, field


@dataclass
class Line:
    """Those who wait, in the order they came. Nobody overtakes: what is judged with the money
    there is stays a fair sample, and cases are judged with all their systems."""

    _head: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def forming(self) -> bool:
        """Whether somebody waits."""
        return self._head.locked()

    async def come_first(self) -> None:
        """Wait until everybody before has gone; be the one who asks."""
        await self._head.acquire()

    def go(self) -> None:
        """Make room for the next."""
        self._head.release()


@dataclass(slots=True)
class Place:
    """One question's place in the line."""

    line: Line
    first: bool = False
    """Whether all before it are gone."""

    async def stand(self) -> None:
        """Wait behind those who came before; returns at once for the first of them."""
        if not self.first:
            await self.line.come_first()
            self.first = True

    def leave(self) -> None:
        """Give it up: the money is there, or nothing more is asked."""
        if self.first:
            self.first = False
            self.line.go()
