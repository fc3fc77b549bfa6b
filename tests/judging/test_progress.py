"""What can be seen of a session while it runs."""

import asyncio
from decimal import Decimal

import pytest

from citeval_assets.judging import session as session_module
from citeval_assets.judging.progress import Rate
from citeval_assets.judging.request import Completion, Cost
from citeval_assets.playbooks.vocabulary import Reason

from .toy import VALID, ScriptedClient, fault, tasks, until


async def drained(stream):
    return [outcome async for outcome in stream]


async def test_what_is_in_flight_is_listed_with_case_attempt_and_age(judge, time):
    client = ScriptedClient(hold=asyncio.Event())
    session = judge.session(client, max_concurrency=2, progress=lambda progress: None)
    running = asyncio.ensure_future(drained(session.run(tasks(3))))
    await until(lambda: client.in_flight == 2)
    time.seconds += 7
    seen = session.snapshot()
    assert seen.open_calls == 2
    assert [call.test_case_id for call in seen.in_flight()] == ["case-000", "case-001"]
    assert {call.seconds for call in seen.in_flight()} == {7.0}
    assert str(seen.in_flight()[0]) == "case-000 (s), attempt 1: 7 s"
    client.hold.set()
    await running
    assert seen.in_flight() == session.snapshot().in_flight() == ()


async def test_stopping_is_told_at_once_with_what_is_under_way(judge):
    seen = []
    client = ScriptedClient(hold=asyncio.Event())
    session = judge.session(client, max_concurrency=2, progress=seen.append)
    running = asyncio.ensure_future(drained(session.run(tasks(3))))
    await until(lambda: client.in_flight == 2)
    session.stop()
    assert seen[-1].stopping
    assert len(seen[-1].in_flight()) == 2
    client.hold.set()
    await running


async def test_a_call_that_hangs_is_told_of_though_nothing_is_settled(judge, monkeypatch):
    monkeypatch.setattr(session_module, "_SECONDS_BETWEEN_SIGNS_OF_LIFE", 0.01)
    seen = []
    client = ScriptedClient(hold=asyncio.Event())
    running = asyncio.ensure_future(judge.run(client, tasks(1), progress=seen.append))
    await until(lambda: client.in_flight == 1 and len(seen) > 2)
    assert all(progress.cases == 0 for progress in seen)
    assert seen[-1].open_calls == 1
    client.hold.set()
    await running


async def test_time_left_follows_from_the_total_and_the_present_rate(judge, time):
    seen = []

    def drawn():
        for one in tasks(10):
            time.seconds += 2
            yield one

    await judge.run(ScriptedClient(), drawn(), progress=seen.append, total=10, max_concurrency=1)
    halfway = next(progress for progress in seen if progress.cases == 5)
    assert halfway.total == 10
    assert halfway.cases_per_second == pytest.approx(0.5, rel=0.3)
    assert halfway.seconds_left == pytest.approx(10, rel=0.3)
    assert seen[-1].seconds_left == 0


async def test_without_a_total_no_time_left_is_invented(judge):
    seen = []
    await judge.run(ScriptedClient(), tasks(2), progress=seen.append)
    assert seen[-1].seconds_left is None


def test_the_rate_is_that_of_the_last_half_minute():
    rate = Rate()
    rate.mark(1.0, 900)  # stored replies, all at once
    for second in range(2, 60):
        rate.mark(float(second), 900 + second)
    assert rate.at(60.0, 960) == pytest.approx(1.0, rel=0.1)


async def test_spend_tells_the_known_part_and_what_has_no_price(judge):
    seen = []
    client = ScriptedClient(
        {"About case-000": [Completion(VALID, "stop", cost=Cost(Decimal("0.25"), "price"))]}
    )
    await judge.run(client, tasks(3), progress=seen.append)
    assert (seen[-1].cost_usd, seen[-1].unpriced_calls) == (Decimal("0.25"), 2)


async def test_a_reason_is_one_notice_with_its_count_not_one_for_each_case(judge):
    seen = []
    broken = ScriptedClient(default=fault(Reason.NO_CREDIT, retryable=False))
    await judge.run(broken, tasks(7), progress=seen.append)
    assert set(seen[-1].notices) == {Reason.NO_CREDIT}
    notice = seen[-1].notices[Reason.NO_CREDIT]
    assert (notice.count, notice.example) == (7, "scripted no_credit")
    assert seen[-1].model == "judge"


async def test_who_answered_is_told_of_each_case(judge):
    other = Completion(VALID, "stop", answered_model="stand-in-mini", fingerprint="fp_2")
    client = ScriptedClient({"About case-001": [other]})
    client.default = Completion(VALID, "stop", answered_model="stand-in-2026-11", fingerprint="f")
    first, second = await judge.run(client, tasks(2))
    assert [(a.model, a.differs) for a in first.answered_by] == [("stand-in-2026-11", False)]
    assert [(a.fingerprint, a.differs) for a in second.answered_by] == [("fp_2", True)]
    again = await judge.run(ScriptedClient(), tasks(2))
    assert [a.fresh for o in again for a in o.answered_by] == [False, False]
