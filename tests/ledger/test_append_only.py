import sqlite3
from collections.abc import Iterator

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from citeval_assets.ledger.audit import verify
from citeval_assets.ledger.schema import CHAIN_TABLES, ChainTable
from citeval_assets.ledger.store import Ledger
from ledger.builders import case, dataset, evaluation, item, offer, record_calls, trace
from ledger.conftest import sqlite_only
from ledger.test_evaluations import GATE, LABEL, MEASUREMENT, REVIEW

EVERY_TABLE = pytest.mark.parametrize("table", CHAIN_TABLES, ids=lambda table: table.name)


@pytest.fixture
def full(ledger: Ledger) -> Iterator[Ledger]:
    """A ledger with rows in every table."""
    ledger.register_dataset(dataset("v-1", range(2)), map(case, range(2)))
    record_calls(ledger, range(2))
    ledger.record_evaluation(evaluation("e-1"), [item("e-1", 1)])
    ledger.record_gate_decision(GATE)
    ledger.record_review_decision(REVIEW)
    ledger.record_human_label(LABEL)
    ledger.record_measurement(MEASUREMENT)
    ledger.make_current("dataset", "citation_accuracy", "v-1")
    ledger.record_run_anchor("run-1")
    ledger.take_traces([trace(0)], [case(0)])
    ledger.record_offers([offer(0)])
    yield ledger
    assert verify(ledger).ok


def refused(ledger: Ledger, statement: str) -> None:
    with (
        ledger.engine.connect() as connection,
        pytest.raises(DBAPIError, match="append-only"),
        connection.begin(),
    ):
        connection.execute(text(statement))


@EVERY_TABLE
def test_a_row_cannot_be_changed(full: Ledger, table: ChainTable):
    refused(full, f"UPDATE {table.name} SET row_hash = 'x'")


@EVERY_TABLE
def test_a_row_cannot_be_deleted(full: Ledger, table: ChainTable):
    refused(full, f"DELETE FROM {table.name}")


@EVERY_TABLE
@sqlite_only
def test_a_row_cannot_be_replaced(full: Ledger, table: ChainTable):
    columns = ", ".join(table.columns)
    for row in ("nr, seq + 1000", "nr + 1000, seq", "nr + 1000, seq + 1000"):
        refused(
            full,
            f"INSERT OR REPLACE INTO {table.name} SELECT {row}, prev_hash, row_hash, {columns} "
            f"FROM {table.name} LIMIT 1",
        )


@sqlite_only
def test_a_connection_with_other_settings_is_refused_too(full: Ledger):
    """The guards live in the file: they hold for the sqlite3 shell as well."""
    database = full.engine.url.database
    assert database is not None
    stranger = sqlite3.connect(database)
    for statement in (
        "UPDATE call_replies SET text = 'supported'",
        "DELETE FROM call_replies",
        "REPLACE INTO call_replies SELECT * FROM call_replies LIMIT 1",
        "INSERT OR REPLACE INTO cases SELECT nr + 7, seq + 100, prev_hash, row_hash, case_hash, "
        "playbook, test_case_id, system, 'other' FROM cases LIMIT 1",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            stranger.execute(statement)
    stranger.close()


@EVERY_TABLE
def test_a_table_cannot_be_emptied(full: Ledger, table: ChainTable):
    if full.engine.dialect.name == "postgresql":
        refused(full, f"TRUNCATE {table.name} CASCADE")
