import pytest

from citeval_assets.embedded.words import best_match, covered, sentences_of, words_of
from citeval_assets.playbooks.view import Passage


def test_content_words_are_folded_and_stop_words_left_out():
    assert words_of("The Permits ARE free of charge") == {"permit", "free", "charge"}


def test_numbers_are_words_whole():
    assert words_of("about 4.2 million") == {"about", "4.2", "million"}


@pytest.mark.parametrize("text", ["水位が下がった", "水位"])
def test_texts_without_blanks_count_as_pairs_of_characters(text):
    assert "水位" in words_of(text)


def test_coverage_is_the_share_of_the_claim():
    assert covered({"a", "b"}, frozenset({"a", "z"})) == 0.5
    assert covered((), frozenset({"a"})) == 0.0


def test_of_equally_good_sentences_the_first_is_taken():
    sentences = sentences_of([Passage("1", "Red fox. Red fox."), Passage("2", "Red fox runs.")])
    best, share = best_match(words_of("red fox"), sentences)
    assert best is sentences[0]
    assert share == 1.0


def test_of_a_cut_passage_only_whole_sentences_are_taken():
    cut = Passage("1", "Red fox runs. Blue [...truncated]", cut=True)
    whole = Passage("2", "Red fox runs. Blue [...truncated]")
    assert [s.text for s in sentences_of([cut])] == ["Red fox runs."]
    assert "truncated" in sentences_of([whole])[-1].text
