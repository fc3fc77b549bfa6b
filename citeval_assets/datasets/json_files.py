"""JSON Lines and JSON array files, row by row."""

import re
from collections.abc import Iterator
from pathlib import Path

from citeval_assets.datasets.encoding import open_text, wrong_byte
from citeval_assets.datasets.json_values import JsonFault, StrictJson, read_json
from citeval_assets.datasets.raw import (
    MAX_ROW_CHARS,
    FileNotes,
    RawRow,
    RawRows,
    shortened,
    too_long,
)

MAX_ARRAY_BYTES = 300_000_000
"""A JSON array is read whole; larger ones should be JSON Lines."""

_SKIPPED_AT_ONCE = 1 << 20
_BLANK = re.compile(r"[ \t\r\n]*")


def read_json_lines(path: Path, notes: FileNotes) -> RawRows:
    """Yield the rows of a JSON Lines file, holding one line in memory at a time.

    Raises:
        WrongEncoding: where the file is no text.
    """
    for line, text, total in _lines(path, notes):
        if total > MAX_ROW_CHARS:
            yield RawRow(line, fault=too_long(total), text=shortened(text))
        elif text.strip():
            yield _row(line, text)


def _lines(path: Path, notes: FileNotes) -> Iterator[tuple[int, str, int]]:
    """Yield (line number, text, length); the text of a line over the limit is cut."""
    with open_text(path, notes) as stream:
        number = 0
        while text := stream.readline(MAX_ROW_CHARS + 1):
            number += 1
            total = len(text)
            rest = text
            while total > MAX_ROW_CHARS and not rest.endswith(("\n", "\r")):
                rest = stream.readline(_SKIPPED_AT_ONCE)
                if not rest:
                    break
                total += len(rest)
            yield number, text, total


def _row(line: int, text: str) -> RawRow:
    fault = wrong_byte(text)
    if fault is None:
        try:
            return RawRow(line, value=read_json(text), text=shortened(text.strip()))
        except JsonFault as error:
            place = "" if error.position is None else f" (character {error.position + 1})"
            fault = f"{error}{place}"
    return RawRow(line, fault=fault, text=shortened(text.strip()))


def read_json_array(path: Path, notes: FileNotes) -> RawRows:
    """Yield the items of a JSON array, or the values of a file that holds one after the other.

    Raises:
        WrongEncoding: where the file is no text.
    """
    size = path.stat().st_size
    if size > MAX_ARRAY_BYTES:
        fault = (
            f"oversized: {size} bytes, at most {MAX_ARRAY_BYTES} of JSON are read whole; "
            "save it as JSON Lines (.jsonl)"
        )
        yield RawRow(0, fault=fault)
        return
    with open_text(path, notes) as stream:
        text = stream.read()
    yield from _items(text)


def _items(text: str) -> RawRows:
    reader = StrictJson()
    position = _blank_from(text, 0)
    is_array = text.startswith("[", position)
    position = _blank_from(text, position + 1) if is_array else position
    counted, line = 0, 1
    while position < len(text) and not (is_array and text[position] == "]"):
        line += text.count("\n", counted, position)
        counted = position
        try:
            value, end = reader.read(text, position)
            following = _after_item(text, end, is_array)
        except JsonFault as error:
            at = position if error.position is None else error.position
            yield RawRow(
                line + text.count("\n", position, at),
                fault=f"{error}; the rest of the file could not be read",
                text=shortened(text[position : position + 2_000]),
            )
            return
        segment = text[position:end]
        fault = "; ".join(dict.fromkeys(reader.faults)) or wrong_byte(segment)
        if fault is None and len(segment) > MAX_ROW_CHARS:
            fault = too_long(len(segment))
        kept = shortened(segment)
        yield RawRow(line, fault=fault, text=kept) if fault else RawRow(line, value, text=kept)
        position = following
    if is_array and position >= len(text):
        yield RawRow(
            text.count("\n") + 1, fault="broken JSON: the array is not closed (']' is missing)"
        )


def _after_item(text: str, end: int, is_array: bool) -> int:
    position = _blank_from(text, end)
    if not is_array or position >= len(text) or text[position] == "]":
        return position
    if text[position] != ",":
        raise JsonFault("broken JSON: expected ',' or ']' after an item", position)
    return _blank_from(text, position + 1)


def _blank_from(text: str, position: int) -> int:
    found = _BLANK.match(text, position)
    return found.end() if found is not None else position
