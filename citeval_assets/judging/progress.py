"""How far a session is: counts, rate and spend."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from citeval_assets.ledger.records import CallReply
from citeval_assets.playbooks.vocabulary import Status


@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot of a running session.

    ``cost_usd`` is what is known to be spent; with ``unpriced_calls`` it is "at least" that.
    """

    cases: int
    by_status: dict[Status, int]
    calls: int
    failed_calls: int
    reused_calls: int
    cost_usd: Decimal
    unpriced_calls: int
    seconds: float

    @property
    def cases_per_second(self) -> float | None:
        """Cases settled per second so far; ``None`` before time has passed."""
        return self.cases / self.seconds if self.seconds > 0 else None


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
class Tally:
    """Counts a session as it goes."""

    cases: int = 0
    by_status: Counter[Status] = field(default_factory=Counter)
    calls: int = 0
    failed_calls: int = 0
    reused_calls: int = 0
    spend: Spend = field(default_factory=Spend)

    def snapshot(self, seconds: float) -> Progress:
        """Return the counts as they stand."""
        return Progress(
            cases=self.cases,
            by_status=dict(self.by_status),
            calls=self.calls,
            failed_calls=self.failed_calls,
            reused_calls=self.reused_calls,
            cost_usd=self.spend.usd,
            unpriced_calls=self.spend.unpriced_calls,
            seconds=seconds,
        )
