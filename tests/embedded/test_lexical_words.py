import gzip
from importlib import resources

import pytest

from citeval_assets.embedded.lexical.antonyms import OPPOSITES
from citeval_assets.embedded.lexical.arithmetic import may_be_calculated
from citeval_assets.embedded.lexical.claims import bare_claim, clauses_of
from citeval_assets.embedded.lexical.frequencies import UNKNOWN_WEIGHT, weight_of, word_weights
from citeval_assets.embedded.lexical.language import reads_as_english
from citeval_assets.embedded.lexical.numerals import numerals_in, same_number
from citeval_assets.embedded.lexical.stemming import stem
from citeval_assets.embedded.lexical.word_classes import root
from citeval_assets.embedded.lexical.words import names_in, words_of


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("consignment", "consign"), ("hopping", "hop"), ("filing", "file"), ("agreed", "agre"),
        ("happy", "happi"), ("say", "say"), ("nationalize", "nation"), ("skies", "sky"),
        ("dying", "die"), ("universities", "universiti"), ("organs", "organ"),
        ("controlling", "control"), ("ties", "tie"), ("gas", "gas"), ("this", "this"),
        ("conditional", "condit"), ("succeeded", "succeed"), ("youth's", "youth"), ("at", "at"),
    ],
)  # fmt: skip
def test_stems_follow_the_published_algorithm(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [("sang", "singing"), ("movie", "films"), ("Germany", "german"), ("won", "win")],
)
def test_irregular_forms_and_near_synonyms_are_one(one: str, other: str) -> None:
    assert root(one.lower()) == root(other.lower())


def test_words_are_divided_into_content_and_glue() -> None:
    words = words_of("The dam's gates weren't opened at 4.5 m")
    assert words.tokens == ("the", "dam", "gates", "were", "n't", "opened", "at", "4.5", "m")
    assert words.content == ("dam", "gate", "n't", "open", "4.5")


def test_names_are_capitalised_words_that_do_not_open_a_sentence() -> None:
    assert names_in("Visitors met Ada Lovelace. UNESCO agreed. Later Oslo did.") == (
        "ada", "lovelace", "unesco", "later", "oslo",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,428 papers of 6,743", [1428, 6743]),
        ("3.4 million in twenty-one years", [3_400_000, 21]),
        ("one of them", []),
        ("one million", [1_000_000]),
        ("-4 degrees", [-4]),
    ],
)
def test_numbers_are_read_by_value(text: str, values: list[float]) -> None:
    assert [n.value for n in numerals_in(text)] == values


def test_numerals_know_where_they_stand() -> None:
    text = "it grew by forty two percent in 1931"
    assert [text[n.start : n.end] for n in numerals_in(text)] == ["1931", "forty two"]


def test_rounding_is_allowed_but_not_for_years() -> None:
    assert same_number(384_000, 384_400)
    assert not same_number(1931, 1932)
    assert not same_number(38, 83)


@pytest.mark.parametrize("value", [42, 30, 216, 2.25, 25])
def test_a_number_may_come_from_one_step_of_arithmetic(value: float) -> None:
    assert may_be_calculated(value, [18, 24, 12]) or may_be_calculated(value, [36, 6, 27])


def test_most_numbers_do_not() -> None:
    assert not may_be_calculated(97, [18, 24])


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("The lock gates are opened at high water and closed at low water.", True),
        ("Die Schleusentore werden bei Hochwasser geöffnet und bei Ebbe geschlossen.", False),
        ("Les portes de l'écluse sont ouvertes à marée haute et fermées à marée basse.", False),
        ("Las compuertas se abren con la marea alta y se cierran con la baja.", False),
        ("闸门在高水位时打开。", False),
        ("Шлюзовые ворота открывают во время прилива.", False),
        ("Mariner's Row 12", True),
    ],
)
def test_languages_are_told_apart(text: str, english: bool) -> None:
    assert reads_as_english(text) is english


def test_framing_is_taken_off_a_claim() -> None:
    assert bare_claim("However, the dam leaks [1].", ("1",)) == "the dam leaks."
    assert (
        bare_claim("According to the provided sources, it leaks [1][2].", ("1", "2"))
        == "it leaks ."
    )
    assert bare_claim("Therefore,") == "Therefore,"
    assert bare_claim("Step 2: Thus, it leaks.") == "it leaks."
    assert bare_claim("3) Thus, it leaks.") == "it leaks."
    assert bare_claim("3. Mai 2024 war es dicht.") == "3. Mai 2024 war es dicht."


def test_a_claim_is_cut_into_clauses_of_some_length() -> None:
    claim = "The dam was built in 1931, and its gates, which are steel, were renewed in 1988."
    assert clauses_of(claim) == (
        "The dam was built in 1931",
        "its gates are steel",
        "were renewed in 1988.",
    )


def test_the_table_of_words_is_what_its_note_says() -> None:
    assert len(word_weights()) == 20_954
    assert weight_of("zzyzx") == UNKNOWN_WEIGHT
    assert weight_of("year") < weight_of("sculptur")
    raw = resources.files("citeval_assets.embedded.lexical").joinpath("data/word_weights.txt.gz")
    assert gzip.decompress(raw.read_bytes()).startswith(b"3.13\t")


def test_opposites_go_both_ways() -> None:
    assert all(word in OPPOSITES[other] for word in OPPOSITES for other in OPPOSITES[word])
