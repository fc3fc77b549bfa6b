"""Asking the model of a cell: in one session, or in turn with other processes at the same cell."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass, replace
from itertools import chain

from citeval_assets.evaluation.kept import SettledCase, SettledCases
from citeval_assets.evaluation.project import Cell
from citeval_assets.evaluation.riding import Riders
from citeval_assets.evaluation.sharing import SharedCases
from citeval_assets.evaluation.tasks import CellTasks
from citeval_assets.judging.clients import ModelClient
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.progress import ProgressCallback
from citeval_assets.judging.session import CaseOutcome, CaseTask, Session, judge_each
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
    riders: Riders

    def about(
        self,
        tasks: Iterable[CaseTask],
        total: int | None,
        take: Callable[[SettledCase], None],
        *,
        deadline_s: float | None = None,
        stopped: bool = False,
    ) -> bool:
        """Judge these cases, each handed to ``take``, and what rides along among them.

        ``stopped``: make no call for them.

        Returns:
            Whether somebody asked for an end, were it while the last case was settled.
        """
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

        def sort_out(outcome: CaseOutcome) -> None:
            (self.riders.take if outcome.rides else take)(SettledCase.of(outcome))

        judge_each(session, client, tasks, sort_out)
        return session.stopped


@contextmanager
def asked(
    asking: Asking,
    basis: Sequence[str],
    cases: SettledCases,
    settled_now: Callable[[], SettledCases],
) -> Iterator[bool]:
    """Ask about the cases that are not among the settled ones, and add them, in their order.

    Behind them come those that ride along.

    A context: what this process holds against others it holds until the evaluation is recorded.
    Entering it tells whether somebody asked for an end.

    Args:
        asking: How.
        basis: What decides about the cases beside the cell.
        cases: Those that are settled already.
        settled_now: Returns those of an evaluation that was recorded meanwhile.
    """
    drawn, riders = asking.drawn, asking.riders
    stopped = False
    with ExitStack() as until_recorded:
        if _may_share(drawn, asking.policy):
            whole = (*astuple(drawn.cell), *basis)
            shared = SharedCases.of(drawn.ledger, asking.policy, whole, drawn.members, cases)
            until_recorded.callback(shared.end)
            stopped = _ask_with_others(asking, shared, settled_now)
        elif not (cases and _generates(drawn.cell)):
            tasks = chain(drawn.prepared(), _last(asking))
            stopped = asking.about(tasks, drawn.total, cases.add)
        if left := list(riders.tasks()):
            quietly = replace(asking, progress=None)
            stopped |= quietly.about(left, None, cases.add)
        cases.sort()
        cases.extend(riders.settled())
        yield stopped


def _may_share(drawn: CellTasks, policy: JudgingPolicy) -> bool:
    """Whether processes may divide the cases of a cell: where each case is asked about by itself.

    Not where a reply is wanted from each process, and not where which case a target model is
    asked about depends on all of them.
    """
    embedded = drawn.project.settings.model(drawn.cell.model).embedded
    if policy.refresh or embedded or _generates(drawn.cell):
        return False
    return len(drawn.members) > 0 and drawn.members.all_different


def _ask_with_others(
    asking: Asking,
    shared: SharedCases,
    settled_now: Callable[[], SettledCases],
) -> bool:
    """Judge what no other process is at, and take over from the others what they settled.

    Returns:
        Whether somebody asked for an end.
    """
    drawn, stopped = asking.drawn, False

    def take(case: SettledCase) -> None:
        shared.note(case, case.reason is Reason.INTERRUPTED)

    while shared.left:
        cases = (task for part in shared.parts() for task in drawn.prepared(part))
        stopped |= asking.about(
            chain(cases, _last(asking)),
            drawn.total,
            take,
            deadline_s=shared.time_left,
            stopped=shared.interrupted,
        )
        shared.interrupted |= stopped
        shared.wait(settled_now)
    return stopped


def _last(asking: Asking) -> Iterator[CaseTask]:
    """Yield what rides along as soon as the last case is drawn, while others are in work.

    Not where money is limited: then it must not be spent before the last case is settled.
    """
    if not asking.policy.budget.limited:
        yield from asking.riders.tasks()


def _generates(cell: Cell) -> bool:
    """Whether the model of a cell answers questions itself."""
    return get_playbook(cell.playbook).kind is TemplateKind.GENERATE
