"""``evaluate()`` names what failed and does the rest."""

import pytest

from citeval_assets.evaluation.project import NothingSelected
from citeval_assets.evaluation.service import Service
from tests.small_project import make_project

PLAYBOOKS = ("citation_accuracy", "cot_faithfulness")


def test_a_cell_that_fails_is_a_problem_and_the_others_are_judged(tmp_path, monkeypatch):
    project = make_project(tmp_path)
    judge = Service.judge

    def fails_once(self, cell):
        if cell.playbook == "citation_accuracy" and cell.prompt_version == "v1":
            raise OSError("no space left on device")
        return judge(self, cell)

    monkeypatch.setattr(Service, "judge", fails_once)
    summary = project.evaluate(playbooks=PLAYBOOKS)

    assert not summary.complete
    (problem,) = summary.problems
    assert "citation_accuracy naive|v1" in problem
    assert "no space left on device" in problem
    judged = {(e.playbook, e.prompt_version) for e in summary.evaluations}
    assert judged == {("citation_accuracy", "v2"), ("cot_faithfulness", "v1")}


def test_names_that_meet_in_no_cell_are_refused(tmp_path):
    project = make_project(tmp_path)
    with pytest.raises(NothingSelected, match="extractive"):
        project.evaluate(playbooks=["cot_faithfulness"], models=["extractive"])
