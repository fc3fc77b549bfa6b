"""The sentences of an answer, and which of them a judge's list of unsupported claims names."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from citeval_assets.playbooks.quoting import QuoteCheck
from citeval_assets.text.abstention import is_abstention, is_abstention_sentence
from citeval_assets.text.assertions import asserts
from citeval_assets.text.markers import CitationScan, attach_citations, scan_citations
from citeval_assets.text.quotes import FoldedText, find_quote, word_count
from citeval_assets.text.references import claim_sentences
from citeval_assets.text.spans import Span

REPEATABLE_WORDS = 3
"""An entry of at least so many words marks every sentence it stands in, a shorter one the first."""

INVENTED = "cites a source that does not exist"
MISQUOTED = "quotes words that do not stand in the cited source"
LISTED = "listed by the judge"


@dataclass(frozen=True, slots=True)
class Claim:
    """One asserting sentence of the answer; ``fault`` is what code finds wrong with it."""

    number: int
    start: int
    end: int
    text: str
    fault: str | None = None


def claims_of(
    answer: str, scan: CitationScan, quotes: Sequence[QuoteCheck], question: str
) -> tuple[Claim, ...]:
    """Return the asserting sentences of ``answer``.

    Where none seems to assert anything although the answer is no abstention ("Yes."), every
    sentence counts.
    """
    found = claim_sentences(answer)
    stated = [
        asserts(sentence.text, question) and not is_abstention_sentence(sentence.text)
        for sentence in found
    ]
    if not any(stated) and not is_abstention(answer):
        stated = [True] * len(found)
    lost = [quote for quote in quotes if not quote.found]
    attached = attach_citations(found, scan)
    claims: list[Claim] = []
    for sentence, citations, counts in zip(found, attached, stated, strict=True):
        if not counts:
            continue
        invented = any(not citation.resolved for citation in citations)
        misquoted = any(q.start < sentence.end and sentence.start < q.end for q in lost)
        fault = INVENTED if invented else MISQUOTED if misquoted else None
        claims.append(Claim(len(claims), sentence.start, sentence.end, sentence.text, fault))
    return tuple(claims)


@dataclass(frozen=True)
class SearchedAnswer:
    """An answer in which entries of ``unsupported_claims`` are looked for.

    A judge may copy a sentence without the citation markers in it, so an entry that does not
    stand in the answer as written is looked for again with all markers taken out.
    """

    text: str
    scan: CitationScan
    source_ids: tuple[str, ...]

    @cached_property
    def _folded(self) -> FoldedText:
        return FoldedText.of(self.text)

    @cached_property
    def _plain(self) -> "_PlainText":
        return _PlainText.of(self.text, self.scan)

    @cached_property
    def _folded_plain(self) -> FoldedText:
        return FoldedText.of(self._plain.text)

    def find(self, entry: str) -> tuple[Span, ...]:
        """Return where ``entry`` stands in the answer; nothing where it does not."""
        match = find_quote(entry, self._folded, min_words=1)
        if match.found:
            return match.spans
        plain = _PlainText.of(entry, scan_citations(entry, self.source_ids)).text
        match = find_quote(plain, self._folded_plain, min_words=1)
        return tuple(self._plain.original(span) for span in match.spans) if match.found else ()

    def marked(self, entry: str, claims: Sequence[Claim]) -> set[int]:
        """Return the numbers of the claims ``entry`` names."""
        spans = self.find(entry)
        marked = {
            claim.number
            for claim in claims
            for span in spans
            if span.start < claim.end and claim.start < span.end
        }
        if word_count(entry) >= REPEATABLE_WORDS:
            marked |= {
                claim.number
                for claim in claims
                if claim.number not in marked and find_quote(entry, claim.text, min_words=1).found
            }
        return marked


@dataclass(frozen=True, slots=True)
class _PlainText:
    """A text without its citation markers, and the way back to its offsets."""

    text: str
    starts: tuple[int, ...]
    shifts: tuple[int, ...]

    @classmethod
    def of(cls, text: str, scan: CitationScan) -> "_PlainText":
        pieces: list[str] = []
        starts: list[int] = []
        shifts: list[int] = []
        position = length = 0
        for mark in scan.marks:
            if mark.start < position:
                continue
            piece = text[position : mark.start]
            if not text[mark.end : mark.end + 1].isalnum():
                piece = piece.rstrip()
            pieces.append(piece)
            starts.append(length)
            shifts.append(position - length)
            length += len(piece)
            position = mark.end
        pieces.append(text[position:])
        starts.append(length)
        shifts.append(position - length)
        return cls("".join(pieces), tuple(starts), tuple(shifts))

    def original(self, span: Span) -> Span:
        return Span(self._back(span.start), self._back(max(span.start, span.end - 1)) + 1)

    def _back(self, offset: int) -> int:
        return offset + self.shifts[bisect_right(self.starts, offset) - 1]
