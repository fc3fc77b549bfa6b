"""What a writer that died left at the end of SQLite's write-ahead log.

SQLite ignores a transaction that is not whole, and overwrites it silently with the next. Here it
is kept and reported, because the call it belonged to may have been paid for.

The layouts read here are fixed by SQLite's file format: https://sqlite.org/fileformat2.html#walformat
and https://sqlite.org/walformat.html (the wal-index).
"""

import struct
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

_WAL_HEADER = 32
_FRAME_HEADER = 24
_FRAME_SALTS = 8
_INDEX_MAX_FRAME = 16
_INDEX_SALTS = 32


@dataclass(frozen=True, slots=True)
class TornTail:
    """The unfinished part of a transaction, and where it was set aside."""

    size: int
    saved_as: Path


def has_log(database: Path) -> bool:
    """Return whether a write-ahead log lies beside the database: others write, or one died."""
    try:
        return database.with_name(f"{database.name}-wal").stat().st_size > 0
    except FileNotFoundError:
        return False


def set_aside_torn_tail(database: Path) -> TornTail | None:
    """Copy what follows the last whole transaction of the log, if a dead writer left it.

    The caller holds the write lock, so nobody is in the middle of writing.
    """
    tail = _torn_tail(database)
    if not tail:
        return None
    name = f"{database.name}.torn-{sha256(tail).hexdigest()[:12]}"
    target = database.with_name(name)
    if target.exists():
        return None  # reported when it was set aside
    target.write_bytes(tail)
    return TornTail(len(tail), target)


def _torn_tail(database: Path) -> bytes:
    log = database.with_name(f"{database.name}-wal")
    index = database.with_name(f"{database.name}-shm")
    try:
        with index.open("rb") as file:
            header = file.read(_INDEX_SALTS + 8)
        whole_frames = struct.unpack_from("=I", header, _INDEX_MAX_FRAME)[0]
        with log.open("rb") as file:
            page_size = struct.unpack_from(">I", file.read(_WAL_HEADER), 8)[0]
            frame_size = _FRAME_HEADER + page_size
            file.seek(_WAL_HEADER + whole_frames * frame_size)
            return _frames_of(file.read(), frame_size, header[_INDEX_SALTS:])
    except (FileNotFoundError, struct.error):
        return b""


def _frames_of(data: bytes, frame_size: int, salts: bytes) -> bytes:
    """Return the leading frames of ``data`` that carry ``salts``, a cut last one included.

    Frames with other salts are remains of an earlier, finished round of the log.
    """
    end = 0
    while end < len(data):
        found = data[end + _FRAME_SALTS : end + _FRAME_SALTS + 8]
        if not salts.startswith(found):
            break
        end += frame_size
    return data[:end]
