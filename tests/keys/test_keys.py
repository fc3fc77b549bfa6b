"""Keys: one reversible spelling for partitions, one for files."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeval_assets.keys import (
    MAX_KEY_CHARS,
    KeyRefused,
    decode_key,
    encode_key,
    file_name_for,
    id_of_file_name,
    is_key,
    is_plain_name,
)

READABLE = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=14
).filter(lambda text: any(char.isalnum() for char in text))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("openai/gpt-x", "openai/gpt-x"),
        ("ollama/llama3:8b", "ollama/llama3:8b"),
        ("Report, Q1.pdf", "Report%2C%20Q1.pdf"),
        ("a#b?c=d", "a%23b%3Fc%3Dd"),
        ("x|y", "x%7Cy"),
        ("100%", "100%25"),
        ("cafe\u0301", "caf%C3%A9"),
        ("a...b", "a%2E%2E%2Eb"),
        ("azure/../x", "azure/../x"),
    ],
)
def test_a_key_spells_out_only_what_partitions_cannot_hold(text: str, key: str):
    assert encode_key(text) == key
    assert decode_key(key) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must not be empty"),
        (" ", "blank"),
        ("\u3000\u200b", "blank"),
        ("line\nbreak", "control character"),
        ("a\x00b", "U\\+0000"),
        ("a\u2028b", "line separator"),
        ("a\ud800b", "surrogate"),
        ("x" * (MAX_KEY_CHARS + 1), "too long"),
        ("é" * 30, "too long"),
    ],
)
def test_ids_that_cannot_be_keys_are_refused_with_the_reason(text: str, message: str):
    with pytest.raises(KeyRefused, match=message):
        encode_key(text)


@pytest.mark.parametrize("key", ["a%2", "a%zz", "a%2f", "%41", "a b", "%FF", "a...b", ""])
def test_a_text_that_is_no_key_is_not_decoded(key: str):
    assert not is_key(key)
    with pytest.raises(KeyRefused):
        decode_key(key)


@settings(max_examples=150)
@given(READABLE)
def test_every_accepted_id_comes_back_from_its_key_and_from_its_file_name(text: str):
    normal = unicodedata.normalize("NFC", text)
    try:
        assert decode_key(encode_key(text)) == normal
    except KeyRefused as refusal:
        assert "too long" in str(refusal)
    name = file_name_for(text)
    assert "~" in name or id_of_file_name(name) == normal


@settings(max_examples=150)
@given(READABLE, READABLE)
def test_two_ids_never_share_a_file_even_where_case_is_ignored(first: str, second: str):
    if unicodedata.normalize("NFC", first) != unicodedata.normalize("NFC", second):
        assert file_name_for(first).lower() != file_name_for(second).lower()


@pytest.mark.parametrize(
    "text",
    ["../../outside", "..\\..\\outside", "nul", "con.txt", "NUL", "com1", ".", "..", "~", "name ",
     "-rf", "azure/../x", "a:b", "x" * 500, "/abs", "%2e%2e%2foutside"],
)  # fmt: skip
def test_a_file_name_is_one_harmless_path_component(text: str, tmp_path):
    name = file_name_for(text)
    assert "/" not in name and "\\" not in name and not name.startswith((".", "-", "~"))
    assert name.split(".")[0].lower() not in {"nul", "con", "com1"}
    assert len(name.encode()) <= 255
    assert (tmp_path / name).resolve().parent == tmp_path.resolve()


def test_long_names_that_differ_only_at_the_end_keep_apart_and_say_that_they_were_cut():
    first, second = file_name_for("x" * 300 + "a"), file_name_for("x" * 300 + "b")
    assert first != second
    with pytest.raises(KeyRefused, match="was cut"):
        id_of_file_name(first)


@pytest.mark.parametrize("name", ["v1", "prod-2026.10", "A_b"])
def test_plain_names(name: str):
    assert is_plain_name(name)


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a/b", "a\\b", "nul", "con.txt", "~", "name ", "x."]
)
def test_names_that_are_not_plain(name: str):
    assert not is_plain_name(name)
