"""The one matcher of quotations: does this span stand in that source, and where?

Used for quotes, excerpts, evidence references and step texts alike, so that the same pair
always gets the same answer.
"""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Literal

from citeval_assets.text.characters import is_mark, word_count
from citeval_assets.text.citation_tail import without_marks
from citeval_assets.text.folding import Fold, FoldedText, folded_cluster
from citeval_assets.text.invisible import invisible_kinds
from citeval_assets.text.nearest import nearest_passage
from citeval_assets.text.occurrences import occurrences
from citeval_assets.text.quotation_marks import quoted_spans
from citeval_assets.text.spans import Span
from citeval_assets.text.word_borders import stands_on_borders

__all__ = [
    "FoldedText",
    "MatchKind",
    "QuoteMatch",
    "find_quote",
    "quoted_spans",
    "word_count",
]

MIN_WORDS = 3
"""Fewer words than this are no quotation: they fit anywhere."""

Matching = Literal["normalised", "exact"]

_OMISSION = re.compile(
    r"\s*(?:[\[(<]\s*(?:\.{3,}|…|\. \. \.)\s*[\])>]|\.{3,}|…|(?<=\s)\. \. \.)\s*"
)
_EDGE = re.compile(r"[^\w$€£¥%°#@&+\-\u2010-\u2015\u2212]|_")
_SIC = re.compile(r"\s?\[sic[!.]?\]", re.IGNORECASE)
_CASE_CHANGE = re.compile(r"\[(\w)\](?=\w)")
_GAP_CHARS = 300
_NEGATION = re.compile(
    r"n['’]t\b|\b(?:not|no|never|nor|neither|without|except|unless|cannot|nicht|kein\w*|nie|"
    r"niemals|"
    r"ohne|ne|pas|jamais|sans|sauf|nunca|sin|salvo|не|без)\b",
    re.IGNORECASE,
)
_COMPARISONS = 2_000_000
"""Hyphens compared for one quote before a hostile text is given up on."""


