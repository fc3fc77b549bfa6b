"""Texts cut where something begins or ends, so that a page can mark it. Offsets are code points."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of a text, and the names of what it belongs to (unit numbers, evidence)."""

    start: int
    end: int
    name: int
    tone: str = "none"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the text within which nothing begins or ends.

    ``begins`` are the names that begin here: where a page puts their numbers.
    """

    text: str
    marks: tuple[Mark, ...] = ()
    begins: tuple[int, ...] = ()

    @property
    def tone(self) -> str:
        """The worst tone among the marks."""
        return min((mark.tone for mark in self.marks), key=_RANKS.index, default="none")


_RANKS = ("bad", "part", "none", "good")


def pieces(text: str, marks: Sequence[Mark]) -> tuple[Piece, ...]:
    """Return the whole text in pieces. Marks may overlap; what lies outside the text is cut off."""
    kept = [
        Mark(max(0, mark.start), min(len(text), mark.end), mark.name, mark.tone)
        for mark in marks
        if mark.start < len(text) and mark.end > max(0, mark.start)
    ]
    edges = sorted({0, len(text), *(m.start for m in kept), *(m.end for m in kept)})
    begun: set[int] = set()
    found: list[Piece] = []
    for start, end in zip(edges, edges[1:], strict=False):
        inside = tuple(m for m in kept if m.start <= start and m.end >= end)
        fresh = tuple(dict.fromkeys(m.name for m in inside if m.start == start))
        fresh = tuple(name for name in fresh if name not in begun)
        begun.update(fresh)
        found.append(Piece(text[start:end], inside, fresh))
    return tuple(found)


def around(text: str, marks: Sequence[Mark], most: int) -> tuple[str, tuple[Mark, ...], bool]:
    """Return at most about ``most`` characters around the marks, and whether something is left out.

    Cut at blanks; the marks move with the text.
    """
    if len(text) <= most:
        return text, tuple(marks), False
    first = min((mark.start for mark in marks), default=0)
    last = max((mark.end for mark in marks), default=0)
    room = max(0, most - (last - first))
    start = max(0, first - room // 2)
    if start:
        blank = text.find(" ", start, first)
        start = blank + 1 if blank >= 0 else start
    end = min(len(text), max(last, start + most))
    if end < len(text):
        blank = text.rfind(" ", last, end)
        end = blank if blank > 0 else end
    moved = tuple(Mark(m.start - start, m.end - start, m.name, m.tone) for m in marks)
    return text[start:end], moved, True
