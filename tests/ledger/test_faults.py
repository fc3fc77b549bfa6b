"""The disk, the lock and the database failing at every possible moment."""

import asyncio
import os
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import OperationalError

from citeval_assets.ledger.audit import verify
from citeval_assets.ledger.dialects import write_transaction
from citeval_assets.ledger.errors import LedgerReadError, LedgerWriteError
from citeval_assets.ledger.store import Ledger
from citeval_assets.ledger.writer import GroupWriter
from ledger.builders import case, dataset, evaluation, intent, item, record_calls, reply
from ledger.conftest import sqlite_only


@contextmanager
def failing_at(ledger: Ledger, number: int) -> Iterator[list[int]]:
    """Fail the ``number``-th statement or commit from here on, and only that."""
    seen: list[int] = []

    def count(*_: object) -> None:
        seen.append(1)
        if len(seen) == number:
            raise OperationalError("", None, sqlite3.OperationalError("disk I/O error"))

    event.listen(ledger.engine, "before_cursor_execute", count)
    event.listen(ledger.engine, "commit", count)
    try:
        yield seen
    finally:
        event.remove(ledger.engine, "before_cursor_execute", count)
        event.remove(ledger.engine, "commit", count)


WRITES: dict[str, Callable[[Ledger], object]] = {
    "intents": lambda ledger: ledger.add_intents([intent(n) for n in range(100, 103)]),
    "replies": lambda ledger: ledger.add_replies([reply(n) for n in range(3)]),
    "dataset": lambda ledger: ledger.register_dataset(
        dataset("v-1", range(3)), map(case, range(3))
    ),
    "evaluation": lambda ledger: ledger.record_evaluation(
        evaluation("e-1"), [item("e-1", n) for n in range(3)]
    ),
    "claim": lambda ledger: ledger.claim(["a", "b"], "me", 60),
}


@pytest.mark.parametrize("kind", WRITES)
def test_a_write_that_fails_anywhere_leaves_nothing_and_can_be_repeated(ledger: Ledger, kind: str):
    write = WRITES[kind]
    ledger.add_intents([intent(n) for n in range(3)])
    before = ledger.head()
    failures = 0
    while True:
        with failing_at(ledger, failures + 1) as seen:
            try:
                write(ledger)
            except (LedgerWriteError, LedgerReadError) as error:
                assert "disk I/O error" in str(error)
            else:
                break
        assert len(seen) == failures + 1
        failures += 1
        if kind != "dataset":  # its cases are written ahead of it, in transactions of their own
            assert ledger.head() == before
        assert ledger.claims(["a", "b"]) == {}
        assert verify(ledger).ok
    assert failures >= 3
    assert verify(ledger).ok


def test_opening_that_fails_anywhere_can_be_repeated(ledger_url: str):
    failures = 0
    while True:
        count = 0

        def fail(*_: object, at: int = failures + 1) -> None:
            nonlocal count
            count += 1
            if count == at:
                raise OperationalError("", None, sqlite3.OperationalError("disk I/O error"))

        event.listen(Engine, "before_cursor_execute", fail)
        try:
            ledger = Ledger.open(ledger_url)
        except (LedgerReadError, LedgerWriteError):
            failures += 1
            continue
        finally:
            event.remove(Engine, "before_cursor_execute", fail)
        break
    with ledger:
        assert failures > 20
        assert verify(ledger).ok
        assert len(ledger.secret()) == 32


def test_the_error_holds_the_replies_that_were_paid_for(ledger: Ledger):
    ledger.add_intents([intent(n) for n in range(3)])
    lost = (reply(0), reply(1, cost_usd=None), reply(2))
    with failing_at(ledger, 3), pytest.raises(LedgerWriteError) as caught:
        ledger.add_replies(lost)
    assert caught.value.lost_replies == lost
    assert caught.value.lost_cost_usd == Decimal("0.0246")
    assert "3 replies that had arrived could not be kept" in str(caught.value)
    assert "at least 0.0246 USD" in str(caught.value)
    assert len(ledger.maybe_paid()) == 3


