import math

import pytest

from citeval_assets.statistics.agreement import (
    Confusion,
    accuracy,
    balanced_accuracy,
    cohen_kappa,
    label_qualities,
    mean_absolute_deviation,
)


def confusion(right_right: int, right_wrong: int, wrong_right: int, wrong_wrong: int) -> Confusion:
    counts = {
        ("right", "right"): right_right,
        ("right", "wrong"): right_wrong,
        ("wrong", "right"): wrong_right,
        ("wrong", "wrong"): wrong_wrong,
    }
    return Confusion(("right", "wrong"), counts)


def test_pairs_are_counted_label_first():
    found = Confusion.of(
        ["right", "right", "wrong"], ["right", "wrong", "wrong"], ("right", "wrong")
    )
    assert (found.n, found.agreed) == (3, 2)
    assert found.count("right", "wrong") == 1
    assert (found.labelled("right"), found.judged("wrong")) == (2, 2)


def test_an_unknown_class_is_refused():
    with pytest.raises(ValueError, match="unknown classes"):
        Confusion.of(["right"], ["maybe"], ("right", "wrong"))


def test_accuracy_and_recalls():
    found = confusion(40, 10, 5, 15)
    assert accuracy(found) == pytest.approx(55 / 70)
    assert balanced_accuracy(found) == pytest.approx((40 / 50 + 15 / 20) / 2)
    right, wrong = label_qualities(found)
    assert (right.precision, right.recall) == (pytest.approx(40 / 45), 0.8)
    assert (wrong.precision, wrong.recall) == (0.6, 0.75)


def test_a_judge_that_always_says_the_same_is_no_better_than_half():
    assert balanced_accuracy(confusion(90, 0, 10, 0)) == 0.5


def test_without_cases_or_a_second_class_there_is_nothing_to_say():
    assert accuracy(confusion(0, 0, 0, 0)) is None
    assert balanced_accuracy(confusion(10, 2, 0, 0)) is None
    assert cohen_kappa(confusion(0, 0, 0, 0)).mean is None
    assert cohen_kappa(confusion(10, 0, 0, 0)).mean is None


def test_kappa_of_a_textbook_table():
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: agreement 0.7, by chance 0.5.
    found = cohen_kappa(confusion(20, 5, 10, 15))
    assert found.mean == pytest.approx(0.4)
    # Fleiss, Cohen and Everitt's standard error, by hand.
    po, pe, n = 0.7, 0.5, 50
    diagonal = 0.4 * (0.5 - 1.1 * 0.3) ** 2 + 0.3 * (0.5 - 0.9 * 0.3) ** 2
    # p_.i + p_j. for (right, wrong): column of right 0.6, row of wrong 0.5.
    beside = 0.3**2 * (0.1 * (0.6 + 0.5) ** 2 + 0.2 * (0.4 + 0.5) ** 2)
    error = math.sqrt((diagonal + beside - (po * pe - 2 * pe + po) ** 2) / (n * 0.5**4))
    assert found.low == pytest.approx(0.4 - 1.959964 * error, abs=1e-5)
    assert found.high == pytest.approx(0.4 + 1.959964 * error, abs=1e-5)


def test_kappa_of_perfect_and_of_chance_agreement():
    assert cohen_kappa(confusion(30, 0, 0, 30)).mean == 1.0
    assert cohen_kappa(confusion(15, 15, 15, 15)).mean == pytest.approx(0.0)


def test_mean_absolute_deviation():
    assert mean_absolute_deviation([1, 0, 0.5], [0.5, 0, 1]) == pytest.approx(1 / 3)
    assert mean_absolute_deviation([], []) is None
