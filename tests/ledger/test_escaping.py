from hypothesis import given
from hypothesis import strategies as st

from citeval_assets.ledger.escaping import original, storable

ANY_TEXT = st.text(st.characters(codec=None) | st.sampled_from("\x00\ud800\udfff\ufdd0f0d"))


@given(ANY_TEXT)
def test_every_text_comes_back_as_it_was(text: str):
    assert original(storable(text)) == text


@given(ANY_TEXT)
def test_what_is_stored_is_valid_utf8_without_nul(text: str):
    assert "\x00" not in storable(text)
    storable(text).encode("utf-8")


def test_ordinary_text_is_stored_unchanged():
    assert storable("Größe 10² – 日本語 😀") == "Größe 10² – 日本語 😀"
