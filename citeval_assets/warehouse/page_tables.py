"""Ready-made tables for the pages, added to the published snapshot and never to the warehouse.

They say nothing new: what a page would have to gather from all reports and findings stands there
gathered, so that a page answers at once over a hundred thousand reports.
"""

import json
from collections.abc import Sequence
from dataclasses import fields

from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.reading import ScoreLine, score_table
from citeval_assets.warehouse.sql import query

_FIELDS = tuple(field.name for field in fields(ScoreLine))


def add_page_tables(connection: Connection) -> None:
    """Add the tables to a copy of the warehouse that is about to be published."""
    connection.execute(query("page_tables"))
    connection.execute(query("page_scores"))
    lines = score_table(connection)
    if lines:
        marks = ", ".join(f"${name}" for name in _FIELDS)
        statement = f"INSERT INTO page_scores ({', '.join(_FIELDS)}) VALUES ({marks})"  # noqa: S608
        connection.executemany(statement, [_row(line) for line in lines])


def page_scores(connection: Connection, playbooks: Sequence[str] | None = None) -> list[ScoreLine]:
    """Return the current scores, one line per playbook, judge, prompt version and system."""
    chosen = {"playbooks": None if playbooks is None else list(playbooks)}
    rows = connection.execute(
        f"SELECT {', '.join(_FIELDS)} FROM page_scores "  # noqa: S608
        "WHERE $playbooks IS NULL OR list_contains($playbooks, playbook) "
        "ORDER BY playbook, model, prompt_version, system",
        chosen,
    ).fetchall()
    return [_line(row) for row in rows]


def _row(line: ScoreLine) -> dict[str, object]:
    row: dict[str, object] = {name: getattr(line, name) for name in _FIELDS}
    row["unscored_reasons"] = json.dumps(line.unscored_reasons)
    return row


def _line(row: tuple[object, ...]) -> ScoreLine:
    values = dict(zip(_FIELDS, row, strict=True))
    values["unscored_reasons"] = json.loads(str(values["unscored_reasons"]))
    return ScoreLine(**values)  # pyright: ignore[reportArgumentType]
