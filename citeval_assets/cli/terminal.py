"""Progress of a run on the terminal: a moving line where there is a screen, else now and then."""

import sys
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from citeval_assets.cli.output import Output
from citeval_assets.cli.wording import duration_text, spend_text

if TYPE_CHECKING:
    from citeval_assets.evaluation.project import Cell
    from citeval_assets.judging.progress import Progress

_SECONDS_BETWEEN_UPDATES = 0.2
_SECONDS_BETWEEN_LINES = 30.0
"""Where there is no screen: so often a line, for the log of a CI job."""

_SECONDS_BETWEEN_LISTS = 10.0
_LISTED_CALLS = 20
_SLOW_CALL_S = 10.0


class TerminalProgress:
    """Tells people on standard error how far a run is.

    Each reason why cases could not be judged is told once for each model. ``verbose`` lists now
    and then what is in flight; so does the first Ctrl-C.
    """

    def __init__(
        self, out: Output, *, verbose: bool = False, clock: Callable[[], float] = monotonic
    ) -> None:
        self._out = out
        self._verbose = verbose
        self._clock = clock
        self._live = sys.stderr.isatty() and not out.as_json
        self._cell = ""
        self._last = 0.0
        self._listed = 0.0
        self._width = 0
        self._told: set[tuple[str, str]] = set()
        self._stopping = False

    def on_cell(self, cell: "Cell", number: int, total: int) -> None:
        """Say which cell begins."""
        self._clear()
        self._cell = f"[{number}/{total}] {cell}"
        self._last = self._listed = self._clock()
        if not self._live and not self._out.as_json:
            self._out.note(self._cell)

    def __call__(self, progress: "Progress") -> None:
        """Show the counts of the cell in work, a few times a second."""
        self._tell_reasons(progress)
        if progress.stopping and not self._stopping:
            self._stopping = True
            self._tell_stopping(progress)
        now = self._clock()
        if self._verbose and now - self._listed >= _SECONDS_BETWEEN_LISTS:
            self._listed = now
            self._list(progress)
        pause = _SECONDS_BETWEEN_UPDATES if self._live else _SECONDS_BETWEEN_LINES
        if self._out.as_json or now - self._last < pause:
            return
        self._last = now
        line = f"{self._cell}: {progress_text(progress)}"
        if self._live:
            self._show(line)
        else:
            self._out.note(line)

    def end(self) -> None:
        """Leave a clean line behind."""
        self._clear()

    def _tell_reasons(self, progress: "Progress") -> None:
        for reason, notice in progress.notices.items():
            if (progress.model, reason) not in self._told:
                self._told.add((progress.model, reason))
                said = f": {notice.example}" if notice.example else ""
                self._clear()
                self._out.warning(f"{progress.model}: {reason}{said} (told once; counted below)")

    def _tell_stopping(self, progress: "Progress") -> None:
        self._clear()
        if not progress.open_calls:
            self._out.note("stopping: nothing is under way")
            return
        self._out.note(
            f"stopping: {progress.open_calls} calls are under way and will be finished and kept; "
            "Ctrl-C once more drops them (they may have been paid for)"
        )
        self._list(progress)

    def _list(self, progress: "Progress") -> None:
        self._clear()
        calls = progress.in_flight()
        self._out.note(f"{len(calls)} calls in flight, {progress.allowed_calls} allowed")
        for call in calls[:_LISTED_CALLS]:
            self._out.note(f"  {progress.model}: {call}")
        if len(calls) > _LISTED_CALLS:
            self._out.note(f"  and {len(calls) - _LISTED_CALLS} more")

    def _show(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def _clear(self) -> None:
        if self._live and self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0


def progress_text(progress: "Progress") -> str:
    """Write counts, rate, spend, time left and what is in flight in one line."""
    of = "" if progress.total is None else f"/{progress.total}"
    parts = [
        f"{progress.cases}{of} cases",
        f"{progress.calls} calls",
        f"{progress.reused_calls} reused",
    ]
    if progress.failed_calls:
        parts.append(f"{progress.failed_calls} failed")
    if progress.cases_per_second:
        parts.append(f"{progress.cases_per_second:.1f}/s")
    if progress.cost_usd or progress.unpriced_calls:
        parts.append(spend_text(progress.cost_usd, progress.unpriced_calls))
    if progress.seconds_left is not None and progress.cases != progress.total:
        parts.append(f"{duration_text(progress.seconds_left)} left")
    if progress.open_calls:
        oldest = max((call.seconds for call in progress.in_flight()), default=0.0)
        slow = f", the oldest {oldest:.0f} s" if oldest >= _SLOW_CALL_S else ""
        parts.append(f"{progress.open_calls} in flight{slow}")
    return ", ".join(parts)
