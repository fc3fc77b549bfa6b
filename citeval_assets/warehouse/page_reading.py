"""What the pages ask the published snapshot: lists of cases, one case, two sides of a comparison.

The tables are those of ``page_tables``. Conditions are put together from fixed pieces; whatever a
visitor asked for travels as a parameter.
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.sql import query
from citeval_assets.warehouse.tables import GateResultRow

MOST_TERMS = 8
"""Words and phrases of a search that count; further ones are left out."""

_TERM = re.compile(r'"([^"]+)"|(\S+)')


class Sort(StrEnum):
    """What a list of cases is ordered by."""

    SCORE = "score"
    CASE = "case"
    SYSTEM = "system"
    JUDGE = "judge"
    STATUS = "status"
    FAILING = "failing"
    NEWEST = "newest"


_ORDERS = {
    Sort.SCORE: "score {way} NULLS LAST",
    Sort.CASE: "test_case_id {way}",
    Sort.SYSTEM: "system {way}",
    Sort.JUDGE: "model {way}, prompt_version {way}",
    Sort.STATUS: "validation_status {way}, reason {way}",
    Sort.FAILING: "failing {way}",
    Sort.NEWEST: "finished_at {way}",
}
_TIE_BREAK = "playbook, test_case_id, system, model, prompt_version"

_CONDITIONS = {
    "playbook": "playbook = $playbook",
    "system": "system = $system",
    "model": "model = $model",
    "prompt": "prompt_version = $prompt",
    "dataset": "dataset = $dataset",
    "status": "validation_status = $status",
    "routing": "routing = $routing",
    "flag": "list_contains(flags, $flag)",
    "label": "list_contains(labels, $label)",
    "escalation": "list_contains(escalations, $escalation)",
}


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Which current reports are meant; an empty field does not restrict.

    ``text`` is searched in ids, questions and what the systems wrote: every word, and every
    phrase in quotation marks, must stand there, in any case of letters.
    """

    playbook: str = ""
    system: str = ""
    model: str = ""
    prompt: str = ""
    dataset: str = ""
    status: str = ""
    routing: str = ""
    flag: str = ""
    label: str = ""
    escalation: str = ""
    text: str = ""

    @property
    def terms(self) -> tuple[str, ...]:
        """The words and phrases that are searched for, as the searched texts are written."""
        plain = unicodedata.normalize("NFC", self.text).lower()
        found = (phrase or word for phrase, word in _TERM.findall(plain))
        return tuple(dict.fromkeys(term.strip() for term in found if term.strip()))[:MOST_TERMS]

    def where(self) -> tuple[str, dict[str, object]]:
        """Return the condition and its parameters."""
        given = {name: getattr(self, name) for name in _CONDITIONS if getattr(self, name)}
        parts = [_CONDITIONS[name] for name in given]
        terms = {f"term{number}": term for number, term in enumerate(self.terms)}
        if terms:
            matches = " AND ".join(f"contains(searched, ${name})" for name in terms)
            parts.append(
                f"text_number IN (SELECT text_number FROM page_texts WHERE {matches})"  # noqa: S608
            )
        return " AND ".join(parts) or "true", {**given, **terms}


@dataclass(frozen=True, slots=True)
class ListedCase:
    """One current report in a list."""

    playbook: str
    model: str
    prompt_version: str
    system: str
    test_case_id: str
    evaluation_id: str
    case_hash: str
    dataset: str
    risk_level: str
    validation_status: str
    reason: str | None
    score: float | None
    overridden: bool
    verdict: str | None
    routing: str
    escalated: bool
    escalations: list[str]
    immediate: bool
    provisional: bool
    findings: int
    failing: int
    labels: list[str]
    flags: list[str]
    worst_label: str | None
    worst_text: str | None
    worst_source_id: str | None
    finished_at: datetime
    question: str


@dataclass(frozen=True, slots=True)
class CaseTotals:
    """What a filter found, all pages together."""

    reports: int
    scored: int
    mean_score: float | None
    escalated: int


@dataclass(frozen=True, slots=True)
class CasePage:
    """One page of a list, and what the whole list amounts to."""

    totals: CaseTotals
    rows: tuple[ListedCase, ...]


def list_cases(
    connection: Connection,
    wanted: CaseFilter,
    *,
    sort: Sort = Sort.SCORE,
    descending: bool = False,
    limit: int = 50,
    offset: int = 0,
) -> CasePage:
    """Return one page of the current reports a filter finds, with the totals of all."""
    where, parameters = wanted.where()
    order = _ORDERS[sort].format(way="DESC" if descending else "ASC")
    return _listed(connection, where, f"{order}, {_TIE_BREAK}", parameters, limit, offset)


