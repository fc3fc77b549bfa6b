"""Judgements that were repeated: all kept, the median counts, the noise is told."""

import pytest

from tests.gates.builders import Judged, World, metric


def repeated(project: World, scores: list[list[float]]) -> None:
    """Judge one case of the candidate several times, as ``run --repeat`` does."""
    for number, row in enumerate(scores):
        cases = [
            Judged(f"c{case}", score, "candidate", repeat=number) for case, score in enumerate(row)
        ]
        project.judged(cases, number=number)


SETTINGS = {"baseline": None, "first_release": "true", "min_pairs": 1, "min_score": 0.6}


@pytest.mark.parametrize(("policy", "verdict"), [("median", "pass"), ("all", "fail")])
def test_the_median_counts_or_every_one_must_pass(world, policy, verdict):
    project = world(**SETTINGS, repeats=policy)
    repeated(project, [[0.62], [0.58], [0.61]])

    gate = project.gate()

    assert gate.verdict == verdict
    assert metric(gate).candidate_value == pytest.approx(0.61)
    assert gate.judge_noise.measurements == 3
    assert gate.judge_noise.largest_spread == pytest.approx(0.04)
    assert f"policy {policy}" in gate.notes[0]
    if verdict == "fail":
        assert "repetition 1" in gate.reasons[0]


def test_a_repetition_of_part_of_the_cases_tells_of_the_noise(world):
    project = world(min_pairs=10)
    everything = [Judged(f"c{n:03d}", 0.5, s) for s in ("prod", "candidate") for n in range(40)]
    project.judged(everything)
    some = [
        Judged(f"c{n:03d}", 0.5 + (0.3 if n % 2 else -0.3), s, repeat=1)
        for s in ("prod", "candidate")
        for n in range(10)
    ]
    quiet = metric(project.gate())
    project.judged(some, number=1, scope="part", register=False)

    gate = project.gate()

    assert gate.judge_noise.cases == 20
    assert gate.judge_noise.deviation == pytest.approx(0.045**0.5)
    noisy = metric(gate)
    assert noisy.difference == quiet.difference == 0.0
    assert noisy.high > quiet.high


def test_the_same_repetition_again_is_one_measurement(world):
    project = world(**SETTINGS)
    repeated(project, [[0.8]])
    project.judged([Judged("c0", 0.8, "candidate")], number=5)

    assert project.gate().judge_noise is None
