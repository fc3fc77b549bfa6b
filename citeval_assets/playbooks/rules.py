"""Domain rules: what the operator settles per dataset. A change opens a new epoch."""

from typing import Literal

from pydantic import BaseModel, Field, field_validator

from citeval_assets.playbooks.vocabulary import (
    QuoteMatching,
    RiskLevel,
    Severity,
    ViolationCategory,
)
from citeval_assets.text.custom_pattern import check_pattern
from citeval_assets.text.markers import active_styles


class Tolerance(BaseModel, frozen=True, extra="forbid"):
    """How far two numbers may differ: absolute, or relative (written with ``%``)."""

    amount: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    relative: bool = False

    def allows(self, answer: float, reference: float) -> bool:
        """Whether ``answer`` lies within the tolerance of ``reference``.

        A rounding margin of 1e-9 of the larger magnitude keeps decimal input such as
        1.05 against 1.00 +- 0.05 from failing on binary fractions.
        """
        allowed = abs(reference) * self.amount / 100 if self.relative else self.amount
        slack = 1e-9 * max(abs(answer), abs(reference), 1.0)
        return abs(answer - reference) <= allowed + slack


class DomainRules(BaseModel, frozen=True, extra="forbid"):
    """The operator's settings for the cases of one dataset.

    ``evidence_threshold`` is the least support level that counts as support for a claim
    of playbooks 1 and 2; ``None`` takes the playbook's own default. ``score_threshold``
    is the score under which a report of ``citation_accuracy`` escalates.
    ``review_severity_threshold`` is ``review.severity_threshold`` of the configuration: the
    mildest violation (a category, or a severity) of ``cot_faithfulness`` that sends a
    standard-risk ``partially_faithful`` report to review (``None``: none does).
    """

    risk_level: RiskLevel | None = None
    quote_matching: QuoteMatching = QuoteMatching.NORMALISED
    partial_weight: float = Field(default=0.5, ge=0, le=1, allow_inf_nan=False)
    evidence_threshold: Literal["fully_supported", "partially_supported", "supported"] | None = None
    numeric_tolerance: Tolerance = Tolerance()
    additional_constraints: str = ""
    neighbour_chunks: int = Field(default=0, ge=0, le=20)
    score_threshold: float = Field(default=0.8, ge=0, le=1, allow_inf_nan=False)
    citation_styles: tuple[str, ...] = ()
    citation_pattern: str | None = None
    review_severity_threshold: ViolationCategory | Severity | None = None
    refuse_critical: bool = False

    @field_validator("numeric_tolerance", mode="before")
    @classmethod
    def _read_tolerance(cls, value: object) -> object:
        if isinstance(value, bool):
            raise ValueError("numeric_tolerance must be a number or a percentage such as '2%'")
        if isinstance(value, int | float):
            return Tolerance(amount=float(value))
        if isinstance(value, str):
            text = value.strip()
            relative = text.endswith("%")
            try:
                return Tolerance(amount=float(text.removesuffix("%")), relative=relative)
            except ValueError:
                raise ValueError(
                    f"numeric_tolerance {value!r} is neither a number nor a percentage such as '2%'"
                ) from None
        return value

    @field_validator("citation_styles")
    @classmethod
    def _styles_exist(cls, styles: tuple[str, ...]) -> tuple[str, ...]:
        active_styles(styles)
        return styles

    @field_validator("citation_pattern")
    @classmethod
    def _pattern_compiles(cls, pattern: str | None) -> str | None:
        if pattern is not None:
            check_pattern(pattern)
        return pattern

    @field_validator("risk_level", mode="before")
    @classmethod
    def _read_risk(cls, value: object) -> object:
        return read_risk_level(value)


def read_risk_level(value: object) -> object:
    """Return ``moderate`` as ``standard`` (SPEC section 0); anything else unchanged."""
    if isinstance(value, str) and value.strip().lower() == "moderate":
        return RiskLevel.STANDARD
    return value.strip().lower() if isinstance(value, str) else value
