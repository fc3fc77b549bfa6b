"""Playbook 5: when code compares two numbers, and when it leaves them to the judge."""

import pytest

from citeval_assets.playbooks.answer_comparison.number_words import spelled_out
from citeval_assets.playbooks.answer_comparison.numbers import compare_numbers
from citeval_assets.playbooks.rules import DomainRules

NUMBERS = [
    ("41", "42", False),
    ("It is 42.", "42", True),
    ("About 1,234 people", "1234", True),
    ("3.5 million", "3,500,000", True),
    ("42 steps lead down", "42 steps", True),
    ("42 %", "42 percent", True),
    ("0.42", "42 %", True),
    ("1500 m", "1.5 km", None),
    ("120 minutes", "2 hours", None),
    ("-4 °C", "4 °C", False),
    ("Between 40 and 44", "42", None),
    ("42", "between 40 and 44", None),
    ("Forty-two steps, cut in 1712", "42", None),
    ("Zweiundvierzig Stufen aus dem Jahr 1712", "42", None),
    ("It was built in 1712", "Forty-two (42)", None),
    ("The jumbo jet of 1969", "Boeing 747", None),
    ("It came out in 1967", "the 3rd film", None),
    ("7", "007", None),
    ("no number", "42", None),
    ("", "42", None),
]


@pytest.mark.parametrize(("answer", "reference", "agrees"), NUMBERS)
def test_numbers_are_compared_only_where_both_texts_are_one(
    answer: str, reference: str, agrees: bool | None
) -> None:
    check = compare_numbers(answer, reference, DomainRules().numeric_tolerance)
    assert (None if check is None else check.agrees) == agrees


@pytest.mark.parametrize(
    ("value", "text"),
    [(42, "forty-two"), (42, "Forty two"), (21, "einundzwanzig"), (7, "siete"), (100, "a hundred")],
)
def test_numbers_in_words_are_recognised(value: int, text: str) -> None:
    assert spelled_out(float(value), text)
    assert not spelled_out(float(value) + 1, text)
