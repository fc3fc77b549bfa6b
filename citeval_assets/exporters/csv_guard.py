"""CSV that no spreadsheet takes for formulas, and the reader that undoes the guard exactly.

A cell whose text would start a formula, invisible characters in front or not, is written with an
apostrophe before it, as spreadsheets mark text. Text that begins with an apostrophe itself gets
one more. So the reader takes away one apostrophe where there is one, and has the original back.
Every text is written in quotes: separators and line breaks inside stay inside. Numbers of numeric
columns are written bare and stay numbers.
"""

import csv
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from io import StringIO
from typing import TextIO

Value = str | int | float | bool | None

_GUARD = "'"
_STARTS = frozenset("=+-@＝＋－＠")
_INVISIBLE = ("Cc", "Cf", "Zs", "Zl", "Zp", "Mn")


class CellKind(StrEnum):
    """What the cells of a column hold."""

    TEXT = "text"
    NUMBER = "number"
    WHOLE = "whole"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, what its cells hold, and whether a cell may hold nothing."""

    name: str
    kind: CellKind = CellKind.TEXT
    nullable: bool = False


class CsvFault(ValueError):
    """A file that was not written by ``write_csv`` with these columns, or was changed."""


def starts_formula(text: str) -> bool:
    """Whether a spreadsheet may take the text for a formula."""
    if text[:1] in ("\t", "\r", "\n"):
        return True
    for character in text:
        if unicodedata.category(character) in _INVISIBLE:
            continue
        return character in _STARTS
    return False


def guard(text: str) -> str:
    """Return text as it can stand in a cell."""
    return _GUARD + text if text.startswith(_GUARD) or starts_formula(text) else text


def unguard(cell: str) -> str:
    """Return the text that ``guard`` made a cell of."""
    return cell[1:] if cell.startswith(_GUARD) else cell


def write_csv(out: TextIO, columns: Sequence[Column], rows: Iterable[Sequence[Value]]) -> int:
    """Write a table; return its number of rows. Open ``out`` with ``newline=""``.

    Raises:
        ValueError: a row has another number of cells, or a number is not finite.
    """
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow([guard(column.name) for column in columns])
    written = 0
    for row in rows:
        writer.writerow([_cell(c, v) for c, v in zip(columns, row, strict=True)])
        written += 1
    return written


def read_csv(text: TextIO, columns: Sequence[Column]) -> Iterator[tuple[Value, ...]]:
    """Yield the rows of a table that ``write_csv`` wrote, as they were.

    Raises:
        CsvFault: the header, a number of cells or a cell is not as written.
    """
    reader = csv.reader(text, strict=True)
    names = [guard(column.name) for column in columns]
    try:
        header = next(reader, None)
        if header != names:
            raise CsvFault(f"line 1: expected the columns {names}, found {header}")
        for row in reader:
            if len(row) != len(columns):
                raise CsvFault(
                    f"line {reader.line_num}: expected {len(columns)} cells, found {len(row)}"
                )
            yield tuple(
                _value(c, cell, reader.line_num) for c, cell in zip(columns, row, strict=True)
            )
    except csv.Error as error:
        raise CsvFault(f"line {reader.line_num}: {error}") from error


def csv_text(columns: Sequence[Column], rows: Iterable[Sequence[Value]]) -> str:
    """Return a table as text."""
    out = StringIO(newline="")
    write_csv(out, columns, rows)
    return out.getvalue()


def _cell(column: Column, value: Value) -> Value:
    if value is None:
        if not column.nullable:
            raise ValueError(f"column {column.name} holds nothing in one row, and may not")
        return ""
    if column.kind is CellKind.TEXT:
        if value == "" and column.nullable:
            return _GUARD  # an empty text is not nothing
        return guard(str(value))
    if column.kind is CellKind.FLAG:
        return "true" if value else "false"
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        raise ValueError(f"column {column.name} holds {value}, which is no number to export")
    return value


def _value(column: Column, cell: str, line: int) -> Value:
    if cell == "" and column.nullable:
        return None
    if column.kind is CellKind.TEXT:
        return unguard(cell)
    if column.kind is CellKind.FLAG:
        if cell not in ("true", "false"):
            raise CsvFault(f"line {line}: column {column.name}: expected true or false: {cell!r}")
        return cell == "true"
    try:
        return int(cell) if column.kind is CellKind.WHOLE else float(cell)
    except ValueError:
        raise CsvFault(f"line {line}: column {column.name}: {cell!r} is no number") from None
