"""Spending limits of a session: nothing beyond them, and a clean end."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from citeval_assets.config import ModelPrice
from citeval_assets.judging.budget import Budget, prompt_bound, prompt_estimate
from citeval_assets.judging.form import CallForm
from citeval_assets.judging.pricing import PriceTag
from citeval_assets.judging.request import Answer, Completion, Cost, ModelRequest
from citeval_assets.judging.session import run_session
from citeval_assets.ledger.spending import run_scope
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.vocabulary import Reason, Status

from .toy import TEMPLATE, TOY, VALID, ScriptedClient, fault, model, policy, task, tasks

OUTPUT = 1000


def tag(usd_per_call: str) -> PriceTag:
    """A price of which 1,000 completion tokens cost so much, and the prompt nothing."""
    million = Decimal(usd_per_call) * 1000
    return PriceTag(ModelPrice(input_per_million=Decimal(0), output_per_million=million), None)


def paid(usd: str | None) -> Completion:
    return Completion(VALID, "stop", cost=Cost(None if usd is None else Decimal(usd), "test"))


class PacedClient(ScriptedClient):
    async def call(self, request: ModelRequest, form: CallForm, deadline_s: float) -> Answer:
        await asyncio.sleep(0.002)
        return await super().call(request, form, deadline_s)


def client(cost: str | None = "0.30", most: str | None = None, **more) -> PacedClient:
    """Every call costs so much, and could at most."""
    return PacedClient(default=paid(cost), price_tag=tag(most or cost or "0.30"), **more)


def limits(per_run: str | None = "1.00", per_day: str | None = None) -> Budget:
    return Budget(
        "run-1", Decimal(per_run) if per_run else None, Decimal(per_day) if per_day else None
    )


def reasons(outcomes) -> list[Reason | None]:
    return [outcome.report.reason for outcome in outcomes]


async def test_no_more_calls_start_than_the_limit_pays_for(judge, rows):
    provider = client()
    outcomes = await judge.run(
        provider, tasks(20), budget=limits(), max_concurrency=8, output_tokens=OUTPUT
    )
    assert len(provider.requests) == len(rows()) == 3
    assert sum((row.reply.cost_usd for row in rows()), Decimal(0)) == Decimal("0.90")
    assert reasons(outcomes).count(Reason.BUDGET) == 17
    refused = next(o.report for o in outcomes if o.report.reason is Reason.BUDGET)
    assert refused.status is Status.INDETERMINATE
    assert "limit 1.00 USD" in refused.message
    assert judge.ledger.maybe_paid() == []


async def test_calls_cheaper_than_feared_let_others_follow(judge, rows):
    provider = client(cost="0.05", most="0.30")
    await judge.run(provider, tasks(40), budget=limits(), max_concurrency=8, output_tokens=OUTPUT)
    spent = sum((row.reply.cost_usd for row in rows()), Decimal(0))
    assert spent <= 1
    assert spent + Decimal("0.30") > 1, "it stops only when the dearest call would not fit"


async def test_once_it_is_spent_no_cheaper_call_goes_out(judge):
    """Else short cases would be all that is judged at the end."""
    provider = client()
    outcomes = await judge.run(
        provider, tasks(6), budget=limits("0.50"), max_concurrency=1, output_tokens=OUTPUT
    )
    assert reasons(outcomes) == [None, *[Reason.BUDGET] * 5]


async def test_a_call_of_unknown_cost_counts_with_all_that_was_set_aside(judge):
    provider = client(cost=None)
    await judge.run(provider, tasks(9), budget=limits(), max_concurrency=1, output_tokens=OUTPUT)
    assert len(provider.requests) == 3
    assert judge.ledger.spent(run_scope("run-1")) == (Decimal("0.90"), 0)


async def test_every_try_is_paid_for_from_the_same_purse(judge, rows):
    broken = fault(cost=Cost(None, "unknown whether billed"))
    provider = client(scripts={"About case-000": [broken]})
    provider.default = broken
    outcomes = await judge.run(
        provider, tasks(3), budget=limits(), max_concurrency=1, output_tokens=OUTPUT, tries=9
    )
    assert len(rows()) == 3
    assert reasons(outcomes) == [Reason.BUDGET] * 3


async def test_failures_that_were_not_billed_cost_nothing(judge):
    free = fault(Reason.UNREACHABLE, cost=Cost(Decimal(0), "not billed: HTTP 503"))
    provider = client(scripts={"About case-000": [free, free, free, paid("0.30")]})
    outcomes = await judge.run(
        provider, tasks(3), budget=limits(), max_concurrency=1, output_tokens=OUTPUT, tries=9
    )
    assert [o.report.status for o in outcomes] == [Status.VALID] * 3


async def test_a_model_without_a_price_is_refused_under_a_limit(judge, rows):
    provider = ScriptedClient()
    outcomes = await judge.run(provider, tasks(3), budget=limits())
    assert rows() == provider.requests == []
    assert reasons(outcomes) == [Reason.BUDGET] * 3
    assert "no price is known for openai/stand-in" in outcomes[0].report.message


async def test_stored_replies_are_used_though_nothing_is_left(judge):
    await judge.run(client(), tasks(3), output_tokens=OUTPUT)
    provider = client()
    outcomes = await judge.run(
        provider, tasks(5), budget=limits("0.10"), output_tokens=OUTPUT, max_concurrency=1
    )
    assert [o.report.status for o in outcomes[:3]] == [Status.VALID] * 3
    assert reasons(outcomes[3:]) == [Reason.BUDGET] * 2
    assert provider.requests == []


async def test_the_day_has_a_limit_of_its_own_over_all_runs(judge):
    settings = {"output_tokens": OUTPUT, "max_concurrency": 1}
    first = Budget("a", None, Decimal("1.00"))
    second = Budget("b", Decimal(50), Decimal("1.00"))
    await judge.run(client(), tasks(2), budget=first, **settings)
    provider = client()
    outcomes = await judge.run(provider, tasks(6)[2:], budget=second, **settings)
    assert len(provider.requests) == 1
    assert "day:" in outcomes[-1].report.message


def test_sessions_at_once_share_one_limit(ledger_url):
    Ledger.open(ledger_url).close()

    def one(number: int) -> int:
        provider = client()
        with Ledger.open(ledger_url) as ledger:
            run_session(
                playbook=TOY,
                template=TEMPLATE,
                model=model(),
                client=provider,
                ledger=ledger,
                policy=policy(budget=limits("2.00"), repeat=number, output_tokens=OUTPUT),
                run_id=f"process-{number}",
                tasks=tasks(12),
            )
        return len(provider.requests)

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(one, range(4))) == 6


async def test_a_free_model_needs_no_price_list(judge):
    provider = ScriptedClient(local=True)
    outcomes = await judge.run(provider, tasks(2), budget=limits("0.01"))
    assert [o.report.status for o in outcomes] == [Status.VALID] * 2


@pytest.mark.parametrize("text", ["plain words " * 50, "Ünïcödé – 漢字 " * 50])
def test_the_bound_of_a_prompt_is_above_its_estimate_and_both_above_the_truth(judge, text):
    session = judge.session(ScriptedClient())
    view = task("a", text).prepared.view
    request = session._questions.request(view, session._questions.messages(view), 100)
    assert prompt_estimate(request) <= prompt_bound(request)
    assert prompt_bound(request) >= sum(len(m.content.encode()) for m in request.messages)
