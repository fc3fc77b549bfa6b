"""What a ledger must survive, and what it may answer from memory."""

import multiprocessing
import os
import random
import resource
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from judging.test_budget import OUTPUT
from judging.test_budget import client as costly
from judging.toy import TEMPLATE, TOY, model, policy, tasks
from ledger.builders import failure, intent, record_calls, reply, tamper
from sqlalchemy import text

from citeval_assets.judging.budget import Budget
from citeval_assets.judging.request import ModelRequest, ReplySchema
from citeval_assets.judging.session import run_session
from citeval_assets.ledger.audit import verify
from citeval_assets.ledger.errors import LedgerConflict, LedgerWriteError, TamperedRowError
from citeval_assets.ledger.owners import process_owner
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import Reason, RiskLevel
from citeval_assets.templates.model import Message
from handed.loader import load_cases
from tests.crashes.scene import kill_session
from tests.crashes.test_crashes import resume_together

ROWS = [
    row
    for file in ("bug_reports", "adversarial")
    for row in load_cases(file, "ledger", "ledger_cache")
]


def test_every_kind_of_case_is_answered() -> None:
    assert {row["kind"] for row in ROWS} <= {*ANSWERS}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def ledger(folder: Path) -> Iterator[Ledger]:
    with opened(folder) as ledger:
        yield ledger


def opened(folder: Path) -> Ledger:
    return Ledger.open(f"sqlite:///{folder / 'ledger.db'}")


SLOW = {"kill_points"}


def _marked(row: dict[str, Any]) -> Any:
    """Twenty kills take their time; a few of them are asked of the quick suite elsewhere."""
    return pytest.param(row, id=row["id"], marks=[pytest.mark.slow] * (row["kind"] in SLOW))


@pytest.mark.parametrize("row", [_marked(row) for row in ROWS])
def test_case(row: dict[str, Any], ledger: Ledger, folder: Path) -> None:
    ANSWERS[row["kind"]](row, ledger, folder)


# --- what may be answered from memory ------------------------------------------------------


def cache_identity(row: dict[str, Any], ledger: Ledger, folder: Path) -> None:
    """Each call of the case, put to the ledger: paid for unless its key has a reply."""
    keys: list[str] = []
    paid = 0
    for number, call in enumerate(row["input"]["calls"]):
        key = request(**call).call_key
        keys.append(key)
        if ledger.reply_for(key) is None:
            ledger.add_intents([intent(number, call_key=key)])
            ledger.add_replies([reply(number)])
            paid += 1
    assert len(set(keys)) == row["expect"]["distinct_keys"]
    assert paid == row["expect"].get("calls_paid", paid)


def request(
    model: str = "prov/a",
    prompt: str = "p",
    api_base: str = "http://one.example",
    **parameters: Any,
) -> ModelRequest:
    return ModelRequest(
        model=model,
        endpoint=api_base,
        messages=(Message(role="user", content=prompt),),
        view=ModelView("toy", "q", RiskLevel.STANDARD, ()),
        schema=ReplySchema("reply", {"type": "object"}),
        parameters=parameters,
    )


def bad_entry_reused(row: dict[str, Any], ledger: Ledger, folder: Path) -> None:
    """A normal response that holds an error is a failure; only the other one is reused."""
    for number, response in enumerate(row["input"]["responses"]):
        assert ledger.reply_for("key") is None
        ledger.add_intents([intent(number, call_key="key", try_number=number + 1)])
        body = response["body"]
        if isinstance(body, dict) and "error" in body:
            said = body["error"]["message"]
            ledger.add_replies([failure(number, http_status=200, failure_detail=said)])
        else:
            ledger.add_replies([reply(number, text=body)])
    stored = ledger.reply_for("key")
    assert stored is not None
    assert stored.reply.text == row["input"]["responses"][-1]["body"]


def resume(row: dict[str, Any], ledger: Ledger, folder: Path) -> None:
    if "kill" in row["input"]:
        resume_after_kill(folder)
    else:
        resume_by_content(row, ledger)


def resume_after_kill(folder: Path) -> None:
    """Killed in its seventh call of twenty: six are reused, the seventh is asked again."""
    context = multiprocessing.get_context("fork")
    child = context.Process(target=killed_in_seventh_call, args=(folder,))
    child.start()
    child.join(60)
    assert child.exitcode == -signal.SIGKILL
    with opened(folder) as ledger:
        wanted = [f"key-{number}" for number in range(1, 21)]
        finished = ledger.replies_for(wanted)
        assert sorted(finished) == [f"key-{number}" for number in range(1, 7)]
        assert [call.call_key for call in ledger.maybe_paid()] == ["key-7"]
        won = ledger.claim(wanted, process_owner(), 60)
        assert len(won) == 14, "the dead owner's lease is taken over, what is finished is not asked"


def killed_in_seventh_call(folder: Path) -> None:
    with opened(folder) as ledger:
        for number in range(1, 21):
            ledger.claim([f"key-{number}"], process_owner(), 3600)
            ledger.add_intents([intent(number)])
            if number == 7:
                os.kill(os.getpid(), signal.SIGKILL)
            ledger.add_replies([reply(number)])


