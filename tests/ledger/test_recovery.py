"""A log cut in the middle of its last write, as a power cut leaves it."""

import logging
import shutil
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

import pytest

from citeval_assets.ledger.audit import anchor, verify
from citeval_assets.ledger.store import Ledger
from ledger.builders import intent, record_calls, reply
from ledger.conftest import sqlite_only

pytestmark = sqlite_only

FRAME_HEADER, WAL_HEADER = 24, 32


@pytest.fixture
def crashed(ledger: Ledger, tmp_path: Path) -> tuple[Path, int]:
    """A copy of file and log as they stand, and where the last transaction starts in the log."""
    log = tmp_path / "ledger.db-wal"
    record_calls(ledger, range(5))
    ledger.add_intents([intent(5)])
    start = log.stat().st_size
    ledger.add_replies([reply(5, text="q" * 9000)])
    copy = tmp_path / "crashed"
    copy.mkdir()
    for name in ("ledger.db", "ledger.db-wal"):
        shutil.copy(tmp_path / name, copy / name)
    return copy, start


def opened(folder: Path) -> Ledger:
    return Ledger.open(f"sqlite:///{folder / 'ledger.db'}")


def cut_log(folder: Path, size: int) -> None:
    with (folder / "ledger.db-wal").open("r+b") as file:
        file.truncate(size)


def test_wherever_the_last_write_is_cut_the_rows_before_it_are_kept(
    crashed: tuple[Path, int], tmp_path: Path
):
    folder, start = crashed
    whole = (folder / "ledger.db-wal").stat().st_size
    cuts = [
        start + 1,
        start + 10,
        start + FRAME_HEADER,
        *range(start + 500, whole, 3001),
        whole - 1,
    ]
    for number, cut in enumerate(cuts):
        copy = tmp_path / f"cut-{number}"
        shutil.copytree(folder, copy)
        cut_log(copy, cut)
        with opened(copy) as ledger:
            assert len(ledger.replies_for(f"key-{n}" for n in range(6))) == 5
            assert [i.call_id for i in ledger.maybe_paid()] == ["call-5"]
            assert verify(ledger).ok
            assert ledger.torn is not None, cut
            assert ledger.torn.size == cut - start
            ledger.add_replies([reply(5)])
            assert verify(ledger).ok


def test_the_torn_part_is_set_aside_and_reported(
    crashed: tuple[Path, int], caplog: pytest.LogCaptureFixture
):
    folder, start = crashed
    cut_log(folder, start + 5000)
    torn = (folder / "ledger.db-wal").read_bytes()[start:]
    with caplog.at_level(logging.WARNING), opened(folder) as ledger:
        assert ledger.torn is not None
        assert ledger.torn.saved_as.read_bytes() == torn
    assert "maybe paid" in caplog.text
    assert ledger.torn.saved_as.name in caplog.text


def test_it_is_reported_once(crashed: tuple[Path, int]):
    folder, start = crashed
    cut_log(folder, start + 5000)
    with opened(folder) as first, opened(folder) as second:
        assert (first.torn is None, second.torn is None) == (False, True)
    assert len(list(folder.glob("*.torn-*"))) == 1


def test_a_frame_with_wrong_bytes_is_torn_too(crashed: tuple[Path, int]):
    folder, start = crashed
    log = folder / "ledger.db-wal"
    data = bytearray(log.read_bytes())
    data[start + FRAME_HEADER + 100] ^= 0xFF
    log.write_bytes(data)
    with opened(folder) as ledger:
        assert [i.call_id for i in ledger.maybe_paid()] == ["call-5"]
        assert ledger.torn is not None
        assert ledger.torn.size == len(data) - start


def test_a_whole_log_has_no_torn_part(crashed: tuple[Path, int]):
    folder, _ = crashed
    with opened(folder) as ledger:
        assert ledger.torn is None
        assert ledger.maybe_paid() == []
    assert list(folder.glob("*.torn-*")) == []


def test_remains_of_an_earlier_round_of_the_log_are_not_torn(ledger: Ledger, tmp_path: Path):
    record_calls(ledger, range(50))
    with ledger.reading() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(RESTART)")
    ledger.add_intents([intent(99)])  # overwrites the log from its start
    with opened(tmp_path) as again:
        assert again.torn is None


def test_a_log_rolled_back_after_it_was_started_anew_is_not_torn(ledger: Ledger, tmp_path: Path):
    record_calls(ledger, range(50))
    with ledger.reading() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(RESTART)")
    with opened(tmp_path) as again:
        assert again.torn is None


def test_the_layout_of_the_log_is_the_one_read_here(ledger: Ledger, tmp_path: Path):
    record_calls(ledger, range(3))
    header = (tmp_path / "ledger.db-wal").read_bytes()[:WAL_HEADER]
    magic, version, page_size = struct.unpack(">III", header[:12])
    assert (magic & 0xFFFFFFFE, version, page_size) == (0x377F0682, 3007000, 4096)


@pytest.mark.parametrize("way", ["VACUUM INTO", "backup"])
def test_a_backup_made_while_open_agrees_with_the_anchor(ledger: Ledger, tmp_path: Path, way: str):
    record_calls(ledger, range(20))
    kept = anchor(ledger)
    copy = tmp_path / "copy" / "ledger.db"
    copy.parent.mkdir()
    with closing(sqlite3.connect(tmp_path / "ledger.db")) as source:
        if way == "backup":
            with closing(sqlite3.connect(copy)) as target:
                source.backup(target)
        else:
            source.execute(f"VACUUM INTO '{copy}'")
    with opened(copy.parent) as restored:
        assert verify(restored, [kept]).ok
        assert restored.secret() == ledger.secret()
        record_calls(restored, range(20, 22))
        assert verify(restored, [kept]).ok
