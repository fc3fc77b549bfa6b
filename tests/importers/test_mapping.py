"""Only what is mapped is taken, in the shape of our schema."""

from typing import Any

import pytest

from citeval_assets.importers.mapping import CaseShape, mapped_row, read_map
from citeval_assets.importers.options import with_value_maps
from citeval_assets.importers.paths import PathMismatch
from citeval_assets.playbooks.cases import Frozen, Id, TestCase


class Claim(Frozen):
    text: str
    cited_ids: tuple[Id, ...] = ()


class Case(TestCase):
    answer: str
    trace: str | tuple[str, ...] = ""
    claims: tuple[Claim, ...] = ()
    supporting_ids: tuple[Id, ...] | None = None


SHAPE = CaseShape(Case)


def mapped(row: dict[str, Any], *options: str, values: tuple[str, ...] = ()) -> dict[str, Any]:
    assignments = with_value_maps(SHAPE, read_map(SHAPE, options), values)
    return mapped_row(SHAPE, assignments, row)


def test_the_schema_says_which_fields_hold_objects_and_which_lists() -> None:
    assert set(SHAPE.objects) == {"sources", "history", "claims"}
    assert SHAPE.lists == {"tags", "supporting_ids"}


def test_nothing_that_is_not_mapped_comes_along() -> None:
    row = {
        "q": "Why?",
        "gold": "because",
        "docs": [{"id": "1", "text": "t", "human_label": "full", "url": "https://x"}],
        "claims": [{"text": "c", "cited_ids": ["1"], "human_label": "none"}],
    }
    assert mapped(row, "question=q", "sources=docs", "claims=claims") == {
        "question": "Why?",
        "sources": [{"id": "1", "text": "t", "document": "https://x"}],
        "claims": [{"text": "c", "cited_ids": ["1"]}],
    }


def test_inner_fields_are_found_under_the_names_other_tools_use() -> None:
    row = {
        "docs": [{"doc_id": 7, "page_content": "t", "title": "T"}, {"id": "1", "doc_id": "d"}],
        "chat": [{"role": "user", "text": "hi"}, {"from": "assistant", "value": "yes"}],
    }
    made = mapped(row, "sources=docs", "history=chat")
    assert made["sources"] == [{"id": 7, "text": "t", "title": "T"}, {"id": "1", "document": "d"}]
    assert made["history"] == [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "yes"},
    ]


def test_plain_texts_may_stand_where_objects_are_wanted() -> None:
    row = {"contexts": ["one", "two"], "names": ["a", "b"]}
    assert mapped(row, "sources=contexts")["sources"] == ["one", "two"]
    assert mapped(row, "sources=contexts", "sources.title=names[]")["sources"] == [
        {"text": "one", "title": "a"},
        {"text": "two", "title": "b"},
    ]


def test_objects_are_put_together_from_parallel_lists() -> None:
    row = {"hits": [{"k": "1", "v": "t"}, {"k": "2", "v": "u", "p": 3}], "file": "f.pdf"}
    made = mapped(
        row,
        "sources.id=hits[].k",
        "sources[].text=hits[].v",
        "sources.page=hits[].p",
        "sources.document=file",
    )
    assert made["sources"] == [
        {"id": "1", "text": "t", "document": "f.pdf"},
        {"id": "2", "text": "u", "page": 3, "document": "f.pdf"},
    ]


def test_single_values_make_one_object() -> None:
    row = {"claim": "It rains.", "ids": ["1", "2"]}
    assert mapped(row, "claims.text=claim", "claims.cited_ids=ids")["claims"] == [
        {"text": "It rains.", "cited_ids": ["1", "2"]}
    ]


def test_lists_of_different_length_are_refused() -> None:
    with pytest.raises(PathMismatch, match=r"sources\.title gives 1 values for 2 sources"):
        mapped({"d": ["a", "b"], "t": ["x"]}, "sources=d", "sources.title=t[]")


def test_a_trace_may_be_a_text_or_a_list_of_steps() -> None:
    row = {"steps": [{"text": "one"}, {"other": 1}], "whole": "all"}
    assert mapped(row, "trace=steps[].text")["trace"] == ["one", None]
    assert mapped(row, "trace=whole")["trace"] == "all"


def test_one_value_fills_a_list_field() -> None:
    assert mapped({"t": "law"}, "tags=t")["tags"] == ["law"]
    assert mapped({}, "tags==law", "supporting_ids==c1") == {
        "tags": ["law"],
        "supporting_ids": ["c1"],
    }


def test_labels_take_any_inner_name() -> None:
    row = {"s": 0.5, "why": "half"}
    assert mapped(row, "labels.score=s", "labels.reason=why")["labels"] == {
        "score": 0.5,
        "reason": "half",
    }


def test_values_are_translated_and_unknown_ones_refused() -> None:
    option = ("language:true=en,null=de,*=fr",)
    assert mapped({"x": True}, "language=x", values=option) == {"language": "en"}
    assert mapped({"x": None}, "language=x", values=option) == {"language": "de"}
    assert mapped({"x": 5}, "language=x", values=option) == {"language": "fr"}
    with pytest.raises(PathMismatch, match="no translation for the value 'no'"):
        mapped({"x": "no"}, "language=x", values=("language:yes=en",))


def test_null_reaches_the_schema_and_missing_does_not() -> None:
    assert mapped({"a": None}, "answer=a", "language=b") == {"answer": None}
