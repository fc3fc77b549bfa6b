"""Answer and reference as one number each: compared by code, beside the judge.

Code speaks up only where it cannot be wrong about what is compared: the reference is in effect
a number and nothing else, the answer holds exactly one, and their units do not differ.
"""

import re

from citeval_assets.playbooks.answer_comparison.number_words import spelled_out
from citeval_assets.playbooks.answer_comparison.schema import NumberCheck
from citeval_assets.playbooks.rules import Tolerance
from citeval_assets.text.numbers import Quantity, numbers_in, single_quantity

MAX_CHARS = 5_000
"""A longer text is not one number, whatever it holds."""

MAX_WORDS_BEHIND = 3
"""Words a reference may have behind its number and unit ("120 visitors per day")."""

_WORD = re.compile(r"[^\W\d_]+")
_NOT_A_MEASURE = re.compile(
    r"[+\-\u2212]?\d+(?:st|nd|rd|th|er|ère|e|º|ª)\b|[+\-\u2212]?0\d", re.IGNORECASE
)


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FRAMING = _listed(
    """a about all an answer approximately approx are around as at be been by circa exactly for
    from had has have in is it its just nearly of on only over result roughly since some the
    their there they this to total under until up value was were will with year years you
    am auf bei beträgt das der die ein eine er es gibt hat im insgesamt ist jahr rund seit sie
    sind um und ungefähr von waren zu à ans au c'est dans de depuis des du elle en environ
    est il ils la le les l un une y al desde el ella era fue hay los las son unos
    aproximadamente"""
)
"""Small words that may stand before the number of a reference."""

_UNIT_SYMBOLS = _listed(
    """% ‰ ° € $ £ ¥ m km cm dm mm µm nm mi ft yd kg g mg µg t lb oz l ml cl dl s ms min h d hz
    khz mhz ghz w kw mw gw j kj kwh mwh v kv a pa hpa kpa bar psi k kb mb gb tb bit byte"""
)
_UNIT_WORDS = _listed(
    """second minute hour day week month year decade century sekunde sekunden minuten stunde
    stunden tag tage woche wochen monat monate jahr jahre seconde heure jour semaine moi mois an
    année siècle segundo minuto hora día semana mes meses año siglo mile inch inche foot feet yard
    pound ounce ton tonne degree celsius fahrenheit meile meilen grad metre meter kilometre
    kilometer gram kilogram litre liter gallon acre hectare hektar dozen pair"""
)


def compare_numbers(answer: str, reference: str, tolerance: Tolerance) -> NumberCheck | None:
    """Compare two texts that are each one number; ``None`` where they are not.

    Both without citation markers. An answer that spells the reference's number out beside
    another one ("Forty-two steps, cut in 1712" against 42) is left to the judge.
    """
    wanted = _reference_quantity(reference)
    given = _quantity(answer) if wanted is not None else None
    if wanted is None or given is None or _incomparable(given.unit, wanted.unit):
        return None
    agrees = _agrees(given, wanted, tolerance)
    if not agrees and spelled_out(wanted.value, answer):
        return None
    return NumberCheck(answer=given.value, reference=wanted.value, unit=wanted.unit, agrees=agrees)


def _quantity(text: str) -> Quantity | None:
    """Return the one number of a text; no ordinal, and no code such as 007."""
    if len(text) > MAX_CHARS:
        return None
    quantity = single_quantity(text)
    if quantity is None:
        return None
    located = numbers_in(text)
    if len(located) != 1 or _NOT_A_MEASURE.match(located[0].span.of(text)):
        return None
    return quantity


def _reference_quantity(reference: str) -> Quantity | None:
    """Return the number a reference is, framed by nothing but small words."""
    quantity = _quantity(reference)
    if quantity is None:
        return None
    span = numbers_in(reference)[0].span
    before = _WORD.findall(reference[: span.start].casefold())
    behind = _WORD.findall(reference[span.end :])
    framed = all(word in _FRAMING for word in before) and len(behind) <= MAX_WORDS_BEHIND
    return quantity if framed else None


def _agrees(given: Quantity, wanted: Quantity, tolerance: Tolerance) -> bool:
    if tolerance.allows(given.value, wanted.value):
        return True
    # 0.42 and 42 % are the same number where only one side writes the sign.
    if wanted.unit == "%" != given.unit:
        return tolerance.allows(given.value * 100, wanted.value)
    if given.unit == "%" != wanted.unit:
        return tolerance.allows(given.value / 100, wanted.value)
    return False


def _incomparable(given: str, wanted: str) -> bool:
    """Whether both sides are measured, in different units."""
    own, other = _measure(given), _measure(wanted)
    return bool(own and other and own != other)


def _measure(unit: str) -> str:
    """Return a unit of measure in one spelling; empty for any other word behind a number."""
    if "/" in unit or unit.endswith(("²", "³")):
        return unit.casefold()
    folded = unit.casefold().replace(" ", "")
    if folded.startswith("°") or folded in _UNIT_SYMBOLS or folded in _UNIT_WORDS:
        return folded
    singular = folded.removesuffix("s")
    return singular if singular in _UNIT_WORDS else ""
