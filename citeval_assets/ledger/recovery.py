"""What a writer that died left at the end of SQLite's write-ahead log.

SQLite ignores a transaction that is not whole, and overwrites it silently with the next. Here it
is kept and reported, because the call it belonged to may have been paid for.

The layouts read here are fixed by SQLite's file format: https://sqlite.org/fileformat2.html#walformat
and https://sqlite.org/walformat.html (the wal-index).
"""

import os
import struct
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock

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
        header = _read_index(index, _INDEX_SALTS + 8)
        whole_frames = struct.unpack_from("=I", header, _INDEX_MAX_FRAME)[0]
        with log.open("rb") as file:
            page_size = struct.unpack_from(">I", file.read(_WAL_HEADER), 8)[0]
            frame_size = _FRAME_HEADER + page_size
            file.seek(_WAL_HEADER + whole_frames * frame_size)
            return _frames_of(file.read(), frame_size, header[_INDEX_SALTS:])
    except (FileNotFoundError, struct.error):
        return b""


_opened: dict[Path, tuple[int, int]] = {}
"""By path of a wal-index: its inode, and the descriptor it is read through."""

_opening = Lock()


def _read_index(index: Path, size: int) -> bytes:
    """Return the first bytes of the wal-index, without closing it.

    SQLite's locks on that file belong to the whole process: closing *any* descriptor of it drops
    them all (https://sqlite.org/howtocorrupt.html, 2.2). Another process that opens the ledger
    would then take itself for the only one and cut the file, and whoever has it mapped dies of
    SIGBUS; the write lock would be gone, too. So the descriptor is kept until the file at this
    place is another one.
    """
    with _opening:
        inode = index.stat().st_ino
        kept, descriptor = _opened.get(index, (-1, -1))
        if kept != inode:
            if descriptor >= 0:  # of a file that is gone: nobody holds locks on it
                os.close(descriptor)
                del _opened[index]
            descriptor = os.open(index, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
            _opened[index] = (os.fstat(descriptor).st_ino, descriptor)
        os.lseek(descriptor, 0, os.SEEK_SET)
        return os.read(descriptor, size)


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
