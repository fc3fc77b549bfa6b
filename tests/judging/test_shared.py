"""What several sessions share through the ledger: circuits, rates, leases."""

import asyncio

from citeval_assets.judging import attendance
from citeval_assets.judging.attendance import Attendance
from citeval_assets.judging.breaker import BreakerSettings, SharedBreaker
from citeval_assets.judging.concurrency import AdaptiveLimit
from citeval_assets.judging.leases import LeaseDesk
from citeval_assets.judging.pacing import Rates
from citeval_assets.ledger.owners import process_owner, retire
from citeval_assets.playbooks.vocabulary import Reason, Status

from .toy import ScriptedClient, fault, model, task, tasks


def breaker_of(judge, **settings) -> SharedBreaker:
    chosen = BreakerSettings(**{"failures": 3, "cooldown_s": 10.0, **settings})
    clock = judge.time.timing().clock
    return SharedBreaker(judge.ledger, "openai/judge @ x", chosen, clock, trial_s=60.0)


async def failed(breaker: SharedBreaker, times: int) -> None:
    for _ in range(times):
        assert await breaker.admits()
        await breaker.failed(Reason.UNREACHABLE)


async def test_a_circuit_one_process_opens_is_open_for_the_others(judge, time):
    one, two = breaker_of(judge), breaker_of(judge)
    assert await two.admits()
    await failed(one, 3)
    time.seconds += 1  # what is known of the others is at most a second old
    assert two.holds_back()
    assert not await two.admits()


async def test_failures_of_both_count_together(judge, time):
    one, two = breaker_of(judge), breaker_of(judge)
    await failed(one, 2)
    time.seconds += 1
    await failed(two, 1)
    assert two.holds_back()


async def test_an_answer_at_one_starts_the_count_of_both_again(judge, time):
    one, two = breaker_of(judge), breaker_of(judge)
    await failed(one, 2)
    time.seconds += 1
    assert await two.admits()
    await two.succeeded()
    time.seconds += 1
    await failed(one, 2)
    assert await one.admits()


async def test_of_two_processes_one_has_the_trial(judge, time):
    one, two = breaker_of(judge), breaker_of(judge)
    await failed(one, 3)
    time.seconds += 10
    assert [await one.admits(), await two.admits()] == [True, False]
    await one.succeeded()
    time.seconds += 1
    assert await two.admits()


async def test_a_trial_that_says_nothing_is_given_back(judge, time):
    one, two = breaker_of(judge), breaker_of(judge)
    await failed(one, 3)
    time.seconds += 10
    assert await one.admits()
    await one.neutral()
    assert await two.admits()


async def test_while_nothing_fails_no_transaction_is_spent(judge, monkeypatch):
    breaker = breaker_of(judge)
    monkeypatch.setattr(judge.ledger, "circuit_closed", None)
    for _ in range(100):
        assert await breaker.admits()
        await breaker.succeeded()


async def test_an_open_circuit_outlasts_the_session_and_names_why(judge, time):
    broken = ScriptedClient(default=fault(Reason.BAD_KEY, retryable=False))
    settings = {"max_concurrency": 1, "breaker": BreakerSettings(3, cooldown_s=60)}
    await judge.run(broken, tasks(5), **settings)
    silent = ScriptedClient()
    outcomes = await judge.run(silent, tasks(5), **settings)
    assert silent.requests == []
    assert {o.report.reason for o in outcomes} == {Reason.CIRCUIT_OPEN}
    assert "bad_key" in outcomes[0].report.message
    other = ScriptedClient()
    await judge.run(other, tasks(5), model=model(model="openai/other"), **settings)
    assert len(other.requests) == 5, "another model has its own circuit"
    time.seconds += 60
    assert {o.report.status for o in await judge.run(silent, tasks(5), **settings)} == {
        Status.VALID
    }


async def test_two_sessions_at_once_keep_to_one_rate(judge, time):
    started = time.seconds
    settings = {"rates": Rates(requests_per_minute=60), "max_concurrency": 1}
    await asyncio.gather(
        judge.run(ScriptedClient(), tasks(13), **settings),
        judge.run(ScriptedClient(), tasks(13), repeat=1, **settings),
    )
    assert time.seconds - started >= 25 - 1e-6


