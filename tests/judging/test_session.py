import asyncio
import threading
from collections import Counter

import pytest

from citeval_assets.judging.breaker import BreakerSettings
from citeval_assets.judging.pacing import Rates
from citeval_assets.ledger.errors import LedgerWriteError
from citeval_assets.playbooks.vocabulary import Reason, Status

from .toy import (
    MALFORMED,
    VALID,
    ScriptedClient,
    Toy,
    completion,
    fault,
    model,
    task,
    tasks,
    until,
)


def opens_after(failures):
    return BreakerSettings(failures, cooldown_s=60)


def summary(outcome):
    return outcome.report.status, outcome.report.reason, outcome.report.score


async def test_a_valid_reply_settles_a_case_with_one_call(judge, rows):
    [outcome] = await judge.run(ScriptedClient(), [task("a")])
    [row] = rows()
    assert summary(outcome) == (Status.VALID, None, 1.0)
    assert outcome.call_ids == (row.intent.call_id,)
    assert (outcome.calls, outcome.reused_calls) == (1, 0)
    assert (row.intent.attempt, row.intent.try_number) == (1, 1)
    assert row.reply.text == VALID


async def test_a_malformed_reply_is_asked_about_again_with_feedback(judge, rows):
    client = ScriptedClient({"About a": [completion(MALFORMED), completion()]})
    [outcome] = await judge.run(client, [task("a")])
    assert summary(outcome) == (Status.VALID_AFTER_RETRY, None, 1.0)
    assert [row.intent.attempt for row in rows()] == [1, 2]
    assert [row.reply.text for row in rows()] == [MALFORMED, VALID]
    assert "could not be used" in client.requests[1].messages[1].content


async def test_output_that_never_passes_is_no_score(judge, rows):
    client = ScriptedClient({"About a": [completion(MALFORMED)]})
    [outcome] = await judge.run(client, [task("a")])
    assert summary(outcome) == (Status.VALIDATION_FAILED, Reason.VALIDATION_FAILED, None)
    assert len(rows()) == 2


async def test_a_refusal_is_not_asked_again(judge, rows):
    client = ScriptedClient({"About a": [completion("I'm sorry, but I can't help with that.")]})
    [outcome] = await judge.run(client, [task("a")])
    assert summary(outcome) == (Status.INDETERMINATE, Reason.REFUSAL, None)
    assert len(rows()) == 1


async def test_a_transport_fault_is_tried_again_and_every_try_is_a_row(judge, rows, time):
    client = ScriptedClient({"About a": [fault(), fault(), completion()]})
    [outcome] = await judge.run(client, [task("a")])
    assert summary(outcome) == (Status.VALID, None, 1.0)
    assert outcome.report.attempts == 1
    assert [row.intent.try_number for row in rows()] == [1, 2, 3]
    assert [row.reply.outcome for row in rows()] == ["failure", "failure", "reply"]
    assert len(time.slept) == 2
    assert outcome.call_ids == (rows()[-1].intent.call_id,)
    assert (outcome.calls, outcome.failed_calls) == (3, 2)


async def test_faults_to_the_end_are_an_error_after_exactly_the_tries_allowed(judge, rows):
    client = ScriptedClient({"About a": [fault()]})
    [outcome] = await judge.run(client, [task("a")], tries=2)
    assert summary(outcome) == (Status.ERROR, Reason.UNREACHABLE, None)
    assert len(client.requests) == len(rows()) == 2
    assert outcome.call_ids == (rows()[-1].intent.call_id,)


@pytest.mark.parametrize("reason", [Reason.BAD_REQUEST, Reason.BAD_KEY, Reason.MODEL_GONE])
async def test_what_trying_again_cannot_mend_is_not_tried_again(judge, rows, reason):
    client = ScriptedClient({"About a": [fault(reason, retryable=False)]})
    [outcome] = await judge.run(client, [task("a")], tries=5)
    assert summary(outcome) == (Status.ERROR, reason, None)
    assert len(rows()) == 1


async def test_a_retry_after_is_waited_for(judge, time):
    client = ScriptedClient({"About a": [fault(retry_after_s=7), completion()]})
    await judge.run(client, [task("a")])
    assert 7 <= time.slept[0] <= 7.02


async def test_a_retry_after_beyond_all_patience_ends_the_asking(judge, time):
    client = ScriptedClient({"About a": [fault(Reason.RATE_LIMITED, retry_after_s=9999)]})
    [outcome] = await judge.run(client, [task("a")])
    assert summary(outcome) == (Status.ERROR, Reason.RATE_LIMITED, None)
    assert time.slept == []


