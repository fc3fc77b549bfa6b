"""Target models that cost money: what a dry run says of their answers, and what a limit leaves."""

from decimal import Decimal

import pytest

from citeval_assets.evaluation.following import with_followers
from citeval_assets.evaluation.service import RunOptions, Service
from citeval_assets.judging.pricing import PriceTag
from tests.evaluation.answering_project import SETTINGS, answering_project, run, write_questions
from tests.paid_judge import PaidJudge, stand_in
from tests.small_project import SmallProject

LIMITS = "limits: {max_output_tokens: 1000, max_concurrency: 1, tries: 1}"
PAID = (
    SETTINGS.replace("embedded/overlap-0, roles: [judge]", f"prov/judge, {LIMITS}, roles: [judge]")
    .replace("embedded/extractive-0, roles", f"prov/target, {LIMITS}, roles")
    .replace(
        "  - {id: next, model: embedded/extractive-1, roles: [target], stage: candidate}\n", ""
    )
)
BUDGET = "budget: {per_run_usd: 5, per_day_usd: 50}\n"
ONE_CALL = Decimal("0.0014")
"""What a call of the paid stand-in costs."""


@pytest.fixture
def paid(monkeypatch) -> PaidJudge:
    judge = PaidJudge()
    stand_in(monkeypatch, judge)
    return judge


def project_of(folder, questions: int = 4, settings: str = PAID) -> SmallProject:
    project = answering_project(folder, settings)
    asked = [
        (f"q{n}", f"How many degrees does the kiln of potter {n} reach?", "1280", ["kiln"])
        for n in range(questions)
    ]
    write_questions(project, asked)
    return project


def forecast(project: SmallProject, **options):
    loaded = project.load()
    cells = with_followers(loaded, loaded.cells(models=["today"]))
    return Service(loaded, RunOptions(**options)).forecast(cells)


def test_a_dry_run_counts_the_judgements_of_answers_that_are_not_written_yet(tmp_path, paid):
    project = project_of(tmp_path, settings=PAID + BUDGET)
    before = forecast(project)
    assert paid.requests == []
    assert [(c.playbook, c.to_ask, c.to_come) for c in before.cells] == [
        ("cite_or_abstain", 4, 0), ("answer_comparison", 0, 4), ("citation_faithfulness", 0, 4),
    ]  # fmt: skip
    done = run(project, "today")
    made = sum(done.calls.values())
    assert before.calls.low <= made <= before.calls.high
    assert before.prompt_tokens.low > 0
    assert before.completion_tokens.high >= 12 * 1000
    assert before.cost_usd is not None
    assert before.cost_usd.low <= float(made * ONE_CALL) <= before.cost_usd.high

    after = forecast(project)

    assert (after.to_ask, after.to_come, after.calls.high) == (0, 0, 0)


def test_a_dry_run_says_when_a_limit_may_end_the_run(tmp_path, paid):
    project = project_of(tmp_path, settings=PAID + BUDGET)
    assert not forecast(project).may_stop
    short = forecast(project, budget_usd=Decimal("0.01"))
    assert short.may_stop
    assert short.left_usd == 0.01


def test_a_dry_run_says_which_model_would_be_refused_for_want_of_a_price(tmp_path, paid):
    paid.price_tag = PriceTag(None, None)
    project = project_of(tmp_path, settings=PAID + BUDGET)
    assert {cell.model for cell in forecast(project).cells if cell.refused} == {"today", "naive"}
    unlimited = project.folder / "citeval.yaml"
    unlimited.write_text(PAID, encoding="utf-8")
    assert not any(cell.refused for cell in forecast(project).cells)


def test_what_a_limit_leaves_unanswered_is_budget_everywhere_and_is_taken_up_later(tmp_path, paid):
    project = project_of(tmp_path, questions=8)
    loaded = project.load()
    limited = Service(loaded, RunOptions(budget_usd=Decimal("0.012")))
    limited.register_cases("cite_or_abstain")
    (cell,) = loaded.cells(["cite_or_abstain"], ["today"])
    first = limited.judge(cell)
    assert 0 < first.calls < 8
    assert first.unscored_reasons == {"budget": 8 - first.calls}

    judged = run(project, "naive", playbooks=("answer_comparison",))

    statuses = [judged.outcome("answer_comparison", f"q{n}", "today|shelf|v1") for n in range(8)]
    assert statuses.count(("indeterminate", "budget", None)) == 8 - first.calls

    rest = run(project, "today")

    assert rest.calls["cite_or_abstain"] == 8 - first.calls
    assert all(summary.complete for summary in rest.summaries)


def test_a_limit_per_day_holds_over_all_runs_of_the_day(tmp_path, paid):
    project = project_of(tmp_path, questions=8, settings=PAID + "budget: {per_day_usd: 0.012}\n")
    first = run(project, "today")
    spent = len(paid.requests) * ONE_CALL
    assert 0 < spent <= Decimal("0.012")
    assert any("budget" in summary.unscored_reasons for summary in first.summaries)
    assert run(project, "today").calls == {}, "nothing is left of this day"
    answered = [
        first.outcome("cite_or_abstain", f"q{n}", "today|shelf|v1")[0] == "valid" for n in range(8)
    ]
    assert answered != sorted(answered, reverse=True), "drawn at random, not from the top"
