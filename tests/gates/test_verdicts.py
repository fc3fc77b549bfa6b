"""What passes and what fails: margins, counts, modes, limits."""

import pytest

from citeval_assets.playbooks.vocabulary import Status
from tests.gates.builders import (
    both,
    changed,
    cite,
    many,
    metric,
    verdicts,
)


def test_a_candidate_that_is_the_same_passes_and_says_what_it_could_have_seen(world):
    project = world()
    project.judged(both(60))

    gate = project.gate()

    assert gate.verdict == "pass"
    assert gate.reasons == ()
    score = metric(gate)
    assert (score.difference, score.pairs) == (0.0, 60)
    assert score.low < 0 < score.high
    assert score.detectable_drop > 0.02


def test_a_fall_beyond_the_margin_fails_with_the_points_named(world):
    project = world()
    project.judged(changed(both(100), "candidate", "c001", "c002", "c003", score=0.0))

    gate = project.gate()

    assert gate.verdict == "fail"
    assert gate.reasons == ("score fell by 3.0 points, at most 2 may be",)
    assert metric(gate).difference == pytest.approx(-0.03)


def test_a_fall_of_exactly_the_margin_passes(world):
    project = world()
    cases = both(300, score=0.9)
    project.judged([*cases[:300], *many(300, score=0.88, system="candidate")])

    assert project.gate().verdict == "pass"


def test_the_false_alarm_rate_of_the_bare_rule_stands_beside_its_verdict(world):
    project = world()
    cases = changed(both(50), "candidate", "c001", score=0.0)
    project.judged(changed(cases, "prod", "c002", score=0.0))

    score = metric(project.gate())

    assert score.verdict == "pass"
    assert 0.05 < score.false_alarm_rate < 0.3


@pytest.mark.parametrize(
    ("count", "lost", "verdict"),
    [(400, 0, "pass"), (60, 0, "inconclusive"), (100, 30, "fail")],
)
def test_non_inferiority_wants_the_whole_interval_above_the_margin(world, count, lost, verdict):
    project = world(mode="non_inferiority")
    names = [f"c{number:03d}" for number in range(lost)]
    project.judged(changed(both(count), "candidate", *names, score=0.0))

    gate = project.gate()

    assert metric(gate).verdict == verdict
    assert metric(gate).false_alarm_rate is None
    if verdict == "inconclusive":
        assert "straddles -2" in gate.reasons[0]


def test_both_needs_the_rule_and_the_interval(world):
    project = world(mode="both")
    project.judged(both(60))
    assert metric(project.gate()).verdict == "inconclusive"

    project.judged(changed(both(60), "candidate", "c001", "c002", score=0.0))
    assert metric(project.gate()).verdict == "fail"


def test_a_new_invented_source_on_a_clean_case_fails_whatever_the_score(world):
    project = world()
    project.judged(changed(both(20), "candidate", "c007", invented=1))

    gate = project.gate()

    assert verdicts(gate)["new_hallucinated_cases"] == "fail"
    assert "c007" in gate.reasons[0]
    assert metric(gate, "new_hallucinated_cases").cases == ("c007",)
    assert verdicts(gate)["hallucinated_sources"] == "fail"
    assert verdicts(gate)["score"] == "pass"


def test_an_invented_source_that_was_there_before_is_not_new(world):
    project = world()
    project.judged(changed(both(20), "candidate", "c007", invented=1))
    project.judged(changed(both(20, invented=1), "prod", "c001", invented=2))

    gate = project.gate()

    assert gate.verdict == "pass"
    assert metric(gate, "hallucinated_sources").difference == -1


def test_invented_sources_count_where_nothing_could_be_scored_too(world):
    project = world(max_failed_validation_rate=0.2)
    project.judged(changed(both(40), "candidate", "c003", score=None, invented=1))

    assert verdicts(project.gate())["new_hallucinated_cases"] == "fail"


