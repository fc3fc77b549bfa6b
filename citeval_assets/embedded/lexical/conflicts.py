"""Numbers that contradict: the same thing is said of another number of the same kind."""

import re
from dataclasses import dataclass

from citeval_assets.embedded.lexical.measuring import Claim, Measured
from citeval_assets.embedded.lexical.numerals import (
    Numeral,
    is_year,
    nearest,
    numerals_in,
    same_number,
)
from citeval_assets.embedded.lexical.passages import PassageSentence
from citeval_assets.embedded.lexical.word_classes import root

SAME_STATEMENT = 0.8
"""Share of the claim's other words in the sentence from which both speak of the same thing."""

_LEAST_WORDS = 3
"""Other words there must be at least, for a share of them to mean something."""

_BEHIND = re.compile(r"[\s-]{0,2}([^\W\d_]+|[%€$£°])")
_BEFORE = re.compile(r"([€$£])\s?$")
_BY_UNIT = re.compile(r"\b(?:km|kilomet\w+|miles?|met(?:er|re)s?|feet|foot|inch\w*|kg|kilogram\w*"
    r"|pounds?|lbs?|ounces?|litres?|liters?|gallons?|celsius|fahrenheit|hectares?|acres?"
    r"|€|\$|£|euros?|dollars?)(?![^\W\d_])")  # fmt: skip


@dataclass(frozen=True, slots=True)
class NumberConflict:
    """A number of the claim and the one the evidence has in its place."""

    claimed: str
    found: str


def number_conflict(claim: Claim, measured: Measured) -> NumberConflict | None:
    """Return the contradiction of a claim by a number of its best sentence, if there is one.

    Everything must speak for it: all but the numbers of the claim stands in one sentence, one
    number of the claim is nowhere in the evidence, and the sentence has just one number of the
    same kind that the claim does not have.
    """
    best = measured.best
    if best is None or len(measured.missing_numbers) != 1 or measured.clues.neg_xor:
        return None
    if _share_of_words(claim, best) < SAME_STATEMENT:
        return None
    missing = measured.missing_numbers[0]
    lowered = claim.text.lower()
    rivals = [
        number
        for number in best.numerals
        if is_year(number.value) == is_year(missing.value)
        and unit_of(lowered, missing) == unit_of(best.lowered, number)
        and not any(same_number(own.value, number.value) for own in claim.numerals)
    ]
    if len(rivals) != 1:
        return None
    return NumberConflict(shown(lowered, missing), shown(best.lowered, rivals[0]))


def rival_numbers(one: str, other: str, question: str) -> NumberConflict | None:
    """Return the one number of each sentence that differs, where both are of one unit.

    Numbers of the question count for neither. For sentences that are known to speak of the
    same thing.
    """
    asked = [number.value for number in numerals_in(question.lower())]
    sides = (_counted(one.lower(), asked), _counted(other.lower(), asked))
    units = [unit for unit in sides[0] if unit and unit in sides[1]]
    for unit in units:
        own, their = sides[0][unit], sides[1][unit]
        if len(own) == len(their) == 1 and not same_number(own[0].value, their[0].value):
            return NumberConflict(shown(one.lower(), own[0]), shown(other.lower(), their[0]))
    return None


def _counted(lowered: str, asked: list[float]) -> dict[str, list[Numeral]]:
    """Return the numbers of a sentence that are not asked about, by what they count."""
    found: dict[str, list[Numeral]] = {}
    for number in numerals_in(lowered):
        if number.value not in asked:
            found.setdefault(unit_of(lowered, number), []).append(number)
    return found


def _share_of_words(claim: Claim, sentence: PassageSentence) -> float:
    """Return how much of the claim stands in the sentence, numbers and their words aside."""
    said = [s for s in claim.weights if not any(c.isdigit() for c in s)]
    spelled = {root(word) for n in claim.numerals for word in shown(claim.text.lower(), n).split()}
    said = [s for s in said if s not in spelled]
    if len(said) < _LEAST_WORDS:
        return 0.0
    total = sum(claim.weights[s] for s in said)
    return sum(claim.weights[s] for s in said if s in sentence.content) / total


def nearest_number(measured: Measured, value: float) -> str | None:
    """Return the number of the best sentences that comes nearest to a missing one."""
    for sentence in (measured.best, *measured.further):
        found = nearest(value, sentence.numerals) if sentence is not None else None
        if found is not None and sentence is not None:
            return shown(sentence.lowered, found)
    return None


def unit_of(lowered: str, number: Numeral) -> str:
    """Return the word or sign that a number counts, as it is compared; empty where none is."""
    before = _BEFORE.search(lowered[: number.start])
    if before:
        return before.group(1)
    behind = _BEHIND.match(lowered, number.end)
    return root(behind.group(1)) if behind else ""


def measured_in_other_units(claim: Claim, measured: Measured) -> bool:
    """Whether a missing number has a unit that the evidence may give in another one."""
    best = measured.best
    if best is None or not best.numerals:
        return False
    lowered = claim.text.lower()
    own = set(_BY_UNIT.findall(lowered))
    near = " ".join(s.lowered for s in (best, *measured.further))
    return bool(own) and bool(set(_BY_UNIT.findall(near)) - own)


def shown(lowered: str, number: Numeral) -> str:
    """Return a number as it is written."""
    return lowered[number.start : number.end].strip()
