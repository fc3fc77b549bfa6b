"""Scores with the judge's known error taken out, for each system."""

from random import Random

import pytest

from citeval_assets.calibration.correcting import (
    ALL_SYSTEMS,
    JudgedCase,
    corrected_scores,
)
from citeval_assets.calibration.measuring import LabelledScore, agreement
from citeval_assets.config.gates import CalibrationConfig
from citeval_assets.playbooks.vocabulary import LabelSource
from citeval_assets.statistics.corrected_means import Correction

CONFIG = CalibrationConfig()


def judged(system: str, n: int, labelled: int, rate: float, seed: int = 1) -> list[JudgedCase]:
    """Return cases of a judge that passes a third of what is wrong; the first are labelled."""
    draw = Random(f"{seed}|{system}")
    cases = []
    for number in range(n):
        truth = float(draw.random() < rate)
        said = 1.0 if truth or draw.random() < 1 / 3 else 0.0
        cases.append(JudgedCase(system, said, truth if number < labelled else None))
    return cases


def corrected(cases: list[JudgedCase]):
    labelled = [
        LabelledScore(str(n), str(n), case.system, case.judged, case.label)
        for n, case in enumerate(cases)
        if case.label is not None
    ]
    return corrected_scores(cases, agreement(labelled, LabelSource.HUMAN, CONFIG), CONFIG)


def test_a_mild_judge_is_corrected_downwards():
    whole, single = corrected(judged("prod", 600, 150, 0.6))
    assert (whole.system, single.system) == (ALL_SYSTEMS, "prod")
    assert whole.score.method is Correction.PPI
    assert whole.score.raw == pytest.approx(0.73, abs=0.05)
    assert whole.score.mean == pytest.approx(0.6, abs=0.07)
    assert whole.score.low < 0.6 < whole.score.high
    assert whole.right_share is None


def test_a_system_without_labels_keeps_its_score_and_gets_a_corrected_share():
    cases = judged("labelled", 300, 200, 0.6) + judged("bare", 400, 0, 0.3)
    found = {one.system: one for one in corrected(cases)}
    bare = found["bare"]
    assert bare.score.method is Correction.RAW
    assert bare.score.mean == bare.score.raw
    assert bare.score.note
    assert bare.right_share is not None
    assert bare.right_share.method is Correction.ROGAN_GLADEN
    assert bare.right_share.mean < bare.right_share.raw - 0.1
    assert bare.right_share.low < 0.3 < bare.right_share.high
    assert "unevenly" in found[ALL_SYSTEMS].score.note


def test_with_few_labels_the_raw_mean_stands_and_says_so():
    whole, _ = corrected(judged("prod", 100, 12, 0.6))
    assert whole.score.method is Correction.RAW
    assert "12" in whole.score.note
    assert whole.right_share is not None
    assert whole.right_share.method is Correction.RAW


def test_without_cases_there_is_nothing():
    assert corrected([]) == ()
