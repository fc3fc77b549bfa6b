"""CSV and TSV files, through pandas: every cell is text, nothing is guessed.

Nested fields (sources, labels, claims) are written as JSON in their cells. Which fields those
are follows from the schema of the case.
"""

import re
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from citeval_assets.datasets.encoding import open_text, wrong_byte
from citeval_assets.datasets.json_values import JsonFault, read_json
from citeval_assets.datasets.raw import FileNotes, RawRow, RawRows, shortened
from citeval_assets.playbooks.cases import TestCase

_CHUNK_ROWS = 500
_SPARE_COLUMNS = 8
_SKIPPED = re.compile(r"Skipping line (\d+)")

Record = tuple[int, tuple[str, ...] | None]
"""(0-based number, cells); no cells where a record has far too many fields to be read."""


def read_table(path: Path, case_type: type[TestCase], notes: FileNotes) -> RawRows:
    """Yield the rows of a CSV or TSV file as objects with the fields of ``case_type``.

    Raises:
        WrongEncoding: where the file is no text.
    """
    separator, width = _layout(path, notes)
    if width == 0:
        return
    kinds = cell_kinds(case_type)
    header: tuple[str, ...] = ()
    line = 1
    for number, cells in _records(path, separator, width, notes):
        if cells is None:
            yield RawRow(line, fault=_too_wide(width))
            line += 1
            continue
        if number == 0:
            header = _names(cells[:width])
            fault = _header_fault(header)
            if fault:
                yield RawRow(line, fault=fault, text=shortened(separator.join(cells)))
                return
        elif any(cells):
            yield _row(line, header, cells, kinds, separator)
        line += 1 + sum(cell.count("\n") for cell in cells)


def _layout(path: Path, notes: FileNotes) -> tuple[str, int]:
    """Return the separator and the number of columns, from the first line."""
    with open_text(path, notes) as stream:
        first = stream.readline()
    separator = "\t" if path.suffix.lower() == ".tsv" else ","
    if separator not in first:
        for other, name in ((";", "semicolons"), ("\t", "tabs"), (",", "commas")):
            if other in first:
                notes.warnings.append(f"read as separated by {name}")
                separator = other
                break
    return separator, first.count(separator) + 1 if first.strip() else 0


def _records(path: Path, separator: str, width: int, notes: FileNotes) -> Iterator[Record]:
    """Yield the records of the file. An unclosed quote ends them with a fault of its own."""
    import pandas as pd  # about half a second, needed for tables alone

    done = 0
    for chunk_rows in (_CHUNK_ROWS, 1):
        try:
            for record in _chunks(path, separator, width, chunk_rows):
                if record[0] >= done:
                    yield record
                    done = record[0] + 1
        except pd.errors.ParserError as error:
            if chunk_rows == 1:
                notes.warnings.append(f"the table could not be read to its end: {error}")
                yield done, None
        else:
            return


def _chunks(path: Path, separator: str, width: int, chunk_rows: int) -> Iterator[Record]:
    import pandas as pd

    with open_text(path, FileNotes()) as stream, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        reader = pd.read_csv(
            stream,
            sep=separator,
            header=None,
            names=range(width + _SPARE_COLUMNS),
            dtype=str,
            keep_default_na=False,
            na_filter=False,
            skip_blank_lines=False,
            encoding_errors="surrogateescape",
            on_bad_lines="warn",
            engine="c",
            chunksize=chunk_rows,
        )
        number = 0
        for chunk in reader:
            skipped = _skipped(caught)
            for cells in chunk.itertuples(index=False, name=None):
                while number in skipped:
                    yield number, None
                    number += 1
                yield number, cells
                number += 1
            for late in sorted(n for n in skipped if n >= number):
                yield late, None
                number = late + 1


def _skipped(caught: list[warnings.WarningMessage]) -> set[int]:
    """Return the 0-based numbers of the records pandas left out so far."""
    texts = "\n".join(str(warning.message) for warning in caught)
    return {int(found) - 1 for found in _SKIPPED.findall(texts)}


def _names(cells: tuple[str, ...]) -> tuple[str, ...]:
    names = [cell.strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    return tuple(names)


def _header_fault(header: tuple[str, ...]) -> str | None:
    named = [name for name in header if name]
    doubled = sorted({name for name in named if named.count(name) > 1})
    if doubled:
        return f"column {doubled[0]!r} stands twice in the first line; rename one"
    if not named:
        return "the first line names no columns"
    return "a column in the first line has no name" if len(named) < len(header) else None


def _row(
    line: int,
    header: tuple[str, ...],
    cells: tuple[str, ...],
    kinds: Mapping[str, frozenset[str]],
    separator: str,
) -> RawRow:
    text = shortened(separator.join(cells).rstrip(separator))
    fault = wrong_byte(separator.join(cells))
    if fault is None and any(cells[len(header) :]):
        fault = _too_wide(len(header))
    if fault is not None:
        return RawRow(line, fault=fault, text=text)
    row: dict[str, Any] = {}
    for name, cell in zip(header, cells, strict=False):
        if not cell.strip():
            continue
        try:
            row[name] = read_cell(cell, kinds.get(name, frozenset({"string"})))
        except JsonFault as error:
            return RawRow(line, fault=f"column {name!r}: {error}; write it as JSON", text=text)
    return RawRow(line, value=row, text=text)


def _too_wide(width: int) -> str:
    return (
        f"more fields than the {width} columns of the first line, or a quote that is not closed; "
        'put cells that hold separators, quotes or line breaks in quotes ("")'
    )


def read_cell(cell: str, kinds: frozenset[str]) -> Any:
    """Return the value of a cell for a field that may be of these JSON types.

    Raises:
        JsonFault: where a field that cannot be text holds no JSON.
    """
    if kinds <= {"string"}:
        return cell
    stripped = cell.strip()
    if "string" in kinds:
        looks_nested = ("array" in kinds and stripped.startswith("[")) or (
            "object" in kinds and stripped.startswith("{")
        )
        if not looks_nested:
            return cell
        try:
            return read_json(stripped)
        except JsonFault:
            return cell
    if kinds & {"boolean"} and stripped.lower() in ("true", "false"):
        return stripped.lower() == "true"
    return read_json(stripped)


def cell_kinds(case_type: type[TestCase]) -> dict[str, frozenset[str]]:
    """Return the JSON types each field of a case may have, without null."""
    schema = case_type.model_json_schema()
    definitions = schema.get("$defs", {})
    return {
        name: frozenset(_types(field, definitions)) - {"null"}
        for name, field in schema.get("properties", {}).items()
    }


def _types(field: Mapping[str, Any], definitions: Mapping[str, Any]) -> Iterator[str]:
    if "$ref" in field:
        yield from _types(definitions[field["$ref"].rsplit("/", 1)[-1]], definitions)
    for choice in (*field.get("anyOf", ()), *field.get("allOf", ())):
        yield from _types(choice, definitions)
    if isinstance(field.get("type"), str):
        yield field["type"]
