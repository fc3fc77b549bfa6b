import pytest

from citeval_assets.judging.pacing import Rates
from citeval_assets.judging.policy import JudgingPolicy, comparison_budget

from .toy import model


def test_the_limits_of_a_model_become_its_policy():
    limits = {
        "max_concurrency": 3,
        "requests_per_minute": 30,
        "max_output_tokens": 900,
        "timeout_s": 7.0,
        "tries": 2,
        "backoff_s": 0.5,
        "backoff_max_s": 5.0,
        "breaker_failures": 4,
        "breaker_cooldown_s": 9.0,
        "deadline_s": 100.0,
    }
    policy = JudgingPolicy.for_model(model(limits=limits), token_budget=5000, repeat=2)
    assert (policy.max_concurrency, policy.output_tokens, policy.tries) == (3, 900, 2)
    assert (policy.backoff.first_s, policy.backoff.cap_s) == (0.5, 5.0)
    assert (policy.breaker.failures, policy.breaker.cooldown_s) == (4, 9.0)
    assert (policy.call_deadline_s, policy.deadline_s) == (7.0, 100.0)
    assert policy.rates == Rates(30, None)
    assert (policy.token_budget, policy.repeat, policy.refresh) == (5000, 2, False)


def test_a_comparison_is_cut_to_what_the_smallest_window_leaves():
    small = model(context_window=8000, limits={"max_output_tokens": 1000})
    large = model(context_window=9000, limits={"max_output_tokens": 3000})
    assert comparison_budget([small, large, model()]) == 6000
    assert comparison_budget([model()]) is None


@pytest.mark.parametrize(
    "settings", [{"tries": 0}, {"max_concurrency": 0}, {"call_deadline_s": 0}, {"repeat": -1}]
)
def test_a_policy_that_cannot_work_is_refused(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        JudgingPolicy(**settings)
