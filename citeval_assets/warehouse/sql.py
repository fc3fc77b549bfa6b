"""Access to the .sql files of this room."""

from functools import cache
from importlib.resources import files

_ROOM = files("citeval_assets.warehouse")


@cache
def schema_sql() -> str:
    """Return the statements that create an empty warehouse."""
    return _ROOM.joinpath("schema.sql").read_text(encoding="utf-8")


@cache
def query(name: str) -> str:
    """Return the text of ``queries/<name>.sql``."""
    return _ROOM.joinpath("queries", f"{name}.sql").read_text(encoding="utf-8")
