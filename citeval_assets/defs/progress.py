"""Progress of a judging session, in the Dagster log."""

from dataclasses import dataclass, field
from time import monotonic

import dagster as dg

from citeval_assets.judging.progress import Progress

_SECONDS_BETWEEN_LINES = 10.0


@dataclass
class DagsterLogProgress:
    """Writes a line now and then: how many cases are done, at what rate, at what cost."""

    log: dg.DagsterLogManager
    _last: float = field(default=float("-inf"), init=False)

    def __call__(self, progress: Progress) -> None:
        """Log the state of the session, at most once in ten seconds."""
        now = monotonic()
        if now - self._last < _SECONDS_BETWEEN_LINES:
            return
        self._last = now
        rate = progress.cases_per_second
        self.log.info(
            f"{progress.cases} cases settled, {progress.calls} calls made "
            f"({progress.failed_calls} failed), {progress.reused_calls} replies reused, "
            f"{f'{rate:.1f} cases/s, ' if rate else ''}{progress.cost_usd:.4f} USD"
        )