@pytest.mark.parametrize(("failed", "verdict"), [(2, "pass"), (3, "fail")])
def test_two_of_a_hundred_is_two_percent_and_no_more(world, failed, verdict):
    project = world()
    names = [f"c{number:03d}" for number in range(failed)]
    project.judged(changed(both(100), "candidate", *names, score=None))

    assert verdicts(project.gate())["failed_validation_rate"] == verdict


def test_both_spellings_of_failed_validation_count(world):
    project = world(playbook="answer_comparison")
    names = [f"c{number:03d}" for number in range(3)]
    cases = changed(
        both(100), "candidate", *names, score=None, status=Status.INDETERMINATE,
        reason="validation_failed",
    )  # fmt: skip
    project.judged(cases, playbook="answer_comparison")

    assert verdicts(project.gate())["failed_validation_rate"] == "fail"


def test_a_baseline_whose_output_fails_validation_leaves_the_rate_open(world):
    project = world()
    names = [f"c{number:03d}" for number in range(5)]
    project.judged(changed(both(100), "prod", *names, score=None))

    assert verdicts(project.gate())["failed_validation_rate"] == "inconclusive"


def test_a_floor_holds_whatever_the_baseline_has(world):
    project = world(min_score=0.9)
    project.judged(both(40, score=0.8))

    gate = project.gate()

    assert gate.verdict == "fail"
    assert "at least 0.9" in gate.reasons[0]


def test_the_first_release_is_held_to_the_floor_alone(world):
    project = world(baseline=None, first_release="true", min_score=0.7)
    project.judged(many(40, score=0.8, system="candidate"))
    assert project.gate().verdict == "pass"

    project.judged(many(40, score=0.6, system="candidate"))
    assert project.gate().verdict == "fail"


def test_the_share_of_passes_is_compared_in_answer_comparison(world):
    project = world(playbook="answer_comparison", max_drop_points=10)
    names = [f"c{number:03d}" for number in range(12)]
    cases = changed(both(100), "candidate", *names, score=0.5)
    project.judged(cases, playbook="answer_comparison")

    gate = project.gate()

    assert verdicts(gate)["score"] == "pass"
    assert verdicts(gate)["pass_share"] == "fail"
    assert (gate.mcnemar_worse, gate.mcnemar_better) == (12, 0)
    assert gate.mcnemar_p == pytest.approx(2 / 2**12)
    assert metric(gate, "pass_share").p_holm >= metric(gate, "pass_share").p_value


def test_a_metric_has_its_own_mode_margin_and_direction(world):
    project = world(
        metrics="[{name: score, max_drop_points: 20}, {name: pass_share, mode: both}]",
    )
    project.judged(changed(both(100), "candidate", "c001", "c002", "c003", score=0.0))

    gate = project.gate()

    assert metric(gate).verdict == "pass"
    assert metric(gate, "pass_share").mode == "both"
    assert metric(gate, "pass_share").verdict == "fail"


@pytest.mark.parametrize(
    ("changes", "failing"),
    [
        ({}, set()),
        ({"c000": {"abstained": True}}, {"false_abstention_rate"}),
        ({"c050": {"abstained": False}}, {"missed_abstention_rate"}),
        ({f"c{n:03d}": {"gaps": 4} for n in range(2)}, {"silent_gap_rate"}),
        (
            {"c001": {"invented": ("q9",)}},
            {"new_hallucinated_cases", "hallucinated_sources"},
        ),
    ],
)
def test_abstentions_gaps_and_invented_chunks_are_counted(world, changes, failing):
    project = world(playbook="cite_or_abstain", judge=None)
    project.judged(cite(changes), playbook="cite_or_abstain", model="target")

    gate = project.gate()

    assert {name for name, verdict in verdicts(gate).items() if verdict == "fail"} == failing
    assert {"false_abstention_rate", "missed_abstention_rate", "silent_gap_rate"} <= set(
        verdicts(gate)
    )
