"""One judge against labels."""

import pytest

from citeval_assets.calibration.measuring import LabelledScore, agreement, in_conflict
from citeval_assets.config.gates import CalibrationConfig
from citeval_assets.playbooks.vocabulary import LabelSource

CONFIG = CalibrationConfig()


def scores(*pairs: tuple[float, float], times: int = 1) -> list[LabelledScore]:
    """Return cases of (judged, label)."""
    return [
        LabelledScore(f"hash-{number}", f"case-{number}", "prod", judged, label)
        for number, (judged, label) in enumerate(pairs * times)
    ]


def measured(cases: list[LabelledScore]):
    return agreement(cases, LabelSource.HUMAN, CONFIG)


def test_the_figures_of_a_mild_judge():
    found = measured(scores((1.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0), times=20))
    assert (found.n, found.positives, found.negatives) == (80, 40, 40)
    assert found.calibrated
    assert found.state == "calibrated"
    assert (found.accuracy, found.balanced_accuracy) == (0.75, 0.75)
    assert found.kappa.mean == 0.5
    assert found.bias == 0.25
    assert found.mean_deviation == 0.25
    right, wrong = found.per_label
    assert (right.recall, wrong.recall) == (1.0, 0.5)
    assert right.precision == pytest.approx(2 / 3)
    assert wrong.precision == 1.0
    assert found.confusion.count("wrong", "right") == 20
    assert len(found.conflicts) == 20


def test_partial_credit_shows_in_the_levels():
    found = measured(scores((1.0, 0.5), (0.5, 0.5), (0.0, 0.5), (0.4, 1.0)))
    assert found.levels.count("partial", "full") == 1
    assert found.levels.count("partial", "partial") == 1
    assert found.levels.count("partial", "none") == 1
    assert found.levels.count("full", "partial") == 1


@pytest.mark.parametrize(
    ("right", "wrong", "state"),
    [
        (25, 25, "calibrated"),
        (30, 19, "uncalibrated: 49 labels, 50 are needed"),
        (60, 9, "uncalibrated: 60 right and 9 wrong cases, 10 of each are needed"),
        (9, 60, "uncalibrated: 9 right and 60 wrong cases, 10 of each are needed"),
        (0, 0, "uncalibrated: 0 labels, 50 are needed"),
    ],
)
def test_too_few_labels_leave_a_judge_uncalibrated(right, wrong, state):
    found = measured(scores((1.0, 1.0), times=right) + scores((0.0, 0.0), times=wrong))
    assert found.state == state
    assert found.calibrated is (state == "calibrated")


def test_without_labels_there_is_no_figure():
    found = measured([])
    assert (found.accuracy, found.bias, found.mean_deviation) == (None, None, None)
    assert found.kappa.mean is None


@pytest.mark.parametrize(
    ("judged", "label", "expected"),
    [(1.0, 0.7, False), (0.7, 1.0, False), (0.9, 0.6, False), (1.0, 0.69, True), (0.0, 1.0, True)],
)
def test_a_conflict_is_more_than_the_margin(judged, label, expected):
    assert in_conflict(judged, label) is expected
