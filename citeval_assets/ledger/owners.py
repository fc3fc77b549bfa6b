"""Who holds a lease: one process, named so that others on the machine can see it died."""

import os
import socket
from functools import cache
from hashlib import sha256
from pathlib import Path
from uuid import uuid4


def process_owner() -> str:
    """Return a name for this process: ``place/pid/start/token``.

    ``place`` stands for machine, boot and process namespace: only a process in the same place
    can tell from a process id whether the owner is alive.
    """
    pid = os.getpid()
    return f"{_place()}/{pid}/{_start_time(pid)}/{uuid4().hex[:8]}"


_retired: set[str] = set()


def retire(owner: str) -> None:
    """Let go of everything an owner of this process still holds: it has come to its end.

    A process goes on after a session that ended badly; what that session could not give back
    (the disk was full) must not keep the next one waiting.
    """
    _retired.add(owner)


def is_dead(owner: str) -> bool:
    """Return whether the owner is known to be gone. Unknown owners count as alive."""
    if owner in _retired:
        return True
    parts = owner.split("/")
    if os.name != "posix" or len(parts) != 4 or parts[0] != _place() or not parts[1].isdecimal():
        return False
    pid = int(parts[1])
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return _start_time(pid) != parts[2]


@cache
def _place() -> str:
    boot = _read("/proc/sys/kernel/random/boot_id")
    try:
        namespace = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        namespace = ""
    text = f"{socket.gethostname()}\n{boot}\n{namespace}"
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def _start_time(pid: int) -> str:
    """Return when a process started (clock ticks since boot), ``-`` where nobody says."""
    stat = _read(f"/proc/{pid}/stat")
    fields = stat.rpartition(")")[2].split()
    return fields[19] if len(fields) > 19 else "-"


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
