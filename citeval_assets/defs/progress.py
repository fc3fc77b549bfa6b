"""Progress of a judging session, in the Dagster log."""

from dataclasses import dataclass, field
from time import monotonic

import dagster as dg

from citeval_assets.judging.progress import Progress, ProgressCallback

_SECONDS_BETWEEN_LINES = 10.0


@dataclass
class DagsterLogProgress:
    """Writes a line now and then, and each reason why cases could not be judged once."""

    log: dg.DagsterLogManager
    _last: float = field(default=float("-inf"), init=False)
    _told: set[str] = field(default_factory=set[str], init=False)

    def __call__(self, progress: Progress) -> None:
        """Log the state of the session, at most once in ten seconds."""
        for reason, notice in progress.notices.items():
            if reason not in self._told:
                self._told.add(reason)
                self.log.warning(f"{progress.model}: {reason}: {notice.example}")
        now = monotonic()
        if now - self._last < _SECONDS_BETWEEN_LINES:
            return
        self._last = now
        self.log.info(log_line(progress))


def log_line(progress: Progress) -> str:
    """Write how far a session is: cases, calls, rate, spend, time left, what is in flight."""
    of = "" if progress.total is None else f" of {progress.total}"
    parts = [
        f"{progress.cases}{of} cases settled",
        f"{progress.calls} calls made ({progress.failed_calls} failed)",
        f"{progress.reused_calls} replies reused",
    ]
    if progress.cases_per_second:
        parts.append(f"{progress.cases_per_second:.1f} cases/s")
    least = "at least " if progress.unpriced_calls else ""
    parts.append(f"{least}{progress.cost_usd:.4f} USD")
    if progress.seconds_left is not None:
        parts.append(f"about {progress.seconds_left:.0f} s left")
    calls = progress.in_flight()
    if calls:
        parts.append(f"{len(calls)} of {progress.allowed_calls} calls in flight, first {calls[0]}")
    return ", ".join(parts)


@dataclass(frozen=True)
class Everyone:
    """Tells several listeners."""

    listeners: tuple[ProgressCallback, ...]

    def __call__(self, progress: Progress) -> None:
        """Hand the state of the session on."""
        for listener in self.listeners:
            listener(progress)
