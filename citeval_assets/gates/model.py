"""What a gate looks at and what it says: typed, immutable, ready to be recorded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from citeval_assets.config.gate_rules import Direction, GateMode
from citeval_assets.gates.counts import CaseCounts
from citeval_assets.statistics.repeats import JudgeNoise
from citeval_assets.warehouse.trends import ScoreSummary


class Verdict(StrEnum):
    """What a gate says about a release."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class GateCase:
    """One case on one side: how it was judged, and what code counted in it.

    ``scores`` holds each measurement by its repetition number where the judge was asked
    repeatedly; ``effective`` is what counts: the score a reviewer set, else the median.
    ``not_finite``: the warehouse holds NaN or infinity for it, which counts for nothing.
    """

    test_case_id: str
    system: str
    model: str
    prompt_version: str
    evaluation_id: str
    case_hash: str
    subject_hash: str
    question: str
    dataset: str
    validation_status: str
    reason: str | None
    counted_score: float | None
    effective: float | None
    overridden: bool
    provisional: bool
    verdict: str | None
    model_differs: bool
    epoch: str
    dataset_version: str
    counts: CaseCounts
    scores: Mapping[int, float] = field(default_factory=dict)
    not_finite: bool = False

    @property
    def place(self) -> tuple[str, str, str]:
        """Where its findings are kept."""
        return (self.evaluation_id, self.test_case_id, self.system)


@dataclass(frozen=True, slots=True)
class Pair:
    """One case on both sides."""

    baseline: GateCase
    candidate: GateCase

    @property
    def test_case_id(self) -> str:
        """The id both sides share."""
        return self.candidate.test_case_id

    @property
    def scored(self) -> bool:
        """Whether both sides have a score."""
        return self.baseline.effective is not None and self.candidate.effective is not None


@dataclass(frozen=True, slots=True)
class SideKey:
    """Which reports one side is made of. ``None`` does not restrict."""

    model: str | None
    prompt_version: str | None
    system: str | None

    def __str__(self) -> str:
        judge = "|".join(part or "any" for part in (self.model, self.prompt_version))
        return judge if self.system is None else f"{self.system!r} under {judge}"


@dataclass(frozen=True, slots=True)
class Answered:
    """Another model answered than the one asked, on so many cases."""

    asked: str
    answered: str
    cases: int


@dataclass(frozen=True, slots=True)
class Failure:
    """One finding that cost score, reduced to the pattern it follows.

    ``by_code``: code decided it, whatever the judge said.
    """

    fingerprint: str
    text: str
    by_code: bool = False


@dataclass(frozen=True, slots=True)
class NewPattern:
    """A failure pattern of the candidate on cases that were clean in the baseline.

    ``unseen``: the baseline shows it on no compared case at all. ``allowed_until`` and
    ``allowed_because`` come from the allow-list; ``cases`` are the ``count`` it does not cover.
    ``by_code``: code decided it on each of them.
    """

    fingerprint: str
    cases: tuple[str, ...]
    unseen: bool
    allowed_cases: tuple[str, ...] = ()
    allowed_until: str | None = None
    allowed_because: str | None = None
    count: int = 0
    by_code: bool = False


@dataclass(frozen=True, slots=True)
class NewFailure:
    """A case that passed in the baseline and does not in the candidate."""

    test_case_id: str
    system: str
    baseline_score: float | None
    candidate_score: float | None
    fingerprints: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnscoredCase:
    """A case of the candidate that was to be scored and was not."""

    test_case_id: str
    system: str
    validation_status: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class SideSummary:
    """One side of a comparison: its mean with everything that qualifies it.

    ``expected`` counts the registered cases of the side, judged or not. ``labels`` is the
    distribution of verdicts over its findings, ``invented_sources`` the invented ids.
    """

    label: str
    model: str
    prompt_version: str
    expected: int
    scores: ScoreSummary
    overridden: int
    provisional: int
    evaluation_ids: tuple[str, ...]
    dataset_versions: tuple[str, ...]
    epochs: tuple[str, ...]
    labels: Mapping[str, int] = field(default_factory=dict)
    claim_accuracy: float | None = None
    invented_sources: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricResult:
    """One metric of one gate with its verdict. Shares and scores are in 0..1.

    ``difference`` is candidate minus baseline; for a rule that counts, the count itself.
    ``threshold`` is the number the rule holds it to, in the same unit. ``worse`` and ``better``
    count pairs. ``false_alarm_rate`` is how often the bare threshold rule would have failed
    though nothing changed. ``by_code``: code decided it, no judge had a say.
    """

    metric: str
    mode: GateMode | None = None
    direction: Direction
    verdict: Verdict
    reasons: tuple[str, ...] = ()
    baseline_value: float | None = None
    candidate_value: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    threshold: float | None = None
    limit: float | None = None
    pairs: int = 0
    questions: int = 0
    better: int = 0
    worse: int = 0
    detectable_drop: float | None = None
    false_alarm_rate: float | None = None
    design_effect: float | None = None
    p_value: float | None = None
    p_holm: float | None = None
    by_code: bool = False
    cases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """One gate with the verdict of each metric, and what both sides came to."""

    gate: str
    playbook: str
    compare: str
    baseline_label: str
    candidate_label: str
    judge: str
    prompt_version: str
    scope: str
    verdict: Verdict
    reasons: tuple[str, ...]
    notes: tuple[str, ...] = ()
    metrics: tuple[MetricResult, ...] = ()
    baseline: SideSummary | None = None
    candidate: SideSummary | None = None
    pairs: int = 0
    mcnemar_worse: int = 0
    mcnemar_better: int = 0
    mcnemar_p: float | None = None
    judge_noise: JudgeNoise | None = None
    qualified: bool | None = None
    patterns: tuple[NewPattern, ...] = ()
    new_failures: tuple[NewFailure, ...] = ()
    unscored: tuple[UnscoredCase, ...] = ()
    counts_as_passed: bool = False
    confidence: float = 0.95
    pairs_digest: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GateReport:
    """All gates of a project."""

    verdict: Verdict
    gates: tuple[GateResult, ...]
    reasons: tuple[str, ...] = ()
