import random
from pathlib import Path

import pytest

from citeval_assets.embedded.calibration import (
    UNCALIBRATED,
    Calibration,
    CalibrationError,
    calibration_path,
    fit,
    load_calibration,
    save_calibration,
)
from citeval_assets.embedded.registry import calibration_of


def drawn(count: int, slope: float, cut: float) -> tuple[list[float], list[bool]]:
    chance = random.Random(3)
    scores = [chance.gauss(0, 2) for _ in range(count)]
    return scores, [chance.gauss(0, 1) < slope * (score - cut) for score in scores]


def test_a_shifted_cut_is_found_from_labels() -> None:
    fitted = fit(*drawn(400, 1.5, 1.0))
    assert fitted.slope > 1
    assert -fitted.intercept / fitted.slope == pytest.approx(1.0, abs=0.5)


def test_the_share_of_either_class_does_not_move_the_cut() -> None:
    scores, labels = drawn(400, 1.5, 0.0)
    kept = [i for i, label in enumerate(labels) if label or i % 5 == 0]
    rare = fit([scores[i] for i in kept], [labels[i] for i in kept])
    assert abs(rare.intercept / rare.slope - (f := fit(scores, labels)).intercept / f.slope) < 0.6


def test_few_labels_move_little_and_a_reversed_judge_is_not_turned_round() -> None:
    few = fit([1.0, -1.0], [False, True])
    assert abs(few.slope - 1) < 0.5
    scores, labels = drawn(300, 1.0, 0.0)
    assert fit(scores, [not label for label in labels]).slope > 0


def test_labels_of_one_class_are_refused() -> None:
    with pytest.raises(ValueError, match="both classes"):
        fit([1.0, 2.0], [True, True])


def test_it_is_kept_per_judge_and_only_for_its_version(tmp_path: Path) -> None:
    path = calibration_path(tmp_path, "house/judge:1")
    assert path.parent == tmp_path / "calibration"
    assert path != calibration_path(tmp_path, "house-judge-1")
    assert load_calibration(path, "1") == UNCALIBRATED
    kept = Calibration(0.9, -0.2, 55, 20, "1")
    save_calibration(kept, path)
    assert load_calibration(path, "1") == kept
    assert load_calibration(path, "2") == UNCALIBRATED


@pytest.mark.parametrize("text", ["", "{", "[]", '{"slope": "x"}', '{"odd": 1}', '{"slope": -1.0}'])
def test_a_damaged_file_says_what_to_do(tmp_path: Path, text: str) -> None:
    path = tmp_path / "c.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CalibrationError, match="citeval calibrate"):
        load_calibration(path, "1")


def test_other_models_have_none(tmp_path: Path) -> None:
    assert calibration_of("embedded/overlap-0", "a", tmp_path) is UNCALIBRATED
    assert calibration_of("openai/gpt-4.1", "a", tmp_path) is UNCALIBRATED
    assert calibration_of("embedded/lexical-1", "a", tmp_path) is UNCALIBRATED
