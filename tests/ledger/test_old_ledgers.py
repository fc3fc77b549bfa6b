"""A ledger written by an older citeval: it verifies, is read, and goes on.

``data/chain_of_november.jsonl`` holds every row of a ledger as the code of November 2026 wrote it,
with text of every kind. It is never made anew: that it still fits is the point.
"""

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, text, update

from citeval_assets.ledger.audit import verify
from citeval_assets.ledger.chain import CHAIN, row_hash
from citeval_assets.ledger.records import CallIntent, CallReply
from citeval_assets.ledger.schema import CHAIN_TABLES, chain_heads
from citeval_assets.ledger.store import Ledger
from ledger.builders import (
    case,
    dataset,
    evaluation,
    failure,
    intent,
    item,
    record_calls,
    reply,
    unguarded,
)

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "chain_of_november.jsonl").open(encoding="ascii")
]


@pytest.fixture
def old(ledger: Ledger) -> Ledger:
    """A ledger that holds these rows and no others."""
    with unguarded(ledger) as connection:
        for table in CHAIN_TABLES:
            connection.execute(text(f"DELETE FROM {table.name}"))
            mine = [row for row in ROWS if row["table"] == table.name]
            for row in mine:
                numbers = {name: row[name] for name in ("nr", "seq", "prev_hash", "row_hash")}
                connection.execute(insert(table.table).values(**numbers, **row["columns"]))
            set_end(connection, table.name, mine)
        set_end(connection, CHAIN, ROWS)
    return ledger


def set_end(connection: Any, name: str, rows: list[dict[str, Any]]) -> None:
    ends = {"row_count": len(rows), "row_hash": rows[-1]["row_hash"] if rows else ""}
    connection.execute(update(chain_heads).where(chain_heads.c.name == name).values(**ends))


def test_its_rows_have_the_hashes_they_had():
    for row in ROWS:
        place = (row["table"], row["nr"], row["seq"], row["prev_hash"])
        assert row_hash(*place, row["columns"]) == row["row_hash"]


def test_it_verifies_and_goes_on(old: Ledger):
    assert verify(old).rows == len(ROWS)
    record_calls(old, range(10, 13))
    report = verify(old)
    assert report.ok, report.faults
    assert report.rows == len(ROWS) + 9


def test_its_replies_are_found(old: Ledger):
    found = old.replies_for([f"key-{number}" for number in range(7)])
    assert {key: call.reply for key, call in found.items()} == {
        f"key-{number}": made for number, made in enumerate(REPLIES) if made.outcome == "reply"
    }
    assert found["key-4"].intent == INTENTS[4]


NOW = "2026-11-30T12:00:00.000000+00:00"
INTENTS: list[CallIntent] = [
    *map(intent, range(3)),
    intent(
        3,
        test_case_id="Größe \x00 \ud800 \ufdd0 👍",
        source_ids=("ü", '"\\', "1"),
        response_schema_sha256=None,
        created_at=NOW,
    ),
    intent(
        4,
        messages_json='[{"content":"Ünïcödé 漢字 👍 \x7f \u2028 \\" \\\\ \\n \x01 \ud800\udc00",'
        '"role":"user"}]',
        context_cuts_json='[{"source":"1"}]',
    ),
    intent(
        5,
        repeat=2,
        attempt=3,
        try_number=4,
        messages_json='[{"role":"user","content":"question 0"}]',
    ),
    intent(6),
]
REPLIES: list[CallReply] = [
    *map(reply, range(3)),
    failure(3, retry_after_s=0.1, failure_detail="zu viel: Größe \ud800\n", latency_ms=0.0),
    reply(
        4,
        text="漢字 \x00 é \t \x7f \u2029 👍",
        prompt_tokens=2**62,
        cost_usd=Decimal("1E-7"),
        latency_ms=1e-7,
        notes_json='["ü"]',
        provider="",
        fingerprint="fp_\u00e9",
    ),
    reply(5, text=None, cost_usd=None, cost_note="no price", latency_ms=1e22, created_at=NOW),
]


def test_the_same_records_become_the_same_rows(ledger: Ledger):
    ledger.register_dataset(dataset("data-1", range(3)), map(case, range(3)))
    ledger.add_intents(INTENTS[:3])
    ledger.add_replies(REPLIES[:3])
    ledger.add_intents(INTENTS[3:])
    ledger.add_replies(REPLIES[3:])
    last = item("e-1", 1, score=None, reason="timeout", status="failed", call_ids=())
    items = [item("e-1", 0), replace(last, escalations=("a", "é"))]
    ledger.record_evaluation(evaluation("e-1"), items)
    for table in CHAIN_TABLES:
        if table.name in ("schema_migrations", "installation", "selections", "run_anchors"):
            continue
        query = select(*(table.table.c[name] for name in table.columns)).order_by(table.table.c.nr)
        with ledger.reading() as connection:
            written = [dict(row) for row in connection.execute(query).mappings()]
        assert written == [row["columns"] for row in ROWS if row["table"] == table.name]