async def test_a_case_that_waits_past_its_deadline_is_an_error(judge, rows):
    client = ScriptedClient({"About a": [fault(retry_after_s=40)]})
    [outcome] = await judge.run(client, [task("a")], case_deadline_s=60.0, tries=9)
    assert outcome.report.status is Status.ERROR
    assert len(rows()) == 2


async def test_a_run_past_its_deadline_starts_no_further_call(judge, rows, time):
    def drawn():
        yield task("a")
        time.seconds += 60
        yield task("b")

    outcomes = await judge.run(ScriptedClient(), drawn(), deadline_s=49.0, max_concurrency=1)
    assert summary(outcomes[0]) == (Status.VALID, None, 1.0)
    assert summary(outcomes[1]) == (Status.INDETERMINATE, Reason.INTERRUPTED, None)
    assert len(rows()) == 1


async def test_a_reply_cut_at_the_token_limit_is_asked_again_with_more_room(judge, rows):
    client = ScriptedClient({"About a": [completion('{"verd', "length"), completion()]})
    [outcome] = await judge.run(client, [task("a")], output_tokens=500)
    assert summary(outcome) == (Status.VALID_AFTER_RETRY, None, 1.0)
    assert [request.output_tokens for request in client.requests] == [500, 1000]
    assert client.requests[0].messages == client.requests[1].messages
    assert rows()[0].intent.call_key != rows()[1].intent.call_key


async def test_the_room_for_a_reply_stays_within_the_context_window(judge):
    client = ScriptedClient({"About a": [completion("{", "length"), completion()]})
    await judge.run(client, [task("a")], output_tokens=900, model=model(context_window=1700))
    assert 900 < client.requests[1].output_tokens < 1700


async def test_no_more_room_for_a_reply_is_indeterminate_truncated(judge, rows):
    client = ScriptedClient({"About a": [completion("{", "length")]})
    [outcome] = await judge.run(
        client, [task("a")], output_tokens=900, model=model(context_window=1000), token_budget=900
    )
    assert summary(outcome) == (Status.INDETERMINATE, Reason.TRUNCATED, None)
    assert len(rows()) == 1


async def test_a_context_over_the_budget_is_cut_and_the_cut_recorded(judge, rows):
    client = ScriptedClient()
    long = task("a", "One sentence of the source stands here. " * 400, "Short.")
    [outcome] = await judge.run(client, [long], token_budget=1500)
    assert [cut.source_id for cut in outcome.report.context_cuts] == ["1"]
    assert outcome.report.truncated
    assert "[...truncated]" in client.requests[0].messages[1].content
    assert '"source_id":"1"' in rows()[0].intent.context_cuts_json


async def test_a_context_that_cannot_fit_is_not_sent(judge, rows):
    client = ScriptedClient()
    long = task("a", question="word " * 4000)
    [outcome] = await judge.run(client, [long], token_budget=1000)
    assert summary(outcome) == (Status.INDETERMINATE, Reason.CONTEXT_TOO_LONG, None)
    assert rows() == client.requests == []


async def test_failures_in_a_row_open_the_circuit_for_all_cases_left(judge, rows):
    client = ScriptedClient(default=fault(retryable=False))
    outcomes = await judge.run(client, tasks(20), max_concurrency=1, breaker=opens_after(3))
    counted = Counter(outcome.report.reason for outcome in outcomes)
    assert counted == {Reason.UNREACHABLE: 3, Reason.CIRCUIT_OPEN: 17}
    assert len(rows()) == len(client.requests) == 3
    assert all(
        outcome.report.status is Status.INDETERMINATE
        for outcome in outcomes
        if outcome.report.reason is Reason.CIRCUIT_OPEN
    )


async def test_after_the_cool_down_the_session_goes_on(judge, time):
    client = ScriptedClient({"About case-000": [fault(retryable=False)]})

    def drawn():
        yield from tasks(1)
        time.seconds += 60
        yield from tasks(4)[1:]

    outcomes = await judge.run(client, drawn(), max_concurrency=1, breaker=opens_after(1))
    assert [outcome.report.status for outcome in outcomes] == [Status.ERROR, *[Status.VALID] * 3]


async def test_a_fault_of_one_case_does_not_open_the_circuit(judge):
    client = ScriptedClient(default=fault(Reason.CONTENT_FILTER, retryable=False))
    outcomes = await judge.run(client, tasks(6), max_concurrency=1, breaker=opens_after(2))
    assert {outcome.report.reason for outcome in outcomes} == {Reason.CONTENT_FILTER}


async def test_requests_keep_to_the_rate_allowed(judge, time):
    started = time.seconds
    rates = Rates(requests_per_minute=60)
    await judge.run(ScriptedClient(), tasks(13), rates=rates, max_concurrency=1)
    assert time.seconds - started == pytest.approx(12)


