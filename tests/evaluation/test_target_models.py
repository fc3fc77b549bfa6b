"""Target models answer from passages that are looked for; their answers are judged and gated."""

import sys
import types
from collections import Counter

import pytest

from citeval_assets.evaluation.gating import run_gates
from citeval_assets.evaluation.matrix import evaluation_matrix
from citeval_assets.evaluation.retrieving import retrieve_passages
from tests.evaluation.answering_project import (
    CORPUS,
    QUESTIONS,
    SETTINGS,
    answering_project,
    run,
    write_corpus,
    write_questions,
)
from tests.small_project import NO_CANARIES, SmallProject

TODAY, NEXT = "today|shelf|v1", "next|shelf|v1"
BY_MODULE = SETTINGS.replace(
    "kind: bm25, options: {corpus: data/corpus, k: 1}",
    "kind: module, options: {function: 'their_search:make', k: 2}",
)


@pytest.fixture
def project(tmp_path) -> SmallProject:
    return answering_project(tmp_path)


class TheirSearch:
    """A retriever that counts its searches and fails when told to."""

    version = "theirs-1"

    def __init__(self) -> None:
        self.searches: list[str] = []
        self.fails_for = ""

    def search(self, question, k):
        self.searches.append(question)
        if self.fails_for and self.fails_for in question:
            raise ConnectionError("no route to the index")
        return [{"id": name, "text": text} for name, text in list(CORPUS.items())[:k]]


@pytest.fixture
def theirs(monkeypatch) -> TheirSearch:
    search = TheirSearch()
    module = types.ModuleType("their_search")
    module.make = lambda: search  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "their_search", module)
    return search


def states(project: SmallProject) -> dict[tuple[str, str], str]:
    loaded = project.load()
    with loaded.open_ledger() as ledger:
        cells = evaluation_matrix(loaded, ledger)
    return {(cell.playbook, cell.model): str(cell.state) for cell in cells if cell.cases}


def test_one_run_on_a_new_target_model_goes_all_the_way_to_a_gate(project):
    run(project, "today")
    summary = project.evaluate(models=["next"])
    assert summary.complete
    judged = {(e.playbook, e.model, e.prompt_version) for e in summary.evaluations}
    assert judged == {
        ("cite_or_abstain", "next", "v1"),
        ("citation_faithfulness", "naive", "v2"),
        ("answer_comparison", "naive", "v1"),
    }
    rows = project.table("test_cases", "playbook, dataset, split, system")
    generated = Counter(row for row in rows if row[2] == "generated")
    assert generated == {
        (playbook, f"{playbook}-generated", "generated", system): len(QUESTIONS)
        for playbook in ("citation_faithfulness", "answer_comparison")
        for system in (TODAY, NEXT)
    }
    gates = {gate.playbook: gate for gate in run_gates(project.load()).gates}
    assert set(gates) == {"cite_or_abstain", "citation_faithfulness", "answer_comparison"}
    for gate in gates.values():
        assert gate.baseline is not None
        assert (gate.baseline.label, gate.candidate.label) == (TODAY, NEXT)
    assert max(metric.pairs for metric in gates["answer_comparison"].metrics) == len(QUESTIONS)


def test_an_answer_is_judged_with_the_passages_the_model_was_shown(project):
    done = run(project, "today")
    assert done.outcome("cite_or_abstain", "q-toll", TODAY) == ("valid", None, 1.0)
    assert done.outcome("citation_faithfulness", "q-kiln", TODAY) == ("valid", None, 1.0)
    assert done.outcome("answer_comparison", "q-toll", TODAY)[2] == 1.0, "rightly abstained"
    nothing_said = done.outcome("citation_faithfulness", "q-toll", TODAY)
    assert nothing_said[:2] == ("not_applicable", "no_claims")


def test_a_second_run_asks_nobody_and_searches_nothing(tmp_path, theirs):
    project = answering_project(tmp_path, BY_MODULE)
    run(project, "today")
    assert len(theirs.searches) == len(QUESTIONS)
    assert run(project, "today").calls == {}
    assert states(project)["cite_or_abstain", "today"] == "done"
    assert len(theirs.searches) == len(QUESTIONS)


