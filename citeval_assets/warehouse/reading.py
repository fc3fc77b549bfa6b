"""Typed questions to the warehouse, for commands, pages, asset metadata and gates.

Every function takes an open connection (``Warehouse.reading`` or ``open_snapshot``), so that one
short opening can serve several questions.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import groupby
from math import fsum
from typing import Any

from pydantic import TypeAdapter

from citeval_assets.playbooks.report import Escalation
from citeval_assets.playbooks.vocabulary import Status
from citeval_assets.warehouse.connection import Warehouse, WarehouseMissing
from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.sql import query
from citeval_assets.warehouse.tables import EvaluationRow, ScoreTrendRow
from citeval_assets.warehouse.trends import ScoreSummary, summarise

_NAMES: TypeAdapter[tuple[str, ...]] = TypeAdapter(tuple[str, ...])
_ESCALATIONS: TypeAdapter[tuple[Escalation, ...]] = TypeAdapter(tuple[Escalation, ...])


@dataclass(frozen=True, slots=True)
class ScoreOutcome:
    """One current report, as far as a score table needs it."""

    playbook: str
    model: str
    prompt_version: str
    system: str
    validation_status: str
    reason: str | None
    counted_score: float | None
    effective_score: float | None
    overridden: bool
    escalated: bool
    provisional: bool
    truncated: bool

    @property
    def line(self) -> tuple[str, str, str, str]:
        """What one line of the score table is about."""
        return (self.playbook, self.model, self.prompt_version, self.system)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLine(ScoreSummary):
    """One line of the score table: one system under one judge and prompt version."""

    playbook: str
    model: str
    prompt_version: str
    system: str
    mean_effective_score: float | None
    n_overridden: int
    n_escalated: int
    n_provisional: int
    n_truncated: int


@dataclass(frozen=True, slots=True)
class WorstCase:
    """One case that came out badly, or not at all."""

    playbook: str
    model: str
    prompt_version: str
    test_case_id: str
    system: str
    question: str
    validation_status: str
    reason: str | None
    score: float | None
    effective_score: float | None
    verdict: str | None
    routing: str
    escalations: tuple[str, ...]
    message: str

    @property
    def why(self) -> str:
        """Why it stands in the table, in a few words."""
        if not Status(self.validation_status).scored:
            cause = f"{self.validation_status}: {self.reason or 'no reason given'}"
            return f"{cause} ({self.message})" if self.message else cause
        return ", ".join(filter(None, (self.verdict, *self.escalations))) or "low score"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison. Without a ``system`` it stands for every system."""

    model: str
    prompt_version: str
    system: str | None = None


@dataclass(frozen=True, slots=True)
class SideOfCase:
    """How one case came out on one side."""

    system: str
    evaluation_id: str
    case_hash: str
    validation_status: str
    reason: str | None
    score: float | None
    effective_score: float | None
    overridden: bool
    provisional: bool
    verdict: str | None
    hallucinated_source_count: int | None


@dataclass(frozen=True, slots=True)
class PairedCase:
    """One case on both sides; a side that never saw it is ``None``."""

    test_case_id: str
    baseline: SideOfCase | None
    candidate: SideOfCase | None

    @property
    def difference(self) -> float | None:
        """Candidate minus baseline by effective score; ``None`` unless both have one."""
        if self.baseline is None or self.candidate is None:
            return None
        before, after = self.baseline.effective_score, self.candidate.effective_score
        return None if before is None or after is None else after - before


@dataclass(frozen=True, slots=True)
class CaseMoment:
    """One case in one evaluation of its history."""

    finished_at: datetime
    evaluation_id: str
    model: str
    prompt_version: str
    system: str
    case_hash: str
    epoch: str
    run_id: str
    validation_status: str
    reason: str | None
    score: float | None
    effective_score: float | None
    verdict: str | None
    routing: str
    escalations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EscalatedReport:
    """One current report that a person must look at."""

    evaluation_id: str
    playbook: str
    model: str
    prompt_version: str
    test_case_id: str
    system: str
    case_hash: str
    escalations: tuple[Escalation, ...]
    immediate: bool
    provisional: bool
    risk_level: str
    validation_status: str
    score: float | None
    routing: str
    question: str
    finished_at: datetime


@dataclass(frozen=True, slots=True)
class LabelCount:
    """How many current findings carry one label."""

    playbook: str
    model: str
    prompt_version: str
    system: str
    unit: str
    label: str
    findings: int


def score_table(
    connection: Connection,
    *,
    playbook: str | None = None,
    model: str | None = None,
    prompt_version: str | None = None,
) -> list[ScoreLine]:
    """Return the current scores, one line per playbook, judge, prompt version and system."""
    chosen = {"playbook": playbook, "model": model, "prompt_version": prompt_version}
    rows = connection.execute(query("score_outcomes"), chosen).fetchall()
    outcomes = [ScoreOutcome(*row) for row in rows]
    return [
        _score_line(line, list(members))
        for line, members in groupby(outcomes, key=lambda outcome: outcome.line)
    ]


