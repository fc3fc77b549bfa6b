"""What commands print: tables and lines for people, or exactly one JSON document.

Results go to standard output, everything else to standard error. Text from cases, models and
files is shown as it is, never read as markup, and its control characters are made visible.
"""

import dataclasses
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console

_PIPED_WIDTH = 200
"""Columns of a table that goes to a file or a pipe, where there is no screen to fit."""


class Output:
    """Where the results of one command go."""

    def __init__(self, stdout: TextIO, stderr: TextIO, *, as_json: bool) -> None:
        self.as_json = as_json
        self._stdout = stdout
        self._stderr = stderr
        self._emitted = False

    def result(self, document: Any) -> None:
        """Print the one JSON document of the command; nothing without ``--json``.

        Args:
            document: plain data, dataclasses, pydantic models, decimals, dates, paths.

        Raises:
            RuntimeError: where a command gives a second one.
        """
        if not self.as_json:
            return
        if self._emitted:
            raise RuntimeError("a command gives one JSON document, this is the second")
        self._emitted = True
        self._stdout.write(_encodable(json_text(document), self._stdout) + "\n")
        self._stdout.flush()

    @property
    def emitted(self) -> bool:
        """Whether the JSON document has been printed."""
        return self._emitted

    def line(self, text: str = "", *, style: str = "") -> None:
        """Print a line for people; nothing with ``--json``. Line breaks in it stay."""
        if not self.as_json:
            self._console(self._stdout).print(_styled(text, style), soft_wrap=True)

    def table(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[Any]],
        *,
        title: str = "",
        right: Sequence[str] = (),
    ) -> None:
        """Print a table for people; nothing with ``--json``.

        Args:
            columns: the headings.
            rows: cells; ``None`` shows as a dash, numbers as they are written.
            title: stands above the table.
            right: headings of the columns whose cells are set to the right (numbers).
        """
        if self.as_json:
            return
        from rich.table import Table

        table = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
        for column in columns:
            table.add_column(column, justify="right" if column in right else "left")
        for row in rows:
            table.add_row(*(_styled(cell_text(value), "") for value in row))
        self._console(self._stdout).print(table)

    def note(self, text: str) -> None:
        """Tell people something on standard error, with and without ``--json``."""
        self._console(self._stderr).print(_styled(text, ""), soft_wrap=True)

    def warning(self, text: str) -> None:
        """Warn people on standard error."""
        self._console(self._stderr).print(_styled(f"warning: {text}", "yellow"), soft_wrap=True)

    def error(self, text: str) -> None:
        """Tell people on standard error why the command failed."""
        self._console(self._stderr).print(_styled(f"error: {text}", "red"), soft_wrap=True)

    def _console(self, stream: TextIO) -> "Console":
        from rich.console import Console

        width = None if stream.isatty() else _PIPED_WIDTH
        return Console(file=stream, width=width, highlight=False, emoji=False)


def json_text(document: Any) -> str:
    """Return a document as JSON.

    Raises:
        ValueError: for NaN and infinity: what has no value is null.
    """
    return json.dumps(document, default=_plain, ensure_ascii=False, allow_nan=False)


def cell_text(value: Any) -> str:
    """Return how a value stands in a table."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}" if math.isfinite(value) else "not finite"
    return " ".join(str(value).split())


def visible(text: str) -> str:
    """Return text with control and format characters as codes; line breaks stay."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char == "\n" else char.encode("unicode_escape").decode()
        for char in text.replace("\r\n", "\n").replace("\t", "    ")
    )


def _styled(text: str, style: str) -> Any:
    from rich.text import Text

    return Text(visible(text), style=style)


def _plain(value: Any) -> Any:
    """Turn what JSON does not know into what it knows."""
    if hasattr(value, "model_dump"):  # pydantic, which is not imported for the sake of --help
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, PurePath | Enum):
        return str(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"no JSON for {type(value).__name__}")


def _encodable(text: str, stream: TextIO) -> str:
    """Return the same JSON in characters the stream can take."""
    try:
        text.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(json.loads(text))
    return text