def resume_by_content(row: dict[str, Any], ledger: Ledger) -> None:
    """Finished work is found by what it was about, wherever it stands in a list."""
    keys = {name: request(prompt=name).call_key for name in row["input"]["rows"]}
    for number, name in enumerate(row["input"]["first_run_filter"]):
        ledger.add_intents([intent(number, call_key=keys[name])])
        ledger.add_replies([reply(number)])
    found = ledger.replies_for(keys.values())
    new = [name for name in row["input"]["resume_filter"] if keys[name] not in found]
    assert new == row["expect"]["new_calls"]


def duplicate_write(row: dict[str, Any], ledger: Ledger, folder: Path) -> None:
    ledger.add_intents([intent(1)])
    ledger.add_replies([reply(1)])
    with opened(folder) as after_the_crash:
        after_the_crash.add_intents([intent(1)])
        after_the_crash.add_replies([reply(1)])
        with pytest.raises(LedgerConflict):
            after_the_crash.add_replies([reply(1, text="another verdict")])
    assert len(list(ledger.calls_of_run("run-1"))) == row["expect"]["rows"]


def reuse_metadata(row: dict[str, Any], ledger: Ledger, folder: Path) -> None:
    """The call keeps its own latency and cost; what reusing it costs is the run's to say."""
    ledger.add_intents([intent(1)])
    ledger.add_replies([reply(1, latency_ms=row["input"]["first"]["latency_ms"])])
    with opened(folder) as second_run:
        stored = second_run.reply_for("key-1")
    assert stored is not None
    assert stored.reply.latency_ms == row["expect"]["latency_ms"]
    assert stored.reply.cost_usd == Decimal("0.0123")


# --- what is done to a ledger --------------------------------------------------------------


def tampered_row(row: dict[str, Any], ledger: Ledger, folder: Path) -> None:
    record_calls(ledger, range(1, 21))
    (named,) = row["expect"]["detected"]
    edit = "UPDATE call_replies SET text = replace(text, 'supported', 'unsupported') WHERE nr = :nr"
    tamper(ledger, edit, nr=named)
    faults = verify(ledger).faults
    assert [(f.table, f.row) for f in faults] == [("call_replies", named)]
    with pytest.raises(TamperedRowError) as refused:
        ledger.replies_for(f"key-{number}" for number in range(1, 21))
    assert refused.value.call_keys == {f"key-{named}"}
    assert len(refused.value.sound) == 19
    ledger.add_intents([intent(100, call_key=f"key-{named}")])
    ledger.add_replies([reply(100)])
    redone = ledger.reply_for(f"key-{named}")
    assert redone is not None
    assert redone.intent.call_id == "call-100"


def deleted_row(row: dict[str, Any], ledger: Ledger, folder: Path) -> None:
    record_calls(ledger, range(1, 21))
    at_the_end = ledger.record_run_anchor("run-1")
    for statement, table, first in (
        ("DELETE FROM call_replies WHERE nr = 5", "call_replies", 5),
        ("DELETE FROM call_replies WHERE nr > 17", "call_replies", 18),
    ):
        copy = copied(folder, f"deleted-{first}")
        with opened(copy) as damaged:
            tamper(damaged, statement)
            assert (table, first) in {(f.table, f.row) for f in verify(damaged).faults}
    copy = copied(folder, "cut")
    with opened(copy) as cut:
        rows = at_the_end.rows
        tamper(
            cut,
            "DELETE FROM run_anchors",
            f"DELETE FROM call_replies WHERE seq > {rows - 4}",
            "UPDATE chain_heads SET row_count = 0 WHERE name = 'run_anchors'",
            "UPDATE chain_heads SET row_count = 17 WHERE name = 'call_replies'",
            f"UPDATE chain_heads SET row_count = {rows - 4}, row_hash = (SELECT row_hash FROM "
            "call_replies ORDER BY nr DESC LIMIT 1) WHERE name = '*'",
        )
        assert not verify(cut, [at_the_end]).ok


def reordered_or_copied(row: dict[str, Any], ledger: Ledger, folder: Path) -> None:
    record_calls(ledger, range(1, 21))
    swapped = copied(folder, "swapped")
    with opened(swapped) as damaged:
        renumber = "UPDATE call_replies SET nr = {0}, seq = seq + {1} WHERE nr = {2}"
        tamper(
            damaged,
            renumber.format(1003, 1000, 3),
            renumber.format(3, -1, 4),
            renumber.format(4, 1 - 1000, 1003),
        )
        faults = {(f.table, f.row, f.kind) for f in verify(damaged).faults}
        assert faults == {("call_replies", 3, "swapped"), ("call_replies", 4, "swapped")}
    other = folder / "run-b"
    other.mkdir()
    with opened(other) as run_b:
        run_b.add_intents([replace(intent(number), run_id="run-b") for number in range(1, 22)])
        with run_b.reading() as reading:
            query = text("SELECT * FROM call_intents WHERE nr = 21")
            pasted = dict(reading.execute(query).mappings().one())
    values = ", ".join(f":{name}" for name in pasted)
    tamper(
        ledger,
        f"INSERT INTO call_intents ({', '.join(pasted)}) VALUES ({values})",
        **{**pasted, "seq": ledger.head()[0] + 1},
    )
    assert ("call_intents", 21) in {(f.table, f.row) for f in verify(ledger).faults}