@contextmanager
def room_for(bytes_: int) -> Iterator[None]:
    """Let no file grow beyond ``bytes_``: the operating system refuses, as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@sqlite_only
def test_a_disk_that_is_full_after_n_bytes_loses_nothing_silently(tmp_path: Path):
    url, log = f"sqlite:///{tmp_path / 'ledger.db'}", tmp_path / "ledger.db-wal"
    refused = 0
    with Ledger.open(url) as ledger, Ledger.open(url) as keeper:
        keeper.head()  # an open connection keeps the log from being removed
        record_calls(ledger, range(3))
        ledger.add_intents([intent(n) for n in range(100, 200)])
        number = 100
        for spare in (*range(0, 400, 23), *range(400, 20_000, 2222)):
            paid = reply(number, text="x" * 3000)
            before = keeper.head()
            try:
                with room_for(log.stat().st_size + spare):
                    ledger.add_replies([paid])
            except LedgerWriteError as error:
                refused += 1
                assert "free space" in str(error)
                assert error.lost_replies == (paid,)
                assert ledger.head() == before
                assert ledger.reply_for(f"key-{number}") is None
                ledger.add_replies([paid])
            assert ledger.reply_for(f"key-{number}") is not None
            number += 1
        assert refused > 20
        assert verify(ledger).ok
    with Ledger.open(url) as again:
        assert verify(again).ok
        assert len(again.replies_for(f"key-{n}" for n in range(100, number))) == number - 100


@sqlite_only
async def test_a_full_disk_reaches_everyone_who_waits(ledger: Ledger):
    ledger.add_intents([intent(n) for n in range(20)])
    with ledger.reading() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    with write_transaction(ledger.engine) as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    texts = ["y" * 5000] * 20
    async with GroupWriter(ledger) as writer:
        results = await asyncio.gather(
            *(writer.reply(reply(n, text=words)) for n, words in enumerate(texts)),
            return_exceptions=True,
        )
        assert {type(result) for result in results} == {LedgerWriteError}
        assert all("full" in str(result) for result in results)
        assert len(ledger.maybe_paid()) == 20
        # The limit went with the connection that failed: space is free again.
        await asyncio.gather(*(writer.reply(reply(n)) for n in range(20)))
    assert ledger.maybe_paid() == []
    assert verify(ledger).ok


def test_a_store_others_keep_locked_is_named_so(ledger: Ledger, ledger_url: str):
    with (
        Ledger.open(ledger_url, busy_timeout_s=0.05) as hurried,
        write_transaction(ledger.engine),
        pytest.raises(LedgerWriteError, match=r"lock"),
    ):
        hurried.add_intents([intent(1)])
    ledger.add_intents([intent(1)])


def test_reading_goes_on_while_somebody_writes(ledger: Ledger, ledger_url: str):
    record_calls(ledger, range(2))
    with Ledger.open(ledger_url) as reader, write_transaction(ledger.engine):
        assert reader.reply_for("key-1") is not None
        assert verify(reader).ok


def test_a_store_that_is_gone_is_named(ledger: Ledger):
    with ledger.engine.connect() as connection, connection.begin():
        connection.execute(text("DROP TABLE claims"))
    with pytest.raises(LedgerReadError, match="claims"):
        ledger.claims(["a"])
    with pytest.raises(LedgerWriteError, match="claims"):
        ledger.claim(["a"], "me", 60)


@sqlite_only
def test_a_damaged_page_is_a_fault_not_a_crash(ledger: Ledger, tmp_path: Path):
    numbers = range(200)
    ledger.add_intents([intent(n) for n in numbers])
    ledger.add_replies([reply(n, text="z" * 2000) for n in numbers])
    ledger.close()  # moves the log into the file
    file = tmp_path / "ledger.db"
    sound = file.read_bytes()
    for place in range(4096 * 20, len(sound), 4096 * 23):
        damaged = bytearray(sound)
        damaged[place + 7 : place + 40] = bytes(
            byte ^ 0xFF for byte in sound[place + 7 : place + 40]
        )
        file.write_bytes(damaged)
        with suppress(LedgerReadError), Ledger.open(f"sqlite:///{file}") as opened:
            # A read error says as clearly that something is wrong.
            assert not verify(opened).ok


@sqlite_only
@pytest.mark.parametrize("lost", [4096, 10_000, 50_000])
def test_a_file_cut_short_is_refused_with_the_remedy(ledger: Ledger, tmp_path: Path, lost: int):
    record_calls(ledger, range(50))
    ledger.close()
    file = tmp_path / "ledger.db"
    os.truncate(file, file.stat().st_size - lost)
    with pytest.raises(LedgerReadError, match=r"damaged: restore a backup"):
        Ledger.open(f"sqlite:///{file}")


@sqlite_only
def test_a_few_bytes_lost_at_the_end_of_the_file_do_not_pass(ledger: Ledger, tmp_path: Path):
    record_calls(ledger, range(50))
    ledger.close()
    file = tmp_path / "ledger.db"
    sound = file.read_bytes()
    for lost in (1, 7, 200, 2000):
        file.write_bytes(sound[:-lost])
        with suppress(LedgerReadError), Ledger.open(f"sqlite:///{file}") as opened:
            assert not verify(opened).ok
