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


def rows(connection: Connection, sql: str, values: Sequence[Bindable] = ()) -> Sequence[Any]:
    """Return the rows a query finds; ``values`` take the places of its ``?``."""
    return _executed(connection, sql, values).all()


def rows_for(
    connection: Connection, sql: str, keys: Sequence[Bindable], *more: Bindable
) -> Sequence[Any]:
    """Return what a query about some keys finds: its ``IN (*)`` stands for ``IN (?, ?, ...)``.

    ``more`` are the values after the keys. ``IN ()`` is no SQL: there must be a key.
    """
    return rows(connection, _spelled_out(sql, keys), (*keys, *more))


def run_for(connection: Connection, sql: str, keys: Sequence[Bindable]) -> None:
    """Execute a statement about some keys, written like those for ``rows_for``."""
    _executed(connection, _spelled_out(sql, keys), keys)


def run_many(connection: Connection, sql: str, values: Sequence[tuple[Bindable, ...]]) -> None:
    """Execute a statement once for each tuple of values."""
    if values:
        connection.exec_driver_sql(_marked(connection, sql), list(values))


def selection(table: str, columns: tuple[str, ...], key: str) -> str:
    """Return the statement that asks for these columns of the rows with some keys."""
    return f"SELECT {', '.join(columns)} FROM {table} WHERE {key} IN (*)"  # noqa: S608 (our names)


def insertion(table: str, columns: tuple[str, ...]) -> str:
    """Return the statement that adds a row with these columns."""
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 (our names)


def _executed(connection: Connection, sql: str, values: Sequence[Bindable]) -> CursorResult[Any]:
    return connection.exec_driver_sql(_marked(connection, sql), tuple(values))


def _spelled_out(sql: str, keys: Sequence[Bindable]) -> str:
    return sql.replace("IN (*)", f"IN ({', '.join('?' * len(keys))})")


def _marked(connection: Connection, sql: str) -> str:
    return sql if connection.dialect.paramstyle == "qmark" else sql.replace("?", "%s")
