"""What a session may spend, and what one call could cost at most.

The most a call can cost is known before it goes out: no tokenizer makes more tokens than the
prompt has bytes, and the provider writes no more than the limit it was given. Where that bound
does not fit into what is left, the tighter estimate of the prompt is tried.
"""

import math
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from citeval_assets.judging.clients import ModelClient
from citeval_assets.judging.outcomes import failure_of
from citeval_assets.judging.request import ModelRequest
from citeval_assets.judging.tokens import estimate_tokens
from citeval_assets.judging.truncation import PER_MESSAGE_TOKENS, messages_tokens
from citeval_assets.ledger.owners import process_owner
from citeval_assets.ledger.spending import (
    Refusal,
    Reservation,
    SpendingLimit,
    day_scope,
    run_scope,
)
from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.vocabulary import Reason

_ESTIMATE_FLOOR = 0.75
"""The estimate of a short text may be this share of the true count (see ``tokens``)."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits in US dollars; ``None``: none.

    ``run`` names the run whose calls count against ``per_run_usd``, in all its processes.
    """

    run: str = ""
    per_run_usd: Decimal | None = None
    per_day_usd: Decimal | None = None

    @property
    def limited(self) -> bool:
        """Whether anything limits the spending."""
        return self.per_run_usd is not None or self.per_day_usd is not None

    def limits(self, now: datetime) -> tuple[SpendingLimit, ...]:
        """Return the limits that hold now."""
        found: list[SpendingLimit] = []
        if self.per_run_usd is not None:
            found.append(SpendingLimit(run_scope(self.run), self.per_run_usd))
        if self.per_day_usd is not None:
            found.append(SpendingLimit(day_scope(now), self.per_day_usd))
        return tuple(found)


@dataclass
class Purse:
    """Sets aside what each call of a session may cost.

    Once there is not enough left for a call, no further one is made, also no cheaper one: what
    was judged by then stays a fair sample.
    """

    budget: Budget
    client: ModelClient
    lease_s: float
    owner: str = field(default_factory=process_owner)
    empty: Failure | None = None
    """Why nothing can be spent any more."""

    async def reservation(self, request: ModelRequest, now: datetime) -> Reservation | None:
        """Return what to set aside for a call; ``None`` where nothing limits the spending.

        Without a known price nothing can be set aside: ``empty`` is set.
        """
        if not self.budget.limited or self.client.local:
            return None
        return await self._reserved(prompt_bound(request), request, now)

    async def tighter(self, request: ModelRequest, now: datetime) -> Reservation | None:
        """Return the same from an estimate of the prompt, which takes longer to make."""
        return await self._reserved(prompt_estimate(request), request, now)

    def refused(self, refusal: Refusal) -> Failure:
        """Note that there is not enough left."""
        self.empty = failure_of(
            Reason.BUDGET,
            f"{refusal}; raise the limit, or lower limits.max_output_tokens of the model",
        )
        return self.empty

    async def _reserved(
        self, prompt_tokens: int, request: ModelRequest, now: datetime
    ) -> Reservation | None:
        price = await self.client.price()
        limit = request.output_tokens
        most = None if price is None or limit is None else price.at_most(prompt_tokens, limit)
        if most is None:
            self.empty = failure_of(
                Reason.BUDGET,
                f"no price is known for {request.model}, so no limit could be kept: set price of "
                "the model (0 where it costs nothing), or take the limit off",
            )
            return None
        return Reservation(most, self.budget.limits(now), self.owner, self.lease_s)


def prompt_bound(request: ModelRequest) -> int:
    """Return a number of tokens the prompt cannot exceed: its bytes, and those of the schema."""
    sizes = [_bytes(message.content) + PER_MESSAGE_TOKENS for message in request.messages]
    return sum(sizes) + _bytes(request.schema.canonical)


def prompt_estimate(request: ModelRequest) -> int:
    """Return the estimated tokens of the prompt, over the lowest share they were found at."""
    estimated = messages_tokens(request.messages) + estimate_tokens(request.schema.canonical)
    return min(prompt_bound(request), math.ceil(estimated / _ESTIMATE_FLOOR))


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
