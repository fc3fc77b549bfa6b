"""SQLite's locks belong to the process: nothing of ours may drop them by closing a file."""

import os
import sys
from pathlib import Path

import pytest

from citeval_assets.ledger.recovery import has_log, set_aside_torn_tail
from citeval_assets.ledger.store import Ledger
from ledger.builders import record_calls

pytestmark = pytest.mark.skipif(
    not Path("/proc/locks").exists(), reason=f"{sys.platform} does not list locks"
)


def locks_on(file: Path) -> int:
    """Count the locks this process holds on a file."""
    inode = str(file.stat().st_ino)
    lines = Path("/proc/locks").read_text(encoding="utf-8").splitlines()
    mine = [line.split() for line in lines if "POSIX" in line]
    return sum(f[4] == str(os.getpid()) and f[5].endswith(f":{inode}") for f in mine)


def test_a_look_at_the_end_of_the_log_leaves_every_lock_in_place(tmp_path):
    file = tmp_path / "ledger.db"
    with Ledger.open(f"sqlite:///{file}") as ledger:
        record_calls(ledger, range(3))
        assert has_log(file)
        files = [file, file.with_name("ledger.db-shm")]
        with ledger._write_lock():
            before = [locks_on(one) for one in files]
            set_aside_torn_tail(file)
            assert [locks_on(one) for one in files] == before
            assert all(before)
