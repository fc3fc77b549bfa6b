"""Limits on spending: what may be granted, and what a call finally counts as."""

import os
import subprocess
import sys
from decimal import Decimal
from threading import Thread

import pytest

from citeval_assets.ledger.owners import process_owner
from citeval_assets.ledger.spending import Refusal, Reservation, SpendingLimit, day_scope, run_scope
from citeval_assets.ledger.store import Ledger
from ledger.builders import Clock, failure, intent, reply

RUN = run_scope("run-1")


def limited(usd: str, limit: str, owner: str = "", scope: str = RUN, lease_s: float = 60.0):
    return Reservation(
        Decimal(usd), (SpendingLimit(scope, Decimal(limit)),), owner or process_owner(), lease_s
    )


def ask(ledger: Ledger, number: int, reservation: Reservation) -> Refusal | None:
    wanted = intent(number)
    return ledger.add_calls([wanted], (), {wanted.call_id: reservation}).get(wanted.call_id)


def test_no_more_calls_start_than_the_limit_pays_for(ledger: Ledger):
    refused = [ask(ledger, n, limited("0.30", "1.00")) for n in range(8)]
    assert [r is None for r in refused] == [True] * 3 + [False] * 5
    assert len(ledger.maybe_paid()) == 3, "what was refused left no intent"


def test_calls_of_one_transaction_are_served_in_order(ledger: Ledger):
    intents = [intent(n) for n in range(8)]
    held = {i.call_id: limited("0.30", "1.00") for i in intents}
    refused = ledger.add_calls(intents, (), held)
    assert sorted(refused) == [f"call-{n}" for n in range(3, 8)]


def test_the_reply_puts_the_real_cost_in_the_place_of_what_was_set_aside(ledger: Ledger):
    ask(ledger, 1, limited("0.30", "1.00"))
    assert ledger.spent(RUN) == (0, Decimal("0.30"))
    ledger.add_replies([reply(1, cost_usd=Decimal("0.0123"))])
    assert ledger.spent(RUN) == (Decimal("0.0123"), 0)


def test_a_call_that_was_not_billed_frees_what_was_set_aside(ledger: Ledger):
    ask(ledger, 1, limited("0.30", "1.00"))
    ledger.add_replies([failure(1, cost_usd=Decimal(0))])
    assert ledger.spent(RUN) == (0, 0)


def test_a_call_of_unknown_cost_counts_with_all_that_was_set_aside(ledger: Ledger):
    ask(ledger, 1, limited("0.30", "1.00"))
    ledger.add_replies([failure(1, cost_usd=None)])
    assert ledger.spent(RUN) == (Decimal("0.30"), 0)


def test_a_reply_recorded_twice_is_counted_once(ledger: Ledger):
    ask(ledger, 1, limited("0.30", "1.00"))
    for _ in range(2):
        ledger.add_replies([reply(1, cost_usd=Decimal("0.10"))])
    assert ledger.spent(RUN) == (Decimal("0.10"), 0)


def test_a_refusal_tells_the_figures_and_whether_waiting_may_help(ledger: Ledger):
    ask(ledger, 1, limited("0.90", "1.00"))
    refused = ask(ledger, 2, limited("0.30", "1.00"))
    assert refused is not None
    assert (refused.spent_usd, refused.reserved_usd) == (0, Decimal("0.90"))
    assert refused.pending
    assert "limit 1.00 USD (run:run-1)" in str(refused)
    ledger.add_replies([reply(1, cost_usd=Decimal("0.90"))])
    again = ask(ledger, 2, limited("0.30", "1.00"))
    assert again is not None
    assert not again.pending


def test_what_a_dead_process_had_set_aside_is_not_waited_for(ledger: Ledger):
    script = "from citeval_assets.ledger.owners import process_owner; print(process_owner())"
    dead = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.strip()
    ask(ledger, 1, limited("0.90", "1.00", owner=dead))
    refused = ask(ledger, 2, limited("0.30", "1.00"))
    assert refused is not None
    assert not refused.pending, "its call may have been paid: the money counts as spent"


def test_what_was_set_aside_too_long_ago_is_not_waited_for(ledger: Ledger, clock: Clock):
    ask(ledger, 1, limited("0.90", "1.00", lease_s=60))
    clock.advance(61)
    refused = ask(ledger, 2, limited("0.30", "1.00"))
    assert refused is not None
    assert not refused.pending


def test_several_limits_hold_at_once(ledger: Ledger, clock: Clock):
    day = day_scope(clock.moment)
    both = Reservation(
        Decimal("0.30"),
        (SpendingLimit(RUN, Decimal("5")), SpendingLimit(day, Decimal("0.50"))),
        process_owner(),
        60.0,
    )
    assert ask(ledger, 1, both) is None
    refused = ask(ledger, 2, both)
    assert refused is not None
    assert refused.limit.scope == day
    assert ledger.spent(RUN) == (0, Decimal("0.30")), "nothing is set aside for a refused call"


def test_a_day_starts_with_what_its_calls_cost_before_anybody_limited_it(
    ledger: Ledger, clock: Clock
):
    ledger.add_intents([intent(n) for n in range(700)])
    earlier = "2026-11-29T23:59:59.000000+00:00"
    ledger.add_replies([reply(n, created_at=earlier, cost_usd=Decimal(1)) for n in range(40)])
    ledger.add_replies([reply(n, cost_usd=Decimal("0.001")) for n in range(40, 640)])
    day = day_scope(clock.moment)
    refused = ask(ledger, 1000, limited("0.30", "0.80", scope=day))
    assert refused is not None
    assert refused.spent_usd == Decimal("0.600")
    assert ask(ledger, 1000, limited("0.20", "0.80", scope=day)) is None


def test_calls_without_a_limit_count_for_their_day(ledger: Ledger, clock: Clock):
    day = day_scope(clock.moment)
    ask(ledger, 1, limited("0.10", "1.00", scope=day))
    ledger.add_intents([intent(2)])
    ledger.add_replies([reply(2, cost_usd=Decimal("0.25"))])
    assert ledger.spent(day) == (Decimal("0.25"), Decimal("0.10"))


def test_a_new_day_is_a_new_account(ledger: Ledger, clock: Clock):
    ask(ledger, 1, limited("0.90", "1.00", scope=day_scope(clock.moment)))
    clock.advance(24 * 3600)
    assert ask(ledger, 2, limited("0.90", "1.00", scope=day_scope(clock.moment))) is None


def test_writers_at_once_are_never_granted_more_than_the_limit(ledger: Ledger, ledger_url: str):
    granted: list[int] = []

    def spend(first: int) -> None:
        with Ledger.open(ledger_url) as mine:
            for number in range(first, first + 20):
                if ask(mine, number, limited("0.07", "1.00")) is None:
                    granted.append(number)

    threads = [Thread(target=spend, args=(first,)) for first in range(0, 400, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(granted) == 14


@pytest.mark.skipif(os.name != "posix", reason="process ids")
def test_accounts_are_no_part_of_the_audit(ledger: Ledger):
    ask(ledger, 1, limited("0.90", "1.00"))
    before = ledger.head()
    ask(ledger, 2, limited("0.90", "1.00"))
    assert ledger.head() == before
