"""Folding keeps a map back to the unchanged text."""

from hypothesis import given, settings
from hypothesis import strategies as st

from citeval_assets.text.folding import FoldedText
from citeval_assets.text.quotes import find_quote

MESSY = st.text(
    alphabet=st.one_of(
        st.sampled_from(
            "ab AB.,-–—'\"“”’`…\n\t\u00a0\u00ad\u200b\u0301\u0308ﬁ½²₂ßİΣςµéÅ１ア北한🚀\u200d"
        ),
        st.characters(codec="utf-8"),
    ),
    max_size=60,
)


@given(MESSY)
@settings(max_examples=300, deadline=None)
def test_every_folded_character_points_into_the_text(text: str) -> None:
    for fold in (FoldedText.of(text).normalised, FoldedText.of(text).spaced):
        assert len(fold.chars) == len(fold.starts) == len(fold.ends)
        assert fold.starts == sorted(fold.starts)
        assert all(0 <= a < b <= len(text) for a, b in zip(fold.starts, fold.ends, strict=True))
        assert fold.hyphen_places == sorted(fold.hyphens)


@given(MESSY)
@settings(max_examples=300, deadline=None)
def test_folding_is_the_same_for_whole_and_quoted_text(text: str) -> None:
    framed = f"Before it. {text.strip()} After it."
    match = find_quote(text, framed, min_words=0)
    if any(char.isascii() and char.isalnum() for char in text[:1] + text[-1:]) and len(text) > 1:
        whole = (
            text[0].isascii() and text[0].isalnum() and text[-1].isascii() and text[-1].isalnum()
        )
        assert match.found or not whole


@given(MESSY, MESSY, st.sampled_from(["normalised", "exact"]))
@settings(max_examples=300, deadline=None)
def test_matches_lie_in_order_inside_the_source(quote: str, source: str, matching: str) -> None:
    match = find_quote(quote, source, matching, min_words=0)  # type: ignore[arg-type]
    position = 0
    for span in match.spans:
        assert position <= span.start < span.end <= len(source)
        position = span.end
    if match.nearest is not None:
        assert not match.found
        assert 0 <= (match.similarity or 0) < 1


@given(MESSY)
@settings(max_examples=200, deadline=None)
def test_folding_never_parts_a_letter_from_its_accent(text: str) -> None:
    source = f"cafe\u0301 {text} zu\u0308rich"
    for word in ("cafe", "cafe ", "zu", "e"):
        for span in find_quote(word, source, min_words=0).spans:
            assert not source[span.end : span.end + 1].startswith(("\u0301", "\u0308"))


def test_entities_a_scraper_left_are_what_they_name_and_keep_their_place():
    source = "Fees &amp; fines:&nbsp;12&nbsp;&#8364; a day &copy"
    match = find_quote("fines: 12 € a day", source)
    assert match.found
    assert [span.of(source) for span in match.spans] == ["fines:&nbsp;12&nbsp;&#8364; a day"]
    assert find_quote("Fees & fines: 12", source).found
    assert not find_quote("Fees &lt; fines: 12", source).found
    assert find_quote("it says &amp;amp; here", "it says &amp;amp; here").found
