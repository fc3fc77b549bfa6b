import pytest

from citeval_assets.embedded.lexical.matching import alternatives_of, compare


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("Boris Karloff/Christopher Lee", ("Boris Karloff", "Christopher Lee")),
        ("1983 | the early 1980s", ("1983", "the early 1980s")),
        ("1/2 cup", ("1/2 cup",)),
        ("24/7", ("24/7",)),
    ],
)
def test_alternatives_are_split_but_fractions_are_not(
    reference: str, expected: tuple[str, ...]
) -> None:
    assert alternatives_of(reference) == expected


@pytest.mark.parametrize(
    ("answer", "reference", "verdict", "sure"),
    [
        ("It was sung by Peter, Paul and Mary.", "Peter, Paul and Mary", "PASS", True),
        ("Christopher Lee played him.", "Boris Karloff/Christopher Lee", "PASS", True),
        ("It opened in 1973.", "1937", "FAIL", True),
        ("Sankt Gallen", "St. Gallen", "PASS", True),
        ("Beyonce Knowles", "Beyoncé Knowles", "PASS", True),
        ("Frédérick Chopin", "Frederic Chopin", "PASS", True),
        ("Nobody knows.", "Marie Curie", "FAIL", True),
        ("Curie", "Marie Curie", "PASS", False),
        ("It was not Marie Curie.", "Marie Curie", "PASS", False),
        ("About seventy", "70 | seventy", "PASS", True),
    ],
)
def test_short_references_are_looked_for(
    answer: str, reference: str, verdict: str, sure: bool
) -> None:
    found = compare(answer, reference, "Who or what was it?")
    assert (found.correctness, not found.doubt) == (verdict, sure)


REFERENCE = "The surcharge is 12 percent of the invoice and falls due when payment is a month late."


def test_a_reference_in_other_words_is_left_to_a_person() -> None:
    found = compare(
        "One pays an eighth more after four weeks of delay.", REFERENCE, "How much is it?"
    )
    assert found.doubt


def test_a_reference_said_whole_passes() -> None:
    found = compare(REFERENCE, REFERENCE, "How much is the surcharge?")
    assert (found.correctness, found.doubt) == ("PASS", "")


def test_an_empty_answer_fails() -> None:
    assert compare("", REFERENCE, "How much is the surcharge?").correctness == "FAIL"
