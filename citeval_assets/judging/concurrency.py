"""How many calls may be open at one time: as many as the provider keeps up with.

Additive increase, multiplicative decrease (Chiu and Jain, 1989), as TCP does it: the number is
halved when the provider says that it is too much (429), and grows by one for every round of
answered calls, up to what the operator allows.
"""

import asyncio
from collections import deque
from dataclasses import dataclass, field

_LEARNT: dict[str, float] = {}
"""The last number by provider and address: the next session of this process starts there."""


@dataclass(slots=True)
class Slot:
    """The right to one open call. ``cuts``: how often the limit was halved before it was lent."""

    limit: "AdaptiveLimit"
    cuts: int
    lent: bool = True

    def give_back(self) -> None:
        """Return it, once."""
        if self.lent:
            self.lent = False
            self.limit.give_back()


@dataclass
class AdaptiveLimit:
    """Lends slots to the calls of one event loop.

    ``most`` is where it starts and what it never exceeds. ``remember_as`` names the provider and
    address for later sessions of this process; empty: nothing is kept.
    """

    most: int
    remember_as: str = ""
    in_use: int = 0
    cuts: int = 0
    """How often the number was halved."""

    _allowed: float = field(init=False)
    _granted: int | None = None
    _waiting: deque[asyncio.Future[None]] = field(default_factory=deque[asyncio.Future[None]])

    def __post_init__(self) -> None:
        self._allowed = min(float(self.most), _LEARNT.get(self.remember_as, float(self.most)))

    @property
    def allowed(self) -> int:
        """Calls that may be open now."""
        keeps_up = max(1, int(self._allowed))
        return keeps_up if self._granted is None else min(keeps_up, self._granted)

    def grant(self, slots: int) -> None:
        """Keep to a share; the other processes that call the same model have the rest."""
        self._granted = slots
        self._wake()

    async def take(self) -> int:
        """Wait for a slot; returns a stamp to be handed to ``rate_limited``."""
        if self.in_use >= self.allowed or self._waiting:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self.give_back()
                raise
        else:
            self.in_use += 1
        return self.cuts

    def give_back(self) -> None:
        """Return a slot."""
        self.in_use -= 1
        self._wake()

    def answered(self) -> None:
        """Grow by one for every round of answered calls, where the slots are really used."""
        if self._allowed < self.most and (self._waiting or self.in_use >= self.allowed):
            self._set(min(float(self.most), self._allowed + 1.0 / self._allowed))
            self._wake()

    def rate_limited(self, stamp: int) -> None:
        """Halve, once for all calls that were open together."""
        if stamp == self.cuts:
            self.cuts += 1
            self._set(max(1.0, self._allowed / 2))

    def _set(self, allowed: float) -> None:
        self._allowed = allowed
        if self.remember_as:
            _LEARNT[self.remember_as] = allowed

    def _wake(self) -> None:
        while self._waiting and self.in_use < self.allowed:
            turn = self._waiting.popleft()
            if not turn.done():
                self.in_use += 1
                turn.set_result(None)
