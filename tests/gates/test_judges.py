"""What is known of the judge: canaries, qualification, its own noise, bridges between epochs."""

from datetime import UTC, datetime

import pytest

from citeval_assets.evaluation.comparing import CompareQuery, compare_sides
from citeval_assets.evaluation.epochs import judge_epoch_of
from citeval_assets.evaluation.project import Cell
from citeval_assets.playbooks.vocabulary import DecidedBy
from citeval_assets.warehouse.judge_tables import (
    BridgeRow,
    JudgeNoiseRow,
    JudgeQualificationRow,
)
from citeval_assets.warehouse.writers import write_judge_findings
from tests.gates.builders import FAITHFULNESS, World, both, changed, flagged, many, metric

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
OLD = "epoch-judge-a-v1"


def qualification(epoch: str, verdict: str = "not_qualified") -> JudgeQualificationRow:
    return JudgeQualificationRow(
        playbook=FAITHFULNESS,
        model="judge-a",
        prompt_version="v1",
        epoch=epoch,
        fault="*",
        n_cases=100,
        n_unscored=0,
        n_caught=50,
        n_false_alarms=0,
        catch_rate=0.5,
        ci_low=0.4,
        ci_high=0.6,
        verdict=verdict,
        reasons='["saw 50 of 100 faults"]',
        details="{}",
        computed_at=NOW,
    )


def bridge(offset: float, low: float | None, high: float | None) -> BridgeRow:
    return BridgeRow(
        measurement_id="m",
        playbook=FAITHFULNESS,
        old_model="judge-a",
        old_prompt_version="v1",
        old_epoch=OLD,
        new_model="judge-a",
        new_prompt_version="v1",
        new_epoch="newer",
        anchors=80,
        changed=8,
        score_offset=offset,
        ci_low=low,
        ci_high=high,
        old_mean=0.9,
        new_mean=0.9 + offset,
        computed_at=NOW,
    )


def reasons(gate) -> str:
    return "; ".join(gate.reasons)


def known(project: World, qualified=(), bridges=(), noise=()) -> None:
    write_judge_findings(project.project.warehouse, qualified, bridges, noise)


def present_epoch(project: World) -> str:
    return judge_epoch_of(project.project, Cell(FAITHFULNESS, "judge-a", "v1"))


def in_two_epochs(project: World, candidate_score: float = 1.0) -> None:
    project.judged(many(60), number=1, scope="a", register=False)
    cases = changed(
        many(60, system="candidate"),
        "candidate",
        *(f"c{n:03d}" for n in range(6)),
        score=candidate_score,
    )
    project.judged(cases, number=2, scope="b", epoch="newer", register=False)


def test_a_failed_canary_voids_the_evaluation(world):
    project = world()
    project.judged(both(60))
    project.sql("UPDATE evaluations SET canaries = 'failed', canary_detail = 'wrong scored 1.00'")
    gate = project.gate()
    assert gate.verdict == "inconclusive"
    assert "canary failed: wrong scored 1.00" in reasons(gate)


def test_what_code_decided_stands_with_a_void_judge(world):
    project = world()
    project.judged(changed(both(60), "candidate", "c001", invented=1))
    project.sql("UPDATE evaluations SET canaries = 'failed'")
    assert project.gate().verdict == "fail"


def fallen(decided_by: DecidedBy):
    """Both sides, of which the candidate lost four answers to altered quotations."""
    quote = flagged("quote_mismatch", text='It runs "four times a day" [1].', decided_by=decided_by)
    names = [f"c{number:03d}" for number in range(4)]
    return changed(both(60), "candidate", *names, score=0.0, findings=(quote,))


@pytest.mark.parametrize(
    ("decided_by", "said"), [(DecidedBy.CODE, "fail"), (DecidedBy.JUDGE, "inconclusive")]
)
def test_a_fall_that_rests_on_misquotes_alone_stands_with_any_judge(world, decided_by, said):
    project = world(max_new_patterns=0)
    project.judged(fallen(decided_by))
    gate = project.gate(qualified=lambda *_: False)
    assert metric(gate).verdict == said
    assert metric(gate, "new_patterns").verdict == said
    assert gate.verdict == said


