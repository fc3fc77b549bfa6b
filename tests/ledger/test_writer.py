import asyncio
from collections.abc import Callable, Sequence
from threading import Event, Timer
from typing import Any

import pytest

from citeval_assets.ledger.errors import LedgerConflict, LedgerError, LedgerWriteError
from citeval_assets.ledger.leases import Leasing, Taken
from citeval_assets.ledger.records import CallIntent, CallReply
from citeval_assets.ledger.store import Ledger
from citeval_assets.ledger.writer import GroupWriter
from ledger.builders import intent, record_calls, reply


@pytest.fixture
def batches(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The call ids of each transaction, in order."""
    seen: list[list[str]] = []
    write = ledger.add_calls

    def counted(intents: Sequence[CallIntent], replies: Sequence[CallReply], *others: Any) -> Any:
        seen.append([record.call_id for record in (*intents, *replies)])
        return write(intents, replies, *others)

    monkeypatch.setattr(ledger, "add_calls", counted)
    return seen


async def test_a_reply_is_on_disk_when_its_writer_returns(ledger: Ledger):
    async with GroupWriter(ledger) as writer:
        await writer.intent(intent(1))
        assert [i.call_id for i in ledger.maybe_paid()] == ["call-1"]
        await writer.reply(reply(1))
        assert ledger.reply_for("key-1") is not None


async def test_what_waits_at_once_is_one_transaction(ledger: Ledger, batches: list[list[str]]):
    async with GroupWriter(ledger) as writer:
        await asyncio.gather(*(writer.intent(intent(n)) for n in range(40)))
    assert [len(batch) for batch in batches] == [40]


async def test_what_comes_during_a_transaction_forms_the_next(
    ledger: Ledger, batches: list[list[str]], monkeypatch: pytest.MonkeyPatch
):
    go_on = held_up(ledger, monkeypatch)
    async with GroupWriter(ledger) as writer:
        first = asyncio.create_task(writer.intent(intent(0)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        rest = [asyncio.create_task(writer.intent(intent(n))) for n in range(1, 30)]
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(first, *rest)
    assert [len(batch) for batch in batches] == [1, 29]


def held_up(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> Event:
    """Make the ledger's writes wait for the event returned."""
    go_on = Event()
    write = ledger.add_calls

    def waiting(*records: Any) -> Any:
        go_on.wait(10)
        return write(*records)

    monkeypatch.setattr(ledger, "add_calls", waiting)
    return go_on


async def test_a_reply_handed_in_is_written_no_later_than_the_next_request(
    ledger: Ledger, batches: list[list[str]], monkeypatch: pytest.MonkeyPatch
):
    """So a slot that is free once its reply is handed in lends itself to no intent too many."""
    async with GroupWriter(ledger, max_batch=1) as writer:
        await writer.intent(intent(1))
        stored = writer.hand_in(reply(1))
        await writer.intent(intent(2))
        assert stored.done()
    assert batches == [["call-1"], ["call-1"], ["call-2"]]


async def test_the_key_of_a_request_is_leased_with_its_intent(ledger: Ledger):
    async with GroupWriter(ledger, Leasing("me", 60)) as mine:
        assert await mine.intent(intent(1)) is None
    async with GroupWriter(ledger, Leasing("other", 60)) as others:
        found = await asyncio.gather(others.intent(intent(2)), others.intent(intent(1)))
    assert found == [None, Taken()]
    assert {key: claim.owner for key, claim in ledger.claims(["key-1", "key-2"]).items()} == {
        "key-1": "me",
        "key-2": "other",
    }


async def test_a_question_that_is_answered_is_asked_again_only_where_a_fresh_reply_is_wanted(
    ledger: Ledger,
):
    record_calls(ledger, range(1, 2))
    again = intent(1, call_id="call-again")
    async with GroupWriter(ledger, Leasing("me", 60)) as writer:
        assert await writer.intent(again) == Taken()
    assert ledger.maybe_paid() == []
    async with GroupWriter(ledger, Leasing("me", 60, fresh=True)) as writer:
        assert await writer.intent(again) is None
    assert [one.call_id for one in ledger.maybe_paid()] == ["call-again"]


async def test_batches_have_a_largest_size(ledger: Ledger, batches: list[list[str]]):
    async with GroupWriter(ledger, max_batch=10) as writer:
        await asyncio.gather(*(writer.intent(intent(n)) for n in range(25)))
    assert [len(batch) for batch in batches] == [10, 10, 5]


def failing(error: Callable[[], Exception]) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise error()

    return fail


async def test_a_write_error_reaches_everyone_who_waits(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
):
    async with GroupWriter(ledger) as writer:
        with monkeypatch.context() as patch:
            patch.setattr(ledger, "add_calls", failing(lambda: LedgerWriteError("disk full")))
            results = await asyncio.gather(
                *(writer.intent(intent(n)) for n in range(5)), return_exceptions=True
            )
        assert [str(result) for result in results] == ["disk full"] * 5
        await writer.intent(intent(9))
    assert [i.call_id for i in ledger.maybe_paid()] == ["call-9"]


async def test_a_refused_record_does_not_harm_its_neighbours(ledger: Ledger):
    ledger.add_intents([intent(3)])
    async with GroupWriter(ledger) as writer:
        records = [intent(n, model="other") if n == 3 else intent(n) for n in range(6)]
        results = await asyncio.gather(
            *(writer.intent(record) for record in records), return_exceptions=True
        )
    assert [type(result) for result in results if result is not None] == [LedgerConflict]
    assert len(ledger.maybe_paid()) == 6


async def test_an_intent_given_up_before_it_was_written_is_not_written(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
):
    """It will not be sent, so it must not look like a call that may have been paid."""
    go_on = held_up(ledger, monkeypatch)
    async with GroupWriter(ledger) as writer:
        first = asyncio.create_task(writer.intent(intent(0)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        second = asyncio.create_task(writer.intent(intent(1)))
        await asyncio.sleep(0)
        second.cancel()
        go_on.set()
        await first
    assert [i.call_id for i in ledger.maybe_paid()] == ["call-0"]


async def test_a_paid_reply_is_written_even_if_nobody_waits_any_more(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
):
    ledger.add_intents([intent(n) for n in range(2)])
    go_on = held_up(ledger, monkeypatch)
    async with GroupWriter(ledger) as writer:
        tasks = [asyncio.create_task(writer.reply(reply(n))) for n in range(2)]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        go_on.set()
    assert len(ledger.replies_for(["key-0", "key-1"])) == 2


async def test_a_closed_writer_takes_nothing(ledger: Ledger):
    writer = GroupWriter(ledger)
    await writer.close()
    with pytest.raises(LedgerError, match="closed"):
        await writer.intent(intent(1))


async def test_flush_waits_for_what_was_handed_in(ledger: Ledger):
    async with GroupWriter(ledger) as writer:
        task = asyncio.create_task(writer.intent(intent(1)))
        await asyncio.sleep(0)
        await writer.flush()
        assert len(ledger.maybe_paid()) == 1
        await task


def test_a_run_that_is_interrupted_still_writes_what_it_paid_for(ledger: Ledger):
    ledger.add_intents([intent(1)])

    async def run() -> None:
        async with GroupWriter(ledger) as writer:
            waiting = asyncio.create_task(writer.reply(reply(1)))
            await asyncio.sleep(0)
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            await asyncio.sleep(0)
            raise KeyboardInterrupt if waiting.cancelled() else AssertionError

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(run())
    assert ledger.reply_for("key-1") is not None


async def test_a_close_that_is_interrupted_still_writes_what_was_paid_for(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
):
    ledger.add_intents([intent(n) for n in range(3)])
    go_on = held_up(ledger, monkeypatch)
    writer = GroupWriter(ledger)
    waiting = [asyncio.create_task(writer.reply(reply(0)))]
    await asyncio.sleep(0)
    await asyncio.sleep(0)  # the first is being written, the others wait their turn
    waiting += [asyncio.create_task(writer.reply(reply(n))) for n in (1, 2)]
    closing = asyncio.create_task(writer.close())
    await asyncio.sleep(0)
    closing.cancel()
    Timer(0.02, go_on.set).start()  # closing holds up this thread until the first is written
    with pytest.raises(asyncio.CancelledError):
        await closing
    await asyncio.gather(*waiting)
    assert len(ledger.replies_for(["key-0", "key-1", "key-2"])) == 3


class Bystander:
    """Other work on the loop that notes when it was held and let go on."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def hold(self) -> None:
        self.told.append("hold")

    def release(self) -> None:
        self.told.append("release")


async def test_beside_other_work_a_batch_waits_for_what_is_about_to_come(
    ledger: Ledger, batches: list[list[str]], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("citeval_assets.ledger.gathering.QUIET_S", 0.05)
    monkeypatch.setattr("citeval_assets.ledger.gathering.LONGEST_S", 10.0)
    async with GroupWriter(ledger, beside=Bystander()) as writer:
        waiting: list[asyncio.Task[object]] = []
        for number in range(5):
            waiting.append(asyncio.create_task(writer.intent(intent(number))))
            await asyncio.sleep(0)
        await asyncio.gather(*waiting)
    assert [len(batch) for batch in batches] == [5]


async def test_a_batch_begins_though_something_joins_it_all_the_time(
    ledger: Ledger, batches: list[list[str]]
):
    async with GroupWriter(ledger, beside=Bystander()) as writer:
        waiting: list[asyncio.Task[object]] = []
        while not batches:
            waiting.append(asyncio.create_task(writer.intent(intent(len(waiting)))))
            await asyncio.sleep(0)
        await asyncio.gather(*waiting)
    assert sum(map(len, batches)) == len(waiting)


async def test_other_work_is_held_while_a_batch_is_written(ledger: Ledger):
    beside = Bystander()
    async with GroupWriter(ledger, beside=beside) as writer:
        await writer.intent(intent(1))
        await writer.reply(reply(1))
    assert beside.told == ["hold", "release", "hold", "release"]


async def test_other_work_goes_on_after_a_batch_that_failed(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: Any) -> Any:
        raise LedgerWriteError("disk full")

    monkeypatch.setattr(ledger, "add_calls", full)
    beside = Bystander()
    async with GroupWriter(ledger, beside=beside) as writer:
        with pytest.raises(LedgerWriteError):
            await writer.intent(intent(1))
    assert beside.told == ["hold", "release"]
