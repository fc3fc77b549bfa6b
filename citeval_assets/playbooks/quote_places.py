"""On which citations of its sentence a quotation hangs.

On the nearest, counted in words between them. Where two are equally near, the one behind it;
but where the last quotation of a sentence has none behind it ("[1] says "a" while [2] says
"b""), the sentence names its sources first, and the one before it.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from citeval_assets.text.markers import Citation, Marker
from citeval_assets.text.quotes import quoted_spans, word_count
from citeval_assets.text.spans import Span

MIN_QUOTE_WORDS = 3
"""Shorter spans in quotation marks are emphasis or names, not quotations."""

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
class PlacedQuote:
    """A quotation (without the markers inside it), where it stands, and its citations."""

    text: str
    span: Span
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class _Group:
    """Citations that stand side by side."""

    start: int
    end: int
    citations: tuple[Citation, ...]


def quotations(text: str, markers: Sequence[Marker] = ()) -> Iterator[tuple[str, Span]]:
    """Yield the quotations of ``text`` that are long enough, without markers inside them."""
    starts = [marker.start for marker in markers]
    for span in quoted_spans(text):
        inside = markers[bisect_left(starts, span.start) : bisect_left(starts, span.end)]
        quote = _without(text, span, inside)
        if word_count(quote) >= MIN_QUOTE_WORDS:
            yield quote, span


def place_quotes(
    text: str,
    sentences: Sequence[Located],
    attached: Sequence[Sequence[Citation]],
    markers: Sequence[Marker] = (),
) -> Iterator[PlacedQuote]:
    """Yield the quotations of ``text`` whose sentence cites something, with what they hang on.

    ``attached`` holds the citations of each sentence; a quotation may run over several.
    """
    found: list[tuple[str, Span, tuple[int, int]]] = []
    last_quote: dict[tuple[int, int], int] = {}
    first = 0
    for quote, span in quotations(text, markers):
        while first < len(sentences) and sentences[first].end <= span.start:
            first += 1
        last = first
        while last < len(sentences) and sentences[last].start < span.end:
            last += 1
        found.append((quote, span, (first, last)))
        last_quote[first, last] = span.end
    words = [match.start() for match in _WORD.finditer(text)] if found else []
    groups: dict[tuple[int, int], list[_Group]] = {}
    for quote, span, window in found:
        if window not in groups:
            cited = [c for one in attached[slice(*window)] for c in one]
            groups[window] = _groups(text, cited)
        near = groups[window]
        if near:
            sources_first = all(group.start < last_quote[window] for group in near)
            yield PlacedQuote(quote, span, _nearest(words, span, near, sources_first))


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


def _nearest(
    words: Sequence[int], span: Span, groups: Sequence[_Group], sources_first: bool
) -> tuple[Citation, ...]:
    def between(start: int, end: int) -> int:
        return bisect_left(words, end) - bisect_left(words, start)

    def distance(group: _Group) -> tuple[int, bool]:
        if group.start >= span.end:
            return between(span.end, group.start), sources_first
        if group.end <= span.start:
            return between(group.end, span.start), not sources_first
        return 0, False

    return min(groups, key=distance).citations


def _without(text: str, span: Span, markers: Sequence[Marker]) -> str:
    pieces: list[str] = []
    position = span.start
    for marker in markers:
        if marker.end <= span.end:
            pieces.append(text[position : marker.start].rstrip())
            position = marker.end
    return "".join((*pieces, text[position : span.end]))
