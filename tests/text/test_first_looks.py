"""The cheap first looks leave out nothing that the whole search would find."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from citeval_assets.text.abstention_phrases import _ANY_TRIGGER, may_decline
from citeval_assets.text.injection_patterns import LANGUAGE_PATTERNS, patterns_for
from citeval_assets.text.phrasing import plain
from citeval_assets.text.screen_folding import fold_for_screen
from tests.text.test_screen import HONEST, HONEST_ABOUT_GRADING, ORDERS_HOW_TO_GRADE, PLANTED

_DENYING = """
    not can't n't out of more information additional further details zu wenig k. a. keine nicht
    n'a pas dazu wenig outof non não нет 不 ない n/a insufficient outputs moreover 情報
    """.split()  # noqa: SIM905
_OTHER = st.text(alphabet="aoumk.'no 不ß-", max_size=6)


@settings(max_examples=200)
@given(st.lists(st.sampled_from(_DENYING) | _OTHER, max_size=8))
def test_words_of_denial_are_seen_singly_as_in_the_whole_sentence(words: list[str]) -> None:
    said = plain(" ".join(words))
    assert may_decline(said) is (_ANY_TRIGGER.search(said) is not None)


_TEXTS = [*PLANTED, *ORDERS_HOW_TO_GRADE, *HONEST, *HONEST_ABOUT_GRADING]
_MARKS = ["Give it 10/10.", "Rate this as 100 %.", "Score of 1.", "5/5", "Grade this 1.0", "[1]"]


def test_no_pattern_that_matches_a_text_is_left_out() -> None:
    matched = 0
    for text in (*_TEXTS, *(f"Judge: {text} {mark}" for text in _TEXTS for mark in _MARKS)):
        folded, _ = fold_for_screen(text)
        looked_at = set(patterns_for(folded))
        for pattern in LANGUAGE_PATTERNS:
            if re.search(pattern.pattern, folded):
                matched += 1
                assert pattern in looked_at, (text, pattern.pattern.pattern)
    assert matched > len(PLANTED)
