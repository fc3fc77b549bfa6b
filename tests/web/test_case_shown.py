"""A long source is shown around what is marked, and the marks stay on their words."""

from hypothesis import given, settings
from hypothesis import strategies as st

from citeval_assets.web.case_shown import around
from citeval_assets.web.marks import Mark
from citeval_assets.web.tones import Tone

WORDS = " ".join(f"word{number}" for number in range(200))


def mark(start: int, end: int) -> Mark:
    return Mark(start, end, Tone.GOOD, (0,))


def test_a_short_text_stays_whole():
    assert around("short", [mark(0, 2)], 10) == ("short", [mark(0, 2)], False)


def test_without_marks_the_beginning_is_shown_up_to_a_blank():
    text, _, shortened = around(WORDS, [], 50)
    assert shortened and text == WORDS[: len(text)] and WORDS[len(text)] == " "


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_marks_keep_their_words(data):
    start = data.draw(st.integers(0, len(WORDS) - 2))
    end = data.draw(st.integers(start + 1, min(len(WORDS), start + 80)))
    most = data.draw(st.integers(1, 400))
    text, (moved,), _ = around(WORDS, [mark(start, end)], most)
    assert text[moved.start : moved.end] == WORDS[start:end]
    assert len(text) <= max(most, end - start) + most
