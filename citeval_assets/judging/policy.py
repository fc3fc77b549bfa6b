"""How a session asks: how many at once, how patiently, and from which store."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from citeval_assets.config import ModelConfig
from citeval_assets.judging.backoff import Backoff
from citeval_assets.judging.breaker import BreakerSettings
from citeval_assets.judging.budget import Budget
from citeval_assets.judging.pacing import Rates

_GRACE_S = 30.0
"""Time to write what came of a call, beyond its deadline."""


@dataclass(frozen=True, slots=True)
class JudgingPolicy:
    """The settings of one session.

    Attributes:
        max_concurrency: Cases in work at the same time, and calls open at the same time: fewer
            while the provider says that it is too much.
        output_tokens: Room for a reply; doubled where a reply was cut at it.
        tries: Requests for one question at most, the first included.
        call_deadline_s: Longest wait for one reply.
        case_deadline_s: Longest time for one case with all its tries and waits; ``None``: no
            limit.
        deadline_s: Seconds after which the session starts no further call; ``None``: no limit.
        token_budget: Tokens a context may take, the same for a whole comparison (see
            ``comparison_budget``); ``None``: what this model's own window leaves.
        refresh: Ask anew even where a reply is stored.
        budget: What may be spent.
        repeat: Which repetition of the same question this session asks (0: the first). Another
            number is another question to the ledger.
    """

    max_concurrency: int = 8
    output_tokens: int = 4096
    tries: int = 4
    backoff: Backoff = field(default_factory=Backoff)
    breaker: BreakerSettings = field(default_factory=BreakerSettings)
    rates: Rates = field(default_factory=Rates)
    call_deadline_s: float = 120.0
    case_deadline_s: float | None = None
    deadline_s: float | None = None
    token_budget: int | None = None
    budget: Budget = field(default_factory=Budget)
    refresh: bool = False
    repeat: int = 0

    def __post_init__(self) -> None:
        for name in ("max_concurrency", "output_tokens", "tries"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, found {getattr(self, name)}")
        if self.call_deadline_s <= 0:
            raise ValueError(f"call_deadline_s must be over 0, found {self.call_deadline_s}")
        if self.repeat < 0:
            raise ValueError(f"repeat must not be negative, found {self.repeat}")

    @classmethod
    def for_model(
        cls,
        model: ModelConfig,
        *,
        token_budget: int | None = None,
        refresh: bool = False,
        repeat: int = 0,
    ) -> Self:
        """Return the policy that follows from the ``limits`` of a configured model."""
        limits = model.limits
        return cls(
            max_concurrency=limits.max_concurrency,
            output_tokens=limits.max_output_tokens,
            tries=limits.tries,
            backoff=Backoff(limits.backoff_s, limits.backoff_max_s),
            breaker=BreakerSettings(limits.breaker_failures, limits.breaker_cooldown_s),
            rates=Rates(limits.requests_per_minute, limits.tokens_per_minute),
            call_deadline_s=limits.timeout_s,
            case_deadline_s=limits.case_deadline_s,
            deadline_s=limits.deadline_s,
            token_budget=token_budget,
            refresh=refresh,
            repeat=repeat,
        )

    @property
    def longest_call_s(self) -> float:
        """After so long nothing comes of a call any more."""
        return self.call_deadline_s + _GRACE_S


def comparison_budget(models: Iterable[ModelConfig]) -> int | None:
    """Return the tokens a context may take so that it fits every model of a comparison.

    That is the least of what each window leaves beside the room for a reply; ``None`` where no
    model states its window, so that nothing need be cut.
    """
    return min(
        (
            model.context_window - model.limits.max_output_tokens
            for model in models
            if model.context_window is not None
        ),
        default=None,
    )
