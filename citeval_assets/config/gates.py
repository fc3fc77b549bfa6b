"""What decides about a release, and who looks at what a judge could not settle."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from citeval_assets.config.automation import SampledSystem
from citeval_assets.config.data import DataPath
from citeval_assets.config.fields import (
    KeyText,
    Number,
    OneOrMore,
    PlainName,
    Section,
    SeverityThreshold,
    Text,
    Usd,
    Whole,
    YesNo,
)
from citeval_assets.config.gate_rules import (
    AllowedFailure,
    Direction,
    GateMode,
    Metric,
    MetricRule,
    Share,
)
from citeval_assets.config.qualification import QualificationConfig


class Compared(StrEnum):
    """What baseline and candidate name."""

    SYSTEMS = "systems"
    JUDGES = "judges"
    PROMPTS = "prompts"


class GateConfig(Section):
    """One comparison whose verdict lets a release pass, or stops it."""

    name: PlainName
    """Name of the gate in reports and exit messages."""

    playbook: Text
    """The playbook whose scores are compared."""

    compare: Compared = Compared.SYSTEMS
    """What baseline and candidate are: system labels, judge ids or prompt versions."""

    baseline: KeyText | None = None
    """What runs today. Without one the gate is inconclusive, unless this is the first release."""

    candidate: KeyText
    """What may replace it."""

    first_release: YesNo = False
    """Nothing runs today: only the limits of the gate decide, nothing is compared."""

    judge: KeyText | None = None
    """Model whose reports are compared; by default the one production model for the playbook."""

    prompt: Text | None = None
    """Prompt version of the reports; by default the newest released one."""

    datasets: Annotated[tuple[PlainName, ...], OneOrMore] = ()
    """Only cases of these datasets; by default all of the playbook."""

    metrics: Annotated[tuple[MetricRule, ...], OneOrMore] = ()
    """What is compared; each metric gives a verdict of its own. By default the score, for
    answer_comparison also the share of PASS, for cite_or_abstain also false and missed
    abstentions and silent gaps."""

    mode: GateMode = GateMode.THRESHOLD
    """threshold, non_inferiority (the whole interval must stay above the margin) or both."""

    max_drop_points: Annotated[Number, Field(ge=0, le=100)] = 2.0
    """How far the score may fall, in points of 100; also the margin of non_inferiority."""

    min_score: Share | None = None
    """The mean score of the candidate may not be lower, whatever the baseline has."""

    pass_score: Share = 1.0
    """A case of at least this score passes, for pass_share and McNemar's test."""

    min_pairs: Annotated[Whole, Field(ge=1)] = 50
    """With fewer paired cases the gate is inconclusive."""

    coverage_floor: Share = 0.9
    """Least share of scored cases on either side; below it the gate is inconclusive."""

    max_failed_validation_rate: Share = 0.02
    """Largest share of judgements whose output never passed validation."""

    max_new_hallucinated: Annotated[Whole, Field(ge=0)] = 0
    """Cases without invented sources in the baseline that may have one in the candidate."""

    max_hallucinated_rise: Annotated[Whole, Field(ge=0)] = 0
    """How far the total of invented sources over the paired cases may rise."""

    max_new_patterns: Annotated[Whole, Field(ge=0)] | None = None
    """New failure patterns on cases that were clean in the baseline; by default only listed."""

    allow: tuple[AllowedFailure, ...] = ()
    """Known failure patterns that do not count for a time."""

    same_sources: YesNo = True
    """Whether paired cases must have the same question and sources. A new retriever changes the
    sources: set it to false to compare whole systems."""

    same_models: tuple[tuple[Text, Text], ...] = ()
    """Pairs [asked for, answered] of model names that count as one model."""

    require_qualified: YesNo = True
    """Whether a pass needs a judge that was qualified by injected faults (`citeval qualify`).
    With false a judge that was never tried may do; one that failed may not."""

    confidence: Annotated[Number, Field(ge=0.5, lt=1)] = 0.95
    """Confidence of the intervals."""

    repeats: Literal["median", "all"] = "median"
    """With repeated judgements: the median counts, or every one of them must pass."""

    allow_provisional: YesNo = False
    """Whether high-risk reports with open escalations may decide the gate."""

    inconclusive_passes: YesNo = False
    """Whether an inconclusive gate counts as passed."""


class CalibrationConfig(Section):
    """When a judge counts as calibrated against human labels, and as qualified."""

    min_labels: Annotated[Whole, Field(ge=1)] = 50
    """Human-labelled cases a judge and prompt version need."""

    min_per_class: Annotated[Whole, Field(ge=1)] = 10
    """Of these, at least so many of either class."""

    class_threshold: Share = 0.5
    """Scores of at least this count as the positive class."""

    confidence: Annotated[Number, Field(ge=0.5, lt=1)] = 0.95
    """Confidence of the intervals."""

    qualification: QualificationConfig = QualificationConfig()
    """Judges against injected faults."""


class SamplingConfig(Section):
    """Which production traces are judged."""

    traces: DataPath = "data/traces"
    """Folder of the traces: new files are put into its inbox/, what was taken in is kept in its
    taken/, refused rows in its refused/."""

    playbooks: Annotated[tuple[Text, ...], OneOrMore] = ()
    """Playbooks that are sampled; none by default. With one alone, traces need not name it."""

    per_system_per_day: Annotated[Whole, Field(ge=1)] = 20
    """Size of each stratum: traces drawn for one system and day, at most."""

    rate: Annotated[Number, Field(gt=0, le=1)] = 1.0
    """Share of a stratum that is drawn, at most; of a stratum that is not empty at least one."""

    systems: tuple[SampledSystem, ...] = ()
    """Systems with another size or rate."""

    retriever: PlainName | None = None
    """Completes traces that arrive without their sources."""

    seed: Whole = 20261
    """Seed of the draw; the same seed draws the same traces."""

    judge: KeyText | None = None
    """The pinned judge; by default the production one."""

    prompt: Text | None = None
    """The pinned prompt version; by default the newest released one."""


class ReviewConfig(Section):
    """What reaches a person."""

    severity_threshold: SeverityThreshold = None
    """Least violation of cot_faithfulness that sends a standard-risk, partially faithful report
    to review; none by default."""

    refuse_critical: YesNo = False
    """Whether a high-risk report with a critical escalation is refused instead of reviewed."""

    ageing_days: Annotated[Whole, Field(ge=1)] = 7
    """Open items older than this stand in the digest as ageing."""


class BudgetConfig(Section):
    """What may be spent on calls. A model without a known price counts as over any limit."""

    per_run_usd: Usd | None = None
    """Limit of one run."""

    per_day_usd: Usd | None = None
    """Limit of one day (UTC), over all runs."""


__all__ = [
    "AllowedFailure",
    "BudgetConfig",
    "CalibrationConfig",
    "Compared",
    "Direction",
    "GateConfig",
    "GateMode",
    "Metric",
    "MetricRule",
    "QualificationConfig",
    "ReviewConfig",
    "SamplingConfig",
]
