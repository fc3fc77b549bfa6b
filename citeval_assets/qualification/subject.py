"""A clean case as the operators see it: texts that can be edited, sentences that are judged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.cases import Source, TestCase
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.text.abstention import is_abstention, is_abstention_sentence
from citeval_assets.text.assertions import asserts
from citeval_assets.text.markers import (
    Citation,
    CitationScan,
    attach_citations,
    scan_citations,
    without_citations,
)
from citeval_assets.text.references import claim_sentences
from citeval_assets.text.sentences import Sentence
from citeval_assets.text.spans import Span
from citeval_assets.text.traces import read_trace, trace_sentences

_TRACE = "reasoning_trace"
_ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Edit:
    """Put ``text`` in the place of what stands in ``start..end`` of the judged text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """One sentence a judge must decide about, with the citations that hang on it."""

    start: int
    end: int
    text: str
    citations: tuple[Citation, ...]

    @property
    def span(self) -> Span:
        """Where it stands in the judged text."""
        return Span(self.start, self.end)

    @property
    def cited(self) -> tuple[str, ...]:
        """Ids of the sources it cites, each once."""
        ids = (c.source_id for c in self.citations if c.source_id is not None)
        return tuple(dict.fromkeys(ids))


@dataclass(frozen=True)
class Subject:
    """A case of one of the judge playbooks, ready to be edited.

    ``parts`` are the steps of a trace that came as a list, else the one text; joined by line
    breaks they are the judged text, in which all offsets count.
    """

    playbook: AnyPlaybook
    case: TestCase
    rules: DomainRules
    field: str
    parts: tuple[str, ...]

    @classmethod
    def of(cls, playbook: AnyPlaybook, case: TestCase, rules: DomainRules) -> "Subject | None":
        """Return the case as a subject; ``None`` where its text cannot be edited.

        That is a case whose claims stand beside the answer, one with an earlier conversation,
        and one of a playbook that judges neither a trace nor an answer.
        """
        if case.history or getattr(case, "claims", ()):
            return None
        for field in (_TRACE, _ANSWER):
            content: object = getattr(case, field, None)
            if isinstance(content, str):
                return cls(playbook, case, rules, field, (content,))
            if isinstance(content, tuple):
                return cls(playbook, case, rules, field, tuple(str(part) for part in content))
        return None

    @cached_property
    def text(self) -> str:
        """The judged text."""
        return "\n".join(self.parts)

    @property
    def is_trace(self) -> bool:
        """Whether a trace of reasoning is judged, and not an answer."""
        return self.field == _TRACE

    @property
    def listed(self) -> bool:
        """Whether the trace came as a list of steps."""
        return isinstance(getattr(self.case, self.field), tuple)

    @property
    def english(self) -> bool:
        """Whether the case is in English, as far as it says."""
        return (self.case.language or "en").lower().startswith("en")

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources, each once."""
        return self.case.unique_sources

    @cached_property
    def scan(self) -> CitationScan:
        """The citations of the judged text."""
        ids = [source.id for source in self.sources]
        rules = self.rules
        return scan_citations(
            self.text, ids, styles=rules.citation_styles, pattern=rules.citation_pattern
        )

    @cached_property
    def sentences(self) -> tuple[JudgedSentence, ...]:
        """The sentences a judge decides about."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterable[JudgedSentence]:
        found = self._all_sentences()
        attached = attach_citations(found, self.scan)
        declines = not self.is_trace and is_abstention(self.text)
        for sentence, citations in zip(found, attached, strict=True):
            if not declines and self._judged(sentence, citations):
                yield JudgedSentence(sentence.start, sentence.end, sentence.text, tuple(citations))

    def _all_sentences(self) -> Sequence[Sentence]:
        if not self.is_trace:
            return claim_sentences(self.text)
        trace = read_trace(self.parts if self.listed else self.text)
        return [Sentence(s.start, s.end, s.text) for s in trace_sentences(trace)]

    def _judged(self, sentence: Sentence, citations: Sequence[Citation]) -> bool:
        if self.playbook.name == "citation_accuracy":
            return bool(citations)
        bare = without_citations(sentence.text, scan_citations(sentence.text, ()))
        claims = asserts(bare, self.case.question) and not is_abstention_sentence(bare)
        return claims or (bool(citations) and self.playbook.name == "citation_faithfulness")

    def evidence(self, sentence: JudgedSentence) -> tuple[Source, ...]:
        """Return the sources a sentence is held against: those it cites, else all."""
        if not sentence.cited:
            return self.sources
        return tuple(source for source in self.sources if source.id in sentence.cited)

    def marks(self) -> tuple[Span, ...]:
        """Return where citation markers stand: nothing may be edited inside them."""
        return tuple(Span(mark.start, mark.end) for mark in self.scan.marks)

    def edited(self, edits: Iterable[Edit]) -> tuple[TestCase, tuple[Span, ...]]:
        """Return the case with its text edited, and where the new pieces stand.

        Raises:
            ValueError: edits overlap or cross the border of a step.
        """
        ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
        parts = list(self.parts)
        starts = self._part_starts()
        spans: list[Span] = []
        shift, last = 0, 0
        offsets = [0] * len(parts)
        for edit in ordered:
            number = max(n for n, start in enumerate(starts) if start <= edit.start)
            begin = edit.start - starts[number]
            stop = edit.end - starts[number]
            if edit.start < last or stop > len(self.parts[number]):
                raise ValueError(f"{edit} overlaps another edit or crosses a step")
            moved = offsets[number]
            part = parts[number]
            parts[number] = part[: begin + moved] + edit.text + part[stop + moved :]
            grown = len(edit.text) - (edit.end - edit.start)
            spans.append(Span(edit.start + shift, edit.start + shift + len(edit.text)))
            offsets[number] += grown
            shift += grown
            last = edit.end
        return self.with_parts(tuple(parts)), tuple(spans)

    def with_parts(self, parts: tuple[str, ...]) -> TestCase:
        """Return the case with these texts instead of its own."""
        content = parts if self.listed else "\n".join(parts)
        return self.case.model_copy(update={self.field: content})

    def with_sources(self, sources: Iterable[Source]) -> TestCase:
        """Return the case with other sources."""
        return self.case.model_copy(update={"sources": tuple(sources)})

    def _part_starts(self) -> list[int]:
        starts, position = [], 0
        for part in self.parts:
            starts.append(position)
            position += len(part) + 1
        return starts
