"""All places of one string in another, overlapping ones too, in linear time."""

from collections.abc import Iterator

_PLAIN_TRIES = 32
"""So many places are looked up with ``str.find``; a needle that keeps occurring costs a call
of its own length each time, so then the slower but linear search takes over."""


def occurrences(needle: str, text: str, start: int = 0) -> Iterator[int]:
    """Yield every index at or behind ``start`` where ``needle`` stands in ``text``."""
    if not needle:
        return
    position = start
    for _ in range(_PLAIN_TRIES):
        position = text.find(needle, position)
        if position < 0:
            return
        yield position
        position += 1
    yield from _knuth_morris_pratt(needle, text, position)


def _knuth_morris_pratt(needle: str, text: str, start: int) -> Iterator[int]:
    fallback = _fallbacks(needle)
    length = len(needle)
    matched = 0
    for position in range(start, len(text)):
        char = text[position]
        while matched and (matched == length or needle[matched] != char):
            matched = fallback[matched - 1]
        if needle[matched] == char:
            matched += 1
        if matched == length:
            yield position - length + 1


def _fallbacks(needle: str) -> list[int]:
    """Return for each prefix the length of its longest proper suffix that is a prefix."""
    fallback = [0] * len(needle)
    matched = 0
    for position in range(1, len(needle)):
        while matched and needle[matched] != needle[position]:
            matched = fallback[matched - 1]
        if needle[matched] == needle[position]:
            matched += 1
        fallback[position] = matched
    return fallback
