"""All that differs between SQLite and PostgreSQL: opening, locking, snapshots and triggers."""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from citeval_assets.ledger.errors import LedgerError
from citeval_assets.ledger.schema import ChainTable

_WRITE_OPTION = "citeval_write"
_ADVISORY_LOCK = 0x63697465  # "cite": any constant will do, as long as every writer uses it


def parse_url(url: str) -> URL:
    """Read the ledger's address.

    Raises:
        LedgerError: No URL, a database this ledger cannot live in, or SQLite without a file.
    """
    expected = "expected sqlite:///path/to/ledger.db or postgresql+psycopg://user@host/name"
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise LedgerError(f"ledger address is no URL; {expected}") from error
    kind = parsed.get_backend_name()
    if kind not in ("sqlite", "postgresql"):
        raise LedgerError(f"ledger cannot be kept in {kind!r}; {expected}")
    if kind == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise LedgerError(f"ledger needs a file, not memory: it must outlive the run; {expected}")
    return parsed


def sqlite_file(url: URL) -> Path | None:
    """Return the database file, or ``None`` where the ledger is no SQLite file."""
    if url.get_backend_name() != "sqlite" or not url.database:
        return None
    return Path(url.database)


def make_engine(url: URL, busy_timeout_s: float) -> Engine:
    """Return an engine whose connections are durable and whose write locks are explicit."""
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url, busy_timeout_s)
    try:
        # Parameters hold prompts and replies: they have no place in an error message.
        engine = create_engine(url, hide_parameters=True, pool_pre_ping=True)
    except ImportError as error:
        raise LedgerError(
            f"the driver {url.get_driver_name()!r} is not installed; install it "
            "(pip install 'psycopg[binary]') and write the address as postgresql+psycopg://..."
        ) from error

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {int(busy_timeout_s * 1000)}")
        connection.commit()

    return engine


def _sqlite_engine(url: URL, busy_timeout_s: float) -> Engine:
    engine = create_engine(
        url,
        hide_parameters=True,
        connect_args={"timeout": busy_timeout_s, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def _configure(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # the driver must not begin or commit on its own
        _switch_to_wal(connection, busy_timeout_s)
        for pragma in (
            "synchronous = FULL",
            "fullfsync = ON",  # macOS: a plain fsync there does not reach the disk
            "foreign_keys = ON",
            "recursive_triggers = ON",  # else REPLACE deletes without asking the triggers
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writing = connection.get_execution_options().get(_WRITE_OPTION, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def _switch_to_wal(connection: sqlite3.Connection, busy_timeout_s: float) -> None:
    """Switch a fresh file to the write-ahead log.

    Two processes doing this at the same moment may get "database is locked" at once, whatever
    the busy timeout says (SQLite skips its busy handler where waiting could deadlock).
    """
    deadline = time.monotonic() + busy_timeout_s
    while True:
        try:
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


@contextmanager
def write_transaction(engine: Engine) -> Iterator[Connection]:
    """Hold the store's write lock; commit at the end, or roll everything back."""
    with engine.connect() as connection:
        connection = connection.execution_options(**{_WRITE_OPTION: True})
        try:
            with connection.begin():
                if engine.dialect.name == "postgresql":
                    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})")
                yield connection
        except BaseException:
            # After an I/O error a connection may be in any state: the next writer gets a new one.
            connection.invalidate()
            raise


@contextmanager
def snapshot(engine: Engine) -> Iterator[Connection]:
    """Read one unchanging state of the store, whatever is written meanwhile.

    Text that is no valid UTF-8 (damage) is read with its bytes escaped instead of failing.
    """
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection
            return
        driver = connection.connection.driver_connection
        if not isinstance(driver, sqlite3.Connection):
            raise LedgerError("the SQLite ledger must be opened with the sqlite3 driver")
        driver.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        try:
            with connection.begin():
                yield connection
        finally:
            driver.text_factory = str


def protect(connection: Connection, table: ChainTable) -> None:
    """Make the database refuse to change, replace or delete rows of ``table``."""
    script = files("citeval_assets.ledger").joinpath(f"guards/{connection.dialect.name}.sql")
    text = re.sub(r"^--.*\n", "", script.read_text(encoding="utf-8"), flags=re.MULTILINE)
    same_key = " AND ".join(f"{column} = NEW.{column}" for column in table.key)
    text = text.replace("{table}", table.name)
    text = text.replace("{same_key}", same_key if table.unique else "FALSE")
    for statement in text.split("\n\n"):
        # The driver of PostgreSQL takes a percent sign for a parameter.
        connection.exec_driver_sql(statement, execution_options={"no_parameters": True})


def damage(connection: Connection) -> list[str]:
    """Return what the database itself finds wrong with its file (SQLite; else nothing)."""
    if connection.dialect.name != "sqlite":
        return []
    lines = connection.exec_driver_sql("PRAGMA integrity_check(20)").scalars().all()
    return [str(line) for line in lines if line != "ok"]
