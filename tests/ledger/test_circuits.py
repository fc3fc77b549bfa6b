"""Circuits that several processes share."""

import subprocess
import sys

from citeval_assets.ledger.circuits import CircuitState
from citeval_assets.ledger.store import Ledger
from ledger.builders import Clock

MODEL = "openai/judge @ provider default"


def fail(ledger: Ledger, times: int, owner: str = "one", reason: str = "timeout", limit: int = 3):
    for _ in range(times):
        ledger.circuit_failed(MODEL, owner, reason, limit=limit, cooldown_s=10)
    return ledger.circuit(MODEL)


def test_a_model_nobody_failed_with_is_closed(ledger: Ledger):
    assert ledger.circuit(MODEL).state is CircuitState.CLOSED


def test_failures_of_several_processes_in_a_row_open_it_for_all(ledger: Ledger):
    fail(ledger, 2, "one")
    circuit = fail(ledger, 1, "two", reason="bad_key")
    assert circuit.state is CircuitState.OPEN
    assert (circuit.failures, circuit.reason) == (3, "bad_key")
    assert circuit.holds_back(ledger.now())
    assert ledger.circuit_trial(MODEL, "three", 60)[0] is False


def test_an_answer_starts_the_count_again(ledger: Ledger):
    fail(ledger, 2)
    ledger.circuit_closed(MODEL)
    assert fail(ledger, 2).state is CircuitState.CLOSED


def test_after_the_cool_down_exactly_one_call_goes_out_on_trial(ledger: Ledger, clock: Clock):
    fail(ledger, 3)
    clock.advance(10)
    assert not ledger.circuit(MODEL).holds_back(ledger.now())
    assert ledger.circuit_trial(MODEL, "one", 60)[0] is True
    assert ledger.circuit_trial(MODEL, "two", 60)[0] is False
    assert ledger.circuit(MODEL).state is CircuitState.HALF_OPEN


def test_a_trial_that_fails_opens_it_for_another_cool_down(ledger: Ledger, clock: Clock):
    fail(ledger, 3)
    clock.advance(10)
    ledger.circuit_trial(MODEL, "one", 60)
    assert fail(ledger, 1, "one").state is CircuitState.OPEN
    clock.advance(9)
    assert ledger.circuit(MODEL).holds_back(ledger.now())
    clock.advance(1)
    assert ledger.circuit_trial(MODEL, "two", 60)[0] is True


def test_a_call_that_was_under_way_does_not_end_somebody_elses_trial(ledger: Ledger, clock: Clock):
    fail(ledger, 3)
    clock.advance(10)
    ledger.circuit_trial(MODEL, "one", 60)
    assert fail(ledger, 1, "two").state is CircuitState.HALF_OPEN


def test_a_failure_while_open_does_not_prolong_the_pause(ledger: Ledger, clock: Clock):
    until = fail(ledger, 3).until
    clock.advance(5)
    assert fail(ledger, 1, "two").until == until


def test_a_trial_that_says_nothing_lets_the_next_one_try(ledger: Ledger, clock: Clock):
    fail(ledger, 3)
    clock.advance(10)
    ledger.circuit_trial(MODEL, "one", 60)
    ledger.circuit_given_back(MODEL, "two")
    assert ledger.circuit_trial(MODEL, "two", 60)[0] is False
    ledger.circuit_given_back(MODEL, "one")
    assert ledger.circuit_trial(MODEL, "two", 60)[0] is True


def test_a_trial_nobody_hears_of_again_runs_out(ledger: Ledger, clock: Clock):
    fail(ledger, 3)
    clock.advance(10)
    ledger.circuit_trial(MODEL, "elsewhere", 60)
    clock.advance(60)
    assert ledger.circuit_trial(MODEL, "two", 60)[0] is True


def dead_owner() -> str:
    script = "from citeval_assets.ledger.owners import process_owner; print(process_owner())"
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_a_circuit_goes_with_the_process_that_opened_it(ledger: Ledger):
    fail(ledger, 3, dead_owner())
    assert ledger.circuit(MODEL).state is CircuitState.CLOSED
    assert fail(ledger, 1).failures == 1


def test_the_trial_of_a_process_that_died_is_free(ledger: Ledger, clock: Clock):
    fail(ledger, 3)
    clock.advance(10)
    ledger.circuit_trial(MODEL, dead_owner(), 3600)
    assert ledger.circuit_trial(MODEL, "two", 60)[0] is True


def test_a_limit_of_zero_never_opens_it(ledger: Ledger):
    assert fail(ledger, 50, limit=0).state is CircuitState.CLOSED


def test_models_do_not_share_a_circuit(ledger: Ledger):
    fail(ledger, 3)
    assert ledger.circuit("another").state is CircuitState.CLOSED
