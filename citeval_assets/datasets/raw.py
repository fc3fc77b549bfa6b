"""Between the file formats and the rows: a row as it was read, or why it could not be."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from citeval_assets.playbooks.cases import MAX_CASE_CHARS

MAX_ROW_CHARS = 4 * MAX_CASE_CHARS
"""Longest row that is parsed at all: escapes make JSON up to some times longer than its text."""

SHOWN_ROW_CHARS = 2_000
"""How much of a quarantined row is kept."""


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row of a file. Exactly one of ``value`` and ``fault`` is set.

    ``line`` is 1-based; ``text`` is the row as it stands in the file, shortened.
    """

    line: int
    value: Any = None
    fault: str | None = None
    text: str = ""


@dataclass(slots=True)
class FileNotes:
    """What was noticed about a file as a whole, besides its rows."""

    warnings: list[str] = field(default_factory=list)


RawRows = Iterator[RawRow]


def shortened(text: str) -> str:
    """Return the part of a row that is kept for the quarantine, safe to store."""
    cut = text[:SHOWN_ROW_CHARS]
    return cut.encode("utf-8", errors="replace").decode("utf-8")


def too_long(chars: int) -> str:
    """Say that a row is over the limit."""
    return (
        f"oversized: the row has {chars} characters or more, at most {MAX_ROW_CHARS} are read; "
        "split the case or shorten its sources"
    )
