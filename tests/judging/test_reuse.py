import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from ledger.builders import tamper

from citeval_assets.judging.leases import LEASE_S
from citeval_assets.judging.session import run_session
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.vocabulary import Reason, Status

from .toy import (
    MALFORMED,
    TEMPLATE,
    TOY,
    ScriptedClient,
    completion,
    fault,
    model,
    policy,
    task,
    tasks,
)


async def test_a_second_run_makes_no_call(judge, rows):
    scripts = {"About case-001": [completion(MALFORMED), completion()]}
    first = await judge.run(ScriptedClient(scripts), tasks(3))
    silent = ScriptedClient()
    second = await judge.run(silent, tasks(3))
    assert silent.requests == []
    assert [o.report for o in second] == [o.report for o in first]
    assert [o.call_ids for o in second] == [o.call_ids for o in first]
    assert [(o.calls, o.reused_calls) for o in second] == [(0, 1), (0, 2), (0, 1)]
    assert [o.cost_usd for o in second] == [0, 0, 0]
    assert len(rows()) == 4


async def test_a_failure_is_never_reused(judge):
    await judge.run(ScriptedClient(default=fault(retryable=False)), [task("a")])
    client = ScriptedClient()
    [outcome] = await judge.run(client, [task("a")])
    assert outcome.report.status is Status.VALID
    assert len(client.requests) == 1


async def test_only_what_is_missing_is_asked_and_matched_by_content(judge):
    await judge.run(ScriptedClient(), [task("b"), task("c")])
    client = ScriptedClient()
    await judge.run(client, [task("a"), task("b"), task("c")])
    assert ["About a?" in r.messages[1].content for r in client.requests] == [True]


async def test_the_same_question_of_two_cases_is_paid_once(judge):
    client = ScriptedClient()
    twins = [task("a", question="The same?"), task("b", question="The same?")]
    outcomes = await judge.run(client, twins)
    assert len(client.requests) == 1
    assert sorted((o.calls, o.reused_calls) for o in outcomes) == [(0, 1), (1, 0)]
    assert outcomes[0].call_ids == outcomes[1].call_ids


@pytest.mark.parametrize(
    "other",
    [
        {"model": model(model="openai/other")},
        {"model": model(params={"seed": 1})},
        {"output_tokens": 100},
        {"repeat": 1},
    ],
)
async def test_another_model_parameter_or_repeat_is_another_call(judge, other):
    await judge.run(ScriptedClient(), [task("a")])
    client = ScriptedClient()
    await judge.run(client, [task("a")], **other)
    assert len(client.requests) == 1


async def test_another_endpoint_is_another_call(judge):
    await judge.run(ScriptedClient(), [task("a")])
    client = ScriptedClient(endpoint="http://elsewhere.example/v1")
    await judge.run(client, [task("a")])
    assert len(client.requests) == 1


async def test_refresh_asks_anew_and_the_fresh_reply_is_reused_from_then_on(judge):
    await judge.run(ScriptedClient(), [task("a")])
    fresh = ScriptedClient(default=completion('{"verdict": "no"}'))
    await judge.run(fresh, [task("a")], refresh=True)
    silent = ScriptedClient()
    [third] = await judge.run(silent, [task("a")])
    assert len(fresh.requests) == 1
    assert silent.requests == []
    assert third.report.score == 0.0


async def test_refresh_pays_once_for_two_cases_with_the_same_question(judge):
    client = ScriptedClient()
    twins = [task("a", question="The same?"), task("b", question="The same?")]
    await judge.run(client, twins, refresh=True)
    assert len(client.requests) == 1


async def test_a_tampered_reply_is_not_used_until_told_to_redo_it(judge, ledger, rows):
    await judge.run(ScriptedClient(), tasks(2))
    tamper(ledger, 'UPDATE call_replies SET text = \'{"verdict": "no"}\' WHERE nr = 1')
    silent = ScriptedClient()
    outcomes = await judge.run(silent, tasks(2))
    spoilt = [o for o in outcomes if o.report.reason is Reason.RECORD_TAMPERED]
    assert silent.requests == []
    assert len(spoilt) == 1
    assert spoilt[0].report.status is Status.ERROR
    assert "--refresh" in spoilt[0].report.message
    redone = ScriptedClient()
    again = await judge.run(redone, tasks(2), refresh=True)
    assert len(redone.requests) == 2
    assert {o.report.status for o in again} == {Status.VALID}


async def test_a_question_another_process_is_asking_is_waited_for(judge, ledger):
    client = ScriptedClient()
    elsewhere, key = "elsewhere/1/1/x", key_of_question(judge)
    assert ledger.claim([key], elsewhere, 60.0)
    running = asyncio.ensure_future(judge.run(client, [task("a")]))
    await asyncio.sleep(0.05)
    assert client.requests == []
    ledger.release([key], elsewhere)
    [outcome] = await running
    assert outcome.report.status is Status.VALID
    assert len(client.requests) == 1


class Overtaken(ScriptedClient):
    """Fails once its lease has run out and another session has got the answer meanwhile."""

    def __init__(self, meanwhile):
        super().__init__(default=fault())
        self.meanwhile = meanwhile

    async def call(self, request, form, deadline_s):
        await self.meanwhile()
        return await super().call(request, form, deadline_s)


async def test_who_is_overtaken_between_two_tries_takes_the_reply_and_owns_up_to_its_request(
    judge, time, rows
):
    faster = ScriptedClient()

    async def meanwhile():
        time.seconds += 10 * LEASE_S
        await judge.run(faster, [task("a")])

    slow = Overtaken(meanwhile)
    [outcome] = await judge.run(slow, [task("a")])
    assert outcome.report.status is Status.VALID
    assert (len(slow.requests), len(faster.requests)) == (1, 1)
    assert (outcome.calls, outcome.failed_calls, outcome.reused_calls) == (1, 1, 1)
    assert sorted(row.reply.outcome for row in rows()) == ["failure", "reply"]


async def test_two_that_each_want_a_fresh_reply_both_get_one(judge, rows):
    await judge.run(ScriptedClient(), tasks(5))
    clients = ScriptedClient(), ScriptedClient()
    await asyncio.gather(*(judge.run(one, tasks(5), refresh=True) for one in clients))
    assert [len(one.requests) for one in clients] == [5, 5]
    assert len(rows()) == 15


def test_four_sessions_at_once_pay_for_each_call_once(ledger_url):
    def one_session(_):
        client = ScriptedClient()
        with Ledger.open(ledger_url) as ledger:
            outcomes = run_session(
                playbook=TOY,
                template=TEMPLATE,
                model=model(),
                client=client,
                ledger=ledger,
                policy=policy(),
                run_id="run-1",
                tasks=tasks(25),
            )
        return len(client.requests), {o.report.status for o in outcomes}

    Ledger.open(ledger_url).close()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(one_session, range(4)))
    assert sum(requests for requests, _ in found) == 25
    assert {status for _, statuses in found for status in statuses} == {Status.VALID}


async def test_a_failed_call_gives_its_lease_back(judge, ledger):
    await judge.run(ScriptedClient(default=fault(retryable=False)), [task("a")])
    assert ledger.claims([key_of_question(judge)]) == {}


def key_of_question(judge) -> str:
    session = judge.session(ScriptedClient())
    questions, view = session._questions, task("a").prepared.view
    return questions.request(view, questions.messages(view), 4096).call_key