class MatchKind(StrEnum):
    """How a quote stands in its source."""

    EXACT = "exact"
    NORMALISED = "normalised"
    ELIDED = "elided"
    """Parts joined by an omission mark, all found, in order."""
    NONE = "none"
    TOO_SHORT = "too_short"


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """Where a quote stands. Offsets are code points into the unchanged source.

    ``spans`` has one span, or one per part of an elided quote. Where the quote is not found,
    ``nearest`` is the passage most like it and ``similarity`` (0..1) how like. ``flags`` name
    what a reader cannot see: ``invisible_characters``, ``direction_controls``,
    ``tag_characters``, ``mixed_scripts``; further ``quote_too_short`` and ``elided_negation``
    (the words left out hold a negation).
    """

    kind: MatchKind
    spans: tuple[Span, ...] = ()
    nearest: Span | None = None
    similarity: float | None = None
    flags: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether the quote stands in the source."""
        return self.kind in (MatchKind.EXACT, MatchKind.NORMALISED, MatchKind.ELIDED)


def find_quote(
    quote: str,
    source: str | FoldedText,
    matching: Matching = "normalised",
    min_words: int = MIN_WORDS,
    *,
    with_nearest: bool = True,
) -> QuoteMatch:
    """Look for ``quote`` in ``source``.

    Args:
        quote: The words quoted, without their quotation marks.
        source: The text it should stand in; a ``FoldedText`` is folded only once.
        matching: ``normalised`` folds typography, ``exact`` only runs of white space.
        min_words: A quote of fewer words is ``too_short``; 0 switches the rule off.
        with_nearest: Whether to look for the most similar passage where the quote is not
            found, by far the slowest part in a long source.
    """
    folded = source if isinstance(source, FoldedText) else FoldedText.of(source)
    exact = matching == "exact"
    needle = FoldedText.of(quote if exact else _without_edges(quote))
    if word_count(quote) < min_words:
        return QuoteMatch(
            MatchKind.TOO_SHORT, flags=(*_flags(quote, folded, ()), "quote_too_short")
        )
    if not needle.text.strip():
        return QuoteMatch(MatchKind.NONE)
    span = _find(needle, folded, exact, 0)
    if span is not None:
        span = span if exact else _with_edges(quote, needle.text, folded.text, span)
        verbatim = span.of(folded.text) == quote.strip()
        kind = MatchKind.EXACT if verbatim else MatchKind.NORMALISED
        return QuoteMatch(kind, (span,), flags=_flags(quote, folded, (span,)))
    spans = _find_parts(quote, folded, exact)
    if spans:
        flags = (*_flags(quote, folded, spans), *_gap_flags(folded.text, spans))
        return QuoteMatch(MatchKind.ELIDED, spans, flags=flags)
    bare = quote if exact else _without_editing(quote)
    if bare != quote:
        found = find_quote(bare, folded, matching, min_words, with_nearest=False)
        if found.found:
            kind = MatchKind.NORMALISED if found.kind is MatchKind.EXACT else found.kind
            return replace(found, kind=kind)
    nearest, similarity = (
        nearest_passage(needle.text, folded.text) if with_nearest else (None, None)
    )
    return QuoteMatch(MatchKind.NONE, (), nearest, similarity, _flags(quote, folded, ()))


def _without_edges(text: str) -> str:
    """Strip the punctuation at both ends; a sign or currency before a number stays.

    A combining mark is no punctuation: it goes or stays with the letter that bears it.
    """
    start, end = 0, len(text)
    while start < end and _EDGE.match(text[start]):
        start += 1
    while end > start:
        bearer = end - 1
        while bearer > start and is_mark(text[bearer]):
            bearer -= 1
        if not _EDGE.match(text[bearer]):
            break
        end = bearer
    while start < end and text[start] in "+-\u2010\u2011\u2012\u2013\u2014\u2015\u2212&":
        if start + 1 < end and text[start + 1].isdigit():
            break
        start += 1
        while start < end and text[start].isspace():
            start += 1
    while end > start and text[end - 1] in "+-\u2010\u2011\u2012\u2013\u2014\u2015\u2212&@#":
        end -= 1
        while end > start and text[end - 1].isspace():
            end -= 1
    return text[start:end]


def _without_editing(quote: str) -> str:
    """Take out what a quoting author adds: marks inside the quote, emphasis, "[sic]", "[T]he"."""
    bare = _SIC.sub("", quote.replace("**", ""))
    return _CASE_CHANGE.sub(r"\1", without_marks(bare)).strip()


def _gap_flags(source: str, spans: tuple[Span, ...]) -> tuple[str, ...]:
    """Say so where the words left out of an elided quote hold a negation."""
    gaps = (
        source[before.end : min(behind.start, before.end + _GAP_CHARS)]
        for before, behind in pairwise(spans)
    )
    return ("elided_negation",) if any(_NEGATION.search(gap) for gap in gaps) else ()


def _with_edges(quote: str, bare: str, source: str, span: Span) -> Span:
    """Widen a match by the edge punctuation of the quote, as far as the source has it too."""
    at = quote.find(bare)
    start, end = span.start, span.end
    for char in reversed(quote[:at].rstrip()):
        if start == 0 or folded_cluster(source[start - 1]) != folded_cluster(char):
            break
        start -= 1
    for char in quote[at + len(bare) :]:
        if end == len(source) or folded_cluster(source[end]) != folded_cluster(char):
            break
        end += 1
    return Span(start, end)


def _find_parts(quote: str, source: FoldedText, exact: bool) -> tuple[Span, ...]:
    """Return the spans of an elided quote, in order, or nothing when a part is missing."""
    parts = [part for part in _OMISSION.split(quote) if any(char.isalnum() for char in part)]
    if len(parts) < 2 or sum(map(word_count, parts)) < MIN_WORDS:
        return ()
    spans: list[Span] = []
    position = 0
    for part in parts:
        needle = FoldedText.of(part.strip() if exact else _without_edges(part))
        span = _find(needle, source, exact, position)
        if span is None:
            return ()
        spans.append(span)
        position = span.end
    return tuple(spans)


def _find(needle: FoldedText, source: FoldedText, exact: bool, after: int) -> Span | None:
    """Return the first place at or behind ``after`` where ``needle`` stands on word borders."""
    wanted = needle.spaced if exact else needle.normalised
    held = source.spaced if exact else source.normalised
    chars = wanted.chars.strip(" ")
    lead = len(wanted.chars) - len(wanted.chars.lstrip(" "))
    if not chars:
        return None
    begin = bisect_left(held.starts, after)
    hyphens = _Hyphens(wanted, held, lead, len(chars))
    for place in occurrences(chars, held.chars, begin):
        end = place + len(chars)
        if _splits_a_cluster(held, place, end):
            continue
        span = Span(_with_leading_sign(held, source.text, place, hyphens), held.ends[end - 1])
        if stands_on_borders(source.text, span) and hyphens.agree(place):
            return span
        if hyphens.exhausted:
            return None
    return None


def _with_leading_sign(held: Fold, text: str, place: int, hyphens: "_Hyphens") -> int:
    start = held.starts[place]
    if hyphens.leads:
        back = start
        while back > 0 and text[back - 1] in "-\u2010\u2011\u2012\u2013\u2014\u2212":
            back -= 1
        return back
    return start


def _splits_a_cluster(held: Fold, start: int, end: int) -> bool:
    """Whether a match would begin or end inside what one original character folded to."""
    opens = start > 0 and held.starts[start] == held.starts[start - 1]
    closes = end < len(held.starts) and held.starts[end] == held.starts[end - 1]
    return opens or closes


class _Hyphens:
    """Compares the hyphens of a quote with those of the source at a place of equal letters."""

    def __init__(self, wanted: Fold, held: Fold, lead: int, length: int) -> None:
        self._wanted = [
            (position - lead, kind)
            for position, kind in wanted.hyphens.items()
            if lead < position < lead + length
        ]
        self.leads = lead in wanted.hyphens
        self._held = held.hyphens
        self._positions = held.hyphen_places
        self._length = length
        self._budget = _COMPARISONS
        self.exhausted = False

    def agree(self, place: int) -> bool:
        """Whether a quote found at ``place`` has its hyphens where the source has them."""
        if self.leads and self._held.get(place) is None:
            return False
        low = bisect_right(self._positions, place)
        high = bisect_left(self._positions, place + self._length)
        index = low
        for offset, kind in self._wanted:
            while index < high and self._positions[index] < place + offset:
                if self._held[self._positions[index]] == "hard":
                    return False
                index += 1
            found = index < high and self._positions[index] == place + offset
            if found:
                index += 1
            elif kind == "hard":
                return False
            if not self._spend():
                return False
        while index < high:
            if self._held[self._positions[index]] == "hard" or not self._spend():
                return False
            index += 1
        return True

    def _spend(self) -> bool:
        self._budget -= 1
        self.exhausted = self._budget < 0
        return not self.exhausted


def _flags(quote: str, source: FoldedText, spans: tuple[Span, ...]) -> tuple[str, ...]:
    """Name what hides in the quote and in the matched part, or the whole source if none."""
    kinds = dict.fromkeys(invisible_kinds(quote))
    if not spans:
        kinds.update(dict.fromkeys(source.hidden))
    for span in spans:
        kinds.update(dict.fromkeys(invisible_kinds(span.of(source.text))))
    return tuple(kinds)
