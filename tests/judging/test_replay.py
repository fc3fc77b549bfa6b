import pytest

from citeval_assets.judging.replay import replay
from citeval_assets.ledger.records import EvaluationItem
from citeval_assets.playbooks.vocabulary import Reason, Status

from .test_session import opens_after
from .toy import MALFORMED, TOY, ScriptedClient, completion, fault, model, task, tasks


def item_of(outcome) -> EvaluationItem:
    report = outcome.report
    return EvaluationItem(
        "evaluation-1",
        outcome.case_hash,
        report.test_case_id,
        report.system,
        outcome.call_ids,
        report.status,
        report.reason,
        report.score,
        report.routing,
    )


def rebuilt(ledger, one, outcome):
    calls = ledger.calls(outcome.call_ids)
    stored = [calls[call_id] for call_id in outcome.call_ids]
    return replay(TOY, one.prepared, stored, item_of(outcome))


SCRIPTS = {
    "valid": [completion()],
    "repaired": [completion(MALFORMED), completion()],
    "never valid": [completion(MALFORMED)],
    "refusal": [completion("I'm sorry, but I can't help with that.")],
    "empty": [completion(None)],
    "filtered": [completion("", "content_filter")],
    "cut": [completion("{", "length"), completion()],
    "flaky": [fault(), completion()],
    "down": [fault()],
    "bad key": [fault(Reason.BAD_KEY, retryable=False)],
    "flaky re-ask": [completion(MALFORMED), fault(), fault(), completion()],
}


@pytest.mark.parametrize("kind", SCRIPTS)
async def test_a_report_rebuilt_from_the_ledger_is_the_report_as_issued(judge, ledger, kind):
    one = task(kind)
    [outcome] = await judge.run(ScriptedClient({f"About {kind}": SCRIPTS[kind]}), [one])
    assert rebuilt(ledger, one, outcome) == outcome.report


async def test_context_cuts_are_rebuilt_from_the_ledger(judge, ledger):
    one = task("a", "One sentence of the source stands here. " * 400)
    [outcome] = await judge.run(ScriptedClient(), [one], token_budget=1500)
    assert outcome.report.truncated
    assert rebuilt(ledger, one, outcome) == outcome.report


async def test_what_ended_without_a_call_is_rebuilt_as_it_was_issued(judge, ledger):
    long = task("long", question="word " * 4000)
    [too_long] = await judge.run(ScriptedClient(), [long], token_budget=1000)
    report = rebuilt(ledger, long, too_long)
    assert (report.status, report.reason) == (Status.INDETERMINATE, Reason.CONTEXT_TOO_LONG)


async def test_an_open_circuit_is_rebuilt_as_an_open_circuit(judge, ledger):
    cases = tasks(4)
    client = ScriptedClient(default=fault(retryable=False))
    outcomes = await judge.run(client, cases, max_concurrency=1, breaker=opens_after(2))
    found = [rebuilt(ledger, one, outcome) for one, outcome in zip(cases, outcomes, strict=True)]
    assert [r.reason for r in found] == [Reason.UNREACHABLE] * 2 + [Reason.CIRCUIT_OPEN] * 2
    assert [r.status for r in found] == [Status.ERROR] * 2 + [Status.INDETERMINATE] * 2


async def test_no_room_for_a_longer_reply_is_rebuilt_as_truncated(judge, ledger):
    one = task("a")
    [outcome] = await judge.run(
        ScriptedClient(default=completion("{", "length")),
        [one],
        output_tokens=900,
        model=model(context_window=1000),
        token_budget=900,
    )
    assert rebuilt(ledger, one, outcome).reason is Reason.TRUNCATED


def test_without_calls_and_record_a_case_counts_as_interrupted():
    report = replay(TOY, task("a").prepared, [])
    assert (report.status, report.reason) == (Status.INDETERMINATE, Reason.INTERRUPTED)
