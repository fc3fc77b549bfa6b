import random
from datetime import UTC, datetime

import pytest

from citeval_assets.judging.backoff import Backoff, read_retry_after

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)


def test_waits_grow_and_stay_under_the_cap():
    backoff, draw = Backoff(first_s=1, cap_s=10), random.Random(1)
    for failures, ceiling in ((1, 1), (2, 2), (4, 8), (5, 10), (900, 10)):
        assert all(0 <= backoff.delay_s(failures, None, draw) <= ceiling for _ in range(50))


def test_the_jitter_is_full():
    backoff, draw = Backoff(first_s=8, cap_s=60), random.Random(1)
    waits = [backoff.delay_s(1, None, draw) for _ in range(300)]
    assert min(waits) < 0.5
    assert max(waits) > 7.5


def test_nobody_comes_back_before_the_retry_after():
    backoff, draw = Backoff(first_s=1, cap_s=60), random.Random(1)
    assert all(7 <= backoff.delay_s(1, 7, draw) <= 8 for _ in range(50))


def test_a_wait_longer_than_a_run_may_take_is_given_up():
    backoff = Backoff(longest_retry_after_s=300)
    assert backoff.gives_up(301)
    assert not backoff.gives_up(300)
    assert not backoff.gives_up(None)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7),
        (" 0.5 ", 0.5),
        ("0", 0),
        ("Mon, 30 Nov 2026 12:01:30 GMT", 90),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0),
        ("soon", None),
        ("-3", None),
        ("inf", None),
        ("nan", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(header, seconds):
    assert read_retry_after(header, NOW) == seconds
