"""What a call cost, exactly, or why that is not known. Never 0 for unknown."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from citeval_assets.config.models import ModelPrice
from citeval_assets.judging.request import Cost, Usage

_ABOVE = re.compile(r"(?P<name>.+)_above_(?P<thousands>\d+)k_tokens")


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """US dollars per token. Cached and cache-writing prompt tokens have prices of their own."""

    prompt: Decimal
    completion: Decimal
    cached: Decimal
    cache_writing: Decimal
    source: str

    @classmethod
    def configured(cls, price: ModelPrice) -> "TokenPrice":
        """Return the price an operator has set."""
        million = Decimal(1_000_000)
        prompt = price.input_per_million / million
        cached = price.cached_input_per_million
        return cls(
            prompt=prompt,
            completion=price.output_per_million / million,
            cached=prompt if cached is None else cached / million,
            cache_writing=prompt,
            source="configured price",
        )

    @classmethod
    def listed(
        cls, entry: Mapping[str, Any], prompt_tokens: int, source: str
    ) -> "TokenPrice | None":
        """Return the price of an entry of litellm's table, or ``None`` where it has none.

        Some models cost more above a prompt length (``input_cost_per_token_above_200k_tokens``);
        the step the prompt has reached counts.
        """
        prompt = _listed(entry, "input_cost_per_token", prompt_tokens)
        completion = _listed(entry, "output_cost_per_token", prompt_tokens)
        if prompt is None or completion is None:
            return None
        cached = _listed(entry, "cache_read_input_token_cost", prompt_tokens)
        writing = _listed(entry, "cache_creation_input_token_cost", prompt_tokens)
        return cls(
            prompt=prompt,
            completion=completion,
            cached=prompt if cached is None else cached,
            cache_writing=prompt if writing is None else writing,
            source=source,
        )

    def cost(self, usage: Usage, cache_writing_tokens: int = 0) -> Cost:
        """Return the cost of a call; each prompt token is billed once, at one price."""
        if usage.prompt is None or usage.completion is None:
            return Cost(None, "no token counts in the reply")
        cached = min(usage.cached or 0, usage.prompt)
        writing = min(cache_writing_tokens, usage.prompt - cached)
        total = (
            (usage.prompt - cached - writing) * self.prompt
            + cached * self.cached
            + writing * self.cache_writing
            + usage.completion * self.completion
        )
        return Cost(total, self.source)


LISTED = "price list of litellm"


@dataclass(frozen=True)
class PriceTag:
    """What calls to one model cost: the configured price, else that of litellm's table."""

    configured: ModelPrice | None
    listed: Mapping[str, Any] | None
    _steps: tuple[int, ...] = field(init=False)
    _prices: dict[int, TokenPrice | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        steps = {int(m["thousands"]) * 1000 for m in map(_ABOVE.fullmatch, self.listed or ()) if m}
        object.__setattr__(self, "_steps", tuple(sorted(steps)))

    def cost(self, usage: Usage, cache_writing_tokens: int = 0) -> Cost:
        """Return the cost of a call, or why it is not known."""
        price = self._price(usage.prompt or 0)
        return Cost(None, "no price") if price is None else price.cost(usage, cache_writing_tokens)

    def at_most(self, prompt_tokens: int, completion_tokens: int) -> Decimal | None:
        """Return what a call of this size can cost at most; ``None`` where no price is known."""
        price = self._price(prompt_tokens)
        if price is None:
            return None
        prompt = max(price.prompt, price.cached, price.cache_writing)
        return prompt_tokens * prompt + completion_tokens * price.completion

    def _price(self, prompt_tokens: int) -> TokenPrice | None:
        step = sum(prompt_tokens > border for border in self._steps)
        if step not in self._prices:
            self._prices[step] = self._read_price(prompt_tokens)
        return self._prices[step]

    def _read_price(self, prompt_tokens: int) -> TokenPrice | None:
        if self.configured is not None:
            return TokenPrice.configured(self.configured)
        return TokenPrice.listed(self.listed, prompt_tokens, LISTED) if self.listed else None


def _listed(entry: Mapping[str, Any], name: str, prompt_tokens: int) -> Decimal | None:
    found, reached = entry.get(name), 0
    for key, value in entry.items():
        step = _ABOVE.fullmatch(key)
        if step is None or step["name"] != name:
            continue
        border = int(step["thousands"]) * 1000
        if prompt_tokens > border > reached:
            found, reached = value, border
    # repr of a float is its shortest exact spelling: 2.5e-07 is the price that was meant.
    return None if found is None else Decimal(repr(found))
