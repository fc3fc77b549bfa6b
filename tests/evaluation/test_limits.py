"""Whole evaluations with a paid judge: limits, refusals, faults, who answered."""

from decimal import Decimal

import pytest

from citeval_assets.judging.request import CallFailure, Completion
from citeval_assets.playbooks.citation_faithfulness import PLAYBOOK as FAITHFULNESS
from citeval_assets.playbooks.vocabulary import Reason
from tests.paid_judge import PaidJudge, stand_in
from tests.small_project import SmallProject, make_project, rows_of

PAID = """\
models:
  - {id: paid, model: prov/judge-1, roles: [judge], stage: production, limits: %s}
  - {id: other, model: prov/judge-2, roles: [target], stage: candidate}
systems:
  - {label: prod, stage: production, model: %s}
  - {label: candidate, stage: candidate}
"""
NAME = "citation_faithfulness"
LIMITS = "{max_output_tokens: 1000, max_concurrency: 4, tries: 1}"


def project_of(tmp_path, model: str = "nobody", more: str = "") -> SmallProject:
    project = make_project(tmp_path, PAID % (LIMITS, model) + more)
    rows = [
        {
            **row,
            "test_case_id": f"{row['test_case_id']}-{n}",
            "question": f"{row['question']} ({row['system']}, {n})",
        }
        for row in rows_of(NAME)
        for n in range(10)
    ]
    project.write_rows(NAME, rows)
    return project


def run(project: SmallProject, **chosen):
    return project.evaluate(playbooks=[NAME], prompts=["v1"], **chosen).evaluations[0]


def outcomes(project: SmallProject):
    return project.table("current_reports", "test_case_id, system, validation_status, reason")


def test_a_limit_ends_the_run_in_order_and_what_was_judged_is_a_fair_sample(tmp_path, monkeypatch):
    project = project_of(tmp_path)
    stand_in(monkeypatch, PaidJudge())
    summary = run(project, budget_usd=Decimal("0.03"))
    assert 0 < summary.calls < summary.cases
    assert summary.cost_usd is not None
    assert summary.cost_usd <= 0.03
    assert summary.unscored_reasons == {"budget": summary.cases - summary.calls}
    assert not summary.complete
    judged = {(case, system) for case, system, status, _ in outcomes(project) if status == "valid"}
    paired = {case for case, _ in judged if {(case, "prod"), (case, "candidate")} <= judged}
    assert len(paired) >= len(judged) // 2 - 1, "cases are judged with all their systems"


def test_the_rest_is_judged_by_the_next_run_and_is_then_the_same_evaluation(tmp_path, monkeypatch):
    project = project_of(tmp_path)
    stand_in(monkeypatch, PaidJudge())
    first = run(project, budget_usd=Decimal("0.03"))
    second = run(project)
    assert second.complete
    assert second.calls == second.cases - first.calls
    (tmp_path / "whole").mkdir()
    whole = project_of(tmp_path / "whole")
    unbroken = run(whole)
    assert [r[:3] for r in outcomes(project)] == [r[:3] for r in outcomes(whole)]
    assert second.mean_score == unbroken.mean_score


def test_the_order_of_asking_changes_nothing_in_the_evaluation(tmp_path, monkeypatch):
    project = project_of(tmp_path)
    stand_in(monkeypatch, PaidJudge())
    plain = run(project)
    limited = run(project, budget_usd=Decimal(5))
    assert limited.calls == 0
    assert limited.evaluation_id == plain.evaluation_id


def test_the_configured_limit_holds_and_a_model_without_a_price_is_refused(tmp_path, monkeypatch):
    project = project_of(tmp_path, more="budget: {per_day_usd: 1}\n")
    judge = PaidJudge()
    judge.price_tag = type(judge.price_tag)(None, None)
    stand_in(monkeypatch, judge)
    summary = run(project)
    assert judge.requests == []
    assert summary.unscored_reasons == {"budget": summary.cases}
    assert "no price is known for prov/judge-1" in summary.unscored_examples["budget"]


