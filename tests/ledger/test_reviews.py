"""A decision is only added onto what the reviewer saw."""

from dataclasses import replace

import pytest

from citeval_assets.ledger.audit import verify
from citeval_assets.ledger.records import HumanLabel, ReviewDecision
from citeval_assets.ledger.reviews import StaleDecision
from citeval_assets.ledger.store import Ledger

FIRST = ReviewDecision("d1", "p", "kiln", "prod", "c", "judge", "v1", "confirm", "ada")
SECOND = replace(FIRST, decision_id="d2", reviewer="bob", decision="override")
LABEL = HumanLabel("l1", "p", "kiln", "prod", "c", "human", "{}", 0.5, "ada", "d1")


@pytest.fixture
def ledger(tmp_path):
    with Ledger.open(f"sqlite:///{tmp_path / 'ledger.db'}") as opened:
        yield opened


def test_the_first_decision_and_its_label_are_written_together(ledger):
    ledger.decide(FIRST, seen="", labels=[LABEL])
    assert [d.decision_id for d in ledger.review_decisions()] == ["d1"]
    assert [label.origin for label in ledger.human_labels()] == ["d1"]
    assert verify(ledger).ok


def test_a_stale_form_writes_nothing_and_names_what_it_did_not_show(ledger):
    ledger.decide(FIRST, seen="")
    with pytest.raises(StaleDecision, match="ada") as stale:
        ledger.decide(SECOND, seen="", labels=[LABEL])
    assert [d.decision_id for d in stale.value.newer] == ["d1"]
    assert len(list(ledger.review_decisions())) == 1
    assert list(ledger.human_labels()) == []


def test_who_has_seen_the_other_decision_adds_an_own_one(ledger):
    ledger.decide(FIRST, seen="")
    ledger.decide(SECOND, seen="d1")
    assert [d.reviewer for d in ledger.review_decisions()] == ["ada", "bob"]


def test_decisions_about_other_reports_make_no_form_stale(ledger):
    ledger.decide(FIRST, seen="")
    ledger.decide(replace(SECOND, model="another"), seen="")