def test_falls_the_judge_decided_do_not_count_beside_those_of_code(world):
    project = world()
    by_judge = changed(fallen(DecidedBy.JUDGE), "candidate", score=0.0)
    one = flagged("quote_mismatch", decided_by=DecidedBy.CODE)
    project.judged(changed(by_judge, "candidate", "c000", findings=(one,)))
    gate = project.gate(qualified=lambda *_: False)
    assert gate.verdict == "inconclusive"
    assert "as far as can be seen: score fell by 6.7 points" in reasons(gate)


@pytest.mark.parametrize(
    ("verdict", "said"), [("qualified", "pass"), ("not_qualified", "inconclusive")]
)
def test_the_standing_of_the_judge_comes_from_the_warehouse(world, verdict, said):
    project = world()
    project.judged(both(60))
    known(project, [qualification(present_epoch(project), verdict)])
    gate = project.gate()
    assert gate.verdict == said
    assert gate.qualified is (verdict == "qualified")


def test_a_qualification_of_another_epoch_counts_as_none(world):
    project = world(require_qualified=None)
    project.judged(both(60))
    known(project, [qualification("an older judge", "qualified")])
    gate = project.gate()
    assert gate.qualified is None
    assert "was never qualified as it is now" in reasons(gate)


def test_noise_that_was_measured_apart_widens_the_interval(world):
    project = world()
    project.judged(both(60))
    plain = metric(project.gate())
    row = JudgeNoiseRow(
        measurement_id="m",
        playbook=FAITHFULNESS,
        model="judge-a",
        prompt_version="v1",
        epoch=OLD,
        cases=50,
        measurements=150,
        variance=0.04,
        deviation=0.2,
        largest_spread=0.5,
        computed_at=NOW,
    )
    known(project, noise=[row])
    gate = project.gate()
    assert gate.judge_noise.cases == 50
    assert metric(gate).low < plain.low


def test_a_bridge_lets_two_epochs_be_compared_less_the_offset(world):
    project = world(metrics="[score]")
    in_two_epochs(project, candidate_score=0.5)
    known(project, bridges=[bridge(-0.05, -0.06, -0.04)])
    gate = project.gate()
    found = metric(gate)
    assert "epochs differ" not in reasons(gate)
    assert found.candidate_value - found.baseline_value == pytest.approx(-0.05)
    assert found.difference == pytest.approx(0.0)
    assert any("-5.0 points [-6.0, -4.0]" in note for note in gate.notes)


def test_the_error_of_a_bridge_adds_to_the_interval(world):
    project = world(metrics="[score]")
    in_two_epochs(project, candidate_score=0.5)
    known(project, bridges=[bridge(-0.05, -0.051, -0.049)])
    sharp = metric(project.gate())
    known(project, bridges=[bridge(-0.05, -0.15, 0.05)])
    assert metric(project.gate()).low < sharp.low - 0.03


def test_a_bridge_without_bounds_spans_nothing(world):
    project = world(metrics="[score]")
    in_two_epochs(project)
    known(project, bridges=[bridge(-0.05, None, None)])
    assert "epochs differ" in reasons(project.gate())


def test_a_bridge_holds_for_the_score_alone(world):
    project = world(metrics="[score, pass_share]")
    in_two_epochs(project)
    known(project, bridges=[bridge(0.0, -0.01, 0.01)])
    gate = project.gate()
    assert metric(gate, "score").verdict == "pass"
    assert metric(gate, "pass_share").verdict == "inconclusive"
    assert "holds for the score alone" in reasons(gate)


def test_compare_refuses_two_epochs_without_a_bridge(world):
    project = world()
    in_two_epochs(project)
    asked = CompareQuery(
        "prod", "candidate", playbooks=(FAITHFULNESS,), judge="judge-a", prompt="v1"
    )
    opened = project.project
    with opened.open_ledger() as ledger:
        refused = compare_sides(opened, ledger, asked)
        known(project, bridges=[bridge(0.0, -0.01, 0.01)])
        spanned = compare_sides(opened, ledger, asked)
    assert refused.comparisons == ()
    assert "different epochs" in refused.problems[0]
    assert spanned.comparisons[0].pairs == 60