async def test_tokens_keep_to_the_rate_allowed(judge, time):
    started = time.seconds
    rates = Rates(tokens_per_minute=6000)
    await judge.run(ScriptedClient(), tasks(3), rates=rates, output_tokens=1000, max_concurrency=1)
    assert 20 <= time.seconds - started < 26


async def test_cases_are_judged_side_by_side_but_no_more_than_allowed(judge):
    client = ScriptedClient(hold=asyncio.Event())
    running = asyncio.create_task(judge.run(client, tasks(30), max_concurrency=4))
    async with asyncio.timeout(10):
        while client.in_flight < 4:
            await asyncio.sleep(0.001)
    client.hold.set()
    await running
    assert client.max_in_flight == 4


async def test_never_more_requests_are_unanswered_in_the_ledger_than_may_be_open(
    judge, ledger, monkeypatch
):
    unanswered = []
    write = ledger.add_calls

    def watched(*records):
        found = write(*records)
        unanswered.append(len(ledger.maybe_paid()))
        return found

    monkeypatch.setattr(ledger, "add_calls", watched)
    await judge.run(ScriptedClient(), tasks(30), max_concurrency=4)
    assert max(unanswered) == 4


async def test_cases_are_drawn_only_as_workers_come_free(judge):
    drawn = 0

    def counted():
        nonlocal drawn
        for one in tasks(1000):
            drawn += 1
            yield one

    stream = judge.session(ScriptedClient(), max_concurrency=3).run(counted())
    await anext(stream)
    await asyncio.sleep(0.05)
    workers = taken = 5
    assert drawn <= workers + taken + 1
    await stream.aclose()


def test_a_stream_that_is_left_half_read_lets_the_loop_end(judge):
    async def main():
        client = ScriptedClient()
        stream = judge.session(client, max_concurrency=2).run(tasks(50))
        await anext(stream)
        workers = waiting = 3
        await until(lambda: len(client.requests) == 1 + waiting + workers)
        await asyncio.sleep(0.05)

    ending = threading.Thread(target=asyncio.run, args=(main(),), daemon=True)
    ending.start()
    ending.join(timeout=20)
    assert not ending.is_alive()


async def test_outcomes_carry_the_place_of_their_task(judge):
    found = [o async for o in judge.session(ScriptedClient()).run(tasks(8))]
    assert sorted(o.position for o in found) == list(range(8))
    assert all(o.test_case_id == f"case-{o.position:03}" for o in found)


async def test_a_case_that_trips_a_fault_of_ours_leaves_its_neighbours_alone(judge):
    class Tripping(Toy):
        def assess(self, prepared, reply, readings):
            if prepared.case.test_case_id == "case-001":
                raise ZeroDivisionError("secret text of the reply")
            return super().assess(prepared, reply, readings)

    outcomes = await judge.run(ScriptedClient(), tasks(3), playbook=Tripping())
    assert [o.report.status for o in outcomes] == [Status.VALID, Status.ERROR, Status.VALID]
    assert outcomes[1].report.reason is Reason.INTERNAL_ERROR
    assert "ZeroDivisionError" in outcomes[1].report.message
    assert "secret text" not in outcomes[1].report.message


async def test_a_ledger_that_cannot_be_written_stops_the_session(judge, monkeypatch):
    def full(*_):
        raise LedgerWriteError("disk full")

    client = ScriptedClient()
    monkeypatch.setattr(judge.ledger, "add_calls", full)
    with pytest.raises(LedgerWriteError, match="disk full"):
        await judge.run(client, tasks(20))
    assert client.requests == []


async def test_a_fault_while_drawing_tasks_stops_the_session(judge, rows):
    def broken():
        yield from tasks(2)
        raise OSError("cases unreadable")

    client = ScriptedClient()
    with pytest.raises(OSError, match="cases unreadable"):
        await judge.run(client, broken(), max_concurrency=1)
    assert len(rows()) == len(client.requests) == 2


async def test_progress_tells_counts_rate_and_spend(judge, time):
    seen = []
    client = ScriptedClient({"About case-001": [fault(retry_after_s=4), completion()]})
    await judge.run(client, tasks(3), progress=seen.append)
    last = seen[-1]
    assert [p.cases for p in seen] == [1, 2, 3]
    assert last.by_status == {Status.VALID: 3}
    assert (last.calls, last.failed_calls, last.reused_calls) == (4, 1, 0)
    assert last.unpriced_calls == 4
    assert last.cases_per_second == pytest.approx(3 / last.seconds)


async def test_nothing_to_judge_makes_no_call(judge, rows):
    assert await judge.run(ScriptedClient(), []) == []
    assert rows() == []