def torn_line(row: dict[str, Any], ledger: Ledger, folder: Path) -> None:
    record_calls(ledger, range(1, 8))
    ledger.add_intents([intent(8)])
    log = folder / "ledger.db-wal"
    start = log.stat().st_size
    ledger.add_replies([reply(8)])
    end = log.stat().st_size
    for cut in range(start + 1, end, 997):
        copy = copied(folder, f"cut-{cut}")
        os.truncate(copy / "ledger.db-wal", cut)
        with opened(copy) as again:
            assert len(again.replies_for(f"key-{number}" for number in range(1, 8))) == 7
            assert [call.call_id for call in again.maybe_paid()] == ["call-8"]
            assert again.torn is not None
            assert again.torn.saved_as.stat().st_size == cut - start
            assert verify(again).ok


def disk_full(row: dict[str, Any], ledger: Ledger, folder: Path) -> None:
    ledger.add_intents([intent(number) for number in range(100)])
    log = folder / "ledger.db-wal"
    refused = 0
    with opened(folder) as keeper:
        keeper.head()
        for number, spare in enumerate(range(0, 401, 8)):
            try:
                with room_for(log.stat().st_size + spare):
                    ledger.add_replies([reply(number)])
            except LedgerWriteError as error:
                refused += 1
                assert error.lost_replies == (reply(number),), "shown as lost, with its cost"
                assert error.lost_cost_usd == Decimal("0.0123")
                assert ledger.reply_for(f"key-{number}") is None
                ledger.add_replies(error.lost_replies)
            assert ledger.reply_for(f"key-{number}") is not None
    assert refused > 40
    assert verify(ledger).ok


@contextmanager
def room_for(bytes_: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def copied(folder: Path, name: str) -> Path:
    """Return a copy of file and log as they stand, as after a crash."""
    copy = folder / name
    copy.mkdir()
    for file in ("ledger.db", "ledger.db-wal"):
        shutil.copy(folder / file, copy / file)
    return copy


# --- what a whole session must survive, and may spend ---------------------------------------


def kill_points(row: dict[str, Any], ledger: Ledger, folder: Path) -> None:
    """Kill a session of sixty calls at random moments, and let another one resume it."""
    chance = random.Random(row["id"])
    for turn in range(row["input"]["repeat"]):
        place = folder / str(turn)
        place.mkdir()
        found = kill_session(place, kill_at=chance.randint(1, 60))
        assert found.lost == row["expect"]["calls_lost"]
        assert found.sent_again == row["expect"]["recorded_paid_twice"]
        found.check()


def two_writers(row: dict[str, Any], ledger: Ledger, folder: Path) -> None:
    """Several processes resume one run at once."""
    given = row["input"]
    url = f"sqlite:///{folder / 'shared.db'}"
    found = resume_together(url, given["processes"], given["calls"])
    assert found == row["expect"]["requests"]


def budget(row: dict[str, Any], ledger: Ledger, folder: Path) -> None:
    """Calls of one price under a limit, several at a time."""
    given, price = row["input"], row["input"]["cost_each"]
    client = costly(price)
    outcomes = run_session(
        playbook=TOY,
        template=TEMPLATE,
        model=model(),
        client=client,
        ledger=ledger,
        policy=policy(
            budget=Budget("run-1", per_run_usd=Decimal(given["limit"])),
            max_concurrency=given["parallel"],
            output_tokens=OUTPUT,
        ),
        run_id="run-1",
        tasks=tasks(2 * given["parallel"]),
    )
    recorded = [call.reply.cost_usd for call in ledger.calls_of_run("run-1")]
    assert len(client.requests) == len(recorded) == row["expect"]["calls"]
    assert sum(cost for cost in recorded if cost is not None) == Decimal(row["expect"]["cost"])
    refused = [o.report for o in outcomes if not o.report.status.scored]
    assert {report.reason for report in refused} == {Reason.BUDGET}


ANSWERS: dict[str, Callable[[dict[str, Any], Ledger, Path], None]] = {
    "cache_identity": cache_identity,
    "bad_entry_reused": bad_entry_reused,
    "resume": resume,
    "duplicate_write": duplicate_write,
    "reuse_metadata": reuse_metadata,
    "tampered_row": tampered_row,
    "deleted_row": deleted_row,
    "reordered_or_copied": reordered_or_copied,
    "torn_line": torn_line,
    "disk_full": disk_full,
    "kill_points": kill_points,
    "two_writers": two_writers,
    "budget": budget,
}
