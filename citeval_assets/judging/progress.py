"""How far a session is: counts, rate, spend, time left, and what is under way."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from citeval_assets.judging.inflight import CallBoard, OpenCall
from citeval_assets.ledger.records import CallReply
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.vocabulary import Reason, Status

_WINDOW_S = 30.0
"""The rate is that of so many last seconds: stored replies at the start say nothing of the rest."""

_MARK_EVERY_S = 0.5


@dataclass(frozen=True, slots=True)
class Notice:
    """Why cases could not be judged, told once for all of them, in the words of the first."""

    reason: Reason
    count: int
    example: str


@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot of a running session.

    ``cost_usd`` is what is known to be spent; with ``unpriced_calls`` it is "at least" that.
    ``total`` is ``None`` where the number of cases is not known. ``allowed_calls`` may be open at
    one time now. ``stopping``: an end was asked for, what is under way is finished.
    """

    model: str
    cases: int
    by_status: Mapping[Status, int]
    calls: int
    failed_calls: int
    reused_calls: int
    cost_usd: Decimal
    unpriced_calls: int
    seconds: float
    total: int | None = None
    cases_per_second: float | None = None
    allowed_calls: int = 0
    notices: Mapping[Reason, Notice] = field(default_factory=dict[Reason, Notice])
    stopping: bool = False
    board: CallBoard | None = field(default=None, repr=False, compare=False)

    @property
    def seconds_left(self) -> float | None:
        """How long the rest takes at the present rate; ``None`` where that cannot be told."""
        if self.total is None or not self.cases_per_second:
            return None
        return max(self.total - self.cases, 0) / self.cases_per_second

    @property
    def open_calls(self) -> int:
        """How many requests are under way now."""
        return len(self.board) if self.board is not None else 0

    def in_flight(self) -> tuple[OpenCall, ...]:
        """Return the requests under way at the time of asking, the longest first."""
        return self.board.calls() if self.board is not None else ()


ProgressCallback = Callable[[Progress], None]


@dataclass(slots=True)
class Spend:
    """What calls cost: the known part, and how many are of unknown price."""

    usd: Decimal = Decimal(0)
    unpriced_calls: int = 0

    def add(self, replies: Iterable[CallReply]) -> None:
        """Count calls that were made (not reused ones)."""
        for reply in replies:
            if reply.cost_usd is None:
                self.unpriced_calls += 1
            else:
                self.usd += reply.cost_usd


@dataclass(slots=True)
class Rate:
    """Cases per second over the last half minute."""

    _marks: deque[tuple[float, int]] = field(default_factory=lambda: deque([(0.0, 0)]))

    def mark(self, seconds: float, cases: int) -> None:
        """Note how many cases were settled at a time."""
        if seconds - self._marks[-1][0] < _MARK_EVERY_S:
            return
        self._marks.append((seconds, cases))
        while len(self._marks) > 2 and seconds - self._marks[1][0] >= _WINDOW_S:
            self._marks.popleft()

    def at(self, seconds: float, cases: int) -> float | None:
        """Return the present rate; ``None`` before time has passed."""
        since, then = self._marks[0]
        return (cases - then) / (seconds - since) if seconds > since else None


@dataclass(slots=True)
class Tally:
    """Counts a session as it goes."""

    model: str
    total: int | None = None
    cases: int = 0
    by_status: Counter[Status] = field(default_factory=Counter[Status])
    calls: int = 0
    failed_calls: int = 0
    reused_calls: int = 0
    spend: Spend = field(default_factory=Spend)
    rate: Rate = field(default_factory=Rate)
    notices: dict[Reason, Notice] = field(default_factory=dict[Reason, Notice])

    def add_report(self, report: Report) -> None:
        """Count a settled case."""
        self.cases += 1
        self.by_status[report.status] += 1
        if report.status.failed_judgement and report.reason is not None:
            known = self.notices.get(report.reason)
            count, example = (known.count, known.example) if known else (0, report.message)
            self.notices[report.reason] = Notice(report.reason, count + 1, example)

    def snapshot(
        self, seconds: float, board: CallBoard, allowed_calls: int, *, stopping: bool
    ) -> Progress:
        """Return the counts as they stand."""
        self.rate.mark(seconds, self.cases)
        return Progress(
            model=self.model,
            cases=self.cases,
            by_status=dict(self.by_status),
            calls=self.calls,
            failed_calls=self.failed_calls,
            reused_calls=self.reused_calls,
            cost_usd=self.spend.usd,
            unpriced_calls=self.spend.unpriced_calls,
            seconds=seconds,
            total=self.total,
            cases_per_second=self.rate.at(seconds, self.cases),
            allowed_calls=allowed_calls,
            notices=dict(self.notices),
            stopping=stopping,
            board=board,
        )
