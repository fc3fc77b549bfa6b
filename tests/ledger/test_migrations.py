import sys
from pathlib import Path

import pytest
from sqlalchemy import BigInteger, inspect, text

from citeval_assets.ledger import connection, migrations
from citeval_assets.ledger.audit import anchor, verify
from citeval_assets.ledger.calls import write_calls
from citeval_assets.ledger.errors import LedgerError, LedgerReadError, LedgerVersionError
from citeval_assets.ledger.migrations import MIGRATIONS, Migration
from citeval_assets.ledger.schema import metadata
from citeval_assets.ledger.spending import day_scope
from citeval_assets.ledger.store import Ledger
from ledger.builders import Clock, intent, record_calls, reply, tamper
from ledger.conftest import sqlite_only


def test_the_migrations_make_the_tables_the_code_knows(ledger: Ledger):
    found = inspect(ledger.engine)
    assert set(found.get_table_names()) == set(metadata.tables)
    for table in metadata.tables.values():
        columns = {column["name"]: column["type"] for column in found.get_columns(table.name)}
        assert list(columns) == [column.name for column in table.columns]
        for column in table.columns:
            assert columns[column.name].python_type is column.type.python_type
            wide = isinstance(columns[column.name], BigInteger)
            assert wide == isinstance(column.type, BigInteger)


def applied(ledger: Ledger) -> list[tuple[int, str]]:
    with ledger.reading() as reading:
        rows = reading.execute(text("SELECT version, name FROM schema_migrations ORDER BY nr"))
        return [(version, name) for version, name in rows]


def test_applied_migrations_are_listed(ledger: Ledger):
    assert applied(ledger) == [(m.version, m.name) for m in MIGRATIONS]


def test_migrations_are_numbered_without_gaps():
    assert [m.version for m in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))


def test_every_script_belongs_to_a_migration():
    scripts = {path.name for path in Path(migrations.__path__[0]).glob("*.sql")}
    assert scripts == {f"{m.version:04d}_{m.name}.sql" for m in MIGRATIONS}


def test_opening_again_changes_nothing(ledger: Ledger, ledger_url: str):
    record_calls(ledger, range(3))
    before, secret = anchor(ledger), ledger.secret()
    with Ledger.open(ledger_url) as again:
        assert (anchor(again), again.secret()) == (before, secret)


def test_the_secret_is_long_and_each_installations_own(ledger: Ledger, tmp_path: Path):
    with Ledger.open(f"sqlite:///{tmp_path / 'other.db'}") as other:
        assert len(ledger.secret()) == 32
        assert other.secret() != ledger.secret()


def test_a_ledger_of_a_newer_version_is_refused(ledger: Ledger, ledger_url: str):
    tamper(ledger, f"UPDATE schema_migrations SET version = 99 WHERE nr = {len(MIGRATIONS)}")
    with pytest.raises(LedgerVersionError, match=r"version 99.*newer citeval"):
        Ledger.open(ledger_url)


@sqlite_only
def test_the_folder_is_made(tmp_path: Path):
    with Ledger.open(f"sqlite:///{tmp_path}/state/citeval/ledger.db"):
        assert (tmp_path / "state" / "citeval" / "ledger.db").exists()


@sqlite_only
def test_the_write_ahead_log_is_on_and_every_commit_is_synced(ledger: Ledger):
    expected = {"journal_mode": "wal", "synchronous": 2, "recursive_triggers": 1, "foreign_keys": 1}
    with ledger.reading() as reading:
        found = {name: reading.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in expected}
    assert found == expected


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("ledger.db", "no URL"),
        ("", "no URL"),
        ("mysql://host/db", "'mysql'"),
        ("sqlite://", "not memory"),
        ("sqlite:///:memory:", "not memory"),
    ],
)
def test_an_address_the_ledger_cannot_live_at_is_refused(url: str, said: str):
    with pytest.raises(LedgerError, match=rf"{said}.*expected sqlite:///"):
        Ledger.open(url)


def test_a_password_in_the_address_is_not_shown():
    with pytest.raises(LedgerError) as caught:
        Ledger.open("mysql://me:hunter2@host/db")
    assert "hunter2" not in str(caught.value)


@sqlite_only
def test_a_file_that_is_no_database_is_not_touched(tmp_path: Path):
    file = tmp_path / "ledger.db"
    file.write_bytes(b"these are somebody's notes, not a database" * 100)
    before = file.read_bytes()
    with pytest.raises(LedgerError, match=r"ledger\.db.*not a database"):
        Ledger.open(f"sqlite:///{file}")
    assert file.read_bytes() == before


def test_a_closed_ledger_can_be_opened_again(ledger_url: str):
    for _ in range(2):
        with Ledger.open(ledger_url) as ledger:
            assert ledger.secret()


@sqlite_only
def test_a_folder_where_the_file_should_be_is_named(tmp_path: Path):
    with pytest.raises((LedgerReadError, LedgerError), match="could not be read"):
        Ledger.open(f"sqlite:///{tmp_path}")


def test_a_missing_driver_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "psycopg2", None)
    with pytest.raises(LedgerError, match=r"'psycopg2' is not installed.*pip install"):
        Ledger.open("postgresql+psycopg2://me@nowhere/db")


class AddColumn(Migration):
    """A later step, as one will come: a new column, with older rows in place."""

    def statements(self) -> list[str]:
        return ["ALTER TABLE call_replies ADD COLUMN reasoning_tokens INTEGER"]


def test_a_later_step_leaves_older_rows_valid(
    ledger: Ledger, ledger_url: str, monkeypatch: pytest.MonkeyPatch
):
    record_calls(ledger, range(3))
    before = anchor(ledger)
    steps = (*MIGRATIONS, AddColumn(len(MIGRATIONS) + 1, "reasoning_tokens", ()))
    monkeypatch.setattr(migrations, "MIGRATIONS", steps)
    monkeypatch.setattr(connection, "MIGRATIONS", steps)
    with Ledger.open(ledger_url) as newer:
        record_calls(newer, range(3, 6))
        assert verify(newer, [before]).ok
        assert applied(newer) == [(step.version, step.name) for step in steps]
        secret = newer.secret()
    monkeypatch.undo()
    with pytest.raises(LedgerVersionError):
        Ledger.open(ledger_url)
    assert ledger.secret() == secret


def test_a_ledger_of_the_first_version_is_brought_forward_with_its_chain(
    ledger_url: str, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", MIGRATIONS[:1])
        patch.setattr(connection, "MIGRATIONS", MIGRATIONS[:1])
        with Ledger.open(ledger_url) as old:
            record_intents_and_replies_of_the_first_version(old)
            before, secret = anchor(old), old.secret()
            assert "spending" not in inspect(old.engine).get_table_names()
    with Ledger.open(ledger_url) as newer:
        assert applied(newer) == [(step.version, step.name) for step in MIGRATIONS]
        assert verify(newer, [before]).ok
        assert newer.secret() == secret
        assert newer.spent(day_scope(Clock().moment)) == (0, 0)
        record_calls(newer, range(1, 3))


def record_intents_and_replies_of_the_first_version(old: Ledger) -> None:
    """As the first version wrote them: it kept no account of what was spent."""
    with old._writing() as chain:
        write_calls(chain, [intent(0)], [reply(0)], "2026-11-30T12:00:00.000000+00:00", None)
