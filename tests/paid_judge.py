"""A judge that costs money and goes out, as far as the session can tell; it answers offline.

It gives the answers of an embedded judge (or target model), so that whole evaluations can be run,
billed, limited and interrupted without a provider or its library.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from citeval_assets.config import ModelConfig, ModelPrice
from citeval_assets.embedded.registry import embedded_model
from citeval_assets.judging.form import CallForm
from citeval_assets.judging.pricing import PriceTag
from citeval_assets.judging.request import Answer, CallFailure, Completion, ModelRequest, Usage

PRICE = ModelPrice(input_per_million=Decimal(1), output_per_million=Decimal(2))


@dataclass
class PaidJudge:
    """``price`` is that of its calls; ``script`` holds answers that come first."""

    price_tag: PriceTag = field(default_factory=lambda: PriceTag(PRICE, None))
    answered_model: str | None = None
    script: list[Answer] = field(default_factory=list)
    delay_s: float = 0.0
    endpoint: str = "test://paid"
    identity: Mapping[str, Any] = field(default_factory=dict)
    local: bool = False
    requests: list[ModelRequest] = field(default_factory=list)

    async def ready(self, request: ModelRequest) -> CallFailure | None:
        return None

    async def price(self) -> PriceTag | None:
        return self.price_tag

    def form(self, request: ModelRequest) -> CallForm:
        return CallForm()

    async def call(self, request: ModelRequest, form: CallForm, deadline_s: float) -> Answer:
        self.requests.append(request)
        await asyncio.sleep(self.delay_s)
        if self.script:
            return self.script.pop(0)
        usage = Usage(prompt=1000, completion=200)
        answers = request.view.playbook == "cite_or_abstain"
        name = "embedded/extractive-0" if answers else "embedded/overlap-0"
        return Completion(
            text=embedded_model(name).reply(request.view),
            finish_reason="stop",
            usage=usage,
            cost=self.price_tag.cost(usage),
            answered_model=self.answered_model or request.model.partition("/")[2],
            fingerprint="fp_1",
            provider="paid",
        )

    async def close(self) -> None:
        pass


def stand_in(monkeypatch: Any, client: Any) -> None:
    """Let evaluations use ``client`` for every model that is not embedded."""
    from citeval_assets.evaluation import partition

    real = partition.client_for

    def choose(model: ModelConfig, *more: Any) -> Any:
        return real(model, *more) if model.embedded else client

    monkeypatch.setattr(partition, "client_for", choose)
