"""Texts cut into pieces: what a finding is about, and what a source says to it."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from citeval_assets.playbooks.report import Evidence, Finding
from citeval_assets.text.spans import Span
from citeval_assets.web.tones import Tone, finding_tone

_GAP = re.compile(r"[ \t.,;:!?]{0,3}")
_LONGEST_SOURCE = 12_000
"""Characters of a source shown beside a finding; of a longer one, what surrounds the span."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of the judged text with the findings about it, by their places in the report."""

    start: int
    end: int
    tone: Tone
    findings: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text. ``mark`` is the mark it belongs to; ``last`` says that it ends there."""

    text: str
    mark: Mark | None = None
    last: bool = False


def marks_of(findings: Sequence[Finding], length: int) -> list[Mark]:
    """Return one mark for each stretch of text that findings are about, in text order.

    Findings about the same stretch share a mark, in the tone of the worst of them.
    """
    places: dict[tuple[int, int], list[int]] = {}
    for number, finding in enumerate(findings):
        start, end = finding.char_start, finding.char_end
        if start is None or end is None or not 0 <= start < end <= length:
            continue
        places.setdefault((start, end), []).append(number)
    return [
        Mark(start, end, min((_tone(findings[n]) for n in numbers), key=_rank), tuple(numbers))
        for (start, end), numbers in sorted(places.items())
    ]


def with_markers(text: str, marks: Sequence[Mark], markers: Sequence[Span]) -> list[Mark]:
    """Return the marks drawn out over the citation markers that stand right behind them.

    A claim is judged without its markers, but a reader clicks on the marker.
    """
    starts = sorted(mark.start for mark in marks)
    behind = {marker.start: marker for marker in markers}
    drawn: list[Mark] = []
    for mark in marks:
        end = mark.end
        after = bisect_left(starts, mark.end)
        limit = starts[after] if after < len(starts) else len(text)
        while end < limit:
            gap = _GAP.match(text, end)
            marker = behind.get(gap.end() if gap else end)
            if marker is None or marker.end > limit:
                break
            end = marker.end
        if end > mark.end and end < limit and text[end] in ".!?。":
            end += 1
        drawn.append(replace(mark, end=end))
    return drawn


def _tone(finding: Finding) -> Tone:
    return finding_tone(finding.label, finding.weight)


def _rank(tone: Tone) -> int:
    return tone.rank


def cut(text: str, marks: Sequence[Mark]) -> list[Piece]:
    """Cut a text at the ends of its marks; where marks overlap, the shortest counts.

    Takes time proportional to the text and to the number of marks (times its logarithm).
    """
    borders = sorted({0, len(text), *(m.start for m in marks), *(m.end for m in marks)})
    pieces: list[Piece] = []
    opened: list[Mark] = []
    waiting = sorted(marks, key=lambda mark: mark.start, reverse=True)
    for start, end in pairwise(borders):
        opened = [mark for mark in opened if mark.end > start]
        while waiting and waiting[-1].start <= start:
            opened.append(waiting.pop())
        inner = min(opened, key=lambda mark: mark.end - mark.start, default=None)
        pieces.append(Piece(text[start:end], inner, inner is not None and inner.end == end))
    return pieces


@dataclass(frozen=True, slots=True)
class SourcePiece:
    """A piece of a source. ``match`` says how it matched where it is what settles a finding."""

    text: str
    match: str = ""
    first: bool = False


@dataclass(frozen=True, slots=True)
class SourceView:
    """A source, or of a long one what surrounds the spans."""

    pieces: tuple[SourcePiece, ...]
    cut_before: int
    cut_after: int


def source_view(text: str, evidence: Iterable[Evidence]) -> SourceView:
    """Return a source with the spans that settle a finding apart from the rest."""
    spans = sorted(
        {
            (max(0, e.char_start), min(len(text), e.char_end), e.match)
            for e in evidence
            if e.char_start < min(len(text), e.char_end)
        }
    )
    low, high = _window(text, [(start, end) for start, end, _ in spans])
    pieces: list[SourcePiece] = []
    at = low
    for start, end, match in spans:
        start, end = max(start, at), min(end, high)
        if start >= end:
            continue
        pieces.append(SourcePiece(text[at:start]))
        pieces.append(SourcePiece(text[start:end], match, not any(p.match for p in pieces)))
        at = end
    pieces.append(SourcePiece(text[at:high]))
    return SourceView(tuple(p for p in pieces if p.text), low, len(text) - high)


def _window(text: str, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    if len(text) <= _LONGEST_SOURCE:
        return 0, len(text)
    if not spans:
        return 0, _LONGEST_SOURCE
    middle = (spans[0][0] + spans[0][1]) // 2
    low = max(0, middle - _LONGEST_SOURCE // 2)
    return low, min(len(text), low + _LONGEST_SOURCE)
