from citeval_assets.judging.breaker import BreakerSettings, CircuitBreaker


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def breaker_after(failures: int, limit: int = 3) -> tuple[CircuitBreaker, Clock]:
    clock = Clock()
    breaker = CircuitBreaker(BreakerSettings(limit, 10), clock)
    for _ in range(failures):
        assert breaker.admits()
        breaker.failed()
    return breaker, clock


def test_it_stays_closed_below_the_limit():
    breaker, _ = breaker_after(2)
    assert breaker.admits()


def test_an_answer_in_between_starts_the_count_again():
    breaker, _ = breaker_after(2)
    breaker.succeeded()
    breaker.failed()
    breaker.failed()
    assert breaker.admits()


def test_failures_in_a_row_open_it():
    breaker, _ = breaker_after(3)
    assert breaker.holds_back()
    assert not breaker.admits()


def test_after_the_cool_down_one_call_goes_out_on_trial():
    breaker, clock = breaker_after(3)
    clock.now = 10
    assert not breaker.holds_back()
    assert breaker.admits()
    assert not breaker.admits()


def test_a_trial_that_is_answered_closes_it():
    breaker, clock = breaker_after(3)
    clock.now = 10
    breaker.admits()
    breaker.succeeded()
    assert breaker.admits()
    assert breaker.admits()


def test_a_trial_that_fails_opens_it_for_another_cool_down():
    breaker, clock = breaker_after(3)
    clock.now = 10
    breaker.admits()
    breaker.failed()
    clock.now = 19.9
    assert not breaker.admits()
    clock.now = 20
    assert breaker.admits()


def test_a_trial_that_says_nothing_lets_the_next_one_try():
    breaker, clock = breaker_after(3)
    clock.now = 10
    breaker.admits()
    breaker.neutral()
    assert breaker.admits()


def test_a_limit_of_zero_never_opens_it():
    breaker, _ = breaker_after(50, limit=0)
    assert breaker.admits()
