"""What one cell has to judge: which cases, in which order, and which of them it may not."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from citeval_assets.evaluation.answering import cases_for, replays
from citeval_assets.evaluation.cases import prepared_cases
from citeval_assets.evaluation.drawing import fair_order
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.judging.answered import answers_as
from citeval_assets.judging.budget import Budget
from citeval_assets.judging.examiner import CaseTask
from citeval_assets.judging.outcomes import failure_of
from citeval_assets.ledger.members import Members
from citeval_assets.ledger.records import DatasetMember, DatasetRecord
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.vocabulary import Reason, TemplateKind


@dataclass(frozen=True, slots=True)
class CellTasks:
    """The cases of one cell. ``total`` is ``None`` where it is not known before."""

    project: Project
    ledger: Ledger
    cell: Cell
    dataset: DatasetRecord
    members: Members
    total: int | None

    def prepared(self, members: Sequence[DatasetMember] | None = None) -> Iterator[CaseTask]:
        """Yield the cases, or some of them, prepared one after the other as they are drawn."""
        wanted = self.members if members is None else members
        return _tasks(self.project, self.ledger, self.cell, self.dataset, wanted)


def tasks_of(
    project: Project,
    ledger: Ledger,
    cell: Cell,
    dataset: DatasetRecord,
    budget: Budget,
    settled: Container[int] = (),
) -> CellTasks:
    """Return what the model of a cell is to be asked about.

    Without the cases whose positions are ``settled``.
    Where a limit may end the run early, the order is that of a fair sample.
    """
    members = Members(member for member in dataset.members if member.position not in settled)
    limited = budget.limited and not project.settings.model(cell.model).embedded
    generates = get_playbook(cell.playbook).kind is TemplateKind.GENERATE
    names: dict[str, tuple[str, str]] = {}
    if limited or generates:
        names = ledger.case_names(member.case_hash for member in members)
    if limited:
        members = Members(fair_order(members, names, dataset.dataset_version))
    total: int | None = len(members)
    if generates:
        replaying = replays(project, cell)
        total = None if replaying else len({test_case_id for test_case_id, _ in names.values()})
    return CellTasks(project, ledger, cell, dataset, members, total)


def _tasks(
    project: Project,
    ledger: Ledger,
    cell: Cell,
    dataset: DatasetRecord,
    members: Sequence[DatasetMember],
) -> Iterator[CaseTask]:
    judges = get_playbook(cell.playbook).kind is TemplateKind.JUDGE
    for item in cases_for(project, cell, prepared_cases(ledger, dataset, members)):
        system = item.prepared.case.system
        yield CaseTask(
            case_hash=item.case_hash,
            dataset_version=dataset.dataset_version,
            prepared=item.prepared,
            refused=self_judging(project, cell, system) if judges else None,
            position=item.position,
        )


def self_judging(project: Project, cell: Cell, system: str) -> Failure | None:
    """Return why a judge may not grade a system: it is the model that wrote its answers."""
    judge = project.settings.model(cell.model)
    if judge.allow_self_judging:
        return None
    writer = _model_of(project, system)
    if writer is None or not (answers_as(judge.model, writer) or answers_as(writer, judge.model)):
        return None
    return failure_of(
        Reason.SELF_JUDGING,
        f"judge {judge.id} is the model of system {system}: judge it with another model, or set "
        "allow_self_judging: true for this one",
    )


def _model_of(project: Project, system: str) -> str | None:
    """Return the name of the model that answers for a system, as far as it is known."""
    label = next((s for s in project.settings.systems if s.label == system), None)
    # The answers of a target model without a configured system bear its id before the bar.
    named = (
        label.model if label is not None else system.partition("|")[0] if "|" in system else None
    )
    if named is None:
        return None
    configured = next((m for m in project.settings.models if m.id == named), None)
    return named if configured is None else configured.model
