"""The case, the reply and the details of ``cite_or_abstain``."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, ClassVar, cast

from pydantic import field_validator

from citeval_assets.playbooks.base import ModelReply
from citeval_assets.playbooks.cases import Frozen, Id, TestCase
from citeval_assets.playbooks.report import Details, Evidence

UNASSIGNED = "unassigned"
"""The system of a golden question until the runner knows which target model answers it."""


class AnswerStatus(StrEnum):
    """What a target model says it did."""

    ANSWERED = "answered"
    ABSTAINED = "abstained"
    PARTIAL = "partial"


class Confidence(StrEnum):
    """How sure a target model says it is of one citation."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def doubt(self) -> int:
        """0 for high, growing as confidence falls: the largest is the worst."""
        return (Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW).index(self)


class CiteCase(TestCase):
    """A question with its retrieved chunks (the sources) and the golden expectation.

    ``supporting_chunk_ids`` left out means: not known. ``recorded_output`` is an output in
    the full schema as it was recorded from a system; a replaying model answers with it.
    """

    gold_fields: ClassVar[frozenset[str]] = TestCase.gold_fields | {
        "expected_status",
        "supporting_chunk_ids",
        "reference_answer",
        "conflict",
    }

    system: Id = UNASSIGNED
    expected_status: AnswerStatus
    supporting_chunk_ids: tuple[Id, ...] | None = None
    reference_answer: str | None = None
    conflict: bool = False
    recorded_output: str | None = None

    @field_validator("recorded_output", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        if isinstance(value, Mapping):
            return json.dumps(cast("Mapping[str, Any]", value), ensure_ascii=False)
        return value

    @property
    def known_supporting(self) -> tuple[str, ...] | None:
        """The supporting ids, each once; none at all where an abstention is expected."""
        if self.supporting_chunk_ids is not None:
            return tuple(dict.fromkeys(self.supporting_chunk_ids))
        return () if self.expected_status is AnswerStatus.ABSTAINED else None


class CitationReply(ModelReply):
    """One citation of a target model."""

    chunk_id: str | None
    excerpt: str
    confidence: Confidence


class CiteReply(ModelReply):
    """The output schema of a target model. A nullable field that is left out is null."""

    status: AnswerStatus
    answer: str | None = None
    citations: tuple[CitationReply, ...] = ()
    missing_evidence: tuple[str, ...] | None = None
    abstention_reason: str | None = None


class BackingCitation(Frozen):
    """A citation whose excerpt stands verbatim in its chunk, at ``evidence``."""

    chunk_id: str
    excerpt: str
    confidence: Confidence
    evidence: tuple[Evidence, ...]


class CitedClaim(Frozen):
    """An asserting sentence of the answer with the citations that back it.

    Offsets are code points into the answer.
    """

    text: str
    char_start: int
    char_end: int
    citations: tuple[BackingCitation, ...]


class SilentGap(Frozen):
    """An asserting sentence of the answer that no excerpt backs."""

    text: str
    char_start: int
    char_end: int
    cause: str


class ConfidenceTally(Frozen):
    """Citations of one attempt stated with one confidence, and how many of them are wrong.

    Wrong is a citation without a chunk, to a chunk that was not provided, with an excerpt
    that does not stand in its chunk, or (where the supporting chunks are known) to a chunk
    that does not support the answer.
    """

    confidence: Confidence
    citations: int
    wrong: int


class FirstAttempt(Frozen):
    """What the metrics need of the first output, before any re-ask.

    ``cited_chunk_ids`` are provided chunks that a citation or a marker names;
    ``invented_chunk_ids`` are ids nobody provided. ``readable`` is false where the output did
    not fit the schema: then nothing else is known of it.
    """

    readable: bool
    passed: bool = False
    status: AnswerStatus | None = None
    overall_abstention: bool = False
    mixed_abstention: bool = False
    excerpts: int = 0
    verbatim_excerpts: int = 0
    invented_chunk_ids: tuple[str, ...] = ()
    cited_chunk_ids: tuple[str, ...] = ()
    asserting_sentences: int = 0
    silent_citation_gaps: int = 0
    by_confidence: tuple[ConfidenceTally, ...] = ()
    conflict_handled: bool | None = None


class CiteDetails(Details):
    """The golden expectation, the first attempt, and the output that is routed.

    Where no output passed, the routed part describes the last readable one, for the person
    who writes the answer; ``passed`` is false then. ``conflict_handled`` is ``None`` where
    golden data names no conflict.
    """

    expected_status: AnswerStatus
    supporting_chunk_ids: tuple[str, ...] | None = None
    conflict: bool = False
    first_attempt: FirstAttempt | None = None
    passed: bool = False
    status: AnswerStatus | None = None
    answer: str | None = None
    abstention_reason: str | None = None
    cited_claims: tuple[CitedClaim, ...] = ()
    abstained_claims: tuple[str, ...] = ()
    overall_abstention: bool | None = None
    mixed_abstention: bool = False
    silent_citation_gaps: tuple[SilentGap, ...] = ()
    invented_chunk_ids: tuple[str, ...] = ()
    lowest_confidence: Confidence | None = None
    conflict_handled: bool | None = None
