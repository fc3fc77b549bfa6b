"""Paths say where in a foreign row a value stands."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeval_assets.importers.paths import MISSING, BadPath, FieldPath, PathMismatch

ROW: dict[str, Any] = {
    "id": "a1",
    "response": {"text": "It is 42.", "empty": ""},
    "steps": [{"text": "one", "ids": ["s1"]}, {"text": "two", "ids": []}, {"note": "no text"}],
    "odd.name": {"with space": "odd"},
    "cell": '[{"t": "from a table"}]',
    "nothing": None,
    "zero": 0,
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("id", "a1"),
        ("response.text", "It is 42."),
        ("response.empty", ""),
        ("steps[].text", ["one", "two", MISSING]),
        ("steps[0].text", "one"),
        ("steps[-2].text", "two"),
        ("steps[9].text", MISSING),
        ("steps[].ids", [["s1"], [], MISSING]),
        ("steps[].ids[]", ["s1", MISSING]),
        ('"odd.name"."with space"', "odd"),
        ("'odd.name'['with space']", "odd"),
        ("cell[0].t", "from a table"),
        ("nothing", None),
        ("nothing.deeper", MISSING),
        ("absent", MISSING),
        ("absent.deeper[]", MISSING),
        ("zero", 0),
        ("absent|nothing|response.text", "It is 42."),
        ("response.empty|id", "a1"),
        ("absent|response.empty", ""),
        ("=a fixed text", "a fixed text"),
        ('="quoted = text"', "quoted = text"),
        ("=", ""),
    ],
)
def test_a_path_finds_what_it_names(path: str, value: object) -> None:
    assert FieldPath.parse(path).read(ROW) == value


@pytest.mark.parametrize("path", ["", " ", "a.", ".a", "a..b", "a[", "a[x]", "a[]b", '"a', "a||b"])
def test_a_path_that_cannot_be_read_is_refused(path: str) -> None:
    with pytest.raises(BadPath):
        FieldPath.parse(path)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("response[]", "response is an object, expected a list"),
        ("steps.text", "steps is a list, expected an object to take 'text' from"),
        ("id.x", "id is a text, expected an object"),
        ("zero[0]", "zero is the value 0, expected a list"),
        ("steps[].text.x", "steps[].text is a text"),
    ],
)
def test_a_row_of_another_shape_is_named(path: str, reason: str) -> None:
    with pytest.raises(PathMismatch) as caught:
        FieldPath.parse(path).read(ROW)
    assert reason in str(caught.value)


@settings(max_examples=150)
@given(st.text(alphabet="ab.[]0|=\"' -", max_size=12))
def test_any_text_is_a_path_or_a_clear_refusal(text: str) -> None:
    try:
        path = FieldPath.parse(text)
    except BadPath as error:
        assert str(error)
        return
    assert path.constant is not None or path.alternatives


@settings(max_examples=50)
@given(st.text(min_size=1, max_size=20).filter(lambda name: '"' not in name))
def test_any_name_can_be_written_in_quotes(name: str) -> None:
    assert FieldPath.parse(f'"{name}"').read({name: 1}) == 1
