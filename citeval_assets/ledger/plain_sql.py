"""Statements that run for every batch of calls, as plain SQL.

SQLAlchemy's expressions are spelled anew each time they are executed, which for a handful of rows
takes longer than the database needs. What is asked all the time is therefore written out, once,
with ``?`` for each value; the driver's own mark takes its place. Everything else goes through
expressions.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, CursorResult

Bindable = str | int | float | None


def run(connection: Connection, sql: str, values: Sequence[Bindable] = ()) -> CursorResult[Any]:
    """Execute one statement; ``values`` take the places of its ``?``."""
    return connection.exec_driver_sql(_marked(sql, connection.dialect.paramstyle), tuple(values))


def run_for(
    connection: Connection, sql: str, keys: Sequence[Bindable], *more: Bindable
) -> CursorResult[Any]:
    """Execute one statement about some keys: ``IN (*)`` in it stands for ``IN (?, ?, ...)``.

    ``more`` are the values after the keys. An empty ``IN ()`` is no SQL: there must be a key.
    """
    marks = ", ".join("?" * len(keys))
    return run(connection, sql.replace("IN (*)", f"IN ({marks})"), (*keys, *more))


def run_many(connection: Connection, sql: str, rows: Sequence[tuple[Bindable, ...]]) -> None:
    """Execute one statement for each of ``rows``."""
    if rows:
        connection.exec_driver_sql(_marked(sql, connection.dialect.paramstyle), list(rows))


def selection(table: str, columns: tuple[str, ...], key: str) -> str:
    """Return the statement that asks for these columns of the rows with some keys."""
    return f"SELECT {', '.join(columns)} FROM {table} WHERE {key} IN (*)"  # noqa: S608 (our names)


def insertion(table: str, columns: tuple[str, ...]) -> str:
    """Return the statement that adds a row with these columns."""
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 (our names)


def _marked(sql: str, paramstyle: str) -> str:
    return sql if paramstyle == "qmark" else sql.replace("?", "%s")
