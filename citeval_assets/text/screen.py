"""A screen for text that tries to instruct the judge. It marks; it changes no verdict."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from citeval_assets.text.injection_patterns import STRUCTURE_PATTERNS, patterns_for
from citeval_assets.text.invisible import CharacterNote, invisible_characters, visible
from citeval_assets.text.screen_folding import fold_for_screen

__all__ = [
    "CharacterNote",
    "Suspicion",
    "invisible_characters",
    "suspicious_instructions",
    "visible",
]

MAX_SUSPICIONS = 20
EXCERPT_CHARS = 160
_TAG_TEXT = re.compile("[\U000e0020-\U000e007e]{4,}")


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One passage that reads like an instruction to a judge.

    ``kind`` names the pattern, ``start`` and ``end`` are code points of the unchanged text,
    ``excerpt`` is at most 160 characters of it, hidden characters shown as codes.
    """

    kind: str
    start: int
    end: int
    excerpt: str


def suspicious_instructions(text: str) -> tuple[Suspicion, ...]:
    """Return the passages of ``text`` that try to instruct whoever judges it.

    Orders to ignore the rubric, orders how to grade, notes to the grader, feigned section ends
    and chat roles, ready-made verdicts, in several languages; look-alike letters and invisible
    characters do not hide them. Nothing is decoded. At most 20 are returned.
    """
    return _remembered(text) if len(text) <= _REMEMBERED_CHARS else _screened(text)


def _screened(text: str) -> tuple[Suspicion, ...]:
    found: list[Suspicion] = []
    for structure in STRUCTURE_PATTERNS:
        if structure.may_match(text):
            for match in structure.pattern.finditer(text):
                found.append(_suspicion(structure.kind, text, match.start(), match.end()))
    found.extend(_orders(text))
    for match in () if text.isascii() else _TAG_TEXT.finditer(text):
        found.append(_suspicion("hidden_tag_text", text, match.start(), match.end()))
    return tuple(_without_overlaps(found))[:MAX_SUSPICIONS] if found else ()


def _orders(text: str) -> Iterator[Suspicion]:
    """Yield what the patterns for folded text find. Most plain texts need not be folded for it."""
    if text.isascii() and not patterns_for(text.lower()):
        return
    folded, places = fold_for_screen(text)
    for one in patterns_for(folded):
        for match in one.pattern.finditer(folded):
            start, end = places[match.start()], places[match.end() - 1] + 1
            yield _suspicion(one.kind, text, start, end)


_REMEMBERED_CHARS = 4_000
"""Texts up to this length are screened once: a passage comes back with every answer about it,
with every judge, and when its report is written."""

_remembered = lru_cache(maxsize=4_096)(_screened)


def _suspicion(kind: str, text: str, start: int, end: int) -> Suspicion:
    return Suspicion(kind, start, end, visible(text[start:end])[:EXCERPT_CHARS])


def _without_overlaps(found: list[Suspicion]) -> list[Suspicion]:
    kept: list[Suspicion] = []
    for one in sorted(found, key=lambda suspicion: (suspicion.start, -suspicion.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept
