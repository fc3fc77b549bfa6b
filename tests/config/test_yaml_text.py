"""YAML is read as plain data; what would change its type quietly is refused."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from citeval_assets.config.errors import ConfigError
from citeval_assets.config.validation import check_document
from citeval_assets.config.yaml_text import MAX_YAML_DEPTH, key_text, read_yaml


class Texts(BaseModel):
    model_config = ConfigDict(extra="forbid")

    model: str = ""
    version: str = ""
    id: str = ""
    window: str = ""
    label: str = ""


def test_values_lines_and_written_forms_are_kept():
    document = read_yaml("a: 1\nb:\n  - x\n  - 1.50\n", "f.yaml")
    assert document.value == {"a": 1, "b": ["x", 1.5]}
    assert document.line_of(("b", 1)) == 4
    assert document.written[("b", 1)] == "1.50"
    assert key_text(("models", 0, "id")) == "models[0].id"


def test_an_empty_text_is_no_value():
    assert read_yaml("# nothing\n", "f").value is None


@pytest.mark.parametrize(
    ("written", "reading"),
    [
        ("no", "false"),
        ("on", "true"),
        ("1.10", "the number 1.1"),
        ("0123", "another base"),
        ("12:30:00", "another base"),
        ("2026-01-01", "date"),
        ("~", "null"),
        ("7", "the number 7"),
        ("0x1F", "another base"),
        (".inf", "the number inf"),
    ],
)
def test_a_typed_scalar_where_text_is_wanted_is_refused_with_a_hint_to_quote_it(
    written: str, reading: str
):
    with pytest.raises(ConfigError) as caught:
        check_document(read_yaml(f"model: {written}", "f"), Texts)
    message = str(caught.value)
    assert reading in message and f'put it in quotes: "{written}"' in message
    assert caught.value.key == "model"


def test_every_fault_is_named_at_once():
    text = "model: no\nversion: 1.10\nid: 0123\nwindow: 12:30:00\nlabel: on"
    with pytest.raises(ConfigError) as caught:
        check_document(read_yaml(text, "f"), Texts)
    assert [problem.key for problem in caught.value.problems] == [
        "model",
        "version",
        "id",
        "window",
        "label",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("!!python/object/apply:time.sleep [5]", "tag"),
        ("a: !custom 1", "tag"),
        ("a: &x 1\nb: *x", "aliases"),
        ("a: 1\na: 2", "stands twice"),
        ("x:\n  a: 1\n  a: 2", "x.a: this key stands twice"),
        ("on: 1", "a key must be text"),
        ("1: x", "a key must be text"),
        ("? [a]\n: b", "a key must be text"),
        ("<<: {a: 1}", "merge keys"),
        ("a: [", "not valid YAML"),
        ("---\na: 1\n---\nb: 2\n", "another document"),
        ("a: \x01", "forbids"),
        ("[" * 5000, f"more than {MAX_YAML_DEPTH} levels"),
    ],
)
def test_what_is_not_plain_data_is_refused(text: str, message: str):
    started = time.process_time()
    with pytest.raises(ConfigError, match=None) as caught:
        read_yaml(text, "f.yaml")
    assert message in str(caught.value)
    assert "f.yaml" in str(caught.value)
    assert time.process_time() - started < 10


def test_an_alias_ladder_is_refused_before_it_unfolds():
    ladder = "a0: &a0 [x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10)
    )
    with pytest.raises(ConfigError, match="aliases"):
        read_yaml(ladder, "f")


def test_the_faulty_line_is_not_repeated_for_it_may_hold_a_secret():
    with pytest.raises(ConfigError) as caught:
        read_yaml("a: 'canary-secret-123\n", "f")
    assert "canary" not in str(caught.value)


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("ab:-[]{}&*!|>'\"#%@`, \n\t0~?<=.1é"), max_size=40))
def test_any_text_gives_a_document_or_a_config_error(text: str):
    try:
        document = read_yaml(text, "f")
    except ConfigError as error:
        assert error.file == "f"
    else:
        assert document.file == "f"
