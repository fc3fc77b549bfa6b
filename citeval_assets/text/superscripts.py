"""Telling a superscript citation from an exponent, a charge or an isotope."""

import re

from citeval_assets.text.characters import word_set

_UNITS = word_set(
    """
    m km cm mm dm nm µm μm pm ft in yd mi s ms min h hr kg g mg l ml t pc au ha mol cd k n w j
    pa v a hz sq rad sr px
    """
)
_UNAMBIGUOUS_UNITS = word_set(
    """
    km cm mm dm nm µm μm ft yd
    """
)
_NUMBER_BEFORE = re.compile(
    r"[\d½¼¾][\d.,]*[\s\u00a0\u202f]{0,2}(?:[^\W\d_]{1,6}[/·⋅*\s]{1,2}){0,3}$"
)
_ANY_NUMBER = re.compile(r"[\d½¼¾]")
_FORMULA = re.compile(r"[=+*/^√∑×·⋅<>≤≥±∝]\s{0,2}$|[=+*/^×]")
_CHARGE = "⁺⁻⁼⁽"


def is_exponent(text: str, start: int, end: int) -> bool:
    """Whether the superscript at ``start..end`` is part of a number, unit, formula or isotope.

    A citation is set directly behind a word, a punctuation mark or another citation; after a
    blank only where no letter follows at once (``¹⁴C``).
    """
    before = text[start - 1] if start else ""
    after = text[end] if end < len(text) else ""
    if before.isdigit() or (before and before in _CHARGE) or (after and after in _CHARGE):
        return True
    if not before or before.isspace():
        return bool(after) and (after.isalpha() or after.isdigit())
    lead = text[max(0, start - 40) : start]
    if before == ")":
        inner = lead[lead.rfind("(") + 1 : -1]
        return "(" in lead and (len(inner) == 1 or _FORMULA.search(inner) is not None)
    token = _last_letters(lead)
    if not token:
        return before in "/·⋅^"
    return _is_unit_or_variable(token, lead[: len(lead) - len(token)])


def _last_letters(lead: str) -> str:
    """Return the letters that end ``lead``."""
    start = len(lead)
    while start and lead[start - 1].isalpha():
        start -= 1
    return lead[start:]


def _is_unit_or_variable(token: str, lead: str) -> bool:
    if token.casefold() in _UNAMBIGUOUS_UNITS:
        return True
    follows_number = _ANY_NUMBER.search(lead) and _NUMBER_BEFORE.search(lead)
    if follows_number and (token.casefold() in _UNITS or len(token) == 1):
        return True
    if lead.endswith(("/", "·", "⋅", "^")):
        return True
    if len(token) == 1:
        return token.islower() or token == "R" or not token.isascii()
    return len(token) <= 3 and re.search(r"[=√]\s{0,2}$", lead) is not None
