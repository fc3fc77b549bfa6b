"""The members of a dataset are held compactly, and come back as they were."""

import pytest

from citeval_assets.ledger.members import Members
from citeval_assets.ledger.records import DatasetMember

MEMBERS = (
    DatasetMember("golden", "golden", "a1" * 32, "{}", 0),
    DatasetMember("golden", "golden", "A1" * 32, "{}", 7),
    DatasetMember("traces", "production", "hash-3", '{"partial_weight":0.5}', 2),
    DatasetMember("golden", "golden", "", "{}", 3),
)


def test_members_come_back_as_they_were():
    held = Members(MEMBERS)
    assert tuple(held) == MEMBERS
    assert held == MEMBERS
    assert held[1:] == MEMBERS[1:]
    assert held[-2] == MEMBERS[2]
    assert hash(held) == hash(MEMBERS)
    assert held != MEMBERS[:3]
    assert held != (*MEMBERS[:3], MEMBERS[0])


@pytest.mark.parametrize("hashes", ["ab", "aba", ["f" * 64, "0" * 64, "odd"], ["odd", "odd"], []])
def test_a_case_that_stands_twice_is_noticed(hashes):
    members = Members(DatasetMember("d", "golden", name, "{}", n) for n, name in enumerate(hashes))
    assert members.all_different is (len(set(hashes)) == len(hashes))
