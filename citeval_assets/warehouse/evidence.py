"""Why a case came out as it did: the findings that cost it, with the evidence."""

import json
from dataclasses import dataclass
from typing import Any

from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.sql import query


@dataclass(frozen=True, slots=True)
class FailingFinding:
    """One citation, claim, step or criterion that did not earn its full weight."""

    unit: str
    text: str
    source_id: str | None
    label: str
    flags: tuple[str, ...]
    explanation: str
    quote_found_in: str | None
    decided_by: str
    evidence: tuple[str, ...]

    @property
    def told(self) -> str:
        """The finding in one line: what, why, and against which passage."""
        kinds = ", ".join(dict.fromkeys((self.label, *self.flags)))
        source = f" [{self.source_id}]" if self.source_id else ""
        elsewhere = f" (it stands in {self.quote_found_in})" if self.quote_found_in else ""
        return f"{self.unit} {self.text!r}{source}: {kinds}{elsewhere}. {self.explanation}".strip()


def failing_findings(
    connection: Connection,
    evaluation_id: str,
    test_case_id: str,
    system: str,
    limit: int = 10,
) -> list[FailingFinding]:
    """Return the findings of one case that cost it score, the worst first."""
    chosen = {
        "evaluation_id": evaluation_id,
        "test_case_id": test_case_id,
        "system": system,
        "row_limit": limit,
    }
    rows = connection.execute(query("failing_findings"), chosen).fetchall()
    return [FailingFinding(*_read(row)) for row in rows]


@dataclass(frozen=True, slots=True)
class JudgesWord:
    """What one judge said of one citation, claim, step or criterion of a case."""

    model: str
    unit: str
    unit_number: int
    text: str
    source_id: str | None
    label: str
    flags: tuple[str, ...]
    explanation: str
    weight: float


def judges_words(
    connection: Connection,
    playbook: str,
    prompt_version: str,
    test_case_id: str,
    system: str,
) -> list[JudgesWord]:
    """Return what all judges now say of one case, what cost it score first."""
    chosen = {
        "playbook": playbook,
        "prompt_version": prompt_version,
        "test_case_id": test_case_id,
        "system": system,
    }
    rows = connection.execute(query("judges_words"), chosen).fetchall()
    return [_word(row) for row in rows]


def _word(row: tuple[Any, ...]) -> JudgesWord:
    model, unit, number, text, source_id, label, flags, explanation, weight = row
    types = tuple(flag["type"] for flag in json.loads(flags))
    return JudgesWord(model, unit, number, text, source_id, label, types, explanation, weight)


def _read(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row with flags and evidence read from their JSON columns."""
    flags = tuple(flag["type"] for flag in json.loads(row[4]))
    evidence = tuple(place["text"] for place in json.loads(row[8]))
    return (*row[:4], flags, *row[5:8], evidence)


def question_of(connection: Connection, playbook: str, test_case_id: str, system: str) -> str:
    """Return the question of a present case; empty where the case is gone."""
    found = connection.execute(
        "SELECT question FROM test_cases WHERE playbook = ? AND test_case_id = ? AND system = ?",
        [playbook, test_case_id, system],
    ).fetchone()
    return found[0] if found else ""
