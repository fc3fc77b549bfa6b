"""Numbers: values, units, and texts that are in effect one number."""

import pytest

from citeval_assets.text.numbers import Quantity, numbers_in, single_quantity


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("41", 41, ""),
        ("It is 42.", 42, ""),
        ("1.04 g/ml", 1.04, "g/ml"),
        ("In 1713.", 1713, ""),
        ("212 pages.", 212, "pages"),
        ("$3.4 billion", 3.4e9, "$"),
        ("€5", 5, "€"),
        ("5 euros", 5, "€"),
        ("3,5 Mio. Einwohner", 3.5e6, "Einwohner"),
        ("12 %", 12, "%"),
        ("12 percent", 12, "%"),
        ("5,000", 5000, ""),
        ("1,234.56 €", 1234.56, "€"),
        ("1.234,56 €", 1234.56, "€"),
        ("1\u00a0234 km", 1234, "km"),
        ("12,345,678", 12345678, ""),
        ("-5 °C", -5, "°C"),
        ("\u22125", -5, ""),
        ("6.02e23", 6.02e23, ""),
        (".5", 0.5, ""),
        ("It has 42 steps [1].", 42, "steps"),
        ("The reference is outdated, the answer is correct by definition. 41", 41, ""),
    ],
)
def test_a_text_that_is_one_number(text: str, value: float, unit: str) -> None:
    assert single_quantity(text) == Quantity(value, unit)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "none at all",
        "41 or 42",
        "At 22:47.",
        "10-15",
        "10–15 minutes",
        "3/4",
        "2024-05-01",
        "v1.2.3.4",
        "COVID-19",
        "10² bolts",
        "[1]",
        "word " * 40 + "7",
        "1" * 400,
    ],
)
def test_a_text_that_is_not_one_number(text: str) -> None:
    assert single_quantity(text) is None


def test_numbers_are_located() -> None:
    text = "It rose from 3.5 million to 4,000 in 2020."
    found = numbers_in(text)
    assert [one.quantity.value for one in found] == [3.5e6, 4000, 2020]
    assert [one.span.of(text)[0] for one in found] == ["3", "4", "2"]
