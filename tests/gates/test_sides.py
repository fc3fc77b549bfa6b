"""Which reports a gate compares: systems, judges, prompt versions; declared or by default."""

from dataclasses import replace

import pytest

from citeval_assets.gates.model import Verdict
from tests.gates.builders import HEAD, both, changed, claim, gate_text, make_world, many, metric


def test_two_judges_on_the_same_answers(world):
    project = world(compare="judges", baseline="judge-a", candidate="judge-b", judge=None)
    project.judged(both(40), model="judge-a")
    second = changed(both(40, answered="judge-2"), "prod", "c001", score=0.0)
    project.judged(second, model="judge-b")

    gate = project.gate()

    # Each case of each system is a pair; the epochs differ, as they must.
    assert gate.pairs == 80
    assert metric(gate).worse == 1
    assert gate.verdict == "pass"
    assert (gate.baseline.label, gate.candidate.label) == ("judge-a", "judge-b")


def test_two_prompt_versions_of_one_judge(world):
    project = world(compare="prompts", baseline="v1", candidate="v2", prompt=None)
    project.judged(both(40))
    project.judged(changed(both(40), "candidate", "c001", "c002", score=0.0), prompt="v2")

    gate = project.gate()

    assert gate.pairs == 80
    assert gate.verdict == "fail"
    assert "2.5 points" in gate.reasons[0]


def test_a_target_model_with_a_system_of_its_own_is_compared_by_label(world):
    project = world(playbook="cite_or_abstain", judge=None)
    project.judged(many(40), playbook="cite_or_abstain", model="target", register=False)
    project.judged(
        many(40, system="candidate", score=0.0),
        playbook="cite_or_abstain",
        model="other",
        register=False,
    )

    score = metric(project.gate())

    assert (score.pairs, score.difference) == (40, -1.0)


def test_a_system_under_several_cells_is_not_guessed(world):
    project = world(playbook="cite_or_abstain", judge=None)
    for model in ("target", "other"):
        project.judged(both(40), playbook="cite_or_abstain", model=model, register=False)

    gate = project.gate()

    assert gate.verdict == "inconclusive"
    assert "several cells (other|v1, target|v1)" in gate.reasons[0]


def test_the_production_judge_and_the_newest_released_prompt_are_the_defaults(world):
    project = world(judge=None, prompt=None)
    project.judged(both(40), prompt="v2")

    gate = project.gate()

    assert (gate.judge, gate.prompt_version) == ("judge-a", "v2")
    assert gate.verdict == "pass"


def test_several_production_judges_are_not_guessed(tmp_path):
    settings = gate_text(judge=None).replace(
        "stage: candidate}\n  - {id: t", "stage: production}\n  - {id: t"
    )
    project = make_world(tmp_path, settings)
    project.judged(both(40))

    gate = project.gate()

    assert gate.verdict == "inconclusive"
    assert "there are: judge-a, judge-b" in gate.reasons[0]


def test_only_the_datasets_a_gate_names(tmp_path):
    settings = HEAD + (
        "datasets:\n  - {name: golden-set, playbook: citation_faithfulness, path: data/g/a.jsonl}\n"
        "  - {name: other, playbook: citation_faithfulness, path: data/g/b.jsonl}\n"
    )
    gate = gate_text(datasets="[other]").removeprefix(HEAD)
    project = make_world(tmp_path, settings + gate)
    project.judged(both(40))

    found = project.gate()

    assert found.scope == "other"
    assert "has no report of other" in found.reasons[0]


def test_without_a_gate_every_candidate_meets_production_in_each_playbook(tmp_path):
    project = make_world(tmp_path, HEAD)
    project.judged(both(60), prompt="v2")
    project.judged(both(60), playbook="answer_comparison")

    report = project.gates(qualified=lambda *_: True)

    assert [gate.gate for gate in report.gates] == [
        "answer_comparison-candidate-against-prod",
        "citation_faithfulness-candidate-against-prod",
    ]
    assert {gate.judge for gate in report.gates} == {"judge-a"}
    assert report.verdict == "pass"


def test_default_gates_hold_a_candidate_nobody_judged(tmp_path):
    project = make_world(tmp_path, HEAD)
    project.judged(many(60), prompt="v2")

    report = project.gates()

    assert report.verdict == "inconclusive"
    assert "no rows: 'candidate'" in report.reasons[0]


def test_default_gates_take_each_production_judge(tmp_path):
    two = HEAD.replace("roles: [judge], stage: candidate", "roles: [judge], stage: production")
    project = make_world(tmp_path, two)
    for model in ("judge-a", "judge-b"):
        project.judged(both(60), prompt="v2", model=model)

    assert [gate.judge for gate in project.gates().gates] == ["judge-a", "judge-b"]


def test_names_of_default_gates_are_plain_and_differ(tmp_path):
    odd = HEAD.replace("label: candidate", "label: 'next: 1/2'").replace(
        "systems:", "systems:\n  - {label: 'next: 1-2', stage: candidate}"
    )
    project = make_world(tmp_path, odd)
    project.judged([*many(60), *many(60, system="next: 1/2"), *many(60, system="next: 1-2")])

    names = [gate.gate for gate in project.gates().gates]

    assert len({name.lower() for name in names}) == 2
    assert all(name.replace("-", "").replace("_", "").isalnum() for name in names)


def test_sides_show_what_qualifies_their_means(world):
    project = world(coverage_floor=0.5, max_failed_validation_rate=0.5)
    names = [f"c{number:03d}" for number in range(6)]
    project.judged(changed(both(60, score=0.5), "candidate", *names, score=None))

    side = project.gate().candidate

    assert (side.scores.n_scored, side.scores.n_unscored) == (54, 6)
    assert side.scores.unscored_reasons == {"VALIDATION_FAILED: validation_failed": 6}
    assert side.scores.mean_score == 0.5
    assert side.scores.worst_case_mean == pytest.approx(27 / 60)
    assert side.scores.best_case_mean == pytest.approx(33 / 60)
    assert side.claim_accuracy == 1.0


def test_the_distribution_of_verdicts_is_reported_for_each_side(world):
    project = world()
    cases = changed(both(60), "candidate", "c001", findings=(claim(), claim("contradicted")))
    project.judged(cases)

    gate = project.gate()

    assert gate.candidate.labels == {"contradicted": 1, "partially_supported": 1}
    assert gate.baseline.labels == {}


def test_cases_of_one_question_are_one_cluster(world):
    project = world(mode="non_inferiority")
    grouped = [replace(c, question=f"q{int(c.case[1:]) // 3}") for c in both(90)]
    project.judged(grouped)

    score = metric(project.gate())

    assert (score.pairs, score.questions) == (90, 30)
    assert score.verdict is Verdict.INCONCLUSIVE
