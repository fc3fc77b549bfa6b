import logging
import tracemalloc
from dataclasses import replace
from decimal import Decimal
from enum import StrEnum

import pytest
from sqlalchemy import text

from citeval_assets.ledger.audit import verify
from citeval_assets.ledger.errors import LedgerConflict, LedgerError
from citeval_assets.ledger.store import Ledger
from citeval_assets.redaction import Redactor
from ledger.builders import Clock, failure, intent, record_calls, reply


def count(ledger: Ledger, table: str) -> int:
    with ledger.reading() as connection:
        return connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()


def test_a_stored_reply_is_found_by_what_was_asked(ledger: Ledger):
    record_calls(ledger, range(3))
    stored = ledger.reply_for("key-1")
    assert stored is not None
    assert (stored.intent, stored.reply) == (intent(1), reply(1))


def test_an_unknown_key_has_no_reply(ledger: Ledger):
    assert ledger.reply_for("nobody asked") is None


def test_an_intent_alone_is_no_reply(ledger: Ledger):
    ledger.add_intents([intent(1)])
    assert ledger.reply_for("key-1") is None


def test_a_failure_is_never_reused(ledger: Ledger):
    ledger.add_intents([intent(1)])
    ledger.add_replies([failure(1)])
    assert ledger.reply_for("key-1") is None


def test_the_reply_after_a_failure_is_found(ledger: Ledger):
    ledger.add_intents([intent(1), intent(2, call_key="key-1", try_number=2)])
    ledger.add_replies([reply(2), failure(1)])
    stored = ledger.reply_for("key-1")
    assert stored is not None
    assert stored.intent.call_id == "call-2"


def test_the_newest_of_several_replies_counts(ledger: Ledger):
    for number in (1, 2):
        ledger.add_intents([intent(number, call_key="same")])
        ledger.add_replies([reply(number)])
    stored = ledger.reply_for("same")
    assert stored is not None
    assert stored.intent.call_id == "call-2"


def test_many_keys_are_looked_up_at_once(ledger: Ledger):
    record_calls(ledger, range(1200))
    found = ledger.replies_for(f"key-{number}" for number in range(0, 1300, 2))
    assert len(found) == 600
    assert found["key-1198"].reply == reply(1198)


def test_every_field_survives(ledger: Ledger):
    full = reply(
        1,
        failure_reason="timeout",
        failure_detail="no answer",
        http_status=200,
        retry_after_s=1.5,
        fingerprint="fp_1",
        provider="openai",
        cost_usd=Decimal("0.000000123456789012345"),
        cost_note="list price",
        notes_json='["fence removed"]',
    )
    asked = intent(1, response_schema_sha256=None, context_cuts_json='[{"source_id":"1"}]')
    ledger.add_intents([asked])
    ledger.add_replies([full])
    stored = ledger.calls(["call-1"])["call-1"]
    assert (stored.intent, stored.reply) == (asked, full)


def test_the_latency_of_a_reused_call_is_that_of_the_call(ledger: Ledger):
    ledger.add_intents([intent(1)])
    ledger.add_replies([reply(1, latency_ms=2400)])
    for _ in range(2):
        stored = ledger.reply_for("key-1")
        assert stored is not None
        assert stored.reply.latency_ms == 2400
        assert stored.reply.cost_usd == Decimal("0.0123")


@pytest.mark.parametrize("hostile", ["\ud800 alone", "nul \x00 inside", "\ufdd0", "\U000e0041"])
def test_hostile_text_is_kept_exactly(ledger: Ledger, hostile: str):
    ledger.add_intents([intent(1, messages_json=hostile, test_case_id=hostile)])
    ledger.add_replies([reply(1, text=hostile)])
    stored = ledger.reply_for("key-1")
    assert stored is not None
    assert stored.intent.messages_json == hostile
    assert stored.intent.test_case_id == hostile
    assert stored.reply.text == hostile


def test_an_enum_member_is_stored_by_its_value(ledger: Ledger):
    class Kind(StrEnum):
        ACCURACY = "citation_accuracy"

    ledger.add_intents([intent(1, playbook=Kind.ACCURACY)])
    assert ledger.maybe_paid()[0].playbook == "citation_accuracy"


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_is_none_is_refused(ledger: Ledger, number: float):
    ledger.add_intents([intent(1)])
    with pytest.raises(LedgerError, match="use None for unknown"):
        ledger.add_replies([reply(1, latency_ms=number)])
    assert count(ledger, "call_replies") == 0


@pytest.mark.parametrize(
    "wrong", [{"prompt_tokens": 10**30}, {"cost_usd": Decimal("NaN")}, {"cost_usd": Decimal("inf")}]
)
def test_an_amount_that_cannot_be_kept_is_refused(ledger: Ledger, wrong: dict[str, object]):
    ledger.add_intents([intent(1)])
    with pytest.raises(LedgerError, match="use None for unknown"):
        ledger.add_replies([reply(1, **wrong)])
    assert len(ledger.maybe_paid()) == 1