async def test_a_lease_is_prolonged_while_the_call_is_under_way(judge, ledger, time):
    desk = LeaseDesk(ledger, lease_s=0.15)
    ledger.claim(["key"], desk.owner, desk.lease_s)
    desk.hold("key")
    until = ledger.claims(["key"])["key"].expires_at
    time.seconds += 0.1
    await asyncio.sleep(0.12)
    assert ledger.claims(["key"])["key"].expires_at > until
    await desk.give_back("key")
    await desk.close()
    assert ledger.claims(["key"]) == {}


async def test_nothing_is_prolonged_once_the_reply_is_stored(judge, ledger, monkeypatch):
    desk = LeaseDesk(ledger, lease_s=0.03)
    desk.hold("key")
    desk.ended("key")
    monkeypatch.setattr(ledger, "renew", None)
    await asyncio.sleep(0.05)
    assert desk._renewing is not None
    assert desk._renewing.done()


async def test_the_leases_of_a_session_end_with_it(judge, ledger):
    await judge.run(ScriptedClient(), [task("a")])
    with ledger.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM claims").scalar() == 0


async def test_a_turn_that_comes_after_the_deadline_of_the_case_is_not_waited_for(judge):
    rates = Rates(requests_per_minute=6)
    outcomes = await judge.run(ScriptedClient(), tasks(4), rates=rates, case_deadline_s=5.0)
    late = [o.report for o in outcomes if o.report.reason is Reason.TIMEOUT]
    assert len(late) == 3
    assert "case_deadline_s" in late[0].message


async def present(ledger, scope: str = "m") -> Attendance:
    found = Attendance(ledger, scope, process_owner(), AdaptiveLimit(9))
    await found.begin()
    return found


async def test_processes_that_ask_one_model_share_what_may_be_open(ledger, monkeypatch):
    monkeypatch.setattr(attendance, "EVERY_S", 0.01)
    one, two = await present(ledger), await present(ledger)
    other = await present(ledger, "another model")
    assert other.limit.allowed == 9
    await until(lambda: one.limit.allowed == two.limit.allowed == 4)
    await two.end()
    await until(lambda: one.limit.allowed == 9)
    await one.end()
    await other.end()


async def test_who_comes_waits_for_the_calls_of_the_others_to_end(ledger, monkeypatch):
    monkeypatch.setattr(attendance, "EVERY_S", 0.01)
    one = await present(ledger)
    for _ in range(9):
        await one.limit.take()
    two = await present(ledger)
    await until(lambda: one.limit.allowed == 4)
    await asyncio.sleep(0.05)
    assert two.limit.allowed == 0, "all nine calls are open still"
    waiting = asyncio.create_task(two.limit.take())
    for _ in range(5):
        one.limit.give_back()
    await until(lambda: two.limit.allowed == 4)
    await waiting
    await one.end()
    await two.end()


async def test_a_small_limit_does_not_shut_out_who_has_it(ledger, monkeypatch):
    monkeypatch.setattr(attendance, "EVERY_S", 0.01)
    big = await present(ledger)
    small = Attendance(ledger, "m", process_owner(), AdaptiveLimit(2))
    await small.begin()
    await until(lambda: small.limit.allowed == 1)
    assert (big.limit.allowed, small.limit.allowed) == (4, 1)
    await big.end()
    await small.end()


async def test_a_process_that_is_gone_gives_its_share_back(ledger):
    gone = await present(ledger)
    retire(gone.owner)
    assert (await present(ledger)).limit.allowed == 9


async def test_more_processes_than_calls_allowed_still_ask_one_at_a_time(ledger):
    crowd = [Attendance(ledger, "m", process_owner(), AdaptiveLimit(2)) for _ in range(4)]
    for one in (*crowd, *crowd, *crowd):
        await one._tell()
    assert [one.limit.allowed for one in crowd] == [1, 1, 1, 1]


async def test_a_session_leaves_nothing_behind_that_would_halve_the_next(judge, ledger):
    for _ in range(2):
        client = ScriptedClient()
        await judge.run(client, tasks(30), max_concurrency=6, refresh=True)
        assert client.max_in_flight == 6


async def until(true) -> None:
    for _ in range(2000):
        if true():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not come to be")
