import asyncio
from dataclasses import dataclass

import pytest

from citeval_assets.judging.concurrency import AdaptiveLimit
from citeval_assets.judging.form import CallForm
from citeval_assets.judging.request import Answer, ModelRequest
from citeval_assets.playbooks.vocabulary import Reason, Status

from .toy import ScriptedClient, fault, tasks


async def taken(limit: AdaptiveLimit, count: int) -> list[int]:
    return [await limit.take() for _ in range(count)]


async def test_it_starts_with_all_that_is_allowed():
    limit = AdaptiveLimit(16)
    await taken(limit, 16)
    assert limit.allowed == limit.in_use == 16


async def test_a_rate_limit_halves_it_once_for_all_calls_that_were_open_together():
    limit = AdaptiveLimit(16)
    stamps = await taken(limit, 16)
    for stamp in stamps:
        limit.rate_limited(stamp)
    assert limit.allowed == 8
    limit.rate_limited(limit.cuts)
    assert limit.allowed == 4


async def test_it_never_falls_below_one():
    limit = AdaptiveLimit(4)
    for _ in range(10):
        limit.rate_limited(limit.cuts)
    assert limit.allowed == 1


async def test_it_grows_by_one_for_each_round_of_answers():
    limit = AdaptiveLimit(16)
    limit.rate_limited(0)
    await taken(limit, 8)
    for _ in range(9):
        limit.answered()
    assert limit.allowed == 9


async def test_it_does_not_grow_beyond_what_the_operator_allows():
    limit = AdaptiveLimit(4)
    await taken(limit, 4)
    for _ in range(100):
        limit.answered()
    assert limit.allowed == 4


async def test_answers_do_not_count_where_the_slots_stay_unused():
    limit = AdaptiveLimit(16)
    limit.rate_limited(0)
    await limit.take()
    for _ in range(100):
        limit.answered()
    assert limit.allowed == 8


async def test_who_waits_gets_a_slot_in_the_order_of_asking():
    limit, order = AdaptiveLimit(1), []

    async def work(name: int) -> None:
        await limit.take()
        order.append(name)
        await asyncio.sleep(0)
        limit.give_back()

    await asyncio.gather(*(work(n) for n in range(5)))
    assert order == list(range(5))
    assert limit.in_use == 0


async def test_a_cancelled_waiter_takes_no_slot_with_it():
    limit = AdaptiveLimit(1)
    await limit.take()
    waiting = asyncio.create_task(limit.take())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    limit.give_back()
    await asyncio.wait_for(limit.take(), 1)


async def test_a_slot_given_to_a_cancelled_waiter_goes_on_to_the_next():
    limit = AdaptiveLimit(1)
    await limit.take()
    first, second = (asyncio.create_task(limit.take()) for _ in range(2))
    await asyncio.sleep(0)
    limit.give_back()  # the first has it now, and does not know yet
    first.cancel()
    await asyncio.wait_for(second, 1)
    assert limit.in_use == 1


@dataclass
class CrowdedClient(ScriptedClient):
    """Answers 429 to whoever comes while ``keeps_up`` calls are open."""

    keeps_up: int = 4
    refused: int = 0
    open_now: int = 0
    most_open: int = 0

    async def call(self, request: ModelRequest, form: CallForm, deadline_s: float) -> Answer:
        if self.open_now >= self.keeps_up:
            self.refused += 1
            await asyncio.sleep(0)
            return fault(Reason.RATE_LIMITED)
        self.open_now += 1
        self.most_open = max(self.most_open, self.open_now)
        try:
            await asyncio.sleep(0.002)
            return await super().call(request, form, deadline_s)
        finally:
            self.open_now -= 1


async def test_a_crowded_provider_is_met_with_fewer_calls_and_every_case_is_judged(judge, time):
    client = CrowdedClient()
    session = judge.session(client, max_concurrency=32, tries=12)
    outcomes = [outcome async for outcome in session.run(tasks(150))]
    assert {outcome.report.status for outcome in outcomes} == {Status.VALID}
    assert session.snapshot().allowed_calls < 12
    assert client.refused < 150


async def test_what_was_learnt_of_a_provider_holds_for_the_next_session(judge):
    await judge.run(CrowdedClient(), tasks(60), max_concurrency=32, tries=12)
    second = CrowdedClient()
    session = judge.session(second, max_concurrency=32, tries=12, repeat=1)
    assert session.snapshot().allowed_calls < 32
    elsewhere = judge.session(CrowdedClient(endpoint="elsewhere"), max_concurrency=32)
    assert elsewhere.snapshot().allowed_calls == 32


@pytest.mark.parametrize("reason", [Reason.UNREACHABLE, Reason.TIMEOUT, Reason.BAD_REQUEST])
async def test_other_faults_do_not_say_that_it_is_too_much(judge, reason):
    session = judge.session(ScriptedClient(default=fault(reason)), max_concurrency=8, tries=2)
    async for _ in session.run(tasks(10)):
        pass
    assert session.snapshot().allowed_calls == 8
