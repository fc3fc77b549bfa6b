"""Rates that several processes share."""

import pytest

from citeval_assets.ledger.store import Ledger
from citeval_assets.ledger.turns import TurnLength
from ledger.builders import Clock

SECOND = TurnLength(request_s=1.0)


def test_turns_are_spaced_evenly(ledger: Ledger):
    assert ledger.take_turns("m", [SECOND] * 3) == pytest.approx([0, 1, 2])


def test_others_come_after(ledger: Ledger, ledger_url: str, clock: Clock):
    ledger.take_turns("m", [SECOND] * 3)
    with Ledger.open(ledger_url, now=clock) as other:
        assert other.take_turns("m", [SECOND]) == pytest.approx([3])


def test_time_that_passed_is_not_saved_up(ledger: Ledger, clock: Clock):
    ledger.take_turns("m", [SECOND] * 3)
    clock.advance(60)
    assert ledger.take_turns("m", [SECOND] * 2) == pytest.approx([0, 1], abs=1e-5)


def test_the_longer_of_requests_and_tokens_counts(ledger: Ledger):
    long = TurnLength(request_s=1.0, tokens_s=5.0)
    assert ledger.take_turns("m", [SECOND, long, SECOND]) == pytest.approx([0, 1, 6])


def test_models_do_not_share_their_turns(ledger: Ledger):
    ledger.take_turns("m", [SECOND] * 3)
    assert ledger.take_turns("n", [SECOND]) == pytest.approx([0])