def worst_cases(
    connection: Connection,
    playbook: str,
    *,
    model: str | None = None,
    prompt_version: str | None = None,
    system: str | None = None,
    limit: int = 10,
) -> list[WorstCase]:
    """Return the current cases that are not perfect, the lowest score first, unscored ones last."""
    chosen: Mapping[str, object] = {
        "playbook": playbook,
        "model": model,
        "prompt_version": prompt_version,
        "system": system,
        "row_limit": limit,
    }
    rows = connection.execute(query("worst_cases"), chosen).fetchall()
    return [WorstCase(*_read_json(row, 12, _NAMES)) for row in rows]


def paired_cases(
    connection: Connection, playbook: str, *, baseline: Side, candidate: Side
) -> list[PairedCase]:
    """Return every case either side has judged, the largest loss of the candidate first.

    Cases pair by ``test_case_id``; cases without both scores stand last.
    """
    chosen = {
        "playbook": playbook,
        "baseline_model": baseline.model,
        "baseline_prompt": baseline.prompt_version,
        "baseline_system": baseline.system,
        "candidate_model": candidate.model,
        "candidate_prompt": candidate.prompt_version,
        "candidate_system": candidate.system,
    }
    rows = connection.execute(query("paired_cases"), chosen).fetchall()
    return [PairedCase(row[0], _side(row[1:12]), _side(row[12:23])) for row in rows]


def case_history(
    connection: Connection, playbook: str, test_case_id: str, *, system: str | None = None
) -> list[CaseMoment]:
    """Return one case through all evaluations, the oldest first."""
    chosen = {"playbook": playbook, "test_case_id": test_case_id, "system": system}
    rows = connection.execute(query("case_history"), chosen).fetchall()
    return [CaseMoment(*_read_json(row, 14, _NAMES)) for row in rows]


def escalated_reports(connection: Connection) -> list[EscalatedReport]:
    """Return the current reports a person must look at, the oldest first.

    Abstentions that golden data expects are closed already and do not appear.
    """
    rows = connection.execute(query("escalated_reports")).fetchall()
    return [EscalatedReport(*_read_json(row, 7, _ESCALATIONS)) for row in rows]


def label_counts(connection: Connection, *, playbook: str | None = None) -> list[LabelCount]:
    """Return how often each label was given, per judge, prompt version and system."""
    rows = connection.execute(query("label_counts"), {"playbook": playbook}).fetchall()
    return [LabelCount(*row) for row in rows]


def current_evaluations(connection: Connection) -> list[EvaluationRow]:
    """Return the evaluations that are current, those of one partition in the order of writing."""
    rows = connection.execute(query("current_evaluations")).fetchall()
    return [EvaluationRow(*row) for row in rows]


def evaluation_ids(warehouse: Warehouse) -> frozenset[str]:
    """Return the ids of all evaluations the warehouse holds; none where there is none yet."""
    try:
        with warehouse.reading() as connection:
            rows = connection.execute("SELECT evaluation_id FROM evaluations").fetchall()
    except WarehouseMissing:
        return frozenset()
    return frozenset(row[0] for row in rows)


def quarantine_count(connection: Connection, playbook: str) -> int:
    """Return how many rows of a playbook's data files are refused at present."""
    found = connection.execute(
        "SELECT count(*) FROM quarantine WHERE playbook = ?", [playbook]
    ).fetchone()
    return found[0] if found else 0


def score_history(
    connection: Connection, *, playbook: str | None = None, system: str | None = None
) -> list[ScoreTrendRow]:
    """Return the score trend, the oldest evaluation first."""
    chosen = {"playbook": playbook, "system": system}
    rows = connection.execute(query("score_history"), chosen).fetchall()
    return [ScoreTrendRow(*row) for row in rows]


def non_finite_scores(connection: Connection) -> list[tuple[str, str, str]]:
    """Return (evaluation_id, test_case_id, system) of reports whose score is NaN or infinite.

    There are none, unless somebody edited the file; a gate that finds one must not pass.
    """
    return connection.execute(query("non_finite")).fetchall()


def _score_line(line: tuple[str, str, str, str], outcomes: list[ScoreOutcome]) -> ScoreLine:
    playbook, model, prompt_version, system = line
    effective = [o.effective_score for o in outcomes if o.effective_score is not None]
    return ScoreLine(
        playbook=playbook,
        model=model,
        prompt_version=prompt_version,
        system=system,
        **asdict(summarise(outcomes)),
        mean_effective_score=fsum(effective) / len(effective) if effective else None,
        n_overridden=sum(outcome.overridden for outcome in outcomes),
        n_escalated=sum(outcome.escalated for outcome in outcomes),
        n_provisional=sum(outcome.provisional for outcome in outcomes),
        n_truncated=sum(outcome.truncated for outcome in outcomes),
    )


def _read_json(row: tuple[Any, ...], at: int, kind: TypeAdapter[Any]) -> tuple[Any, ...]:
    """Return a row with the JSON column at position ``at`` read."""
    return (*row[:at], kind.validate_json(row[at]), *row[at + 1 :])


def _side(values: tuple[Any, ...]) -> SideOfCase | None:
    return None if values[0] is None else SideOfCase(*values)