def _listed(
    connection: Connection,
    where: str,
    order: str,
    parameters: Mapping[str, object],
    limit: int,
    offset: int,
) -> CasePage:
    statement = query("page_list").replace("/* where */", where).replace("/* order */", order)
    given = {**parameters, "row_limit": limit, "row_offset": offset}
    rows = connection.execute(statement, given).fetchall()
    listed = tuple(ListedCase(*row[4:]) for row in rows if row[4] is not None)
    return CasePage(CaseTotals(*rows[0][:4]), listed)


def filter_words(connection: Connection, playbook: str = "") -> dict[str, list[str]]:
    """Return the words a filter may offer, by kind, each list in order."""
    rows = connection.execute(
        "SELECT DISTINCT kind, word FROM page_words "
        "WHERE $playbook = '' OR playbook = $playbook ORDER BY kind, word",
        {"playbook": playbook},
    ).fetchall()
    found: dict[str, list[str]] = {}
    for kind, word in rows:
        found.setdefault(kind, []).append(word)
    return found


def known_playbooks(connection: Connection) -> list[str]:
    """Return the playbooks with current reports."""
    rows = connection.execute("SELECT DISTINCT playbook FROM page_words ORDER BY ALL").fetchall()
    return [row[0] for row in rows]


@dataclass(frozen=True, slots=True)
class CaseKey:
    """Which report: one case of one system under one judge and prompt version."""

    playbook: str
    test_case_id: str
    system: str
    model: str
    prompt_version: str


def reports_of_case(connection: Connection, playbook: str, test_case_id: str) -> list[ListedCase]:
    """Return the current reports of one case: all its systems, judges and prompt versions."""
    condition = "playbook = $playbook AND test_case_id = $case"
    given = {"playbook": playbook, "case": test_case_id}
    order = "system, model, prompt_version"
    return list(_listed(connection, condition, order, given, 500, 0).rows)


@dataclass(frozen=True, slots=True)
class StoredReport:
    """One report as the warehouse holds it. ``report`` is its JSON, read."""

    evaluation_id: str
    case_hash: str
    dataset: str
    split: str
    score: float | None
    effective_score: float | None
    overridden: bool
    differs_from_issued: bool
    report: dict[str, Any]


def stored_report(connection: Connection, evaluation_id: str, key: CaseKey) -> StoredReport | None:
    """Return one report of one evaluation."""
    row = connection.execute(
        "SELECT evaluation_id, case_hash, dataset, split, score, effective_score, overridden, "
        "differs_from_issued, report FROM reports WHERE evaluation_id = ? AND test_case_id = ? "
        "AND system = ?",
        [evaluation_id, key.test_case_id, key.system],
    ).fetchone()
    return None if row is None else StoredReport(*row[:8], report=json.loads(row[8]))


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One request for one case, and what came back, raw."""

    call_id: str
    attempt: int
    try_number: int
    repeat: int
    status: str
    reason: str | None
    raw_response: str | None
    finish_reason: str | None
    failure_detail: str | None
    http_status: int | None
    answered_model: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: Any
    latency_ms: float | None
    reused: bool
    called_at: datetime


def attempts_of(connection: Connection, evaluation_id: str, key: CaseKey) -> list[AttemptRow]:
    """Return the requests that settled one case of one evaluation, in their order."""
    columns = ", ".join(field.name for field in fields(AttemptRow))
    rows = connection.execute(
        f"SELECT {columns} FROM judge_outputs WHERE evaluation_id = ? AND test_case_id = ? "  # noqa: S608
        "AND system = ? ORDER BY call_index",
        [evaluation_id, key.test_case_id, key.system],
    ).fetchall()
    return [AttemptRow(*row) for row in rows]


def queued_item(connection: Connection, key: CaseKey) -> str | None:
    """Return under which name a report waits for a reviewer; ``None``: it does not."""
    row = connection.execute(
        "SELECT item_id FROM review_queue WHERE playbook = ? AND test_case_id = ? AND system = ? "
        "AND model = ? AND prompt_version = ? LIMIT 1",
        [key.playbook, key.test_case_id, key.system, key.model, key.prompt_version],
    ).fetchone()
    return row[0] if row else None


def gate_rows(connection: Connection) -> list[GateResultRow]:
    """Return the present verdicts, gate by gate, in the order they were written."""
    columns = ", ".join(field.name for field in fields(GateResultRow))
    rows = connection.execute(
        f"SELECT {columns} FROM gate_results ORDER BY gate, rowid"  # noqa: S608  (column names)
    ).fetchall()
    return [GateResultRow(*row) for row in rows]
