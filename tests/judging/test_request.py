from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeval_assets.datasets.hashing import canonical_json
from citeval_assets.judging.request import ModelRequest, ReplySchema
from citeval_assets.playbooks.view import ModelView, Passage
from citeval_assets.playbooks.vocabulary import RiskLevel
from citeval_assets.templates.model import Message

REQUEST = ModelRequest(
    model="prov/a",
    endpoint="provider default",
    messages=(Message("system", "judge"), Message("user", "p")),
    view=ModelView("toy", "q", RiskLevel.STANDARD, ()),
    schema=ReplySchema("toy", {"type": "object"}),
    parameters={"temperature": 0.0, "max_output_tokens": 100},
)


@given(st.lists(st.tuples(st.sampled_from(["system", "user", "assistant"]), st.text()), max_size=4))
def test_messages_are_spelled_as_canonical_json(messages):
    request = replace(REQUEST, messages=tuple(Message(*one) for one in messages))
    assert request.messages_json == canonical_json(request.messages_as_sent())


@pytest.mark.parametrize(
    "change",
    [
        {"model": "prov/b"},
        {"endpoint": "http://other.example"},
        {"messages": (Message("system", "judge"), Message("user", "p "))},
        {"messages": (Message("user", "judge"), Message("user", "p"))},
        {"schema": ReplySchema("toy", {"type": "array"})},
        {"parameters": {"temperature": 0.7, "max_output_tokens": 100}},
        {"parameters": {"temperature": None, "max_output_tokens": 100}},
        {"parameters": {"max_output_tokens": 100}},
        {"parameters": {"temperature": 0.0, "max_output_tokens": 200}},
        {"parameters": {"temperature": 0.0, "max_output_tokens": 100, "seed": 1}},
        {"repeat": 1},
        {"identity": {"embedded_version": "2"}},
    ],
)
def test_whatever_may_change_the_answer_changes_the_key(change):
    assert replace(REQUEST, **change).call_key != REQUEST.call_key


def test_what_cannot_change_the_answer_leaves_the_key():
    reordered = replace(REQUEST, parameters={"max_output_tokens": 100, "temperature": 0.0})
    other_view = replace(REQUEST, view=REQUEST.view.with_passages((Passage("1", "x"),)))
    assert reordered.call_key == other_view.call_key == REQUEST.call_key


def test_the_key_does_not_depend_on_the_process():
    assert REQUEST.call_key == ("8216a3839b46d71c2c0c94e27df7fce7c421aa39aa66525c9acd550db5bd61c5")