def test_calls_are_found_by_hostile_names(ledger: Ledger):
    name = "case \ud800\x00 '; --"
    ledger.add_intents([intent(1, test_case_id=name, run_id=name, call_key=name, call_id=name)])
    ledger.add_replies([reply(1, call_id=name)])
    assert [call.intent.run_id for call in ledger.calls_of_case(name)] == [name]
    assert [call.intent.run_id for call in ledger.calls_of_run(name)] == [name]
    assert set(ledger.replies_for([name])) == set(ledger.calls([name])) == {name}
    assert ledger.maybe_paid(name) == []


def test_a_record_without_time_is_stamped(ledger: Ledger, clock: Clock):
    ledger.add_intents([intent(1, created_at="")])
    clock.advance(1.5)
    ledger.add_replies([reply(1, created_at="")])
    stored = ledger.calls(["call-1"])["call-1"]
    assert stored.intent.created_at == "2026-11-30T12:00:00.000000+00:00"
    assert stored.reply.created_at == "2026-11-30T12:00:01.500000+00:00"


def test_writing_the_same_reply_again_gives_one_row(ledger: Ledger):
    ledger.add_intents([intent(1)])
    ledger.add_replies([reply(1)])
    ledger.add_replies([reply(1, created_at=""), reply(1)])
    ledger.add_intents([intent(1)])
    assert count(ledger, "call_replies") == 1
    assert count(ledger, "call_intents") == 1


def test_another_reply_under_the_same_id_is_refused(ledger: Ledger):
    record_calls(ledger, range(1))
    with pytest.raises(LedgerConflict, match=r"call_replies call_id 'call-0'.*another text"):
        ledger.add_replies([reply(0, text="changed")])
    assert ledger.calls(["call-0"])["call-0"].reply == reply(0)


def test_a_refused_record_takes_its_whole_transaction_with_it(ledger: Ledger):
    record_calls(ledger, range(1))
    with pytest.raises(LedgerConflict):
        ledger.add_intents([intent(5), intent(0, model="other")])
    assert ledger.maybe_paid() == []


def test_a_reply_without_intent_is_refused(ledger: Ledger):
    with pytest.raises(LedgerConflict, match="a reply needs its intent"):
        ledger.add_replies([reply(1)])


def test_intents_nothing_came_of_are_listed_as_maybe_paid(ledger: Ledger):
    ledger.add_intents([intent(n, run_id=f"run-{n % 2}") for n in range(4)])
    ledger.add_replies([reply(0), failure(3)])
    assert [i.call_id for i in ledger.maybe_paid()] == ["call-1", "call-2"]
    assert [i.call_id for i in ledger.maybe_paid("run-0")] == ["call-2"]


def test_all_answered_calls_of_a_case_are_walked_in_order(ledger: Ledger):
    numbers = range(450)
    ledger.add_intents([intent(n, test_case_id="the case") for n in numbers])
    ledger.add_replies([reply(n) for n in numbers])
    record_calls(ledger, range(500, 505))
    walked = [call.intent.call_id for call in ledger.calls_of_case("the case")]
    assert walked == [f"call-{n}" for n in numbers]


def test_calls_of_a_run_are_walked(ledger: Ledger):
    record_calls(ledger, range(3))
    assert [call.reply for call in ledger.calls_of_run("run-1")] == [reply(n) for n in range(3)]


def test_messages_asked_more_than_once_are_stored_once(ledger: Ledger):
    asked = intent(1)
    ledger.add_intents([asked, replace(asked, call_id="again"), intent(2)])
    ledger.add_intents([replace(asked, call_id="and again")])
    assert count(ledger, "texts") == 2


def test_secrets_in_what_a_provider_says_are_removed_at_the_door(ledger_url: str):
    canary = "canary-secret-000222"
    with Ledger.open(ledger_url, redactor=Redactor([canary])) as ledger:
        ledger.add_intents([intent(1)])
        said = f"Incorrect API key provided: {canary}"
        ledger.add_replies([failure(1, failure_detail=said, text=said)])
        stored = ledger.calls(["call-1"])["call-1"].reply
        ledger.add_replies([failure(1, failure_detail=said, text=said)])
    assert canary not in f"{stored.failure_detail}{stored.text}"


def test_errors_and_logs_hold_neither_statement_nor_text(ledger: Ledger, caplog):
    caplog.set_level(logging.DEBUG)
    with pytest.raises(LedgerConflict) as caught:
        ledger.add_replies([reply(1, text="private words")])
    shown = f"{caught.value} {caught.value.__cause__} {caplog.text}"
    assert "private words" not in shown


def test_walking_needs_no_more_memory_for_more_calls(ledger: Ledger):
    ledger.add_intents([intent(n) for n in range(1000)])
    ledger.add_replies([reply(n, text=f"{n}" + "t" * 20_000) for n in range(1000)])
    tracemalloc.start()
    try:
        walked = sum(1 for _ in ledger.calls_of_run("run-1"))
        report = verify(ledger)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert walked == 1000
    assert report.ok
    assert peak < 14_000_000, "the replies alone are 20 MB"
