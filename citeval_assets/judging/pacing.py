"""Keeping to the rates a provider allows: requests and tokens per minute."""

from collections.abc import Callable
from dataclasses import dataclass

from citeval_assets.judging.request import ModelRequest
from citeval_assets.judging.truncation import messages_tokens


@dataclass(frozen=True, slots=True)
class Rates:
    """What may be sent in a minute; ``None``: as much as there is."""

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None


@dataclass
class Pacer:
    """Gives each request its turn, evenly spaced, so that no minute holds more than allowed."""

    rates: Rates
    clock: Callable[[], float]
    _next_turn: float = 0.0

    def wait_s(self, request: ModelRequest) -> float:
        """Take the next turn and return how long it is until then, in seconds."""
        spacing = self._spacing_s(request)
        if spacing == 0.0:
            return 0.0
        now = self.clock()
        turn = max(now, self._next_turn)
        self._next_turn = turn + spacing
        return turn - now

    def _spacing_s(self, request: ModelRequest) -> float:
        """Return how long a request of this size takes up what is allowed."""
        spacing = 0.0
        if self.rates.requests_per_minute is not None:
            spacing = 60.0 / self.rates.requests_per_minute
        if self.rates.tokens_per_minute is not None:
            tokens = messages_tokens(request.messages) + (request.output_tokens or 0)
            spacing = max(spacing, 60.0 * tokens / self.rates.tokens_per_minute)
        return spacing
