from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeval_assets.statistics.sampling import Stratum, draw, sample_size, stratified_mean


@settings(max_examples=50)
@given(st.integers(0, 500), st.integers(0, 50), st.floats(0.01, 1))
def test_a_stratum_gives_its_share_within_its_limit(offered, most, rate):
    size = sample_size(offered, most, rate)
    assert 0 <= size <= min(offered, most)
    assert size > 0 or offered == 0 or most == 0


@settings(max_examples=30)
@given(st.sets(st.text(max_size=4), max_size=30), st.integers(0, 10), st.integers())
def test_the_order_of_the_keys_does_not_matter(keys, size, seed):
    assert draw(sorted(keys), size, seed) == draw(sorted(keys, reverse=True), size, seed)


def test_every_key_is_drawn_equally_often():
    counts = Counter(k for seed in range(2000) for k in draw("abcdefgh", 2, seed))
    assert all(420 < count < 580 for count in counts.values())


def test_strata_count_by_their_size():
    found = stratified_mean([Stratum(90, (1.0, 1.0)), Stratum(10, (0.0, 0.0))])
    assert found.mean == pytest.approx(0.9)


def test_what_was_drawn_whole_is_certain():
    found = stratified_mean([Stratum(3, (1.0, 0.0, 0.5))])
    assert (found.low, found.mean, found.high) == (0.5, 0.5, 0.5)


def test_full_scores_of_a_few_are_not_taken_for_certain():
    found = stratified_mean([Stratum(1000, (1.0,) * 10)])
    assert found.low is not None and found.low < 0.9 and found.high == 1.0


def test_nothing_scored_has_no_mean():
    assert stratified_mean([Stratum(5, ())]).mean is None
