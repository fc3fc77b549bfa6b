"""Places in a text: half-open ranges of code points into the unchanged original."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The code points ``start`` (included) to ``end`` (excluded) of some text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span needs 0 <= start <= end, found {self.start}..{self.end}")

    def of(self, text: str) -> str:
        """Return the part of ``text`` this span covers."""
        return text[self.start : self.end]

    def overlaps(self, other: "Span") -> bool:
        """Whether the two spans share at least one code point."""
        return self.start < other.end and other.start < self.end

    def holds(self, position: int) -> bool:
        """Whether ``position`` lies inside."""
        return self.start <= position < self.end

    def shifted(self, by: int) -> "Span":
        """Return the span moved by ``by`` code points: from a part of a text to the whole."""
        return Span(self.start + by, self.end + by)


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans sorted, those that touch or overlap joined into one."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            if span.end > joined[-1].end:
                joined[-1] = Span(joined[-1].start, span.end)
        else:
            joined.append(span)
    return tuple(joined)


class SpanSet:
    """A set of disjoint spans that answers "is this position inside?" in logarithmic time."""

    __slots__ = ("_starts", "spans")

    def __init__(self, spans: Sequence[Span]) -> None:
        self.spans = merged(spans)
        self._starts = [span.start for span in self.spans]

    def covering(self, position: int) -> Span | None:
        """Return the span that holds ``position``, or ``None``."""
        index = bisect_right(self._starts, position) - 1
        if index >= 0 and self.spans[index].holds(position):
            return self.spans[index]
        return None

    def __contains__(self, position: int) -> bool:
        return self.covering(position) is not None

    def touches(self, start: int, end: int) -> bool:
        """Whether any span shares a code point with ``start..end``."""
        index = bisect_right(self._starts, start) - 1
        if index >= 0 and self.spans[index].end > start:
            return start < end
        return index + 1 < len(self.spans) and self.spans[index + 1].start < end
