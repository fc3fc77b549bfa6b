"""What the judge answers: one row for each claim and each source it cites."""

from enum import StrEnum

from pydantic import Field

from citeval_assets.playbooks.base import GradedReply, ModelReply


class Verdict(StrEnum):
    """What the cited passage makes of a claim."""

    SUPPORTED = "supported"
    PARTIAL = "partially_supported"
    CONTRADICTED = "contradicted"
    NO_CITATION = "no_citation"
    HALLUCINATED = "hallucinated_source"

    @property
    def badness(self) -> int:
        """0 for supported, growing: which of two verdicts on one thing stands."""
        return _FROM_GOOD_TO_BAD.index(self)

    @property
    def error_type(self) -> str:
        """The kind of error a verdict amounts to; ``correct_citation`` is none."""
        return _ERROR_TYPES[self]


_FROM_GOOD_TO_BAD = (
    Verdict.SUPPORTED,
    Verdict.PARTIAL,
    Verdict.NO_CITATION,
    Verdict.CONTRADICTED,
    Verdict.HALLUCINATED,
)
_ERROR_TYPES = {
    Verdict.SUPPORTED: "correct_citation",
    Verdict.PARTIAL: "unsupported_attribution",
    Verdict.CONTRADICTED: "unsupported_attribution",
    Verdict.NO_CITATION: "missing_citation",
    Verdict.HALLUCINATED: "hallucinated_source",
}


class ClaimAnalysis(GradedReply):
    """One claim against one cited source. A claim with two citations has two rows."""

    unit: int = Field(description="number of the sentence the claim comes from, as listed")
    claim_text: str = Field(description="the claim in the words of the sentence")
    cited_source_id: str | None = Field(description="id of the cited source; null for no_citation")
    verdict: Verdict
    explanation: str


class CitationFaithfulnessReply(ModelReply):
    """The whole answer. The score is recomputed; the judge's is kept for comparison."""

    citation_faithfulness_score: float = Field(ge=0, le=1)
    claims_analysis: tuple[ClaimAnalysis, ...]
    overall_assessment: str
