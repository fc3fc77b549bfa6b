"""Finding and parsing JSON in a reply: what is accepted, what is repaired, what is refused."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linear import assert_linear

from citeval_assets.playbooks import json_reading
from citeval_assets.playbooks.json_reading import (
    MAX_DEPTH,
    Fault,
    Repairs,
    UnreadableJson,
    find_objects,
)


def objects(text: str) -> list[dict]:
    return [found.value for found in find_objects(text, Repairs())]


def notes(text: str) -> str:
    repairs = Repairs()
    find_objects(text, repairs)
    return " ".join(repairs.notes())


def fault(text: str) -> Fault:
    with pytest.raises(UnreadableJson) as refused:
        find_objects(text, Repairs())
    return refused.value.fault


leaves = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.text(max_size=8)
    | st.floats(allow_nan=False, allow_infinity=False)
)


def nested(inner):
    return st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)


values = st.recursive(leaves, nested, max_leaves=12)
json_objects = st.dictionaries(st.text(max_size=6), values, max_size=4)


@given(json_objects, st.booleans())
@settings(max_examples=100, deadline=None)
def test_every_json_object_is_read_as_it_is(value, ascii_only):
    text = json.dumps(value, ensure_ascii=ascii_only)
    expected = json.loads(text.replace("\\u0000", "\\ufffd").replace("\x00", "\ufffd"))
    assert objects(f"Here: {text} done.") == [expected]


@given(json_objects, st.data())
@settings(max_examples=150, deadline=None)
def test_the_quick_and_the_careful_way_accept_the_same(value, data):
    text = json.dumps(value)
    at = data.draw(st.integers(1, len(text)))
    put = data.draw(st.sampled_from(['"', ",", "}", "]", "\\", "\n", "1", "N", ""]))
    text = text[:at] + put + text[at + data.draw(st.integers(0, 1)) :]
    repairs = Repairs()
    try:
        careful = json_reading._Parser(text, 0, repairs).parse()
    except UnreadableJson:
        careful = None
    quick = json_reading._quick(text, 0)
    if quick is not None and json_reading._NEEDS_CARE.search(text) is None:
        assert careful == quick
        assert not repairs.notes()


@given(st.text(alphabet='{}[]",:\\ \n019.eE-truefalsnNI', max_size=60))
@settings(max_examples=200, deadline=None)
def test_no_text_raises_anything_else(text):
    try:
        find_objects(text, Repairs())
    except UnreadableJson as refused:
        assert 0 <= refused.offset <= len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1,}', {"a": 1}),
        ('{"a": [1, 2, ], }', {"a": [1, 2]}),
        ('{"a": "one\ntwo\r\nthree"}', {"a": "one\ntwo\r\nthree"}),
    ],
)
def test_two_slips_are_repaired_and_noted(text, expected):
    assert objects(text) == [expected]
    assert notes(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "b" "c": 1}',
        '{"a": ["a 27" monitor was used"]}',
        '{"a": "he said "no", and left"}',
        '{"a": 1,,}',
        '{"a": [,]}',
        '{"a": 01}',
        '{"a": 1.}',
        '{"a": .5}',
        '{"a": True}',
        '{"a": "tab\there"}',
        '{"a": "bad \\x escape"}',
        '{"a": 1',
        '{"a": "open',
        '{"a": {"b": 1}, oops: {"c": 2}}',
    ],
)
def test_nothing_else_is(text):
    assert fault(text) is Fault.MALFORMED


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_refused(number):
    assert fault(f'{{"a": {number}}}') is Fault.NOT_A_NUMBER


def test_numbers_have_a_size():
    assert objects('{"a": 1' + "0" * 98 + "}") == [{"a": 10**98}]
    assert fault('{"a": 1' + "0" * 20_000 + "}") is Fault.NUMBER_TOO_LONG
    assert fault('{"a": 1e999}') is Fault.NUMBER_OUT_OF_RANGE


def test_a_key_stands_once_however_it_is_written():
    assert fault('{"a": 1, "\\u0061": 1}') is Fault.DUPLICATE_KEY
    assert objects('{"a": {"a": 1}}') == [{"a": {"a": 1}}]


@pytest.mark.parametrize("opening", ['{"a":', '{"a":[', "["])
def test_depth_is_limited_without_recursion(opening):
    assert fault(opening * 100_000) is Fault.TOO_DEEP


def test_the_depth_limit_is_exact():
    deepest = '{"a":' * MAX_DEPTH + "1" + "}" * MAX_DEPTH
    assert len(objects(deepest)) == 1
    assert fault('{"a":' + deepest + "}") is Fault.TOO_DEEP
    lists = '{"a":' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}"
    assert fault(lists) is Fault.TOO_DEEP


def test_braces_in_prose_are_no_objects():
    assert objects('The set {a, b} and f{x}: {"v": 1}') == [{"v": 1}]


def test_an_object_inside_a_string_is_text():
    assert objects('{"said": "the source holds {\\"v\\": 2}"}') == [
        {"said": 'the source holds {"v": 2}'}
    ]


def test_an_object_in_brackets_is_told_apart():
    (found,) = find_objects('[{"v": 1}]', Repairs())
    assert found.enclosed
    (found,) = find_objects('As [1] says: {"v": 1}', Repairs())
    assert not found.enclosed


def test_what_cannot_be_stored_is_replaced():
    assert objects('{"a": "x\\ud800y\\u0000z"}') == [{"a": "x\ufffdy\ufffdz"}]
    assert objects('{"a": "\\ud83d\\ude00"}') == [{"a": "\U0001f600"}]
    assert "replaced (2)" in notes('{"a": "x\\ud800y\\u0000z"}')


@pytest.mark.parametrize(
    "piece", ['{} ', '{"', '{"\\', "{", '"', '{"a":', '{"a":1},', '{"a":"b" ', "[{", '\\"{']
)  # fmt: skip
def test_hostile_runs_take_linear_time(piece):
    def read(size: int) -> None:
        with suppress(UnreadableJson):
            find_objects(piece * (size // len(piece)), Repairs())

    assert_linear(read, 900_000)
