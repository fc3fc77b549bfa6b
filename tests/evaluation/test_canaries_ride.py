"""Two canaries ride in every evaluation; a judge that fails them has said nothing."""

import pytest

from citeval_assets.evaluation.service import Service
from citeval_assets.gates.model import Verdict
from citeval_assets.judging.request import CallFailure
from citeval_assets.playbooks.vocabulary import Reason
from tests.evaluation.judged_project import NAME, SETTINGS, judged_project, labelled_rows
from tests.paid_judge import stand_in
from tests.qualification.judges import BlindJudge

GATE = """\
gates:
  - {name: release, playbook: citation_faithfulness, baseline: prod, candidate: candidate,
     judge: blind, prompt: v1, min_pairs: 10}
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    rows = labelled_rows(12) + labelled_rows(12, system="candidate")
    made = judged_project(tmp_path, rows, SETTINGS + GATE)
    stand_in(monkeypatch, BlindJudge())
    return made


def run(project, model: str, **chosen):
    (summary,) = project.evaluate(
        playbooks=[NAME], prompts=["v1"], models=[model], **chosen
    ).evaluations
    return summary


def test_a_judge_that_passes_everything_voids_its_evaluation(project):
    summary = run(project, "blind")
    assert summary.canaries == "failed"
    ((state, detail),) = project.table("evaluations", "canaries, canary_detail")
    assert state == "failed"
    assert "plainly wrong scored 1.00" in detail


def test_no_gate_passes_on_a_void_evaluation(project):
    run(project, "blind")
    (gate,) = Service(project.load()).gate(record=False).gates
    assert gate.verdict is Verdict.INCONCLUSIVE
    assert "canary" in " ".join(gate.reasons)


def test_they_are_counted_in_no_score(project):
    summary = run(project, "naive")
    assert summary.canaries == "passed"
    assert (summary.cases, summary.valid) == (24, 24)
    cases = {case for (case,) in project.table("current_reports", "test_case_id")}
    assert len(cases) == 12
    assert not any("canary" in case for case in cases)
    ((total,),) = project.table("score_trend", "SUM(n_cases)")
    assert total == 24


def test_their_replies_are_used_again(project):
    first = run(project, "blind")
    again = run(project, "blind")
    assert again.calls == 0
    assert again.canaries == first.canaries == "failed"
    assert again.evaluation_id == first.evaluation_id


def test_switched_off_none_rides(tmp_path, monkeypatch):
    settings = SETTINGS.replace("min_mutants: 3", "min_mutants: 3, canaries: false")
    project = judged_project(tmp_path, labelled_rows(4), settings)
    stand_in(monkeypatch, BlindJudge())
    with_none = run(project, "blind")
    assert (with_none.canaries, with_none.calls) == ("none", 4)


def test_a_judge_that_scored_nothing_is_asked_no_canary(tmp_path, monkeypatch):
    project = judged_project(tmp_path, labelled_rows(4))
    broken = BlindJudge(script=[CallFailure(Reason.UNREACHABLE, "down")] * 40)
    stand_in(monkeypatch, broken)
    summary = run(project, "blind")
    assert (summary.valid, summary.canaries) == (0, "none")
