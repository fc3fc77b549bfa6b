import time

from citeval_assets.ledger.audit import verify
from citeval_assets.ledger.chain import GENESIS, row_hash
from citeval_assets.ledger.store import Ledger
from ledger.builders import record_calls


def test_the_hash_of_a_row_is_the_same_for_ever():
    """Ledgers of every release must verify: if this fails, the hash was changed, not the test."""
    content = {"text": "Größe \ufdd0d800", "score": 0.1, "count": 7, "nothing": None}
    assert row_hash("call_replies", 3, 9, GENESIS, content) == (
        "bd3f49c60c439833b0fcbcdaeb7e9ceb5e4445a97e399538d9239767c9a95aa6"
    )


def test_an_absent_column_and_one_that_is_null_hash_alike():
    """So that a later migration may add a column."""
    assert row_hash("t", 1, 1, GENESIS, {"a": 1}) == row_hash(
        "t", 1, 1, GENESIS, {"a": 1, "b": None}
    )


def test_every_part_of_a_row_is_in_its_hash():
    hashes = {
        row_hash("t", 1, 1, GENESIS, {"a": "x"}),
        row_hash("u", 1, 1, GENESIS, {"a": "x"}),
        row_hash("t", 2, 1, GENESIS, {"a": "x"}),
        row_hash("t", 1, 2, GENESIS, {"a": "x"}),
        row_hash("t", 1, 1, "1" * 64, {"a": "x"}),
        row_hash("t", 1, 1, GENESIS, {"a": "y"}),
        row_hash("t", 1, 1, GENESIS, {"b": "x"}),
        row_hash("t", 1, 1, GENESIS, {"a": ""}),
        row_hash("t", 1, 1, GENESIS, {}),
        row_hash("t", 1, 1, GENESIS, {"a": 1}),
        row_hash("t", 1, 1, GENESIS, {"a": "1"}),
    }
    assert len(hashes) == 11


def test_ten_thousand_rows_are_audited_in_seconds(ledger: Ledger):
    for start in range(0, 3400, 200):
        record_calls(ledger, range(start, start + 200))
    started = time.process_time()
    report = verify(ledger)
    assert report.ok
    assert report.rows > 10_000
    assert time.process_time() - started < 20
