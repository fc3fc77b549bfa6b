"""Hashes: the same content gives the same hash, anything that matters changes it."""

import math

import pytest

from citeval_assets.datasets.hashing import canonical_json, case_hash, dataset_version
from citeval_assets.playbooks.cases import Source, TestCase


def case(**fields: object) -> TestCase:
    base = {"test_case_id": "t", "system": "s", "question": "q"}
    return TestCase.model_validate({**base, **fields})


def test_canonical_json_has_one_spelling():
    assert canonical_json({"b": 1, "a": ["é", None]}) == '{"a":["é",null],"b":1}'
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(math.nan)


def test_a_case_hash_covers_every_field_and_the_playbook():
    plain = case_hash("p", case())
    others = {
        case_hash("other", case()),
        case_hash("p", case(question="q2")),
        case_hash("p", case(test_case_id="t2")),
        case_hash("p", case(system="s2")),
        case_hash("p", case(sources=[{"id": "1", "text": "x"}])),
        case_hash("p", case(labels={"score": 1})),
        case_hash("p", case(labels={"score": 1, "note": "x"})),
    }
    assert plain not in others
    assert len(others) == 7


def test_a_field_at_its_default_does_not_count():
    assert case_hash("p", case(tags=[], risk_level=None)) == case_hash("p", case())


def test_two_spellings_of_an_id_are_one_case():
    assert case_hash("p", case(test_case_id="cafe\u0301 ")) == case_hash(
        "p", case(test_case_id="café")
    )
    assert Source.model_validate({"id": 7, "text": "x"}).id == "7"


def test_a_dataset_version_ignores_the_order_and_nothing_else():
    one, two = ("d", "h1", "{}"), ("d", "h2", "{}")
    version = dataset_version([one, two])
    assert dataset_version([two, one]) == version
    changed = ([one], [one, ("e", "h2", "{}")], [one, ("d", "h2", '{"a":1}')], [one, two, two])
    assert version not in {dataset_version(members) for members in changed}