def test_a_new_retriever_version_asks_again_only_where_other_passages_were_found(project):
    run(project, "today")
    before = retrieve_passages(project.load())
    changed = {**CORPUS, "ferry": "The ferry to the island runs from May to August."}
    write_corpus(project, {**changed, "anchor": "Anchors rust."})
    after = retrieve_passages(project.load())
    assert before.retrievers[0].version != after.retrievers[0].version
    assert before.data_version != after.data_version
    assert states(project)["cite_or_abstain", "today"] == "stale"
    again = run(project, "today")
    once_each = ("cite_or_abstain", "citation_faithfulness", "answer_comparison")
    assert again.calls == dict.fromkeys(once_each, 1)
    assert all(summary.complete for summary in again.summaries)


def test_a_new_version_that_finds_the_same_passages_changes_nothing(project):
    before = retrieve_passages(project.load())
    write_corpus(project, {**CORPUS, "anchor": "Anchors rust."})
    after = retrieve_passages(project.load())
    assert before.retrievers[0].version != after.retrievers[0].version
    assert before.data_version == after.data_version


def test_a_failing_retriever_is_a_state_of_its_questions_and_of_no_other(tmp_path, theirs):
    project = answering_project(tmp_path, BY_MODULE)
    theirs.fails_for = "glaze"
    done = run(project, "today")
    for playbook in ("cite_or_abstain", "answer_comparison", "citation_faithfulness"):
        unreachable = done.outcome(playbook, "q-glaze", TODAY)
        assert unreachable == ("error", "evidence_unreachable", None)
        assert done.outcome(playbook, "q-kiln", TODAY)[0] == "valid"
    assert not any(summary.complete for summary in done.summaries)

    theirs.fails_for = ""
    again = run(project, "today")

    assert again.calls["cite_or_abstain"] == 1
    assert again.outcome("answer_comparison", "q-glaze", TODAY)[0] == "valid"
    assert all(summary.complete for summary in again.summaries)


def test_a_retriever_that_keeps_failing_is_not_asked_about_every_question(tmp_path, theirs):
    project = answering_project(tmp_path, BY_MODULE)
    theirs.fails_for = "?"
    write_questions(project, [(f"q{n}", f"Number {n}?", "x", []) for n in range(20)])
    found = retrieve_passages(project.load())
    assert len(theirs.searches) == 3
    assert (found.failed, found.questions) == (20, 20)
    assert "no route to the index" in found.failures["shelf"]


def test_what_is_remembered_outlasts_a_retriever_that_is_given_up(tmp_path, theirs):
    project = answering_project(tmp_path, BY_MODULE)
    retrieve_passages(project.load())
    theirs.fails_for = "Number"
    new = [(f"q{n}", f"Number {n}?", "x", []) for n in range(5)]
    write_questions(project, [*new, *QUESTIONS])
    found = retrieve_passages(project.load())
    assert (found.questions, found.failed) == (5 + len(QUESTIONS), 5)


def test_golden_data_says_how_much_of_the_support_was_found(project):
    (found,) = retrieve_passages(project.load()).retrievers
    assert (found.expected, found.found, found.recall) == (3, 3, 1.0)


def test_a_system_that_is_named_later_takes_its_answers_over_without_a_call(project):
    run(project, "today")
    named = SETTINGS + "systems: [{label: rag, stage: production, model: today, prompt: v1}]\n"
    (project.folder / "citeval.yaml").write_text(named + NO_CANARIES, encoding="utf-8")
    again = run(project, "today")
    assert again.calls == {}
    for playbook in ("cite_or_abstain", "citation_faithfulness", "answer_comparison"):
        assert again.systems(playbook) == {"rag"}


def test_answers_of_retired_models_leave_what_is_judged(project):
    assert run(project, "today", "next").systems("answer_comparison") == {TODAY, NEXT}
    text = (project.folder / "citeval.yaml").read_text(encoding="utf-8")
    retired = text.replace("roles: [target], stage: candidate", "roles: [target], stage: retired")
    (project.folder / "citeval.yaml").write_text(retired, encoding="utf-8")
    assert run(project, playbooks=("answer_comparison",)).systems("answer_comparison") == {TODAY}
