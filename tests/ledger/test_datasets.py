from collections.abc import Iterator

import pytest

from citeval_assets.ledger.audit import anchor
from citeval_assets.ledger.errors import LedgerConflict, LedgerError
from citeval_assets.ledger.records import CaseRecord, DatasetMember, DatasetRecord
from citeval_assets.ledger.store import Ledger
from ledger.builders import case, dataset


def test_a_dataset_comes_back_as_registered(ledger: Ledger):
    members = (
        DatasetMember("golden", "golden", "hash-1", '{"partial_weight":0.5}', 0),
        DatasetMember("traces", "production", "hash-2", "{}", 1),
        DatasetMember("golden", "golden", "hash-3", '{"partial_weight":0.5}', 2),
    )
    record = DatasetRecord("citation_accuracy", "v-1", members, "2026-11-30T12:00:00.000000+00:00")
    assert ledger.register_dataset(record, [case(1), case(2), case(3)])
    assert ledger.dataset("citation_accuracy", "v-1") == record


def test_registering_again_changes_nothing(ledger: Ledger):
    ledger.register_dataset(dataset("v-1", range(3)), map(case, range(3)))
    before = anchor(ledger)
    assert not ledger.register_dataset(dataset("v-1", range(3)), map(case, range(3)))
    assert anchor(ledger) == before


def test_cases_shared_by_two_versions_are_stored_once(ledger: Ledger):
    ledger.register_dataset(dataset("v-1", range(3)), map(case, range(3)))
    before = anchor(ledger).rows
    ledger.register_dataset(dataset("v-2", range(4)), map(case, range(4)))
    assert anchor(ledger).rows == before + 2


def test_the_latest_version_is_the_one_registered_last(ledger: Ledger):
    assert ledger.latest_dataset("citation_accuracy") is None
    for version in ("b", "a"):
        ledger.register_dataset(dataset(version, range(1)), [case(0)])
    latest = ledger.latest_dataset("citation_accuracy")
    assert latest is not None
    assert latest.dataset_version == "a"
    assert ledger.latest_dataset("cot_faithfulness") is None


def test_cases_are_walked_in_the_order_asked_for(ledger: Ledger):
    numbers = range(1100)
    ledger.register_dataset(dataset("v-1", numbers), map(case, numbers))
    wanted = [f"hash-{number}" for number in reversed(numbers)]
    assert [found.case_hash for found in ledger.cases([*wanted, "unknown"])] == wanted
    assert next(ledger.cases(["hash-7"])) == case(7)


def test_cases_are_read_from_the_stream_outside_the_write_lock(ledger: Ledger):
    """A slow source of cases must not keep other writers waiting."""

    def stream() -> Iterator[CaseRecord]:
        for number in range(1200):
            ledger.release(["nothing"], "me")  # needs the write lock
            yield case(number)

    assert ledger.register_dataset(dataset("v-1", range(1200)), stream())


def test_another_content_under_the_same_hash_is_refused(ledger: Ledger):
    ledger.register_dataset(dataset("v-1", range(1)), [case(0)])
    with pytest.raises(LedgerConflict, match="canonical_json"):
        ledger.register_dataset(dataset("v-2", range(1)), [case(0, canonical_json="{}")])
    assert ledger.dataset("citation_accuracy", "v-2") is None


def test_a_member_nobody_handed_in_is_refused(ledger: Ledger):
    with pytest.raises(LedgerError, match=r"1 of its cases.*hash-1"):
        ledger.register_dataset(dataset("v-1", range(2)), [case(0)])
    assert ledger.dataset("citation_accuracy", "v-1") is None
