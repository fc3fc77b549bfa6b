"""What was settled is taken over without a look at its text, as long as nothing decides anew."""

import pytest

from citeval_assets.evaluation import tasks
from tests.small_project import SETTINGS, make_project


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path)


@pytest.fixture
def prepared(monkeypatch):
    """The ids of the cases that were prepared to be judged."""
    seen: list[str] = []
    real = tasks.prepared_cases

    def watched(*arguments):
        for case in real(*arguments):
            seen.append(case.prepared.case.test_case_id)
            yield case

    monkeypatch.setattr(tasks, "prepared_cases", watched)
    return seen


def judged(project, **chosen):
    run = project.evaluate(playbooks=["citation_faithfulness"], models=["naive"], **chosen)
    return {cell.prompt_version: cell for cell in run.evaluations}["v1"]


def test_an_unchanged_rerun_prepares_nothing_and_is_the_same_evaluation(project, prepared):
    first = judged(project)
    assert sorted(set(prepared)) == ["ferry", "toll"]
    prepared.clear()
    second = judged(project)
    assert prepared == []
    assert (second.calls, second.reused_calls) == (0, first.calls + first.reused_calls)
    assert second.evaluation_id == first.evaluation_id
    assert second.mean_score == first.mean_score
    assert second.answered_by[0].calls == first.answered_by[0].calls


def test_a_new_case_is_judged_and_its_neighbours_are_not(project, prepared):
    first = judged(project)
    rows = project.rows("citation_faithfulness")
    project.write_rows("citation_faithfulness", [{**rows[0], "test_case_id": "new"}, *rows])
    prepared.clear()
    second = judged(project)
    assert set(prepared) == {"new"}
    assert second.cases == first.cases + 1
    assert second.evaluation_id != first.evaluation_id


def test_a_changed_case_is_judged_again(project, prepared):
    judged(project)
    rows = project.rows("citation_faithfulness")
    rows[0]["answer"] = "Bicycles travel free of charge [2]."
    project.write_rows("citation_faithfulness", rows)
    prepared.clear()
    judged(project)
    assert len(set(prepared)) == 1


def test_new_rules_have_everything_judged_again(project, prepared):
    judged(project)
    settings = SETTINGS + (
        "datasets:\n  - {name: all, playbook: citation_faithfulness, "
        "path: data/golden/citation_faithfulness.jsonl, quote_matching: exact}\n"
    )
    (project.folder / "citeval.yaml").write_text(settings, encoding="utf-8")
    prepared.clear()
    judged(project)
    assert set(prepared) == {"ferry", "toll"}


def test_a_fresh_call_asked_for_is_made(project, prepared):
    judged(project)
    prepared.clear()
    again = judged(project, refresh=True)
    assert again.calls > 0
    assert set(prepared) == {"ferry", "toll"}


def test_a_target_model_is_asked_nothing_where_nothing_changed(project):
    chosen = {"playbooks": ["cite_or_abstain"], "models": ["extractive"]}
    first, second = (project.evaluate(**chosen).evaluations[0] for _ in range(2))
    assert first.calls == 1
    assert (second.calls, second.reused_calls) == (0, 1)
    assert second.evaluation_id == first.evaluation_id
