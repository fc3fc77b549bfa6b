"""Numbered steps from an empty store to today's schema. Steps are added, never edited."""

import re
from dataclasses import dataclass
from importlib.resources import files

from sqlalchemy import Connection, inspect, select

from citeval_assets.ledger import dialects
from citeval_assets.ledger.chain import CHAIN, GENESIS, ChainWriter
from citeval_assets.ledger.errors import LedgerVersionError
from citeval_assets.ledger.schema import (
    FIRST_TABLES,
    JUDGE_MEASUREMENTS,
    SCHEMA_MIGRATIONS,
    TRACE_OFFERS,
    TRACES,
    ChainTable,
    chain_heads,
)


@dataclass(frozen=True, slots=True)
class Migration:
    """One step. ``new_tables`` join the chain and are protected by triggers."""

    version: int
    name: str
    new_tables: tuple[ChainTable, ...]

    def statements(self) -> list[str]:
        """Return the SQL of the step, one statement each."""
        script = files(__name__).joinpath(f"{self.version:04d}_{self.name}.sql")
        text = re.sub(r"--[^\n]*", "", script.read_text(encoding="utf-8"))
        return [part.strip() for part in text.split(";") if part.strip()]


MIGRATIONS = (
    Migration(1, "first", FIRST_TABLES),
    Migration(2, "shared_state", ()),
    Migration(3, "judge_measurements", (JUDGE_MEASUREMENTS,)),
    Migration(4, "production_traces", (TRACES, TRACE_OFFERS)),
    Migration(5, "look_ups", ()),
)


def applied_version(connection: Connection) -> int:
    """Return the number of the last step applied, 0 for an empty store.

    Raises:
        LedgerVersionError: A newer citeval has been here.
    """
    if not inspect(connection).has_table(SCHEMA_MIGRATIONS.name):
        return 0
    column = SCHEMA_MIGRATIONS.table.c.version
    version = connection.execute(select(column).order_by(column.desc()).limit(1)).scalar() or 0
    newest = MIGRATIONS[-1].version
    if version > newest:
        raise LedgerVersionError(
            f"the ledger has schema version {version}, this citeval knows {newest}: "
            "it was opened by a newer citeval; install that version or newer"
        )
    return version


def migrate(connection: Connection, now: str) -> None:
    """Apply what is missing. The caller holds the write lock, all steps are one transaction."""
    version = applied_version(connection)
    for step in MIGRATIONS:
        if step.version <= version:
            continue
        for statement in step.statements():
            connection.exec_driver_sql(statement)
        heads = [] if version else [CHAIN]
        heads += [table.name for table in step.new_tables]
        if heads:
            connection.execute(
                chain_heads.insert(),
                [{"name": name, "row_count": 0, "row_hash": GENESIS} for name in heads],
            )
        for table in step.new_tables:
            dialects.protect(connection, table)
        chain = ChainWriter(connection)
        row = {"version": step.version, "name": step.name, "applied_at": now}
        chain.append(SCHEMA_MIGRATIONS, [row])
        chain.finish()
        version = step.version
