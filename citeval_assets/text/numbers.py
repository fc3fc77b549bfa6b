"""Numbers in text: their value, their unit, and texts that are in effect one number."""

import re
from dataclasses import dataclass

from citeval_assets.text.characters import WORD
from citeval_assets.text.markers import scan_citations, without_citations
from citeval_assets.text.spans import Span

MAX_FRAMING_WORDS = 30
"""A text with more words than this beside its number is not "one number"."""

_SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "tausend": 1e3,
    "mille": 1e3,
    "mil": 1e3,
    "tsd": 1e3,
    "million": 1e6,
    "millions": 1e6,
    "mio": 1e6,
    "mn": 1e6,
    "millionen": 1e6,
    "millón": 1e6,
    "millones": 1e6,
    "billion": 1e9,
    "billions": 1e9,
    "bn": 1e9,
    "mrd": 1e9,
    "milliarde": 1e9,
    "milliarden": 1e9,
    "milliard": 1e9,
    "milliards": 1e9,
    "trillion": 1e12,
    "trillions": 1e12,
}
_UNITS = {
    "percent": "%",
    "per cent": "%",
    "prozent": "%",
    "pour cent": "%",
    "euros": "€",
    "euro": "€",
    "eur": "€",
    "dollars": "$",
    "dollar": "$",
    "usd": "$",
    "pounds sterling": "£",
    "gbp": "£",
    "metres": "m",
    "meters": "m",
    "metre": "m",
    "meter": "m",
    "kilometres": "km",
    "kilometers": "km",
    "kilometre": "km",
    "kilometer": "km",
    "kilograms": "kg",
    "kilogram": "kg",
    "grams": "g",
    "gram": "g",
    "litres": "l",
    "liters": "l",
    "litre": "l",
    "liter": "l",
    "hours": "h",
    "hour": "h",
    "minutes": "min",
    "minute": "min",
    "seconds": "s",
    "second": "s",
}
_CURRENCY = "€$£¥"
_SPACE = "[ \u00a0\u2009\u202f]"
_NUMBER = re.compile(
    rf"(?<![\w.,])(?<![^\W\d_][-\u2010\u2011])(?P<sign>[+\-\u2212](?=\d|\.\d|"
    rf"[{_CURRENCY}]))?(?P<currency>[{_CURRENCY}]{_SPACE}?)?"
    rf"(?P<digits>(?:\d{{1,3}}(?:[\u00a0\u2009\u202f']\d{{3}})++(?:[.,]\d{{1,12}}+)?+"
    r"|\d{1,40}+(?:[.,]\d{1,40}+){0,12}+|\.\d{1,40}+)(?![\d⁰¹²³⁴⁵⁶⁷⁸⁹½¼¾⅓⅔]))"
    r"(?:[eE](?P<exponent>[+\-]?\d{1,3})(?![\w]))?"
    rf"(?:{_SPACE}?(?P<unit>%|‰|°{_SPACE}?[CF]?|[{_CURRENCY}]|[^\W\d_]{{1,20}}[²³]?"
    r"(?:/[^\W\d_]{1,6}[²³]?)?))?",
)
_NOT_A_QUANTITY = re.compile(r"\d\s*[:/]\s*\d|\d[-–]\d")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit; ``unit`` is empty where none stands behind it."""

    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class LocatedNumber:
    """A number of a text: what it means and where it stands."""

    span: Span
    quantity: Quantity


def numbers_in(text: str) -> tuple[LocatedNumber, ...]:
    """Return the numbers of ``text`` with scale words ("3.4 billion") worked in."""
    found: list[LocatedNumber] = []
    for match in _NUMBER.finditer(text):
        value = _value(match["digits"], match["exponent"])
        if value is None:
            continue
        value = -value if match["sign"] in ("-", "\u2212") else value
        unit = (match["unit"] or "").strip()
        end = match.end()
        scale = _SCALES.get(unit.casefold().rstrip("."))
        if scale is not None:
            value *= scale
            unit, end = _unit_behind(text, end)
        if match["currency"]:
            unit = match["currency"].strip()
        found.append(LocatedNumber(Span(match.start(), end), Quantity(value, _unit(unit))))
    return tuple(found)


def single_quantity(text: str) -> Quantity | None:
    """Return the one number of ``text``, or ``None`` where there is none or several.

    Citation marks are left out of account. A time of day, a date, a ratio or a span of
    numbers is no single quantity.
    """
    bare = without_citations(text, scan_citations(text, ())).strip()
    if _NOT_A_QUANTITY.search(bare):
        return None
    numbers = numbers_in(bare)
    if len(numbers) != 1:
        return None
    span = numbers[0].span
    framing = bare[: span.start] + " " + bare[span.end :]
    if any(char.isdigit() for char in framing) or len(WORD.findall(framing)) > MAX_FRAMING_WORDS:
        return None
    return numbers[0].quantity


def _value(digits: str, exponent: str | None) -> float | None:
    bare = re.sub("[\u00a0\u2009\u202f']", "", digits)
    dots, commas = bare.count("."), bare.count(",")
    if dots and commas:
        decimal = "." if bare.rfind(".") > bare.rfind(",") else ","
        other = "," if decimal == "." else "."
        if bare.count(decimal) > 1:
            return None
        bare = bare.replace(other, "").replace(decimal, ".")
    elif dots > 1 or commas > 1:
        groups = re.split("[.,]", bare)
        if any(len(group) != 3 for group in groups[1:]) or len(groups[0]) > 3:
            return None
        bare = "".join(groups)
    elif commas:
        whole, fraction = bare.split(",")
        thousands = len(fraction) == 3 and 1 <= len(whole) <= 3 and whole != "0"
        bare = whole + fraction if thousands else f"{whole}.{fraction}"
    try:
        return float(bare + (f"e{exponent}" if exponent else ""))
    except (ValueError, OverflowError):
        return None


def _unit_behind(text: str, position: int) -> tuple[str, int]:
    match = re.compile(r"\.?[ \u00a0\u202f]?([^\W\d_]{1,20}|[€$£¥%])").match(text, position)
    return (match.group(1), match.end()) if match else ("", position)


def _unit(written: str) -> str:
    return _UNITS.get(written.casefold(), written)
