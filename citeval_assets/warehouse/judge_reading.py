"""What is known of the judges: qualification, bridges between epochs, noise, calibration."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from citeval_assets.playbooks.report import Escalation
from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.judge_tables import (
    BridgeRow,
    CalibrationRow,
    JudgeNoiseRow,
    JudgeQualificationRow,
)
from citeval_assets.warehouse.reading import EscalatedReport
from citeval_assets.warehouse.sql import query

_ESCALATIONS: TypeAdapter[tuple[Escalation, ...]] = TypeAdapter(tuple[Escalation, ...])


@dataclass(frozen=True, slots=True)
class JudgeStanding:
    """Whether a judge was qualified, under which epoch, and why not."""

    playbook: str
    model: str
    prompt_version: str
    epoch: str
    qualified: bool
    reasons: tuple[str, ...]


def judge_standings(connection: Connection) -> list[JudgeStanding]:
    """Return every judge that was put to the test."""
    rows = connection.execute(query("judge_standing")).fetchall()
    return [JudgeStanding(*_with_reasons(row)) for row in rows]


def _with_reasons(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*row[:5], tuple(json.loads(row[5])))


def qualification_rows(
    connection: Connection, playbook: str | None = None
) -> list[JudgeQualificationRow]:
    """Return the qualification of every judge, fault by fault, the whole first."""
    rows = connection.execute(query("judge_qualification"), {"playbook": playbook}).fetchall()
    return [JudgeQualificationRow(*row) for row in rows]


def bridge_rows(connection: Connection, playbook: str | None = None) -> list[BridgeRow]:
    """Return the bridges between epochs, the oldest first."""
    rows = connection.execute(query("bridges"), {"playbook": playbook}).fetchall()
    return [BridgeRow(*row) for row in rows]


def noise_rows(
    connection: Connection,
    playbook: str | None = None,
    model: str | None = None,
    prompt_version: str | None = None,
) -> list[JudgeNoiseRow]:
    """Return what is known of the judges' own noise, the newest last."""
    chosen = {"playbook": playbook, "model": model, "prompt_version": prompt_version}
    rows = connection.execute(query("judge_noise"), chosen).fetchall()
    return [JudgeNoiseRow(*row) for row in rows]


def void_evaluations(connection: Connection, evaluations: Sequence[str]) -> list[str]:
    """Return why evaluations among these are void: what their canaries scored."""
    rows = connection.execute(
        "SELECT DISTINCT canary_detail FROM evaluations "
        "WHERE canaries = 'failed' AND list_contains(?, evaluation_id) ORDER BY ALL",
        [list(evaluations)],
    ).fetchall()
    return [row[0] for row in rows]


def calibration_rows(connection: Connection) -> list[CalibrationRow]:
    """Return the judges against labels, human and constructed ones apart."""
    rows = connection.execute(query("calibration")).fetchall()
    return [CalibrationRow(*row) for row in rows]


def labelled_reports(connection: Connection, case_hashes: Sequence[str]) -> list[EscalatedReport]:
    """Return the current scored reports of these cases, escalated or not."""
    chosen = {"case_hashes": list(case_hashes)}
    rows = connection.execute(query("labelled_reports"), chosen).fetchall()
    return [EscalatedReport(*_with_escalations(row)) for row in rows]


def _with_escalations(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row with the JSON of its escalations read."""
    return (*row[:7], _ESCALATIONS.validate_json(row[7]), *row[8:])
