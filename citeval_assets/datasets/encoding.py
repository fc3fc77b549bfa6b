"""Opening case files as text, whatever a spreadsheet or an editor made of them."""

import codecs
import re
from pathlib import Path
from typing import TextIO

from citeval_assets.datasets.raw import FileNotes

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")
_LOOKED_AT = 4096


class WrongEncoding(ValueError):
    """A file that is no text in an encoding that can be told."""


def open_text(path: Path, notes: FileNotes) -> TextIO:
    """Open a file as text, line ends unchanged. Close it.

    UTF-8, with or without byte order mark; bytes that are none come through as lone
    surrogates, see ``wrong_byte``. UTF-16 and UTF-32 with a byte order mark are read, with a
    warning.

    Raises:
        WrongEncoding: for UTF-16 without a byte order mark, and for binary files.
    """
    with path.open("rb") as stream:
        head = stream.read(_LOOKED_AT)
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            notes.warnings.append(f"read as {encoding.upper()}; save it as UTF-8")
            return path.open(encoding=encoding, newline="")
    if b"\x00" in head:
        raise WrongEncoding(
            "wrong encoding: it holds NUL bytes (UTF-16 without a byte order mark, or no text); "
            "save it as UTF-8"
        )
    return path.open(encoding="utf-8-sig", errors="surrogateescape", newline="")


def wrong_byte(text: str) -> str | None:
    """Say which byte of a row is not UTF-8, or return ``None``."""
    found = _ESCAPED_BYTE.search(text)
    if found is None:
        return None
    return (
        f"wrong encoding: byte 0x{ord(found[0]) & 0xFF:02X} at character {found.start() + 1} is "
        "not UTF-8; save the file as UTF-8"
    )
