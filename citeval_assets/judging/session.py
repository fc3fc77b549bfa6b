"""Many cases, a bounded number at a time, each settled or accounted for."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from typing import TypeVar

from citeval_assets.config import ModelConfig
from citeval_assets.judging.answers import AnswerDesk
from citeval_assets.judging.attendance import Attendance
from citeval_assets.judging.breaker import Breaker, CircuitBreaker, SharedBreaker
from citeval_assets.judging.budget import Purse
from citeval_assets.judging.caller import Caller
from citeval_assets.judging.clients import ModelClient
from citeval_assets.judging.concurrency import AdaptiveLimit
from citeval_assets.judging.crew import Crew
from citeval_assets.judging.examiner import CaseOutcome, CaseTask, Examiner
from citeval_assets.judging.inflight import CallBoard
from citeval_assets.judging.interrupts import run_async, stopped_by_signals
from citeval_assets.judging.leases import LeaseDesk
from citeval_assets.judging.lookups import StoredReplies
from citeval_assets.judging.pacing import Pacer
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.progress import Progress, ProgressCallback, Tally
from citeval_assets.judging.questions import Questions
from citeval_assets.judging.schemas import reply_schema
from citeval_assets.judging.stopping import Stop
from citeval_assets.judging.timing import Timing
from citeval_assets.judging.turnstile import Turnstile
from citeval_assets.ledger.owners import process_owner, retire
from citeval_assets.ledger.store import Ledger
from citeval_assets.ledger.writer import GroupWriter
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.templates.model import PromptTemplate

_SECONDS_BETWEEN_SIGNS_OF_LIFE = 1.0

Kept = TypeVar("Kept")


class Session:
    """Judges cases of one playbook with one model and one template.

    Cases are drawn from an iterable as workers come free, so memory does not grow with their
    number. ``stop`` brings it to an orderly end: requests under way are finished and recorded,
    cases that still need one are reported as interrupted.
    """

    def __init__(
        self,
        playbook: AnyPlaybook,
        template: PromptTemplate,
        model: ModelConfig,
        client: ModelClient,
        ledger: Ledger,
        policy: JudgingPolicy,
        run_id: str,
        *,
        secret: bytes | None = None,
        progress: ProgressCallback | None = None,
        total: int | None = None,
        timing: Timing | None = None,
        breaker: Breaker | None = None,
    ):
        self._client = client
        self._ledger = ledger
        self._policy = policy
        self._run_id = run_id
        self._timing = timing or Timing()
        self._questions = Questions(
            playbook=playbook,
            template=template,
            model=model,
            client=client,
            secret=ledger.secret() if secret is None else secret,
            policy=policy,
            schema=reply_schema(playbook),
        )
        self._progress = progress
        self._scope = f"{model.model} @ {client.endpoint}"
        self._breaker = breaker or self._own_breaker()
        self._limit = AdaptiveLimit(policy.max_concurrency, _provider(model, client))
        self._board = CallBoard(self._timing.clock)
        self._stop = Stop()
        self._turnstile = Turnstile()
        self._started = self._timing.clock()
        self._tally = Tally(model.id, total)

    def _own_breaker(self) -> Breaker:
        settings, clock = self._policy.breaker, self._timing.clock
        if self._client.local or settings.failures == 0:
            return CircuitBreaker(settings, clock)
        trial_s = self._policy.longest_call_s
        return SharedBreaker(self._ledger, self._scope, settings, clock, trial_s=trial_s)

    def stop(self) -> None:
        """Make no further request. Call it from the event loop the session runs in."""
        self._stop.set()
        self._tell()

    @property
    def stopped(self) -> bool:
        """Whether it was brought to an end before all was done, or while the last was."""
        return self._stop.is_set

    async def run(self, tasks: Iterable[CaseTask]) -> AsyncGenerator[CaseOutcome, None]:
        """Judge the cases and yield their outcomes as they are settled.

        Leaving the iterator early, or cancelling it, finishes and records the requests under
        way first; a second cancellation drops them (the ledger lists them as maybe paid).

        Raises:
            LedgerError: the ledger cannot be written; requests under way were finished first.
        """
        self._started = self._timing.clock()
        owner = process_owner()
        leases = None
        if not self._client.local:
            leases = LeaseDesk(self._ledger, fresh=self._policy.refresh, owner=owner)
        try:
            async with (
                self._writer(leases) as writer,
                aclosing(self._outcomes(tasks, writer, leases, owner)) as outcomes,
            ):
                async for outcome in outcomes:
                    yield outcome
        finally:
            retire(owner)

    async def _outcomes(
        self, tasks: Iterable[CaseTask], writer: GroupWriter, leases: LeaseDesk | None, owner: str
    ) -> AsyncGenerator[CaseOutcome, None]:
        attendance = None
        if leases is not None:
            attendance = Attendance(self._ledger, self._scope, owner, self._limit)
            await attendance.begin()
        examiner = self._examiner(writer, leases, owner)
        crew = Crew(
            examiner,
            self._cases_at_once,
            self.stop,
            scouted=None if self._client.local else examiner.desk.begun,
        )
        crew.start(enumerate(tasks))
        ticking = asyncio.create_task(self._tell_now_and_then())
        try:
            async for outcome in crew.outcomes():
                self._note(outcome)
                yield outcome
        finally:
            if crew.working:
                self.stop()
                await crew.wind_down()
            ticking.cancel()
            if leases is not None:
                await leases.close()
            if attendance is not None:
                await attendance.end()

    def snapshot(self) -> Progress:
        """Return how far the session is."""
        seconds = self._timing.clock() - self._started
        return self._tally.snapshot(
            seconds, self._board, self._limit.allowed, stopping=self._stop.is_set
        )

    def _writer(self, leases: LeaseDesk | None) -> GroupWriter:
        # A local model computes here as well: nothing is gained where its replies wait.
        beside = None if self._client.local else self._turnstile
        return GroupWriter(self._ledger, leases and leases.terms, beside=beside)

    def _examiner(self, writer: GroupWriter, leases: LeaseDesk | None, owner: str) -> Examiner:
        policy, limit_s = self._policy, self._policy.deadline_s
        caller = Caller(
            client=self._client,
            writer=writer,
            policy=policy,
            breaker=self._breaker,
            limit=self._limit,
            pacer=Pacer(self._ledger, self._scope, policy.rates),
            purse=Purse(policy.budget, self._client, policy.longest_call_s, owner),
            board=self._board,
            stop=self._stop,
            timing=self._timing,
            run_deadline=None if limit_s is None else self._started + limit_s,
        )
        desk = AnswerDesk(StoredReplies(self._ledger), caller, leases, policy.refresh)
        return Examiner(self._questions, desk, self._run_id, self._timing, self._turnstile)

    @property
    def _cases_at_once(self) -> int:
        """Cases in work: while some are asked about, as many but one are made ready."""
        asked = self._policy.max_concurrency
        return asked if self._client.local else 2 * asked - 1

    def _note(self, outcome: CaseOutcome) -> None:
        tally = self._tally
        if not outcome.rides:
            tally.add_report(outcome.report)
        tally.calls += outcome.calls
        tally.failed_calls += outcome.failed_calls
        tally.reused_calls += outcome.reused_calls
        tally.spend.usd += outcome.cost_usd or 0
        tally.spend.unpriced_calls += outcome.unpriced_calls
        self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self.snapshot())

    async def _tell_now_and_then(self) -> None:
        """Tell also while nothing is settled, so that a call that hangs can be seen."""
        while self._progress is not None:
            await asyncio.sleep(_SECONDS_BETWEEN_SIGNS_OF_LIFE)
            self._tell()


def _provider(model: ModelConfig, client: ModelClient) -> str:
    """Name the provider and address that share one number of open calls."""
    return "" if client.local else f"{model.model.partition('/')[0]} @ {client.endpoint}"


def collect(
    session: Session,
    client: ModelClient,
    tasks: Iterable[CaseTask],
    keep: Callable[[CaseOutcome], Kept],
) -> list[Kept]:
    """Judge the cases and return what ``keep`` makes of each outcome, in the order of the tasks.

    Each outcome is let go once ``keep`` has seen it; what ``keep`` made of it is held.
    """
    found: list[tuple[int, Kept]] = []
    judge_each(session, client, tasks, lambda it: found.append((it.position, keep(it))))
    found.sort(key=lambda placed: placed[0])
    return [kept for _, kept in found]


def judge_each(
    session: Session,
    client: ModelClient,
    tasks: Iterable[CaseTask],
    take: Callable[[CaseOutcome], None],
) -> None:
    """Judge the cases and hand each outcome to ``take`` as it comes, in no particular order.

    Nothing is held of it here: a hundred thousand reports are never in memory together. The
    synchronous door: works with or without a running event loop. Ctrl-C makes no further request,
    finishes those under way and hands out the rest as interrupted; a second Ctrl-C ends at once.
    """

    async def main() -> None:
        try:
            with stopped_by_signals(session.stop):
                async with aclosing(session.run(tasks)) as outcomes:
                    async for outcome in outcomes:
                        take(outcome)
        finally:
            await client.close()

    run_async(main)


def run_session(
    *,
    playbook: AnyPlaybook,
    template: PromptTemplate,
    model: ModelConfig,
    client: ModelClient,
    ledger: Ledger,
    policy: JudgingPolicy,
    run_id: str,
    tasks: Iterable[CaseTask],
    secret: bytes | None = None,
    progress: ProgressCallback | None = None,
    total: int | None = None,
    timing: Timing | None = None,
    breaker: Breaker | None = None,
) -> list[CaseOutcome]:
    """Judge the cases and return their outcomes whole, in the order of the tasks: ``collect``."""
    session = Session(
        playbook,
        template,
        model,
        client,
        ledger,
        policy,
        run_id,
        secret=secret,
        progress=progress,
        total=total,
        timing=timing,
        breaker=breaker,
    )
    return collect(session, client, tasks, lambda outcome: outcome)


__all__ = [
    "CaseOutcome",
    "CaseTask",
    "JudgingPolicy",
    "Progress",
    "ProgressCallback",
    "Session",
    "collect",
    "judge_each",
    "run_session",
]
