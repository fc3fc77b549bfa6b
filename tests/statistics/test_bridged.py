import pytest

from citeval_assets.statistics.bridged import Offset, without_offset
from citeval_assets.statistics.paired import paired_difference

DIFFERENCES = [-0.5, -0.5, -0.5, 0.5, *[0.0] * 56]


def test_the_offset_is_taken_out_and_its_error_added_in_squares():
    plain = paired_difference(DIFFERENCES)
    found = without_offset(plain, Offset(-0.02, -0.05, 0.01))
    assert found.difference == pytest.approx(plain.difference + 0.02)
    below = ((plain.difference - plain.low) ** 2 + 0.03**2) ** 0.5
    assert found.low == pytest.approx(found.difference - below)
    assert found.high - found.low > plain.high - plain.low


def test_no_offset_known_exactly_changes_nothing_but_the_p_value():
    plain = paired_difference(DIFFERENCES)
    found = without_offset(plain, Offset(0.0, 0.0, 0.0))
    assert (found.difference, found.low, found.high) == (plain.difference, plain.low, plain.high)
    assert 0 < found.p_value <= 1


def test_one_question_has_no_bounds_to_join():
    plain = paired_difference([0.5, 0.5], ["q", "q"])
    assert without_offset(plain, Offset(0.1, 0.0, 0.2)).low is None
