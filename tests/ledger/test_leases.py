import os
import subprocess
import sys

import pytest

from citeval_assets.ledger import owners
from citeval_assets.ledger.audit import anchor
from citeval_assets.ledger.store import Ledger
from ledger.builders import Clock, failure, intent, record_calls, reply


def test_a_free_key_is_won(ledger: Ledger):
    assert ledger.claim(["a", "b"], "me", 60) == {"a", "b"}


def test_a_key_somebody_holds_is_not_won(ledger: Ledger):
    ledger.claim(["a", "b"], "one", 60)
    assert ledger.claim(["b", "c"], "two", 60) == {"c"}


def test_a_lease_that_ran_out_is_taken_over(ledger: Ledger, clock: Clock):
    ledger.claim(["a"], "one", 60)
    clock.advance(59)
    assert ledger.claim(["a"], "two", 60) == set()
    clock.advance(2)
    assert ledger.claim(["a"], "two", 60) == {"a"}
    assert ledger.claim(["a"], "one", 60) == set()


def test_claiming_again_renews(ledger: Ledger, clock: Clock):
    ledger.claim(["a"], "one", 60)
    clock.advance(50)
    assert ledger.claim(["a"], "one", 60) == {"a"}
    clock.advance(50)
    assert ledger.claim(["a"], "two", 60) == set()


def test_a_key_already_answered_is_not_won(ledger: Ledger):
    """Else a process that looked before the reply came would pay a second time."""
    record_calls(ledger, range(1))
    assert ledger.claim(["key-0", "key-1"], "me", 60) == {"key-1"}


def test_an_answered_key_is_won_for_a_fresh_call(ledger: Ledger):
    record_calls(ledger, range(1))
    assert ledger.claim(["key-0"], "me", 60, fresh=True) == {"key-0"}


def test_the_reply_ends_the_lease(ledger: Ledger):
    ledger.claim(["key-0", "key-1"], "me", 60)
    record_calls(ledger, range(1))
    assert set(ledger.claims(["key-0", "key-1"])) == {"key-1"}


def test_a_failure_leaves_the_lease_to_its_holder(ledger: Ledger):
    ledger.claim(["key-0"], "one", 60)
    ledger.add_intents([intent(0)])
    ledger.add_replies([failure(0)])
    assert ledger.claim(["key-0"], "two", 60) == set()


def test_released_keys_are_free_but_only_the_holders_own(ledger: Ledger):
    ledger.claim(["a"], "one", 60)
    ledger.claim(["b"], "two", 60)
    ledger.release(["a", "b"], "one")
    assert ledger.claim(["a", "b"], "three", 60) == {"a"}


def test_leases_tell_owner_and_end(ledger: Ledger, clock: Clock):
    ledger.claim(["a"], "one", 90)
    lease = ledger.claims(["a", "b"])["a"]
    assert (lease.owner, lease.expires_at) == ("one", "2026-11-30T12:01:30.000000+00:00")
    clock.advance(91)
    assert ledger.claims(["a"]) == {}


def test_leases_are_no_part_of_the_audit(ledger: Ledger):
    before = anchor(ledger)
    ledger.claim(["a"], "one", 60)
    ledger.release(["a"], "one")
    assert anchor(ledger) == before


def test_thousands_of_keys_are_claimed_at_once(ledger: Ledger):
    keys = [f"key-{number}" for number in range(2500)]
    assert ledger.claim([*keys, *keys], "me", 60) == set(keys)
    assert len(ledger.claims(keys)) == 2500


def test_this_process_is_alive():
    owner = owners.process_owner()
    assert not owners.is_dead(owner)
    assert owners.process_owner() != owner


def dead_owner() -> str:
    script = "from citeval_assets.ledger.owners import process_owner; print(process_owner())"
    child = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return child.stdout.strip()


@pytest.mark.skipif(os.name != "posix", reason="process ids cannot be asked about elsewhere")
def test_the_lease_of_a_process_that_died_is_taken_over_at_once(ledger: Ledger):
    ledger.claim(["a"], dead_owner(), 3600)
    assert ledger.claim(["a"], owners.process_owner(), 60) == {"a"}


@pytest.mark.skipif(os.name != "posix", reason="process ids cannot be asked about elsewhere")
def test_a_process_id_used_again_is_not_the_owner():
    place, pid, start, token = owners.process_owner().split("/")
    if start == "-":
        pytest.skip("this system does not tell when a process started")
    assert owners.is_dead(f"{place}/{pid}/{int(start) - 1}/{token}")


@pytest.mark.parametrize("owner", ["", "me", "host:1", "a/b/c/d", "elsewhere/1/1/1", "/////"])
def test_an_owner_nobody_can_ask_about_counts_as_alive(owner: str):
    assert not owners.is_dead(owner)


def test_a_reply_given_meanwhile_is_seen_by_the_loser(ledger: Ledger):
    ledger.claim(["key-0"], "one", 60)
    assert ledger.claim(["key-0"], "two", 60) == set()
    ledger.add_intents([intent(0)])
    ledger.add_replies([reply(0)])
    assert ledger.claim(["key-0"], "two", 60) == set()
    assert ledger.reply_for("key-0") is not None


def test_a_lease_is_prolonged_by_its_holder_alone(ledger: Ledger, clock: Clock):
    ledger.claim(["a"], "one", 60)
    ledger.claim(["b"], "two", 60)
    clock.advance(50)
    assert ledger.renew(["a", "b"], "one", 60) == {"a"}
    clock.advance(50)
    assert ledger.claim(["a", "b"], "three", 60) == {"b"}


def test_a_lease_the_reply_has_ended_is_not_taken_up_again(ledger: Ledger):
    ledger.claim(["key-0"], "one", 60)
    record_calls(ledger, range(1))
    assert ledger.renew(["key-0"], "one", 60) == set()
    assert ledger.claims(["key-0"]) == {}


def test_a_lease_that_was_lost_is_not_prolonged(ledger: Ledger, clock: Clock):
    ledger.claim(["a"], "one", 60)
    clock.advance(61)
    ledger.claim(["a"], "two", 60)
    assert ledger.renew(["a"], "one", 60) == set()


def test_what_a_session_that_ended_could_not_give_back_is_free(ledger: Ledger):
    ended = owners.process_owner()
    ledger.claim(["a"], ended, 3600)
    assert ledger.claim(["a"], owners.process_owner(), 60) == set()
    owners.retire(ended)
    assert ledger.claim(["a"], owners.process_owner(), 60) == {"a"}
