"""The type of a DuckDB connection. DuckDB itself (13 MB) is imported when one is opened."""

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import duckdb

Connection: TypeAlias = "duckdb.DuckDBPyConnection"
