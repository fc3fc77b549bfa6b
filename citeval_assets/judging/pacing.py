"""Keeping to the rates a provider allows: requests and tokens per minute.

The turns are taken from the ledger, so that several processes that call one model share its
rates. Requests that wait at the same moment take theirs in one transaction.
"""

import asyncio
from dataclasses import dataclass, field

from citeval_assets.judging.request import ModelRequest
from citeval_assets.judging.truncation import messages_tokens
from citeval_assets.ledger.store import Ledger
from citeval_assets.ledger.turns import TurnLength


@dataclass(frozen=True, slots=True)
class Rates:
    """What may be sent in a minute; ``None``: as much as there is."""

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None

    @property
    def limited(self) -> bool:
        """Whether there is anything to keep to."""
        return self.requests_per_minute is not None or self.tokens_per_minute is not None

    def turn_of(self, request: ModelRequest) -> TurnLength:
        """Return how long a request of this size takes up what is allowed."""
        request_s = tokens_s = 0.0
        if self.requests_per_minute is not None:
            request_s = 60.0 / self.requests_per_minute
        if self.tokens_per_minute is not None:
            tokens = messages_tokens(request.messages) + (request.output_tokens or 0)
            tokens_s = 60.0 * tokens / self.tokens_per_minute
        return TurnLength(request_s, tokens_s)


@dataclass
class Pacer:
    """Gives each request its turn, evenly spaced, so that no minute holds more than allowed."""

    ledger: Ledger
    scope: str
    rates: Rates
    _waiting: list[tuple[TurnLength, asyncio.Future[float]]] = field(default_factory=list)
    _taking: asyncio.Task[None] | None = None

    async def wait_s(self, request: ModelRequest) -> float:
        """Take the next turn and return how long it is until then, in seconds."""
        if not self.rates.limited:
            return 0.0
        future: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._waiting.append((self.rates.turn_of(request), future))
        if self._taking is None or self._taking.done():
            self._taking = asyncio.create_task(self._take())
        return await future

    async def _take(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            lengths = [length for length, _ in batch]
            try:
                waits = await asyncio.to_thread(self.ledger.take_turns, self.scope, lengths)
            except Exception as error:  # noqa: BLE001 - handed to everyone who waits for it
                for _, future in batch:
                    if not future.done():
                        future.set_exception(error)
                continue
            for (_, future), wait_s in zip(batch, waits, strict=True):
                if not future.done():
                    future.set_result(wait_s)
