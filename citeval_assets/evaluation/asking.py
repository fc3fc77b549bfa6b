"""Asking the model of a cell: in one session, or in turn with other processes at the same cell."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from citeval_assets.evaluation.project import Cell
from citeval_assets.evaluation.settled import SettledCase
from citeval_assets.evaluation.sharing import SharedCases
from citeval_assets.evaluation.tasks import CellTasks
from citeval_assets.judging.clients import ModelClient
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.progress import ProgressCallback
from citeval_assets.judging.session import CaseOutcome, CaseTask, Session, collect
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.vocabulary import Reason, TemplateKind


@dataclass(frozen=True)
class Asking:
    """Judges cases of one cell in sessions one after the other."""

    client: Callable[[], ModelClient]
    drawn: CellTasks
    run_id: str
    policy: JudgingPolicy
    progress: ProgressCallback | None

    def about(
        self,
        tasks: Iterable[CaseTask],
        total: int | None,
        keep: Callable[[CaseOutcome], SettledCase] = SettledCase.of,
        *,
        deadline_s: float | None = None,
        stopped: bool = False,
    ) -> list[SettledCase]:
        """Judge these cases. ``stopped``: make no call, report them as interrupted."""
        client, drawn = self.client(), self.drawn
        project, cell = drawn.project, drawn.cell
        session = Session(
            get_playbook(cell.playbook),
            project.templates.get(cell.playbook, cell.prompt_version),
            project.settings.model(cell.model),
            client,
            drawn.ledger,
            self.policy if deadline_s is None else replace(self.policy, deadline_s=deadline_s),
            self.run_id,
            progress=self.progress,
            total=total,
        )
        if stopped:
            session.stop()
        return collect(session, client, tasks, keep)


def may_share(drawn: CellTasks, policy: JudgingPolicy) -> bool:
    """Whether processes may divide the cases of a cell: where each case is asked about by itself.

    Not where a reply is wanted from each process, and not where which case a target model is
    asked about depends on all of them.
    """
    hashes = [member.case_hash for member in drawn.members]
    embedded = drawn.project.settings.model(drawn.cell.model).embedded
    alone = policy.refresh or embedded or generates(drawn.cell)
    return bool(hashes) and not alone and len(set(hashes)) == len(hashes)


def ask_with_others(
    asking: Asking,
    shared: SharedCases,
    settled_now: Callable[[], Mapping[str, SettledCase]],
) -> list[SettledCase]:
    """Judge what no other process is at, and take over from the others what they settled."""
    drawn = asking.drawn

    def keep(outcome: CaseOutcome) -> SettledCase:
        case = SettledCase.of(outcome)
        shared.note(case, case.reason is Reason.INTERRUPTED)
        return case

    asked: list[SettledCase] = []
    while shared.left:
        tasks = (task for part in shared.parts() for task in drawn.prepared(part))
        asked += asking.about(
            tasks,
            drawn.total,
            keep,
            deadline_s=shared.time_left,
            stopped=shared.interrupted,
        )
        asked += shared.wait(settled_now)
    return asked


def generates(cell: Cell) -> bool:
    """Whether the model of a cell answers questions itself."""
    return get_playbook(cell.playbook).kind is TemplateKind.GENERATE
