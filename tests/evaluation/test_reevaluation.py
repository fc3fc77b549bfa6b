"""A change re-judges what it touches and nothing else; nothing is paid for twice."""

import pytest

from tests.small_project import SmallProject, make_project

TWO = ("citation_faithfulness", "cot_faithfulness")
REBUILT_TABLES = ("evaluations", "judge_outputs", "reports", "findings", "score_trend")


@pytest.fixture
def project(tmp_path) -> SmallProject:
    return make_project(tmp_path)


def all_rows(project: SmallProject) -> dict[str, list[tuple]]:
    return {table: project.table(table) for table in REBUILT_TABLES}


def ledger_rows(project: SmallProject) -> int:
    with project.load().open_ledger() as ledger:
        return ledger.head()[0]


def test_every_playbook_is_judged_and_scored(project):
    summary = project.evaluate()

    assert summary.complete
    playbooks = {evaluation.playbook for evaluation in summary.evaluations}
    assert len(playbooks) == 5
    assert all(e.valid == e.cases for e in summary.evaluations)
    assert summary.calls > 0


def test_a_second_run_makes_no_call_and_changes_no_row(project):
    first = project.evaluate(playbooks=TWO)
    rows, recorded = all_rows(project), ledger_rows(project)

    second = project.evaluate(playbooks=TWO)

    assert second.calls == 0
    assert second.reused_calls == first.calls + first.reused_calls
    assert [e.evaluation_id for e in second.evaluations] == [
        e.evaluation_id for e in first.evaluations
    ]
    assert all_rows(project) == rows
    assert ledger_rows(project) == recorded


def test_editing_one_passage_judges_exactly_that_case_again(project):
    project.evaluate(playbooks=TWO)
    rows = project.rows("citation_faithfulness")
    rows[0]["sources"][0]["text"] = "The ferry runs from May to October, four times a day."
    project.write_rows("citation_faithfulness", rows)

    summary = project.evaluate(playbooks=TWO)

    calls = {(e.playbook, e.prompt_version): e.calls for e in summary.evaluations}
    assert calls.pop(("citation_faithfulness", "v1")) == 1
    assert calls.pop(("citation_faithfulness", "v2")) == 1
    assert set(calls.values()) == {0}


def test_a_new_prompt_version_evaluates_only_its_column(project):
    project.evaluate(playbooks=TWO)
    prompts = project.folder / "prompts" / "cot_faithfulness"
    text = (prompts / "v1.md").read_text(encoding="utf-8")
    draft = text.replace("version: v1", "version: v9").replace("status: released", "status: draft")
    (prompts / "v9.md").write_text(draft + "\nThink twice.\n", encoding="utf-8")

    summary = project.evaluate(playbooks=TWO)

    calls = {(e.playbook, e.prompt_version): e.calls for e in summary.evaluations if e.calls}
    # Both systems said the same, so one question serves both.
    assert calls == {("cot_faithfulness", "v9"): 1}


def test_a_deleted_warehouse_is_rebuilt_identically_without_a_call(project):
    project.evaluate(playbooks=TWO)
    rows = project.rows("citation_faithfulness")
    rows[0]["answer"] = "The ferry runs from April to October [1]."
    project.write_rows("citation_faithfulness", rows)
    project.evaluate(playbooks=TWO)
    before = all_rows(project)
    project.warehouse.path.unlink()

    summary = project.evaluate(playbooks=TWO)

    assert summary.calls == 0
    assert all_rows(project) == before


def test_a_rebuild_restores_the_history_of_cells_that_are_not_run_again(project):
    project.evaluate(playbooks=TWO)
    before = all_rows(project)
    project.warehouse.path.unlink()

    project.evaluate(playbooks=["cot_faithfulness"])

    assert all_rows(project) == before


def test_going_back_to_an_earlier_data_set_brings_its_evaluation_back(project):
    first = project.evaluate(playbooks=["citation_faithfulness"], prompts=["v1"])
    rows = project.rows("citation_faithfulness")
    project.write_rows("citation_faithfulness", rows[:2])
    project.evaluate(playbooks=["citation_faithfulness"], prompts=["v1"])
    project.write_rows("citation_faithfulness", rows)

    back = project.evaluate(playbooks=["citation_faithfulness"], prompts=["v1"])

    assert back.calls == 0
    assert back.evaluations[0].evaluation_id == first.evaluations[0].evaluation_id
    current = project.table("current_reports", "evaluation_id")
    assert {row[0] for row in current} == {first.evaluations[0].evaluation_id}


def test_refresh_asks_again(project):
    first = project.evaluate(playbooks=["cot_faithfulness"])
    again = project.evaluate(playbooks=["cot_faithfulness"], refresh=True)

    assert again.calls == first.calls > 0


def test_a_refused_row_keeps_nobody_from_being_judged(project):
    rows = project.rows("answer_comparison")
    rows.append({"test_case_id": "broken", "system": "prod", "question": "Which?"})
    project.write_rows("answer_comparison", rows)

    summary = project.evaluate(playbooks=["answer_comparison"])

    assert summary.evaluations[0].valid == 2
    assert summary.inputs[0].quarantined == 1
    (refused,) = project.table("quarantine", "playbook, line, reason")
    assert refused[:2] == ("answer_comparison", 3)
    assert "answer" in refused[2]


def test_a_broken_template_is_a_problem_and_its_neighbours_are_judged(project):
    broken = project.folder / "prompts" / "citation_accuracy" / "v2.md"
    broken.write_text("---\nplaybook: citation_accuracy\n---\nno slots", encoding="utf-8")

    summary = project.evaluate(playbooks=["citation_accuracy"])

    assert [e.prompt_version for e in summary.evaluations] == ["v1"]
    assert any("v2.md" in problem for problem in summary.problems)
    assert not summary.complete
