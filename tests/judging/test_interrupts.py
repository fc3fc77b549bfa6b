import asyncio
import os
import signal
import threading
from collections import Counter

import pytest

from citeval_assets.judging.interrupts import run_async
from citeval_assets.judging.session import run_session
from citeval_assets.playbooks.vocabulary import Reason, Status

from .toy import TEMPLATE, TOY, ScriptedClient, completion, fault, model, policy, tasks, until


def by_status(outcomes):
    return Counter((o.report.status, o.report.reason) for o in outcomes)


async def test_stopping_finishes_what_is_under_way_and_reports_the_rest(judge, rows):
    client = ScriptedClient(hold=asyncio.Event())
    session = judge.session(client, max_concurrency=3)
    running = asyncio.ensure_future(collect(session.run(tasks(10))))
    await until(lambda: client.in_flight == 3)
    session.stop()
    client.hold.set()
    outcomes = await running
    assert by_status(outcomes) == {
        (Status.VALID, None): 3,
        (Status.INDETERMINATE, Reason.INTERRUPTED): 7,
    }
    assert len(rows()) == len(client.requests) == 3


async def test_what_was_interrupted_is_all_the_next_run_does(judge):
    client = ScriptedClient(hold=asyncio.Event())
    session = judge.session(client, max_concurrency=3)
    running = asyncio.ensure_future(collect(session.run(tasks(10))))
    await until(lambda: client.in_flight == 3)
    session.stop()
    client.hold.set()
    await running
    second = ScriptedClient()
    outcomes = await judge.run(second, tasks(10))
    assert len(second.requests) == 7
    assert by_status(outcomes) == {(Status.VALID, None): 10}


async def test_stopping_ends_a_wait_between_tries_at_once(judge, time):
    async def for_ever(seconds):
        await asyncio.sleep(3600)

    time.sleep = for_ever
    session = judge.session(ScriptedClient(default=fault()), max_concurrency=2)
    running = asyncio.ensure_future(collect(session.run(tasks(2))))
    await asyncio.sleep(0.1)
    session.stop()
    outcomes = await asyncio.wait_for(running, 5)
    assert by_status(outcomes) == {(Status.INDETERMINATE, Reason.INTERRUPTED): 2}


async def test_cancelling_loses_no_reply_that_was_under_way(judge, rows):
    client = ScriptedClient(hold=asyncio.Event())
    running = asyncio.ensure_future(judge.run(client, tasks(10), max_concurrency=3))
    await until(lambda: client.in_flight == 3)
    running.cancel()
    await asyncio.sleep(0.05)
    client.hold.set()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert len(rows()) == len(client.requests) == 3
    assert judge.ledger.maybe_paid() == []


async def test_cancelling_twice_drops_what_is_under_way_and_lists_it_as_maybe_paid(judge, rows):
    client = ScriptedClient(hold=asyncio.Event())
    running = asyncio.ensure_future(judge.run(client, tasks(10), max_concurrency=3))
    await until(lambda: client.in_flight == 3)
    running.cancel()
    await asyncio.sleep(0.05)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert rows() == []
    assert len(judge.ledger.maybe_paid()) == 3


async def test_what_was_dropped_keeps_the_next_session_of_this_process_waiting_for_nothing(judge):
    client = ScriptedClient(hold=asyncio.Event())
    running = asyncio.ensure_future(judge.run(client, tasks(2)))
    await until(lambda: client.in_flight == 2)
    for _ in range(2):
        running.cancel()
        await asyncio.sleep(0.05)
    with pytest.raises(asyncio.CancelledError):
        await running
    outcomes = await asyncio.wait_for(judge.run(ScriptedClient(), tasks(2)), 30)
    assert [outcome.report.status for outcome in outcomes] == [Status.VALID] * 2


async def test_leaving_the_iterator_early_winds_the_session_down(judge, rows):
    client = ScriptedClient()
    stream = judge.session(client, max_concurrency=3).run(tasks(1000))
    await anext(stream)
    await stream.aclose()
    assert len(rows()) == len(client.requests) < 20


def session_settings(ledger, client, count):
    return {
        "playbook": TOY,
        "template": TEMPLATE,
        "model": model(),
        "client": client,
        "ledger": ledger,
        "policy": policy(),
        "run_id": "run-1",
        "tasks": tasks(count),
    }


def test_the_synchronous_door_returns_in_the_order_of_the_tasks(ledger):
    client = ScriptedClient()
    outcomes = run_session(**session_settings(ledger, client, 9))
    assert [o.test_case_id for o in outcomes] == [f"case-{n:03}" for n in range(9)]
    assert client.closed


async def test_the_synchronous_door_works_inside_a_running_loop(ledger):
    assert len(run_session(**session_settings(ledger, ScriptedClient(), 3))) == 3


def test_ctrl_c_ends_a_session_in_order(ledger):
    client = SlowClient(default=completion())
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    before = signal.getsignal(signal.SIGINT)
    outcomes = run_session(**session_settings(ledger, client, 400))
    timer.join()
    counted = by_status(outcomes)
    assert sum(counted.values()) == 400
    assert counted[Status.VALID, None] == len(client.requests)
    assert counted[Status.INDETERMINATE, Reason.INTERRUPTED] > 0
    assert signal.getsignal(signal.SIGINT) is before


class SlowClient(ScriptedClient):
    async def call(self, request, form, deadline_s):
        await asyncio.sleep(0.02)
        return await super().call(request, form, deadline_s)


def test_an_exception_of_the_coroutine_comes_through():
    async def main():
        raise KeyError("x")

    with pytest.raises(KeyError):
        run_async(main)


async def collect(stream):
    return [outcome async for outcome in stream]
