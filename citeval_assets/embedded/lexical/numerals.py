"""Numbers of a text by value: digits, number words, scale words; and when two are the same.

Broader than ``text.numbers``, which reads quantities with their units: here every number
counts, also a spelled one, and values are compared with a little room for rounding.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_UNITS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
    """
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORD_VALUES = {word: value for value, word in enumerate(_UNITS.split())} | {
    word: 10 * value for value, word in enumerate(_TENS.split(), start=2)
}
_SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "mn": 1e6,
    "bn": 1e9,
    "m": 1e6,
    "k": 1e3,
}
_DIGITS = re.compile(
    r"(?<![\w.])[-+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:[\s-]?(hundred|thousand|million|billion|trillion|bn|mn|m|k)\b)?"
)
_SPELLED = re.compile("|".join(sorted(_WORD_VALUES, key=len, reverse=True)))
_LETTERS = re.compile(r"[a-z]+")
_MAX_DIGITS = 40


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number and where it stands."""

    value: float
    start: int
    end: int


def numerals_in(lowered: str) -> tuple[Numeral, ...]:
    """Return the numbers of a text in lower case, those in digits first.

    The word "one" alone is no number: it mostly stands for something else.
    """
    found = [
        Numeral(value, match.start(), match.end())
        for match in _DIGITS.finditer(lowered)
        if (value := _digits_value(match)) is not None
    ]
    if _SPELLED.search(lowered):
        found.extend(_spelled(lowered))
    return tuple(found)


def _digits_value(match: re.Match[str]) -> float | None:
    written = match.group()[: match.start(1) - match.start()] if match.group(1) else match.group()
    digits = written.rstrip(" -\t\n").replace(",", "")
    if len(digits) > _MAX_DIGITS:
        return None
    return float(digits) * _SCALES.get(match.group(1) or "", 1.0)


def _spelled(lowered: str) -> Iterable[Numeral]:
    words = [(match.group(), match.start(), match.end()) for match in _LETTERS.finditer(lowered)]
    at = 0
    while at < len(words):
        word, start, end = words[at]
        at += 1
        if word not in _WORD_VALUES:
            continue
        following = words[at][0] if at < len(words) else ""
        if word == "one" and following not in _SCALES:
            continue
        value = float(_WORD_VALUES[word])
        if value >= 20 and 0 < _WORD_VALUES.get(following, 10) < 10:
            value += _WORD_VALUES[following]
            end = words[at][2]
            at += 1
        while at < len(words) and len(words[at][0]) > 2 and words[at][0] in _SCALES:
            value *= _SCALES[words[at][0]]
            end = words[at][2]
            at += 1
        yield Numeral(value, start, end)


def is_year(value: float) -> bool:
    """Whether a number could be a year: such a number is never rounded."""
    return value == int(value) and 1000 <= value < 2200


def same_number(value: float, other: float) -> bool:
    """Whether two numbers are the same, up to the rounding that texts allow themselves."""
    if value == other:
        return True
    if not other or is_year(value):
        return False
    if abs(value) > 999 and abs(value - other) <= 0.005 * abs(other):
        return True
    if abs(other) >= 10_000 and abs(value) >= 1000 and float(f"{other:.2g}") == value:
        return True
    return 1 <= value < 1000 and value != int(value) and round(other, 1) == value


def stands_among(value: float, others: Iterable[float]) -> bool:
    """Whether a number is one of ``others``."""
    return any(same_number(value, other) for other in others)


def nearest(value: float, others: Iterable[Numeral]) -> Numeral | None:
    """Return the number nearest in proportion; years are compared with years."""
    like = [other for other in others if is_year(other.value) == is_year(value)]
    return min(like, key=lambda other: _distance(value, other.value), default=None)


def _distance(value: float, other: float) -> float:
    return abs(value - other) / max(abs(value), abs(other), 1e-9)
