"""A model client without the client library: children that are killed start in no time."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import aiohttp

from citeval_assets.config import ModelPrice
from citeval_assets.judging.form import CallForm
from citeval_assets.judging.pricing import PriceTag
from citeval_assets.judging.request import Answer, CallFailure, Completion, ModelRequest, Usage
from citeval_assets.playbooks.vocabulary import Reason

PRICE = PriceTag(ModelPrice(input_per_million=Decimal(1), output_per_million=Decimal(2)), None)


def _nothing() -> None:
    pass


@dataclass
class PlainClient:
    """Speaks to an OpenAI-compatible server on loopback. ``received`` is told of each reply."""

    url: str
    received: Callable[[], None] = _nothing
    endpoint: str = "loopback"
    identity: Mapping[str, Any] = field(default_factory=dict)
    local: bool = False
    _session: aiohttp.ClientSession | None = None

    async def ready(self, request: ModelRequest) -> CallFailure | None:
        return None

    async def price(self) -> PriceTag | None:
        return PRICE

    def form(self, request: ModelRequest) -> CallForm:
        return CallForm()

    async def call(self, request: ModelRequest, form: CallForm, deadline_s: float) -> Answer:
        if self._session is None:
            self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        body = {"model": request.model, "messages": request.messages_as_sent()}
        try:
            async with asyncio.timeout(deadline_s):
                async with self._session.post(f"{self.url}/chat/completions", json=body) as found:
                    said = await found.json()
                    status = found.status
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            return CallFailure(Reason.UNREACHABLE, type(error).__name__, retryable=True)
        self.received()
        if status != 200:
            return CallFailure(Reason.UNREACHABLE, f"HTTP {status}", status, retryable=True)
        usage = Usage(said["usage"]["prompt_tokens"], 0, said["usage"]["completion_tokens"])
        return Completion(
            said["choices"][0]["message"]["content"], "stop", usage, PRICE.cost(usage)
        )

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None
