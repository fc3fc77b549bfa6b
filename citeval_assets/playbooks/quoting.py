"""Quoted words and the citations they hang on: do they stand in the cited source?

A quotation of at least three words belongs to the nearest citation of its sentence, the one
behind it where two are equally near. Where that is a run such as ``[1][2]``, it must stand in
one of the run's sources; passages are never joined.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from citeval_assets.playbooks.report import Evidence
from citeval_assets.playbooks.vocabulary import QuoteMatching
from citeval_assets.text.markers import Citation, Marker
from citeval_assets.text.quotes import (
    FoldedText,
    QuoteMatch,
    find_quote,
    quoted_spans,
    word_count,
)
from citeval_assets.text.spans import Span

MIN_QUOTE_WORDS = 3
"""Shorter spans in quotation marks are emphasis or names, not quotations."""

MAX_QUOTES = 2_000
"""Quotations of one case that are compared; the rest are counted in a warning."""

_SEARCH_BUDGET = 500_000_000
"""Characters read, all together, to find in which other source a quotation stands."""

_NEAREST_BUDGET = 20_000_000
"""Characters read, all together, to find the passages most like quotations that are lost."""

_WORD = re.compile(r"\w+")


class Located(Protocol):
    """Anything with offsets into the judged text."""

    @property
    def start(self) -> int:
        """First code point."""
        ...

    @property
    def end(self) -> int:
        """Code point behind the last."""
        ...


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """What became of one quotation.

    ``start``/``end`` locate the words between the quotation marks; ``citations`` are the
    numbers of the citations it hangs on. ``found_in`` names another source in which an
    unfound quotation does stand.
    """

    text: str
    start: int
    end: int
    citations: tuple[int, ...]
    found: bool
    evidence: tuple[Evidence, ...]
    found_in: str | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Group:
    """Citations that stand side by side."""

    start: int
    end: int
    citations: tuple[Citation, ...]


@dataclass
class QuoteChecker:
    """Compares quotations with the sources of one case; each source is folded once."""

    sources: Mapping[str, str]
    matching: QuoteMatching
    warnings: list[str] = field(default_factory=list[str])
    _folded: dict[str, FoldedText] = field(default_factory=dict[str, FoldedText])
    _searchable: int = _SEARCH_BUDGET
    _comparable: int = _NEAREST_BUDGET

    def check(
        self,
        text: str,
        sentences: Sequence[Located],
        attached: Sequence[Sequence[Citation]],
        markers: Sequence[Marker] = (),
    ) -> tuple[QuoteCheck, ...]:
        """Check every quotation of ``text`` that a citation with a source is attached to.

        ``attached`` holds the citations of each sentence. Markers inside the quotation marks
        are left out of the comparison.
        """
        checks: list[QuoteCheck] = []
        words = [match.start() for match in _WORD.finditer(text)]
        groups: dict[tuple[int, int], list[_Group]] = {}
        looked_at = first = 0
        for span in quoted_spans(text):
            while first < len(sentences) and sentences[first].end <= span.start:
                first += 1
            last = first
            while last < len(sentences) and sentences[last].start < span.end:
                last += 1
            near = groups.get((first, last))
            if near is None:
                near = _groups(text, [c for cited in attached[first:last] for c in cited])
                groups[first, last] = near
            if not near:
                continue
            looked_at += 1
            if looked_at > MAX_QUOTES:
                continue
            group = _nearest(words, span, near)
            quote = _without_markers(text, span, markers)
            if any(c.source_id for c in group) and word_count(quote) >= MIN_QUOTE_WORDS:
                checks.append(self._compare(quote, span, group))
        if looked_at > MAX_QUOTES:
            self.warnings.append(f"{looked_at - MAX_QUOTES} quotations were not compared")
        return tuple(checks)

    def check_against(self, text: str, ids: Sequence[str]) -> tuple[QuoteCheck, ...]:
        """Check every quotation of a claim that brings its cited ids along."""
        checks: list[QuoteCheck] = []
        known = [source_id for source_id in ids if source_id in self.sources]
        for span in quoted_spans(text):
            quote = span.of(text)
            if known and word_count(quote) >= MIN_QUOTE_WORDS:
                checks.append(self._judged(quote, span, (), known))
        return tuple(checks)

    def _compare(self, quote: str, span: Span, citations: Sequence[Citation]) -> QuoteCheck:
        ids = list(dict.fromkeys(c.source_id for c in citations if c.source_id))
        checked = self._judged(quote, span, tuple(c.number for c in citations), ids)
        if not checked.found:
            return checked
        holding = {evidence.source_id for evidence in checked.evidence}
        numbers = tuple(c.number for c in citations if c.source_id in holding)
        return QuoteCheck(
            quote, span.start, span.end, numbers, True, checked.evidence, None, checked.flags
        )

    def _judged(
        self, quote: str, span: Span, numbers: tuple[int, ...], ids: Sequence[str]
    ) -> QuoteCheck:
        matches = {source_id: self._find(quote, source_id) for source_id in ids}
        holding = {source_id: match for source_id, match in matches.items() if match.found}
        flags = tuple(dict.fromkeys(f for match in matches.values() for f in match.flags))
        if holding:
            evidence = tuple(
                e for source_id, match in holding.items() for e in self._evidence(source_id, match)
            )
            return QuoteCheck(quote, span.start, span.end, numbers, True, evidence, None, flags)
        nearest = tuple(e for source_id in ids for e in self._nearest_passage(quote, source_id))
        elsewhere = self._elsewhere(quote, ids)
        return QuoteCheck(quote, span.start, span.end, numbers, False, nearest, elsewhere, flags)

    def _elsewhere(self, quote: str, cited: Sequence[str]) -> str | None:
        for source_id, source in self.sources.items():
            if source_id in cited:
                continue
            self._searchable -= len(source)
            if self._searchable < 0:
                return None
            if self._find(quote, source_id).found:
                return source_id
        return None

    def _nearest_passage(self, quote: str, source_id: str) -> tuple[Evidence, ...]:
        self._comparable -= len(self.sources[source_id])
        if self._comparable < 0:
            return ()
        return self._evidence(source_id, self._find(quote, source_id, with_nearest=True))

    def _find(self, quote: str, source_id: str, with_nearest: bool = False) -> QuoteMatch:
        if source_id not in self._folded:
            self._folded[source_id] = FoldedText.of(self.sources[source_id])
        return find_quote(
            quote,
            self._folded[source_id],
            matching=self.matching.value,
            with_nearest=with_nearest,
        )

    def _evidence(self, source_id: str, match: QuoteMatch) -> tuple[Evidence, ...]:
        source = self.sources[source_id]
        if match.found:
            return tuple(
                Evidence(
                    source_id=source_id,
                    char_start=span.start,
                    char_end=span.end,
                    text=span.of(source),
                    match=str(match.kind),
                )
                for span in match.spans
            )
        if match.nearest is None:
            return ()
        return (
            Evidence(
                source_id=source_id,
                char_start=match.nearest.start,
                char_end=match.nearest.end,
                text=match.nearest.of(source),
                match="nearest",
                similarity=match.similarity,
            ),
        )


def mismatch_detail(check: QuoteCheck, source_id: str | None) -> str:
    """Return the sentence that tells a reviewer what is wrong with a quotation."""
    detail = f"the quoted words do not stand verbatim in the cited source {source_id!r}"
    return f"{detail}; they stand in {check.found_in!r}" if check.found_in else detail


def _groups(text: str, citations: Sequence[Citation]) -> list[_Group]:
    groups: list[_Group] = []
    for citation in citations:
        marker = citation.marker
        if groups and not _WORD.search(text, groups[-1].end, max(groups[-1].end, marker.start)):
            last = groups.pop()
            end = max(last.end, marker.end)
            groups.append(_Group(last.start, end, (*last.citations, citation)))
        else:
            groups.append(_Group(marker.start, marker.end, (citation,)))
    return groups


def _nearest(words: Sequence[int], span: Span, groups: Sequence[_Group]) -> tuple[Citation, ...]:
    """Return the group with the fewest words between it and the quotation."""

    def between(start: int, end: int) -> int:
        return bisect_left(words, end) - bisect_left(words, start)

    def distance(group: _Group) -> tuple[int, int]:
        if group.start >= span.end:
            return between(span.end, group.start), 0
        if group.end <= span.start:
            return between(group.end, span.start), 1
        return 0, 0

    return min(groups, key=distance).citations


def _without_markers(text: str, span: Span, markers: Sequence[Marker]) -> str:
    inside = [m for m in markers if span.start <= m.start and m.end <= span.end]
    pieces: list[str] = []
    position = span.start
    for marker in inside:
        pieces.append(text[position : marker.start].rstrip())
        position = marker.end
    return "".join((*pieces, text[position : span.end]))
