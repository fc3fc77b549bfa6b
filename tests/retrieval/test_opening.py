import sys
import types

import pytest

from citeval_assets.config import Settings
from citeval_assets.config.data import RetrieverConfig
from citeval_assets.playbooks.cases import Source
from citeval_assets.retrieval import RetrieverError, RetrieverUnreachable, retriever_for


def settings(tmp_path, kind, **options):
    config = RetrieverConfig.model_validate({"name": "r", "kind": kind, "options": options})
    return Settings(
        project_dir=tmp_path, state_dir=tmp_path, ledger_url="", models=(), retrievers=(config,)
    )


@pytest.fixture
def foreign(monkeypatch):
    module = types.ModuleType("foreign_store")
    monkeypatch.setitem(sys.modules, "foreign_store", module)
    return module


class Theirs:
    version = "theirs-3"

    def __init__(self, rows):
        self.rows = rows

    def fetch(self, ids):
        return [self.rows[i] for i in ids if i in self.rows]


def test_a_corpus_in_the_project_is_opened(tmp_path):
    (tmp_path / "corpus.jsonl").write_text('{"id": "1", "text": "first"}\n')
    store = retriever_for(settings(tmp_path, "bm25", corpus="corpus.jsonl"), "r")
    assert [s.text for s in store.fetch(["1"])] == ["first"]


def test_a_corpus_outside_the_project_is_refused(tmp_path):
    with pytest.raises(RetrieverError, match="outside the project"):
        retriever_for(settings(tmp_path, "bm25", corpus="../elsewhere.jsonl"), "r")


def test_a_function_makes_the_retriever_from_the_other_options(tmp_path, foreign):
    foreign.make = lambda prefix: Theirs({"1": {"id": "1", "text": f"{prefix} text"}})
    found = retriever_for(
        settings(tmp_path, "module", function="foreign_store:make", prefix="their"), "r"
    )
    assert found.version == "theirs-3"
    assert found.fetch(["1", "2"]) == (Source(id="1", text="their text"),)


def test_whatever_foreign_code_raises_makes_the_store_unreachable(tmp_path, foreign):
    class Down:
        def fetch(self, ids):
            raise ConnectionError("no route")

    foreign.make = Down
    found = retriever_for(settings(tmp_path, "module", function="foreign_store:make"), "r")
    with pytest.raises(RetrieverUnreachable, match="no route"):
        found.fetch(["1"])


def test_passages_without_text_are_refused(tmp_path, foreign):
    foreign.make = lambda: Theirs({"1": {"id": "1"}})
    found = retriever_for(settings(tmp_path, "module", function="foreign_store:make"), "r")
    with pytest.raises(RetrieverError, match="id and text"):
        found.fetch(["1"])


@pytest.mark.parametrize("function", ["no_such_module:make", "foreign_store:nothing", "plain"])
def test_a_function_that_does_not_exist_is_named(tmp_path, foreign, function):
    with pytest.raises(RetrieverError, match=function):
        retriever_for(settings(tmp_path, "module", function=function), "r")


def test_an_object_that_is_no_retriever_is_refused(tmp_path, foreign):
    foreign.make = lambda: 7
    with pytest.raises(RetrieverError, match="neither search nor fetch"):
        retriever_for(settings(tmp_path, "module", function="foreign_store:make"), "r")


def test_an_unknown_name_lists_the_known_ones(tmp_path):
    with pytest.raises(RetrieverError, match="there are r"):
        retriever_for(settings(tmp_path, "http"), "other")