@pytest.mark.parametrize("name", ["prov/judge-1", "judge-1-2026-11-01"])
def test_a_judge_that_is_the_model_under_test_is_refused(tmp_path, monkeypatch, name):
    project = project_of(tmp_path, model=name)
    stand_in(monkeypatch, PaidJudge())
    summary = run(project)
    half = summary.cases // 2
    assert summary.unscored_reasons == {"self_judging": half}
    assert summary.calls == summary.valid == half
    assert summary.complete, "asking again would not help"
    assert "judge paid is the model of system prod" in summary.unscored_examples["self_judging"]
    refused = {(system, reason) for _, system, status, reason in outcomes(project)
               if status == "indeterminate"}  # fmt: skip
    assert refused == {("prod", "self_judging")}


def test_it_may_where_the_operator_allows_it(tmp_path, monkeypatch):
    project = make_project(
        tmp_path,
        (PAID % (LIMITS, "prov/judge-1")).replace("stage: production, limits",
                                                  "allow_self_judging: true, limits"),
    )  # fmt: skip
    stand_in(monkeypatch, PaidJudge())
    assert run(project).unscored_reasons == {}


def test_the_answers_of_a_target_model_are_not_judged_by_itself(tmp_path, monkeypatch):
    project = project_of(tmp_path)
    project.write_rows(NAME, [{**row, "system": "paid|v1"} for row in rows_of(NAME, ("prod",))])
    stand_in(monkeypatch, PaidJudge())
    assert set(run(project).unscored_reasons) == {"self_judging"}


def test_a_case_whose_preparation_trips_does_not_end_the_run(tmp_path, monkeypatch):
    project = project_of(tmp_path)
    stand_in(monkeypatch, PaidJudge())
    real = type(FAITHFULNESS).prepare

    def prepare(self, case, rules, failure=None):
        if case.test_case_id.endswith("-3"):
            raise ValueError("text of the case")
        return real(self, case, rules, failure)

    monkeypatch.setattr(type(FAITHFULNESS), "prepare", prepare)
    summary = run(project)
    tripped = summary.unscored_reasons["internal_error"]
    assert summary.errors == tripped == summary.cases // 10
    assert summary.valid == summary.cases - tripped
    assert "ValueError in prepare" in summary.unscored_examples["internal_error"]
    assert "text of the case" not in summary.unscored_examples["internal_error"]
    reasons = {reason for *_, status, reason in outcomes(project) if status == "error"}
    assert reasons == {"internal_error"}


def test_another_model_and_a_changed_fingerprint_are_reported(tmp_path, monkeypatch):
    project = project_of(tmp_path)
    judge = PaidJudge(answered_model="judge-1-mini")
    real = judge.call

    async def call(request, form, deadline_s):
        later = len(judge.requests) >= 30
        answer = await real(request, form, deadline_s)
        assert isinstance(answer, Completion)
        return Completion(**{**vars_of(answer), "fingerprint": "fp_2" if later else "fp_1"})

    judge.call = call
    stand_in(monkeypatch, judge)
    summary = run(project)
    differs, changed = summary.warnings
    assert f"{summary.cases} replies came from judge-1-mini" in differs
    assert "fingerprint of judge-1-mini changed within the run: fp_1 (30 replies), fp_2" in changed
    assert all(found.differs for found in summary.answered_by)
    assert run(project).warnings == summary.warnings[:1], "nothing changed in a run without calls"


def vars_of(answer: Completion):
    return {name: getattr(answer, name) for name in Completion.__dataclass_fields__}


def test_one_reason_is_told_once_with_what_was_said_first(tmp_path, monkeypatch):
    project = project_of(tmp_path)
    judge = PaidJudge()

    async def call(request, form, deadline_s):
        return CallFailure(Reason.NO_CREDIT, "you exceeded your quota")

    judge.call = call
    stand_in(monkeypatch, judge)
    summary = run(project)
    assert summary.unscored_examples["no_credit"] == "you exceeded your quota"
    assert "circuit_open" in summary.unscored_reasons
