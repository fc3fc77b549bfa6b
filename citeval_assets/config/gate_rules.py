"""The parts of a gate: what is compared, and which known failures it lets through."""

from datetime import date
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, GetJsonSchemaHandler, model_validator
from pydantic_core import CoreSchema

from citeval_assets.config.fields import Number, Section, Text, Whole
from citeval_assets.config.yaml_text import OddScalar

Share = Annotated[Number, Field(ge=0, le=1)]


def _as_date(value: object) -> object:
    """Read a date as YAML leaves it; text in quotes is the same."""
    written = value.written if isinstance(value, OddScalar) else value
    if not isinstance(written, str):
        return value
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise ValueError(f"{written!r} is no date; write it as 2027-01-31") from None


Day = Annotated[date, BeforeValidator(_as_date)]


class GateMode(StrEnum):
    """How a fall of the score is judged."""

    THRESHOLD = "threshold"
    NON_INFERIORITY = "non_inferiority"
    BOTH = "both"


class Direction(StrEnum):
    """Which way a metric is better."""

    HIGHER = "higher"
    LOWER = "lower"


class Metric(StrEnum):
    """What a gate can compare between its two sides."""

    SCORE = "score"
    PASS_SHARE = "pass_share"
    FALSE_ABSTENTION = "false_abstention_rate"
    MISSED_ABSTENTION = "missed_abstention_rate"
    SILENT_GAP = "silent_gap_rate"

    @property
    def better(self) -> Direction:
        """Which way the metric is better unless a gate says otherwise."""
        higher = self in (Metric.SCORE, Metric.PASS_SHARE)
        return Direction.HIGHER if higher else Direction.LOWER

    @property
    def playbook(self) -> str | None:
        """The one playbook that has the metric; ``None`` where all have it."""
        return None if self in (Metric.SCORE, Metric.PASS_SHARE) else "cite_or_abstain"


class MetricRule(Section):
    """One metric of a gate. Written as its name alone, it takes everything from the gate."""

    name: Metric
    """score (mean), pass_share, or one of the rates of cite_or_abstain."""

    direction: Direction | None = None
    """Which way is better: higher or lower; by default what the metric means."""

    mode: GateMode | None = None
    """By default that of the gate."""

    max_drop_points: Annotated[Number, Field(ge=0, le=100)] | None = None
    """How far it may move the worse way, in points of 100; by default as the gate says."""

    min_pairs: Annotated[Whole, Field(ge=1)] | None = None
    """Cases it needs on both sides; by default those of the gate, or 10 for a rate over a part."""

    limit: Share | None = None
    """The worst value the candidate may have, whatever the baseline has."""

    @model_validator(mode="before")
    @classmethod
    def _name_alone(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Allow the name alone beside the mapping."""
        return {"anyOf": [{"enum": [str(metric) for metric in Metric]}, handler(schema)]}

    @property
    def better(self) -> Direction:
        """Which way is better."""
        return self.direction or self.name.better


class AllowedFailure(Section):
    """A known failure pattern that does not count against the candidate for a time."""

    pattern: Text
    """The fingerprint as ``citeval gate`` prints it; ``*`` stands for any part of it."""

    until: Day
    """The last day it is allowed, such as 2027-01-31. Afterwards it counts again."""

    reason: Text
    """Why it is allowed, for whoever reads the verdict."""

    cases: tuple[Text, ...] = ()
    """Only on these test cases; by default on all."""
