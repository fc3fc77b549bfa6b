"""One output of a target model, checked by code: what is cited, backed, invented, left open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from citeval_assets.playbooks.cases import read_id
from citeval_assets.playbooks.cite_or_abstain.conflicts import (
    names_conflict,
    only_names_conflict,
)
from citeval_assets.playbooks.cite_or_abstain.schema import (
    AnswerStatus,
    CiteReply,
    Confidence,
)
from citeval_assets.playbooks.evidence import SearchedSource, find_evidence
from citeval_assets.playbooks.quoting import QuoteChecker
from citeval_assets.playbooks.report import Evidence
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.shared import bare_id
from citeval_assets.text.abstention import (
    abstains_first,
    is_abstention,
    is_abstention_sentence,
    says_not_in_sources,
)
from citeval_assets.text.assertions import asserts
from citeval_assets.text.markers import (
    CitationScan,
    CitationState,
    PatternTooSlow,
    attach_citations,
    scan_citations,
)
from citeval_assets.text.references import claim_sentences

MAX_CITATIONS = 500
"""Citations of one output that are checked; an output with more does not pass."""


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """One entry of ``citations``. ``evidence`` is where its excerpt stands in its own chunk."""

    index: int
    chunk_id: str | None
    excerpt: str
    confidence: Confidence
    provided: bool
    evidence: tuple[Evidence, ...]

    @property
    def verbatim(self) -> bool:
        """Whether the excerpt stands verbatim in the chunk it names."""
        return bool(self.evidence)


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """One sentence of the answer. Offsets are code points into the answer.

    ``cited_ids`` are the chunks its markers name, ``backing`` the verbatim citations of them.
    ``misquoted`` says that it quotes words its chunk does not hold.
    """

    number: int
    start: int
    end: int
    text: str
    asserting: bool
    cited_ids: tuple[str, ...]
    backing: tuple[CheckedCitation, ...]
    misquoted: bool

    @property
    def backed(self) -> bool:
        """Whether an excerpt stands behind the sentence."""
        return bool(self.backing) and not self.misquoted


@dataclass(frozen=True)
class CheckedOutput:
    """One output after all checks."""

    reply: CiteReply
    citations: tuple[CheckedCitation, ...]
    sentences: tuple[AnswerSentence, ...]
    marked_ids: tuple[str, ...]
    unknown_markers: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def answer(self) -> str:
        """The answer; empty where it is null."""
        return self.reply.answer or ""

    @cached_property
    def asserting(self) -> tuple[AnswerSentence, ...]:
        """The sentences that state something about the world."""
        return tuple(sentence for sentence in self.sentences if sentence.asserting)

    @property
    def gaps(self) -> tuple[AnswerSentence, ...]:
        """The asserting sentences no excerpt backs."""
        return tuple(sentence for sentence in self.asserting if not sentence.backed)

    @cached_property
    def overall_abstention(self) -> bool:
        """Whether nothing is answered, whatever ``status`` says."""
        return is_abstention(self.answer)

    @cached_property
    def mixed_abstention(self) -> bool:
        """Whether the answer opens with an abstention and states something after all.

        In a partial answer "the chunks do not say X" beside backed statements is no
        abstention, but what such an answer is for.
        """
        if not self.asserting or not abstains_first(self.answer):
            return False
        declining = (s.text for s in self.sentences if abstains_first(s.text))
        names_a_lack = says_not_in_sources(next(declining, ""))
        partial = self.reply.status is AnswerStatus.PARTIAL
        return not (partial and names_a_lack and not self.gaps)

    @property
    def invented_ids(self) -> tuple[str, ...]:
        """Ids nobody provided, in citations and in markers, each once."""
        cited = (c.chunk_id for c in self.citations if c.chunk_id and not c.provided)
        return tuple(dict.fromkeys((*cited, *self.unknown_markers)))

    @property
    def cited_ids(self) -> tuple[str, ...]:
        """Provided chunks that a citation or a marker names, each once."""
        cited = (c.chunk_id for c in self.citations if c.chunk_id and c.provided)
        return tuple(dict.fromkeys((*cited, *self.marked_ids)))

    @property
    def abstained_claims(self) -> tuple[str, ...]:
        """What the model says the chunks do not hold."""
        return tuple(item for item in self.reply.missing_evidence or () if item.strip())

    @property
    def lowest_confidence(self) -> Confidence | None:
        """The worst confidence of all citations."""
        stated = [citation.confidence for citation in self.citations]
        return max(stated, key=lambda confidence: confidence.doubt, default=None)

    @property
    def names_conflict(self) -> bool:
        """Whether the conflict of the chunks is said anywhere in the output."""
        said = (self.answer, self.reply.abstention_reason or "", *self.abstained_claims)
        return any(names_conflict(text) for text in said)

    def handles_conflict(self, supporting: Sequence[str] | None) -> bool:
        """Whether conflicting chunks became ``partial``, with both sides cited and named.

        ``supporting`` are the chunks that conflict; where fewer than two are known, any two
        chunks will do.
        """
        backing = {c.chunk_id for sentence in self.asserting for c in sentence.backing}
        known = set(supporting or ())
        both = known <= backing if len(known) > 1 else len(backing) > 1
        return self.reply.status is AnswerStatus.PARTIAL and both and self.names_conflict


def check_output(
    reply: CiteReply, sources: Sequence[SearchedSource], rules: DomainRules, question: str
) -> CheckedOutput:
    """Check one output against the chunks that were provided."""
    by_id = {source.id: source for source in sources}
    citations = _check_citations(reply, by_id, rules)
    answer = reply.answer or ""
    scan, warnings = _scan(answer, tuple(by_id), rules)
    resolved = (c.source_id for c in scan.citations if c.source_id is not None)
    unknown = (c.raw_id for c in scan.citations if c.state is CitationState.UNRESOLVED)
    checker = QuoteChecker({s.id: s.text for s in sources}, rules.quote_matching)
    return CheckedOutput(
        reply=reply,
        citations=citations,
        sentences=_sentences(answer, scan, citations, checker, question),
        marked_ids=tuple(dict.fromkeys(resolved)),
        unknown_markers=tuple(dict.fromkeys(unknown)),
        warnings=(*warnings, *scan.warnings, *checker.warnings),
    )


def _check_citations(
    reply: CiteReply, by_id: Mapping[str, SearchedSource], rules: DomainRules
) -> tuple[CheckedCitation, ...]:
    """Look each excerpt up in the chunk it names; the same excerpt of a chunk only once."""
    known: dict[tuple[str, str], tuple[Evidence, ...]] = {}
    checked: list[CheckedCitation] = []
    for index, entry in enumerate(reply.citations[:MAX_CITATIONS]):
        chunk_id = _named_chunk(entry.chunk_id, by_id)
        own = by_id.get(chunk_id or "")
        if own is None:
            evidence = ()
        else:
            key = (own.id, entry.excerpt)
            if key not in known:
                known[key] = find_evidence(entry.excerpt, own, rules.quote_matching)
            evidence = known[key]
        checked.append(
            CheckedCitation(
                index, chunk_id, entry.excerpt, entry.confidence, own is not None, evidence
            )
        )
    return tuple(checked)


def _named_chunk(chunk_id: str | None, by_id: Mapping[str, SearchedSource]) -> str | None:
    """Return the id a citation names; one written as its marker (``[c1]``) names the same chunk."""
    if chunk_id is None:
        return None
    written = str(read_id(chunk_id))
    bare = bare_id(written)
    return bare if written not in by_id and bare in by_id else written or None


def _scan(
    answer: str, ids: Sequence[str], rules: DomainRules
) -> tuple[CitationScan, tuple[str, ...]]:
    """Scan with the operator's pattern; without it where it is too slow for this answer."""
    try:
        pattern = rules.citation_pattern
        return scan_citations(answer, ids, styles=rules.citation_styles, pattern=pattern), ()
    except PatternTooSlow as slow:
        scan = scan_citations(answer, ids, styles=rules.citation_styles)
        return scan, (f"answer: {slow}; read with the built-in styles only",)


