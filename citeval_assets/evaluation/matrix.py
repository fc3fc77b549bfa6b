"""The evaluation matrix: of every cell, whether it is done, missing or stale, and why.

Dagster shows no staleness for a partitioned asset as a whole; this does.
"""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from pydantic import Field

from citeval_assets.evaluation.current import evaluation_key
from citeval_assets.evaluation.inputs import load_completed
from citeval_assets.evaluation.partition import cell_epoch_of
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.evaluation.summaries import Summary, waits
from citeval_assets.ledger.records import EvaluationItem, EvaluationRecord
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.qualification.canaries import is_canary


class CellState(StrEnum):
    """What there is to do about one cell."""

    DONE = "done"
    MISSING = "missing"
    STALE = "stale"
    INCOMPLETE = "incomplete"


class MatrixCell(Summary):
    """One cell of the matrix, with the reasons of its state and what its evaluation holds."""

    playbook: str
    model: str
    prompt_version: str
    state: CellState
    why: tuple[str, ...] = ()
    evaluation_id: str | None = None
    finished_at: str | None = None
    cases: int = 0
    statuses: dict[str, int] = Field(default_factory=dict)


def evaluation_matrix(
    project: Project, ledger: Ledger, playbooks: Sequence[str] = ()
) -> list[MatrixCell]:
    """Compare every cell with the files as they are now. Makes no call.

    Raises:
        UnknownName: for a playbook the project does not have.
    """
    cells = project.cells(playbooks)
    present = {name: _Present(project, name, ledger) for name in {cell.playbook for cell in cells}}
    evaluated = _Evaluated(ledger)
    return [
        _matrix_cell(ledger, cell, evaluated.of(cell), present[cell.playbook]) for cell in cells
    ]


class _Evaluated:
    """The current evaluations, looked up together: most cells of a large matrix have none."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._scopes = ledger.all_current("scope")
        self._evaluations = ledger.all_current("evaluation")

    def of(self, cell: Cell) -> EvaluationRecord | None:
        scope = self._scopes.get(evaluation_key(cell, ""))
        if scope is None:
            return None
        evaluation_id = self._evaluations.get(evaluation_key(cell, scope))
        return self._ledger.evaluation(evaluation_id) if evaluation_id else None


class _Present:
    """The cases of one playbook as the files hold them now."""

    def __init__(self, project: Project, playbook: str, ledger: Ledger) -> None:
        self.project = project
        found, completed, self.version = load_completed(project, playbook, ledger=ledger)
        self.cases = len(completed)
        self.quarantined = len(found.quarantined)
        self.rules: set[DomainRules] = {item.settings.rules for item in completed}
        self.hashes = {item.loaded.case_hash for item in completed}


def _matrix_cell(
    ledger: Ledger, cell: Cell, record: EvaluationRecord | None, present: _Present
) -> MatrixCell:
    if record is None:
        return MatrixCell(
            playbook=cell.playbook,
            model=cell.model,
            prompt_version=cell.prompt_version,
            state=CellState.MISSING,
            why=(f"never evaluated: {present.cases} cases to judge",),
            cases=present.cases,
        )
    items = [item for item in ledger.items(record.evaluation_id) if not is_canary(item)]
    stale = _changes(ledger, cell, record, present)
    open_items = _open_items(items)
    state = CellState.STALE if stale else CellState.INCOMPLETE if open_items else CellState.DONE
    return MatrixCell(
        playbook=cell.playbook,
        model=cell.model,
        prompt_version=cell.prompt_version,
        state=state,
        why=(*stale, *open_items),
        evaluation_id=record.evaluation_id,
        finished_at=record.finished_at,
        cases=len(items),
        statuses=dict(sorted(Counter(item.status for item in items).items())),
    )


def _changes(
    ledger: Ledger, cell: Cell, record: EvaluationRecord, present: _Present
) -> tuple[str, ...]:
    changes: list[str] = []
    template = present.project.templates.get(cell.playbook, cell.prompt_version)
    if template.sha256 != record.template_sha256:
        changes.append("the prompt template (or its examples) changed")
    if present.version != record.dataset_version:
        changes.append(_case_changes(ledger, record, present))
    if not changes and cell_epoch_of(present.project, cell, present.rules) != record.epoch:
        changes.append("the judge's settings, the rules or the scoring version changed")
    return tuple(changes)


def _case_changes(ledger: Ledger, record: EvaluationRecord, present: _Present) -> str:
    dataset = ledger.dataset(record.playbook, record.dataset_version)
    judged = {member.case_hash for member in dataset.members} if dataset else set[str]()
    new, gone = len(present.hashes - judged), len(judged - present.hashes)
    if not new and not gone:
        return "the rules or the grouping of the datasets changed"
    return f"cases changed: {new} new or edited, {gone} gone or replaced"


def _open_items(items: Sequence[EvaluationItem]) -> tuple[str, ...]:
    waiting = Counter(
        f"{item.status}: {item.reason}" for item in items if waits(item.status, item.reason)
    )
    return tuple(f"{count} cases still open ({why})" for why, count in sorted(waiting.items()))
