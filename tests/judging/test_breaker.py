from citeval_assets.judging.breaker import BreakerSettings, CircuitBreaker
from citeval_assets.playbooks.vocabulary import Reason


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def breaker_after(failures: int, limit: int = 3) -> tuple[CircuitBreaker, Clock]:
    clock = Clock()
    breaker = CircuitBreaker(BreakerSettings(limit, 10), clock)
    for _ in range(failures):
        assert await breaker.admits()
        await breaker.failed(Reason.UNREACHABLE)
    return breaker, clock


async def test_it_stays_closed_below_the_limit():
    breaker, _ = await breaker_after(2)
    assert await breaker.admits()


async def test_an_answer_in_between_starts_the_count_again():
    breaker, _ = await breaker_after(2)
    await breaker.succeeded()
    await breaker.failed(Reason.UNREACHABLE)
    await breaker.failed(Reason.UNREACHABLE)
    assert await breaker.admits()


async def test_failures_in_a_row_open_it():
    breaker, _ = await breaker_after(3)
    assert breaker.holds_back()
    assert not await breaker.admits()


async def test_after_the_cool_down_one_call_goes_out_on_trial():
    breaker, clock = await breaker_after(3)
    clock.now = 10
    assert not breaker.holds_back()
    assert await breaker.admits()
    assert not await breaker.admits()


async def test_a_trial_that_is_answered_closes_it():
    breaker, clock = await breaker_after(3)
    clock.now = 10
    await breaker.admits()
    await breaker.succeeded()
    assert await breaker.admits()
    assert await breaker.admits()


async def test_a_trial_that_fails_opens_it_for_another_cool_down():
    breaker, clock = await breaker_after(3)
    clock.now = 10
    await breaker.admits()
    await breaker.failed(Reason.UNREACHABLE)
    clock.now = 19.9
    assert not await breaker.admits()
    clock.now = 20
    assert await breaker.admits()


async def test_a_trial_that_says_nothing_lets_the_next_one_try():
    breaker, clock = await breaker_after(3)
    clock.now = 10
    await breaker.admits()
    await breaker.neutral()
    assert await breaker.admits()


async def test_a_limit_of_zero_never_opens_it():
    breaker, _ = await breaker_after(50, limit=0)
    assert await breaker.admits()
