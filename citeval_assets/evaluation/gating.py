"""Gates over a project: read both sides, decide, record, show."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from citeval_assets.config.gates import GateConfig
from citeval_assets.evaluation.project import Project, UnknownName
from citeval_assets.evaluation.reviewing import apply_decisions
from citeval_assets.evaluation.standings import known_standings
from citeval_assets.gates.deciding import Qualified, decide, report, undecided
from citeval_assets.gates.defaults import effective_gates
from citeval_assets.gates.loading import Comparison, load
from citeval_assets.gates.model import GateReport, GateResult
from citeval_assets.gates.recording import current_rows, record
from citeval_assets.gates.sides import SidesUnclear, resolve_sides
from citeval_assets.ledger.store import Ledger
from citeval_assets.warehouse.connection import (
    Warehouse,
    WarehouseMissing,
    WarehouseState,
    open_snapshot,
)
from citeval_assets.warehouse.gate_reading import Connection, gate_systems, recorded_decisions
from citeval_assets.warehouse.publishing import publish
from citeval_assets.warehouse.writers import write_gate_results

_NOT_JUDGED = "no rows: nothing has been judged yet; `citeval run` does"


@dataclass(frozen=True, slots=True)
class GateQuery:
    """Which gates are asked for; empty means all. ``published``: read the snapshot."""

    names: tuple[str, ...] = ()
    playbooks: tuple[str, ...] = ()
    published: bool = False


def decide_gates(
    project: Project,
    asked: GateQuery = GateQuery(),
    *,
    record: bool = True,
    qualified: Qualified | None = None,
) -> GateReport:
    """Decide the gates; record the verdicts and show them, also in the snapshot.

    Args:
        project: the opened project.
        asked: which gates.
        record: whether the verdicts are kept.
        qualified: what is known of the judges; by default what the warehouse knows.
    """
    with project.open_ledger() as ledger:
        _ensure_warehouse(ledger, project.warehouse)
        reviewed = 0 if asked.published else apply_decisions(ledger, project.warehouse)
        found = run_gates(project, asked, qualified=qualified)
        changed = record and keep_verdicts(ledger, project.warehouse, found, asked)
    if (changed or reviewed) and project.published_path.exists():
        publish(project.warehouse, project.published_path)
    return found


def _ensure_warehouse(ledger: Ledger, warehouse: Warehouse) -> None:
    """Rebuild a lost warehouse. Rebuilding knows all of judging, which a gate else need not."""
    if warehouse.state() is not WarehouseState.READY:
        from citeval_assets.evaluation.rebuilding import ensure_warehouse

        ensure_warehouse(ledger, warehouse)


def run_gates(
    project: Project,
    asked: GateQuery = GateQuery(),
    *,
    today: date | None = None,
    qualified: Qualified | None = None,
) -> GateReport:
    """Decide the gates of a project from what is in the warehouse. Records nothing.

    Args:
        project: the opened project.
        asked: which gates.
        today: the day allow-list entries are held to; by default this one (UTC).
        qualified: what is known of the judges; by default what the warehouse knows.

    Raises:
        UnknownName: for a gate or playbook that does not exist.
    """
    day = today or datetime.now(UTC).date()
    try:
        return report(_decided(project, asked, day, qualified))
    except WarehouseMissing:
        gates = _chosen(effective_gates(project.settings, ()), asked)
        return report([undecided(gate, _NOT_JUDGED) for gate in gates])


def _decided(
    project: Project, asked: GateQuery, today: date, qualified: Qualified | None
) -> list[GateResult]:
    opened = (
        open_snapshot(project.published_path) if asked.published else project.warehouse.reading()
    )
    # Everything is read in one short opening: a reader blocks the writers of other processes.
    with opened as connection:
        gates = _chosen(effective_gates(project.settings, gate_systems(connection)), asked)
        loaded = [_loaded(connection, project, gate) for gate in gates]
        standings = qualified or known_standings(connection, project)
    return [
        undecided(gate, found) if isinstance(found, str) else decide(found, today, standings)
        for gate, found in zip(gates, loaded, strict=True)
    ]


def _loaded(connection: Connection, project: Project, gate: GateConfig) -> Comparison | str:
    """Return the comparison of a gate, or why there is none."""
    try:
        sides = resolve_sides(gate, project.settings, project.templates)
    except SidesUnclear as unclear:
        return str(unclear)
    return load(connection, gate, sides, project.settings)


def _chosen(gates: Sequence[GateConfig], asked: GateQuery) -> list[GateConfig]:
    known = {gate.name for gate in gates}
    for name in asked.names:
        if name not in known:
            raise UnknownName("gate", name, known)
    playbooks = {gate.playbook for gate in gates}
    for playbook in asked.playbooks:
        if playbook not in playbooks:
            raise UnknownName("gated playbook", playbook, playbooks)
    return [
        gate
        for gate in gates
        if (not asked.names or gate.name in asked.names)
        and (not asked.playbooks or gate.playbook in asked.playbooks)
    ]


def keep_verdicts(
    ledger: Ledger, warehouse: Warehouse, found: GateReport, asked: GateQuery
) -> bool:
    """Record the verdicts in the ledger and show them in the warehouse.

    Returns:
        Whether the warehouse changed: the same verdicts are not written twice.
    """
    record(ledger, found.gates, all_gates=not asked.names and not asked.playbooks)
    return show_verdicts(ledger, warehouse)


def show_verdicts(ledger: Ledger, warehouse: Warehouse) -> bool:
    """Bring ``gate_results`` in line with the ledger; return whether it was not."""
    rows = current_rows(ledger)
    try:
        with warehouse.reading() as connection:
            shown = recorded_decisions(connection)
    except WarehouseMissing:
        return False
    if shown == sorted(row.decision_id for row in rows):
        return False
    write_gate_results(warehouse, rows)
    return True
