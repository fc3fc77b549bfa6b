"""The fixed words of the domain: statuses, routings, flags, escalations.

Every label value that crosses a border (report, warehouse, page) is defined here once.
"""

from enum import StrEnum

CANARY_SYSTEM = "citeval-canary"
"""The system of the cases that ride along in an evaluation; no case of a project may bear it."""


class RiskLevel(StrEnum):
    """How much harm a wrong answer could do."""

    STANDARD = "standard"
    HIGH = "high"


class Status(StrEnum):
    """What became of one judgement. Only the first two carry a score."""

    VALID = "valid"
    VALID_AFTER_RETRY = "valid_after_retry"
    VALIDATION_FAILED = "VALIDATION_FAILED"
    INDETERMINATE = "indeterminate"
    ERROR = "error"
    NOT_APPLICABLE = "not_applicable"

    @property
    def scored(self) -> bool:
        """Whether a report of this status carries a score."""
        return self in (Status.VALID, Status.VALID_AFTER_RETRY)

    @property
    def failed_judgement(self) -> bool:
        """Whether something was to be judged and no score came of it."""
        return self in (Status.VALIDATION_FAILED, Status.INDETERMINATE, Status.ERROR)


class Reason(StrEnum):
    """Why a report is unscored, in one word. Scored reports have none."""

    NO_CITATIONS = "no_citations"
    NO_CLAIMS = "no_claims"
    NO_STEPS = "no_steps"
    MULTI_TURN = "multi_turn"
    VALIDATION_FAILED = "validation_failed"
    AMBIGUOUS_REPLY = "ambiguous_reply"
    EMPTY_RESPONSE = "empty_response"
    REFUSAL = "refusal"
    TRUNCATED = "truncated"
    CONTENT_FILTER = "content_filter"
    CIRCUIT_OPEN = "circuit_open"
    BUDGET = "budget"
    CONTEXT_TOO_LONG = "context_too_long"
    BAD_REQUEST = "bad_request"
    BAD_KEY = "bad_key"
    NO_CREDIT = "no_credit"
    MODEL_GONE = "model_gone"
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    RATE_LIMITED = "rate_limited"
    INTERRUPTED = "interrupted"
    SELF_JUDGING = "self_judging"
    PATTERN_TOO_SLOW = "pattern_too_slow"
    EVIDENCE_UNREACHABLE = "evidence_unreachable"
    RECORD_TAMPERED = "record_tampered"
    INTERNAL_ERROR = "internal_error"


class Routing(StrEnum):
    """What follows for one report."""

    DELIVER = "deliver"
    DELIVER_WITH_FLAG = "deliver_with_flag"
    REVIEW = "review"
    REFUSE = "refuse"


class EscalationName(StrEnum):
    """Why a person must look."""

    FLAG = "flag"
    LOW_SCORE = "low_score"
    CONTRADICTED = "contradicted"
    HALLUCINATED_SOURCE = "hallucinated_source"
    PARTIALLY_SUPPORTED = "partially_supported"
    UNFAITHFUL = "unfaithful"
    PARTIALLY_FAITHFUL = "partially_faithful"
    FABRICATION = "fabrication"
    CONTRADICTION = "contradiction"
    ABSTENTION = "abstention"
    LOW_CONFIDENCE = "low_confidence"
    CORRECTNESS_FAIL = "correctness_fail"
    CORRECTNESS_PARTIAL = "correctness_partial"
    LOW_CITATION_ACCURACY = "low_citation_accuracy"
    DETERMINISTIC_CONFLICT = "deterministic_conflict"
    JUDGE_HUMAN_CONFLICT = "judge_human_conflict"
    JUDGE_DISAGREEMENT = "judge_disagreement"
    INJECTION_SUSPECTED = "injection_suspected"
    UNSCORED = "unscored"


class Severity(StrEnum):
    """How bad a flag, violation or escalation is."""

    CRITICAL = "critical"
    MAJOR = "major"
    MINOR = "minor"

    @property
    def rank(self) -> int:
        """0 for critical, growing as severity falls: sorts the worst first."""
        return (Severity.CRITICAL, Severity.MAJOR, Severity.MINOR).index(self)


class ViolationCategory(StrEnum):
    """What is wrong with an unfaithful reasoning step, the worst first."""

    FABRICATION = "fabrication"
    CONTRADICTION = "contradiction"
    IGNORED_EVIDENCE = "ignored_evidence"
    RATIONALIZATION = "rationalization"
    UNSUPPORTED = "unsupported"
    OVERSIMPLIFICATION = "oversimplification"
    MISSING_NUANCE = "missing_nuance"

    @property
    def severity(self) -> Severity:
        """How bad a step of this category is."""
        if self in (ViolationCategory.FABRICATION, ViolationCategory.CONTRADICTION):
            return Severity.CRITICAL
        if self in (ViolationCategory.IGNORED_EVIDENCE, ViolationCategory.RATIONALIZATION):
            return Severity.MAJOR
        return Severity.MINOR

    @property
    def rank(self) -> int:
        """0 for the worst category, growing as they get milder."""
        return list(ViolationCategory).index(self)


class FindingUnit(StrEnum):
    """What one finding is about."""

    CITATION = "citation"
    CLAIM = "claim"
    STEP = "step"
    CRITERION = "criterion"


class DecidedBy(StrEnum):
    """Who settled a finding: the checks in code, or the judge."""

    CODE = "code"
    JUDGE = "judge"


class TemplateKind(StrEnum):
    """Whether a prompt template asks a judge to grade or a target model to answer."""

    JUDGE = "judge"
    GENERATE = "generate"


class QuoteMatching(StrEnum):
    """How strictly a quoted span is compared with its source."""

    NORMALISED = "normalised"
    EXACT = "exact"


class LabelSource(StrEnum):
    """Where a gold label comes from."""

    HUMAN = "human"
    CONSTRUCTED = "constructed"
