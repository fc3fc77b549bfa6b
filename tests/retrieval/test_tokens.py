"""What an index counts: words of any language, folded, and their beginnings."""

import pytest

from citeval_assets.retrieval.tokens import search_tokens


def shared(one: str, other: str) -> set[str]:
    return set(search_tokens(one)) & set(search_tokens(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tightened", "tightening"),
        ("Verträge", "vertragen"),
        ("télétravail", "TELETRAVAIL"),
        ("reservierung", "Reservierungen"),
        ("регистрация", "регистрации"),
        ("ﬁrst", "first"),
        ("soft\u00adware", "software"),
        ("1,280", "1.280"),
    ],
)
def test_forms_of_a_word_meet(one, other):
    assert shared(one, other)


@pytest.mark.parametrize(("one", "other"), [("M12", "M16"), ("12000", "12000x"), ("kiln", "kilo")])
def test_short_words_and_numbers_meet_only_themselves(one, other):
    assert not shared(one, other)


def test_scripts_without_blanks_are_cut_into_pairs():
    assert set(search_tokens("图书馆借书")) == {"图书", "书馆", "馆借", "借书"}
    assert search_tokens("馆") == ["馆"]
    assert "8" in search_tokens("最多8册")


def test_nothing_but_signs_has_no_token():
    assert search_tokens("?! — …") == []
