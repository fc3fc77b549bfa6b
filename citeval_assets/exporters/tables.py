"""The current reports and findings as CSV or JSONL."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TextIO

import duckdb

from citeval_assets.exporters.csv_guard import CellKind, Column, Value, write_csv
from citeval_assets.warehouse.sql import query

_BATCH = 2_000


class ExportFormat(StrEnum):
    """How a table is written."""

    CSV = "csv"
    JSONL = "jsonl"


@dataclass(frozen=True, slots=True)
class Exported:
    """One table that can be exported: its query and its columns. ``nested`` hold JSON."""

    name: str
    columns: tuple[Column, ...]
    nested: frozenset[str]


def _columns(described: str) -> tuple[Column, ...]:
    """Read columns written as ``name``, ``name:number``; ``?`` behind one: may hold nothing."""
    found: list[Column] = []
    for word in described.split():
        name, _, kind = word.rstrip("?").partition(":")
        found.append(Column(name, CellKind(kind or "text"), nullable=word.endswith("?")))
    return tuple(found)


EXPORTS: Mapping[str, Exported] = {
    "reports": Exported(
        "export_reports",
        _columns(
            "evaluation_id playbook model prompt_version test_case_id system case_hash dataset "
            "split risk_level question validation_status reason? score:number? "
            "effective_score:number? overridden:flag verdict? routing attempts:whole "
            "truncated:flag escalated:flag escalations provisional:flag flags message"
        ),
        frozenset({"escalations", "flags"}),
    ),
    "findings": Exported(
        "export_findings",
        _columns(
            "evaluation_id playbook model prompt_version test_case_id system finding_index:whole "
            "unit unit_number:whole text source_id? label weight:number? flags severity? "
            "decided_by explanation evidence quote_found_in? category? step_index:whole? "
            "char_start:whole? char_end:whole?"
        ),
        frozenset({"flags", "evidence"}),
    ),
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which rows are exported; ``None`` does not restrict."""

    playbook: str | None = None
    model: str | None = None
    system: str | None = None


def export_table(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    chosen: Chosen,
    out: TextIO,
    form: ExportFormat,
) -> int:
    """Write a table to ``out`` (opened with ``newline=""``); return the number of rows.

    Raises:
        KeyError: there is no such table.
    """
    exported = EXPORTS[table]
    rows = _rows(connection, exported, chosen)
    if form is ExportFormat.CSV:
        return write_csv(out, exported.columns, rows)
    written = 0
    for row in rows:
        out.write(_json_line(exported, row) + "\n")
        written += 1
    return written


def _rows(
    connection: duckdb.DuckDBPyConnection, exported: Exported, chosen: Chosen
) -> Iterator[Sequence[Value]]:
    asked = {"playbook": chosen.playbook, "model": chosen.model, "system": chosen.system}
    found = connection.execute(query(exported.name), asked)
    while batch := found.fetchmany(_BATCH):
        yield from batch


def _json_line(exported: Exported, row: Sequence[Value]) -> str:
    document: dict[str, object] = {}
    for column, value in zip(exported.columns, row, strict=True):
        if column.name in exported.nested and isinstance(value, str):
            document[column.name] = json.loads(value)
        else:
            document[column.name] = value
    return json.dumps(document, ensure_ascii=False, allow_nan=False)
