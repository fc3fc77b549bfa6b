"""The same ledger on PostgreSQL, on a server these tests start and throw away."""

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from citeval_assets.ledger.audit import verify
from citeval_assets.ledger.errors import LedgerWriteError
from citeval_assets.ledger.owners import process_owner
from citeval_assets.ledger.spending import Reservation, SpendingLimit, run_scope
from citeval_assets.ledger.store import Ledger
from citeval_assets.ledger.turns import TurnLength
from ledger.builders import intent, record_calls, reply, tamper
from tests.crashes.scene import kill_session
from tests.postgresql import VARIABLE, address, cluster, fresh_schema, needs_postgresql

pytestmark = [
    needs_postgresql,
    pytest.mark.skipif(address() is not None, reason="the whole suite runs on PostgreSQL already"),
]
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with cluster() as url:
        yield url


@pytest.fixture
def url(server: str) -> Iterator[str]:
    with fresh_schema(server) as url:
        yield url


def test_a_ledger_on_postgresql_keeps_claims_limits_and_its_chain(url: str):
    mine = process_owner()
    limit = SpendingLimit(run_scope("run-1"), Decimal(1))
    with Ledger.open(url) as ledger, Ledger.open(url) as other:
        record_calls(ledger, range(5))
        assert set(other.replies_for(["key-1", "key-4"])) == {"key-1", "key-4"}
        assert other.claim(["key-1", "key-9"], mine, 60) == {"key-9"}
        held = {"call-9": Reservation(Decimal("0.7"), (limit,), mine, 60)}
        assert ledger.add_calls([intent(9)], (), held) == {}
        more = {"call-10": Reservation(Decimal("0.7"), (limit,), mine, 60)}
        assert set(other.add_calls([intent(10)], (), more)) == {"call-10"}
        assert ledger.take_turns("m", [TurnLength(1.0)] * 2)[1] == pytest.approx(1.0)
        assert other.circuit_failed("m", mine, "timeout", limit=1, cooldown_s=9).state == "open"
        assert ledger.circuit("m").reason == "timeout"
        assert verify(other).ok
        tamper(ledger, "UPDATE call_replies SET text = 'x' WHERE nr = 3")
        assert [(f.table, f.row) for f in verify(other).faults] == [("call_replies", 3)]


def test_rows_on_postgresql_cannot_be_changed(url: str):
    with Ledger.open(url) as ledger:
        record_calls(ledger, range(3))
        for change in ("UPDATE call_replies SET text = 'x'", "DELETE FROM texts", "TRUNCATE cases"):
            with ledger.engine.begin() as connection, pytest.raises(Exception, match="append-only"):
                connection.exec_driver_sql(change)


def test_a_server_that_is_gone_is_named(url: str):
    gone = re.sub(r":\d+/", ":1/", url)
    with Ledger.open(url) as ledger:
        record_calls(ledger, range(1))
    with pytest.raises(Exception, match=r"could not be read|connection"):
        Ledger.open(gone)


def test_a_write_that_fails_on_postgresql_holds_the_replies(url: str):
    with Ledger.open(url, busy_timeout_s=0.2) as ledger, Ledger.open(url) as other:
        ledger.add_intents([intent(1)])
        with other._write_lock(), pytest.raises(LedgerWriteError) as caught:
            ledger.add_replies([reply(1)])
        assert caught.value.lost_replies == (reply(1),)
        ledger.add_replies([reply(1)])


SESSIONS = ("session", "reuse", "interrupts", "budget", "shared", "concurrency", "progress")


@pytest.mark.slow
@pytest.mark.parametrize(
    "files",
    [["tests/ledger"], [f"tests/judging/test_{name}.py" for name in SESSIONS]],
    ids=["ledger", "sessions"],
)
def test_the_tests_of_ledger_and_sessions_pass_on_postgresql(server: str, files: list[str]):
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider", *files],
        cwd=ROOT,
        env={**os.environ, VARIABLE: server},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout[-5000:]


@pytest.mark.slow
def test_kills_at_random_moments_lose_nothing_on_postgresql(server: str, tmp_path: Path):
    chance = random.Random(11)
    for _ in range(8):
        with fresh_schema(server) as url:
            kill_session(tmp_path, kill_at=chance.randint(1, 60), ledger_url=url).check()
