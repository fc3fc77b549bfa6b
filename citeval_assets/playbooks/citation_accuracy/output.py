"""What the judge answers, one evaluation for each citation of the trace."""

from enum import StrEnum

from pydantic import Field

from citeval_assets.playbooks.base import GradedReply, ModelReply
from citeval_assets.playbooks.vocabulary import Severity


class Fidelity(StrEnum):
    """Whether the passage, read in its full context, says what the step makes of it."""

    ACCURATE = "accurate"
    MISMATCH = "mismatch"
    PARTIAL_MISMATCH = "partial_mismatch"


class Support(StrEnum):
    """How strongly the cited source supports the step."""

    FULL = "fully_supported"
    PARTIAL = "partially_supported"
    NONE = "unsupported"

    @property
    def rank(self) -> int:
        """0 for no support, growing with it."""
        return (Support.NONE, Support.PARTIAL, Support.FULL).index(self)


class FlagType(StrEnum):
    """What can be wrong with one citation."""

    NOT_FOUND = "citation_not_found"
    QUOTE = "quote_mismatch"
    CONTEXT = "context_mismatch"
    UNSUPPORTED = "unsupported"


class CitationEvaluation(GradedReply):
    """The judge's view of one citation, named by the unit number it was given."""

    unit: int = Field(description="number of the citation in the list of citations")
    citation_id: str = Field(description="id of the cited source, as listed")
    reasoning_step_index: int = Field(description="number of the step, from 0")
    reasoning_step_text: str = Field(description="the sentence the citation stands in")
    citation_exists: bool
    quote_accurate: bool = Field(description="true where the sentence quotes nothing")
    context_fidelity: Fidelity
    claim_support_strength: Support
    explanation: str
    flagged: bool = Field(description="true exactly where misattribution_flags names this unit")


class MisattributionFlag(ModelReply):
    """One defect. ``unit`` tells two citations of one source apart; without it, the id does."""

    citation_id: str
    flag_type: FlagType
    severity: Severity
    detail: str
    unit: int | None = Field(default=None, description="number of the citation in the list")


class CitationAccuracyReply(ModelReply):
    """The whole answer. Totals and scores are recomputed; the judge's are kept for comparison."""

    overall_citation_accuracy_score: float = Field(ge=0, le=1)
    total_citations_evaluated: int
    citation_evaluations: tuple[CitationEvaluation, ...]
    misattribution_flags: tuple[MisattributionFlag, ...]
    summary: str
