"""What a dry run says, and that the run then does it."""

from decimal import Decimal

import pytest

from citeval_assets.evaluation.service import RunOptions, Service
from citeval_assets.judging.request import Completion
from citeval_assets.playbooks.registry import get_playbook
from tests.paid_judge import PaidJudge, stand_in
from tests.small_project import SmallProject, make_project, rows_of

SETTINGS = """\
models:
  - {id: paid, model: prov/judge-1, roles: [judge], stage: production,
     limits: {max_output_tokens: 1000, tries: 1}}
systems:
  - {label: prod, stage: production}
  - {label: candidate, stage: candidate}
budget: {per_run_usd: 5, per_day_usd: 50}
"""
NAME = "citation_faithfulness"


@pytest.fixture
def project(tmp_path) -> SmallProject:
    project = make_project(tmp_path, SETTINGS)
    rows = [
        {**row, "question": f"{row['question']} ({row['system']}, {n})",
         "test_case_id": f"{row['test_case_id']}-{n}"}
        for row in rows_of(NAME)
        for n in range(5)
    ]  # fmt: skip
    project.write_rows(NAME, rows)
    return project


def forecast(project: SmallProject, **options):
    loaded = project.load()
    cells = loaded.cells([NAME], [], ["v1"])
    return Service(loaded, RunOptions(**options)).forecast(cells)


def ledger_rows(project: SmallProject) -> int:
    with project.load().open_ledger() as ledger:
        return ledger.head()[0]


def test_a_dry_run_asks_nobody_and_records_nothing(project, monkeypatch):
    judge = PaidJudge()
    stand_in(monkeypatch, judge)
    before = ledger_rows(project)
    found = forecast(project)
    assert judge.requests == []
    assert ledger_rows(project) == before
    assert (found.to_ask, found.calls.low, found.calls.high) == (20, 20, 40)
    assert (found.per_run_usd, found.per_day_usd) == (5.0, 50.0)


def test_without_past_calls_the_range_ends_at_what_a_reply_may_hold(project, monkeypatch):
    stand_in(monkeypatch, PaidJudge())
    (cell,) = forecast(project).cells
    assert cell.past_calls == 0
    assert cell.cost_usd is not None
    assert cell.cost_usd.expected is None
    assert cell.completion_tokens.high == 40 * 1000
    assert 0 < cell.cost_usd.low < cell.cost_usd.high


def test_the_run_then_makes_these_calls_and_costs_what_was_foretold(project, monkeypatch):
    stand_in(monkeypatch, PaidJudge())
    project.evaluate(playbooks=[NAME], prompts=["v1"], budget_usd=Decimal("0.02"))
    (cell,) = forecast(project).cells
    assert cell.past_calls == cell.stored > 0
    assert cell.to_ask == cell.cases - cell.stored
    summary = project.evaluate(playbooks=[NAME], prompts=["v1"])
    assert summary.calls == cell.to_ask
    assert cell.cost_usd is not None
    assert cell.cost_usd.low <= summary.cost_usd <= cell.cost_usd.high
    assert cell.cost_usd.expected == pytest.approx(summary.cost_usd, rel=0.2)
    assert forecast(project).to_ask == 0


def test_re_asks_seen_before_are_expected_again(project, monkeypatch):
    broken = [Completion("no object", "stop") for _ in range(10)]
    stand_in(monkeypatch, PaidJudge(script=broken))
    project.evaluate(playbooks=[NAME], prompts=["v1"])
    (cell,) = forecast(project, repeat=1).cells
    assert cell.calls.expected is not None
    assert 20 < cell.calls.expected <= 40


def test_a_model_without_a_price_has_no_cost_but_all_the_rest(project, monkeypatch):
    judge = PaidJudge()
    judge.price_tag = type(judge.price_tag)(None, None)
    stand_in(monkeypatch, judge)
    found = forecast(project)
    assert found.cost_usd is None
    assert found.to_ask == 20


def test_what_needs_no_model_is_not_counted_as_a_question(project, monkeypatch):
    stand_in(monkeypatch, PaidJudge())
    row = {**rows_of(NAME, ("prod",))[0], "test_case_id": "bare", "answer": "Hello!"}
    project.write_rows(NAME, [*project.rows(NAME), row])
    (cell,) = forecast(project).cells
    assert (cell.cases, cell.decided, cell.to_ask) == (21, 1, 20)


def test_a_case_that_trips_a_fault_of_ours_is_counted_as_the_run_will_report_it(
    project, monkeypatch
):
    stand_in(monkeypatch, PaidJudge())
    playbook = get_playbook(NAME)
    prepare = type(playbook).prepare

    def tripping(self, case, rules, failure=None):
        if case.test_case_id.endswith("-3"):
            raise RecursionError
        return prepare(self, case, rules, failure)

    monkeypatch.setattr(type(playbook), "prepare", tripping)
    (cell,) = forecast(project).cells
    assert (cell.cases, cell.decided, cell.to_ask) == (20, 4, 16)
