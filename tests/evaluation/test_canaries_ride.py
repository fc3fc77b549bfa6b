"""Two canaries ride in every evaluation; a judge that fails them has said nothing."""

import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

import pytest

from citeval_assets.evaluation.service import Service
from citeval_assets.gates.model import Verdict
from citeval_assets.judging.form import CallForm
from citeval_assets.judging.request import Answer, CallFailure, Completion, ModelRequest
from citeval_assets.playbooks.vocabulary import Reason
from tests.evaluation.judged_project import NAME, SETTINGS, judged_project, labelled_rows
from tests.judging.toy import until
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


CROWD = SETTINGS.replace("limits: {tries: 1}", "limits: {tries: 2, max_concurrency: 4}")
"""More cases than are in work at one time: the last are drawn while others are settled."""


def rides(request: ModelRequest) -> bool:
    return "Fennick Point" in request.messages[-1].content


def as_it_is(request: ModelRequest, answer: Answer) -> Answer:
    return answer


@dataclass
class LateJudge(BlindJudge):
    """Answers about case 29 once so many canaries were asked about; ``told`` alters answers."""

    canaries_first: int = 0
    told: Callable[[ModelRequest, Answer], Answer] = as_it_is

    async def call(self, request: ModelRequest, form: CallForm, deadline_s: float) -> Answer:
        if "weir 29" in request.messages[-1].content:
            await until(lambda: sum(map(rides, self.requests)) == self.canaries_first)
        return self.told(request, await super().call(request, form, deadline_s))


@pytest.fixture
def crowd(tmp_path):
    return judged_project(tmp_path, labelled_rows(30), CROWD)


def test_they_are_asked_about_while_the_last_cases_are_in_work(crowd, monkeypatch):
    judge = LateJudge(canaries_first=2)
    stand_in(monkeypatch, judge)
    summary = run(crowd, "blind")
    assert (summary.valid, summary.calls, summary.canaries) == (30, 32, "failed")
    assert not rides(judge.requests[-1])


def test_with_few_cases_they_wait_for_the_first_score(tmp_path, monkeypatch):
    project = judged_project(tmp_path, labelled_rows(2), CROWD)
    judge = BlindJudge(delay_s=0.01)
    stand_in(monkeypatch, judge)
    assert run(project, "blind").canaries == "failed"
    assert list(map(rides, judge.requests)) == [False, False, True, True]


def test_limited_money_is_spent_on_them_after_the_last_case_only(crowd, monkeypatch):
    settled_first: list[int] = []
    judge = LateJudge()
    stand_in(monkeypatch, judge)

    def seen(progress):
        if not any(map(rides, judge.requests)):
            settled_first.append(progress.cases)

    summary = run(crowd, "blind", budget_usd=Decimal(5), progress=seen)
    assert (summary.valid, summary.calls, summary.canaries) == (30, 32, "failed")
    assert max(settled_first) == 30


def test_progress_counts_them_among_no_cases(crowd, monkeypatch):
    stand_in(monkeypatch, LateJudge(canaries_first=2))
    seen = []
    run(crowd, "blind", progress=seen.append)
    before, last = seen[-2:]
    assert {progress.total for progress in seen} == {30}
    assert last.cases == sum(last.by_status.values()) == 30
    assert last.seconds_left == 0
    assert (before.cases, before.calls) == (29, 31)


def test_a_run_that_is_interrupted_carries_none_but_tells_what_they_cost(crowd, monkeypatch):
    def stop_and_ask_again(request: ModelRequest, answer: Answer) -> Answer:
        if "weir 29" not in request.messages[-1].content:
            return answer
        assert isinstance(answer, Completion)
        signal.raise_signal(signal.SIGINT)
        return replace(answer, text="no object here")

    judge = LateJudge(canaries_first=2, told=stop_and_ask_again)
    stand_in(monkeypatch, judge)
    summary = run(crowd, "blind")
    assert summary.interrupted
    assert summary.canaries == "none"
    assert summary.calls == len(judge.requests) == 32
    assert summary.cost_usd == pytest.approx(32 * 0.0014)
    stand_in(monkeypatch, BlindJudge())
    again = run(crowd, "blind")
    assert (again.valid, again.calls, again.canaries) == (30, 1, "failed")


def test_where_only_they_are_interrupted_they_are_unscored_and_counted_once(crowd, monkeypatch):
    stopped: list[str] = []

    def stop_and_ask_again(request: ModelRequest, answer: Answer) -> Answer:
        if not rides(request):
            return answer
        if not stopped:
            stopped.append(request.call_key)
            signal.raise_signal(signal.SIGINT)
        assert isinstance(answer, Completion)
        return replace(answer, text="no object here")

    judge = LateJudge(canaries_first=2, told=stop_and_ask_again)
    stand_in(monkeypatch, judge)
    summary = run(crowd, "blind")
    assert (summary.valid, summary.canaries) == (30, "unscored")
    assert summary.calls == len(judge.requests) == 32
    assert summary.interrupted


def test_a_canary_nobody_could_ask_about_voids_nothing_and_is_asked_next_time(crowd, monkeypatch):
    def down_for_them(request: ModelRequest, answer: Answer) -> Answer:
        return CallFailure(Reason.UNREACHABLE, "down") if rides(request) else answer

    stand_in(monkeypatch, LateJudge(canaries_first=2, told=down_for_them))
    summary = run(crowd, "blind")
    assert (summary.valid, summary.canaries) == (30, "unscored")
    assert summary.unscored_reasons == {}
    stand_in(monkeypatch, BlindJudge())
    again = run(crowd, "blind")
    assert (again.calls, again.canaries) == (2, "failed")


def test_an_end_asked_for_while_the_last_case_is_settled_is_not_forgotten(crowd, monkeypatch):
    """Nothing is left to be interrupted; the cells that follow are not begun all the same."""

    def stop(request: ModelRequest, answer: Answer) -> Answer:
        if "weir 29" in request.messages[-1].content:
            signal.raise_signal(signal.SIGINT)
        return answer

    stand_in(monkeypatch, LateJudge(canaries_first=2, told=stop))
    summary = run(crowd, "blind")
    assert (summary.valid, summary.waiting, summary.canaries) == (30, 0, "failed")
    assert summary.interrupted
