"""Progress of a run on the terminal: a moving line where there is a screen, else a line a cell."""

import sys
from typing import TYPE_CHECKING

from citeval_assets.cli.output import Output

if TYPE_CHECKING:
    from citeval_assets.evaluation.project import Cell
    from citeval_assets.judging.progress import Progress

_SECONDS_BETWEEN_UPDATES = 0.2


class TerminalProgress:
    """Tells people on standard error how far a run is."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self._live = sys.stderr.isatty() and not out.as_json
        self._cell = ""
        self._last = 0.0
        self._width = 0

    def on_cell(self, cell: "Cell", number: int, total: int) -> None:
        """Say which cell begins."""
        self._clear()
        self._cell = f"[{number}/{total}] {cell}"
        self._last = 0.0
        if not self._live and not self._out.as_json:
            self._out.note(self._cell)

    def __call__(self, progress: "Progress") -> None:
        """Show the counts of the cell in work, a few times a second."""
        if not self._live or progress.seconds - self._last < _SECONDS_BETWEEN_UPDATES:
            return
        self._last = progress.seconds
        rate = progress.cases_per_second
        speed = f", {rate:.1f}/s" if rate else ""
        spend = f", {progress.cost_usd:.4f} USD" if progress.cost_usd else ""
        self._show(
            f"{self._cell}: {progress.cases} cases, {progress.calls} calls, "
            f"{progress.reused_calls} reused{speed}{spend}"
        )

    def end(self) -> None:
        """Leave a clean line behind."""
        self._clear()

    def _show(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def _clear(self) -> None:
        if self._live and self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0