def _sentences(
    answer: str,
    scan: CitationScan,
    citations: Sequence[CheckedCitation],
    checker: QuoteChecker,
    question: str,
) -> tuple[AnswerSentence, ...]:
    found = claim_sentences(answer)
    attached = attach_citations(found, scan)
    quotes = checker.check(answer, found, attached, scan.markers)
    misquotes = [quote for quote in quotes if not quote.found]
    by_chunk: dict[str, list[CheckedCitation]] = {}
    for citation in citations:
        if citation.verbatim and citation.chunk_id is not None:
            by_chunk.setdefault(citation.chunk_id, []).append(citation)
    stated = [
        asserts(sentence.text, question) and not _about_sources(sentence.text) for sentence in found
    ]
    if not any(stated) and not is_abstention(answer):
        # Nothing that looks like a statement, yet no abstention: "Yes [c1]." answers too.
        stated = [not _about_sources(sentence.text) for sentence in found]
    sentences: list[AnswerSentence] = []
    for number, (sentence, own) in enumerate(zip(found, attached, strict=True)):
        ids = tuple(dict.fromkeys(c.source_id for c in own if c.source_id is not None))
        sentences.append(
            AnswerSentence(
                number,
                sentence.start,
                sentence.end,
                sentence.text,
                stated[number],
                ids,
                tuple(c for i in ids for c in by_chunk.get(i, ())),
                any(q.start < sentence.end and sentence.start < q.end for q in misquotes),
            )
        )
    return tuple(sentences)


def _about_sources(sentence: str) -> bool:
    """Whether a sentence only tells what the chunks do not say, or that they conflict."""
    return (
        says_not_in_sources(sentence)
        or is_abstention_sentence(sentence)
        or only_names_conflict(sentence)
    )
