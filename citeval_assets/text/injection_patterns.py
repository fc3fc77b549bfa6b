"""The patterns of the injection screen, compiled.

``LANGUAGE_PATTERNS`` are searched in folded text (lower case, single blanks, look-alike letters
as Latin), ``STRUCTURE_PATTERNS`` in the text as it is. Most texts hold none of the words a
pattern needs: each pattern names the beginnings (five letters) of its words, and is searched
only where each group of them (parted by ``&``) has one in the text.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from citeval_assets.text import (
    injection_english,
    injection_grading,
    injection_languages,
    injection_structure,
)
from citeval_assets.text.characters import UNSPACED, ascii_words, word_set

_GOOD = word_set(
    "suppo faith fully corre accur pass passe passi true valid verif perfe right full highe "
    "maxim max top best <top>"
)
_NAMED_GROUPS = {
    "@good": _GOOD,
    "@good_or_number": _GOOD | word_set("1 5 10 100"),
    "@grader": word_set(
        "grade judge evalu asses rater llm llms langu ai a chatb gradi judgi scori revie autom"
    ),
    "@cjk": word_set("<cjk>"),
}
_WORDS = re.compile(r"[^\W_]+")
_STEM = 5
_TOP_MARK = re.compile(r"1(?:0/10|00\s*%|\.0|0\s+out\s+of\s+10)|5/5")
"""The best mark in figures. Its numbers alone stand in most texts with citations."""


@dataclass(frozen=True)
class ScreenPattern:
    """One pattern of the screen: its kind, and the word beginnings it needs, group by group.

    ``mask`` has one bit for each group.
    """

    kind: str
    needs: tuple[frozenset[str], ...]
    pattern: "re.Pattern[str]"
    mask: int = 0


@dataclass(frozen=True)
class StructurePattern:
    """One pattern for the text as it is, and what the text must hold one of."""

    kind: str
    holds: tuple[str, ...]
    pattern: "re.Pattern[str]"

    def may_match(self, text: str) -> bool:
        """Whether the text could match."""
        for mark in self.holds:  # noqa: SIM110 - a generator costs more than the search
            if mark in text:
                return True
        return False


def patterns_for(folded: str) -> "tuple[ScreenPattern, ...]":
    """Return the patterns that could match a folded text, by the beginnings of its words.

    Blanks need not be folded for that.
    """
    ascii_only = folded.isascii()
    words = ascii_words(folded) if ascii_only else _WORDS.findall(folded)
    met = 0
    for stem in _BITS_OF_STEM.keys() & {word[:_STEM] for word in set(words)}:
        met |= _BITS_OF_STEM[stem]
    if not ascii_only and UNSPACED.search(folded):
        met |= _BITS_OF_STEM["<cjk>"]
    found = _patterns_within(met | _BITS_OF_STEM["<top>"])
    return found if not found or _TOP_MARK.search(folded) else _patterns_within(met)


@lru_cache(maxsize=4_096)
def _patterns_within(met: int) -> "tuple[ScreenPattern, ...]":
    """Return the patterns all of whose groups are among those met."""
    return tuple(one for one in LANGUAGE_PATTERNS if one.mask & met == one.mask)


def _compiled(kind: str, needs: str, pattern: str) -> ScreenPattern:
    groups = [group.strip() for group in needs.split("&") if group.strip()]
    return ScreenPattern(
        kind,
        tuple(_NAMED_GROUPS.get(group) or word_set(group) for group in groups),
        re.compile(pattern),
    )


def _with_masks(patterns: Iterable[ScreenPattern]) -> Iterator[ScreenPattern]:
    """Give every distinct group of word beginnings a bit, and each pattern its bits."""
    bits: dict[frozenset[str], int] = {}
    for one in patterns:
        mask = 0
        for group in one.needs:
            bit = bits.setdefault(group, 1 << len(bits))
            mask |= bit
            for stem in group:
                _BITS_OF_STEM[stem] = _BITS_OF_STEM.get(stem, 0) | bit
        yield replace(one, mask=mask)


_BITS_OF_STEM: dict[str, int] = {}

LANGUAGE_PATTERNS = tuple(
    _with_masks(
        _compiled(*one)
        for one in (
            *injection_english.PATTERNS,
            *injection_grading.PATTERNS,
            *injection_languages.PATTERNS,
        )
    )
)


STRUCTURE_PATTERNS = tuple(
    StructurePattern(kind, holds, re.compile(pattern))
    for kind, holds, pattern in injection_structure.PATTERNS
)
