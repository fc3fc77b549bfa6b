"""Two texts word by word: what one says and the other does not."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

_TOKEN = re.compile(r"\w+\s*|[^\w\s]\s*|\s+")
_MOST_TOKENS = 4_000
"""Words and signs of a text that is compared; comparing takes time by their product."""

_LONGEST = 12_000
"""Characters of a text that is shown unmarked."""

_LEAST_SHARED = 2
"""Words in a row both texts must share to stand apart from changes around them."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of one text; ``changed`` says that the other text has it not."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """Both texts in parts. ``compared`` is false where they are too long for it."""

    before: tuple[Part, ...]
    after: tuple[Part, ...]
    compared: bool
    same: bool


def difference(before: str, after: str) -> Difference:
    """Compare two texts by words. Very long ones are cut and shown unmarked."""
    if before == after:
        return Difference(_plain(before), _plain(after), compared=True, same=True)
    one, two = _TOKEN.findall(before), _TOKEN.findall(after)
    if max(len(one), len(two)) > _MOST_TOKENS:
        return Difference(_plain(before), _plain(after), compared=False, same=False)
    left: list[Part] = []
    right: list[Part] = []
    for changed, a, b, c, d in _stretches(one, two):
        _add(left, "".join(one[a:b]), changed)
        _add(right, "".join(two[c:d]), changed)
    return Difference(tuple(left), tuple(right), compared=True, same=False)


def _stretches(one: Sequence[str], two: Sequence[str]) -> Iterator[tuple[bool, int, int, int, int]]:
    """Yield (changed, start and end in one, start and end in two), in order."""
    codes = list(LCSseq.opcodes([t.rstrip() for t in one], [t.rstrip() for t in two]))
    for place, code in enumerate(codes):
        a, b, c, d = code.src_start, code.src_end, code.dest_start, code.dest_end
        inside = 0 < place < len(codes) - 1
        changed = code.tag != "equal" or (inside and _words(one[a:b]) < _LEAST_SHARED)
        yield changed, a, b, c, d


def _words(tokens: Sequence[str]) -> int:
    return sum(token[0].isalnum() for token in tokens)


def _add(parts: list[Part], text: str, changed: bool) -> None:
    if not text:
        return
    if parts and parts[-1].changed == changed:
        parts[-1] = Part(parts[-1].text + text, changed)
    else:
        parts.append(Part(text, changed))


def _plain(text: str) -> tuple[Part, ...]:
    shown = text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
    return (Part(shown, changed=False),) if shown else ()
