"""What a change of epoch did to the scores of the same cases."""

import pytest

from citeval_assets.calibration.bridging import EpochSide, NoBridge, build_bridge

OLD = EpochSide("judge", "v1", "epoch-old")
NEW = EpochSide("judge", "v2", "epoch-new")


def test_the_offset_is_new_minus_old_with_its_interval():
    scores = {f"case-{n}": (0.5, 0.5 if n % 4 else 0.75) for n in range(40)}
    found = build_bridge("cot_faithfulness", OLD, NEW, scores, {})
    assert found.offset == pytest.approx(0.0625)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.0625 < found.high
    assert (found.anchors, found.changed) == (40, 10)
    assert (found.old_mean, found.new_mean) == (0.5, pytest.approx(0.5625))


def test_cases_of_one_question_count_as_one():
    scores = {f"case-{n}": (0.5, 0.5 if n % 4 else 0.75) for n in range(40)}
    alike = {case: f"question-{int(case.split('-')[1]) // 4}" for case in scores}
    found = build_bridge("cot_faithfulness", OLD, NEW, scores, alike)
    apart = build_bridge("cot_faithfulness", OLD, NEW, scores, {})
    assert found.offset == apart.offset
    assert found.low != apart.low
    one = build_bridge("cot_faithfulness", OLD, NEW, scores, dict.fromkeys(scores, "same"))
    assert (one.low, one.high) == (None, None)


def test_few_anchors_are_no_bridge():
    with pytest.raises(NoBridge, match="9 anchor cases"):
        build_bridge("cot_faithfulness", OLD, NEW, {str(n): (1.0, 1.0) for n in range(9)}, {})
