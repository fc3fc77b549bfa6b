"""The case, the reply and the details of ``answer_comparison``."""

from enum import StrEnum
from typing import ClassVar

from pydantic import Field, model_validator

from citeval_assets.playbooks.base import GradedReply, ModelReply
from citeval_assets.playbooks.cases import Frozen, TestCase
from citeval_assets.playbooks.report import Details


class AnswerCase(TestCase):
    """A generated answer beside its ground truth.

    ``answer`` may be empty: that is an abstention. ``answerable`` is golden; left out, a case
    counts as answerable unless its reference is itself an abstention.
    """

    gold_fields: ClassVar[frozenset[str]] = TestCase.gold_fields | {"answerable"}

    answer: str
    reference_answer: str | None = None
    answerable: bool | None = None

    @model_validator(mode="after")
    def _has_a_reference(self) -> "AnswerCase":
        if not (self.reference_answer or "").strip() and self.answerable is not False:
            raise ValueError(
                "reference_answer: required field missing or empty (only a case with "
                "answerable: false may go without)"
            )
        return self


class Correctness(StrEnum):
    """Whether the answer says what the reference says."""

    PASS = "PASS"
    FAIL = "FAIL"
    PARTIAL = "PARTIAL"


class CitationScore(StrEnum):
    """Whether the citations support what they are attached to."""

    PASS = "PASS"
    FAIL = "FAIL"
    NO_CITATIONS = "NO_CITATIONS"


class PassFail(StrEnum):
    """A criterion with two outcomes."""

    PASS = "PASS"
    FAIL = "FAIL"


class AbstentionScore(StrEnum):
    """Whether the system was right to answer, or to decline."""

    CORRECT_ABSTENTION = "CORRECT_ABSTENTION"
    INCORRECT_ABSTENTION = "INCORRECT_ABSTENTION"
    CORRECT_ANSWER = "CORRECT_ANSWER"
    INCORRECT_ANSWER = "INCORRECT_ANSWER"
    NOT_APPLICABLE = "NOT_APPLICABLE"

    @property
    def passes(self) -> bool:
        """Whether an overall PASS may rest on it."""
        return self not in (AbstentionScore.INCORRECT_ABSTENTION, AbstentionScore.INCORRECT_ANSWER)


NOT_JUDGED = "not_judged"
"""What a criterion reads that needs sources where a case has none."""


class CorrectnessReply(GradedReply):
    """What the judge says of correctness."""

    score: Correctness
    explanation: str = ""


class CitationReply(GradedReply):
    """What the judge says of the citations; ``unsupported_claims`` quotes the answer."""

    score: CitationScore
    unsupported_claims: tuple[str, ...] = ()
    explanation: str = ""


class FaithfulnessReply(GradedReply):
    """What the judge says of the answer against the source context."""

    score: PassFail
    explanation: str = ""


class AbstentionReply(GradedReply):
    """What the judge says of answering or declining."""

    score: AbstentionScore
    explanation: str = ""


class ComparisonReply(ModelReply):
    """The output schema of the judge."""

    overall_score: PassFail
    answer_correctness: CorrectnessReply
    citation_accuracy: CitationReply
    source_faithfulness: FaithfulnessReply
    abstention_detection: AbstentionReply


class Criteria(Frozen):
    """The four criteria as they stand after the checks in code."""

    answer_correctness: str
    citation_accuracy: str
    source_faithfulness: str
    abstention_detection: str


class UnsupportedSentence(Frozen):
    """An asserting sentence of the answer that does not count as supported, and why.

    Offsets are code points into the answer.
    """

    text: str
    char_start: int
    char_end: int
    cause: str


class NumberCheck(Frozen):
    """The comparison of answer and reference where each is one number.

    ``allowed`` is the difference the tolerance allows, in the unit of the reference.
    """

    answer: float
    reference: float
    unit: str = ""
    agrees: bool


class ComparisonDetails(Details):
    """What only this playbook reports.

    ``citation_accuracy`` is the share of asserting sentences that are not unsupported, or
    ``None`` where there is nothing to take a share of.
    """

    criteria: Criteria | None = None
    citation_accuracy: float | None = Field(default=None, ge=0, le=1)
    asserting_sentences: int = 0
    unsupported_sentences: tuple[UnsupportedSentence, ...] = ()
    is_abstention: bool = False
    answerable: bool = True
    number_check: NumberCheck | None = None
