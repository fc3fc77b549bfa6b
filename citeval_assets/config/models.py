"""Models: who judges, who answers, how hard they may be called, what they cost."""

from decimal import Decimal
from typing import Annotated

from pydantic import Field, JsonValue, field_validator

from citeval_assets.config.fields import (
    EnvName,
    HttpUrl,
    KeyText,
    NotEmpty,
    Number,
    OneOrMore,
    Road,
    Role,
    Section,
    Stage,
    Text,
    Usd,
    Whole,
    YesNo,
)

_MILLION = Decimal(1_000_000)

_OURS = {
    "temperature": "every model is asked at temperature 0.0, so that scores are comparable",
    "max_tokens": "set limits.max_output_tokens",
    "max_completion_tokens": "set limits.max_output_tokens",
    "timeout": "set limits.timeout_s",
    "num_retries": "set limits.tries; there is one retry loop",
    "max_retries": "set limits.tries; there is one retry loop",
    "api_base": "set api_base of the model",
    "base_url": "set api_base of the model",
    "messages": "the prompt template gives the messages",
    "model": "set model of the model",
    "response_format": "the playbook gives the output schema",
    "n": "one reply is asked for; use --repeat for more",
    "stream": "replies are read whole",
}
"""Request parameters that are set elsewhere, and where."""


class ModelPrice(Section):
    """Prices in US dollars per million tokens."""

    input_per_million: Usd
    """Prompt tokens."""

    output_per_million: Usd
    """Completion tokens."""

    cached_input_per_million: Usd | None = None
    """Prompt tokens the provider had cached; by default as input_per_million."""

    def cost(self, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0) -> Decimal:
        """Return the exact cost in US dollars; cached tokens are part of the prompt tokens."""
        cached_price = self.cached_input_per_million
        if cached_price is None:
            cached_price = self.input_per_million
        total = (
            (prompt_tokens - cached_tokens) * self.input_per_million
            + cached_tokens * cached_price
            + completion_tokens * self.output_per_million
        )
        return total / _MILLION


class ModelLimits(Section):
    """How hard a model may be called, and when to stop."""

    max_concurrency: Annotated[Whole, Field(ge=1, le=1024)] = 16
    """Calls in flight at one time. The number is halved whenever the provider answers 429, and
    grows again with the calls that are answered."""

    requests_per_minute: Annotated[Whole, Field(ge=1)] | None = None
    """At most this many calls are started in a minute."""

    tokens_per_minute: Annotated[Whole, Field(ge=1)] | None = None
    """At most this many tokens (prompt and reserved output) are sent in a minute."""

    max_output_tokens: Annotated[Whole, Field(ge=16)] = 4096
    """Room for one reply; raised once for a reply that was cut."""

    timeout_s: Annotated[Number, Field(gt=0)] = 120.0
    """Seconds one call may take."""

    tries: Annotated[Whole, Field(ge=1, le=20)] = 5
    """Sendings of one question on 429, 5xx, timeouts and resets, the first included."""

    backoff_s: Annotated[Number, Field(ge=0)] = 1.0
    """Seconds before the second try; doubled each time, with jitter."""

    backoff_max_s: Annotated[Number, Field(ge=0)] = 60.0
    """The longest wait between two tries."""

    breaker_failures: Annotated[Whole, Field(ge=1)] = 10
    """After this many failures in a row the model is left alone."""

    breaker_cooldown_s: Annotated[Number, Field(ge=0)] = 60.0
    """Seconds a model is left alone."""

    case_deadline_s: Annotated[Number, Field(gt=0)] | None = None
    """Seconds one case may take, with all its calls and waits; no limit by default."""

    deadline_s: Annotated[Number, Field(gt=0)] | None = None
    """Seconds after which a run starts no further call to this model."""


class ModelConfig(Section):
    """One model: a judge, a target under test, or both."""

    id: KeyText
    """Partition key and name in every table."""

    model: Text
    """The litellm name (provider/model), or embedded/... for the offline models."""

    roles: Annotated[tuple[Role, ...], OneOrMore, NotEmpty]
    """judge, target, or both."""

    stage: Stage = Stage.CANDIDATE
    """production, candidate, baseline or retired."""

    context_window: Annotated[Whole, Field(ge=256)] | None = None
    """Tokens the model can take; contexts are cut to the smallest window in a comparison."""

    params: dict[str, JsonValue] = Field(default_factory=dict)
    """Further request parameters, sent as they are (seed, reasoning_effort, ...)."""

    limits: ModelLimits = ModelLimits()
    """How hard the model may be called."""

    api_base: HttpUrl | None = None
    """Address of an OpenAI-compatible server, or of a proxy."""

    api_key_env: EnvName | None = None
    """Name of the environment variable that holds the key, or, with _FILE behind it, the path of
    a file that does. The key itself is refused."""

    road: Road = Road.AUTO
    """lean: over our own connection, in litellm's words; stock: through litellm.acompletion;
    auto: lean for the providers where both are proven to send the same."""

    price: ModelPrice | None = None
    """Without it the price list of litellm is used; an unknown price is shown as unknown."""

    allow_self_judging: YesNo = False
    """Whether this judge may grade what the same model wrote (see model of a system)."""

    watch: YesNo = False
    """Whether a sensor watches the provider for a new snapshot of this model."""

    @field_validator("params")
    @classmethod
    def _leave_ours_alone(cls, params: dict[str, JsonValue]) -> dict[str, JsonValue]:
        for name in params:
            if name in _OURS:
                raise ValueError(f"parameter {name!r} cannot be set here: {_OURS[name]}")
        return params

    @field_validator("roles")
    @classmethod
    def _once_each(cls, roles: tuple[Role, ...]) -> tuple[Role, ...]:
        return tuple(dict.fromkeys(roles))

    @property
    def embedded(self) -> bool:
        """Whether the model runs inside citeval, without network or cost."""
        return self.model.startswith("embedded/")
