"""A gate never passes by absence."""

from dataclasses import replace

import pytest

from citeval_assets.playbooks.vocabulary import Reason, Status
from tests.gates.builders import Judged, both, changed, gate_text, make_world, many, verdicts


def reasons(gate) -> str:
    return "; ".join(gate.reasons)


def test_nothing_judged_yet(world):
    gate = world().gate()
    assert gate.verdict == "inconclusive"
    assert "no rows" in reasons(gate)


def test_no_candidate_rows(world):
    project = world()
    project.judged(many(60))
    gate = project.gate()
    assert gate.verdict == "inconclusive"
    assert "no rows: 'candidate'" in reasons(gate)


def test_no_baseline_rows(world):
    project = world()
    project.judged(many(60, system="candidate"))
    assert "no baseline: 'prod'" in reasons(project.gate())


def test_a_gate_without_a_baseline(world):
    project = world(baseline=None)
    project.judged(both(60))
    gate = project.gate()
    assert gate.verdict == "inconclusive"
    assert reasons(gate).startswith("no baseline")


def test_a_side_judged_by_another_judge_only(world):
    project = world()
    project.judged(many(60), register=False)
    project.judged(many(60, system="candidate"), model="judge-b", register=False)
    gate = project.gate()
    assert gate.verdict == "inconclusive"
    assert "judge or prompt differ, it was judged under judge-b|v1" in reasons(gate)


def test_too_few_pairs(world):
    project = world(min_pairs=50)
    project.judged(both(49))
    gate = project.gate()
    assert set(verdicts(gate).values()) == {"inconclusive"}
    assert "49 paired cases, at least 50 are needed" in reasons(gate)


def test_too_few_pairs_tell_what_would_have_failed(world):
    project = world(min_pairs=50)
    project.judged(changed(both(20), "candidate", "c001", score=0.0, invented=1))
    gate = project.gate()
    assert gate.verdict == "inconclusive"
    assert "as far as can be seen: 1 cases that were clean" in reasons(gate)


def test_most_cases_unscored(world):
    project = world()
    names = [f"c{number:03d}" for number in range(1, 10)]
    cases = changed(
        both(10), "candidate", *names, score=None, status=Status.ERROR, reason=Reason.TIMEOUT
    )
    project.judged(cases)
    gate = project.gate()
    assert gate.verdict == "inconclusive"
    assert "9 of 10 unscored on candidate (error: timeout 9)" in reasons(gate)


def test_registered_cases_that_were_never_judged_count_as_unscored(world):
    project = world()
    project.judged(both(40))
    project.judged(
        [case for case in both(40) if case.system == "prod" or case.case < "c030"],
        register=False,
    )
    assert "10 of 40 unscored on candidate (not judged 10)" in reasons(project.gate())


def test_every_case_not_applicable(world):
    project = world()
    project.judged(both(60, score=None, status=Status.NOT_APPLICABLE, reason=Reason.NO_CLAIMS))
    gate = project.gate()
    assert gate.verdict == "inconclusive"
    assert "nothing to score" in reasons(gate)


def test_another_dataset_version(world):
    project = world()
    project.judged(many(60), number=1, scope="a", register=False)
    project.judged(
        many(60, system="candidate"), number=2, scope="b", dataset_version="d2", register=False
    )
    gate = project.gate()
    assert gate.verdict == "inconclusive"
    assert "dataset version differs (d1 and d2)" in reasons(gate)


def test_another_epoch(world):
    project = world()
    project.judged(many(60), number=1, scope="a", register=False)
    project.judged(many(60, system="candidate"), number=2, scope="b", epoch="other", register=False)
    assert "epochs differ" in reasons(project.gate())


def test_cases_that_changed_since_they_were_judged(world):
    project = world()
    project.judged(both(60))
    project.sql("UPDATE test_cases SET case_hash = 'edited' WHERE test_case_id = 'c001'")
    assert "1 of 60 cases of prod have changed" in reasons(project.gate())


def test_other_sources_under_the_same_name(world):
    project = world()
    project.judged(changed(both(60), "candidate", "c001", subject="other"))
    gate = project.gate()
    assert gate.verdict == "inconclusive"
    assert "1 of 60 pairs differ in question, sources" in reasons(gate)


def test_other_sources_are_compared_where_the_gate_says_so(world):
    project = world(same_sources="false")
    project.judged(changed(both(60), "candidate", "c001", subject="other"))
    gate = project.gate()
    assert gate.verdict == "pass"
    assert "1 pairs have different questions or sources" in gate.notes[0]


def test_a_number_that_is_not_finite(world):
    project = world()
    project.judged(both(60))
    project.sql("CREATE TABLE bare AS SELECT * FROM reports")
    project.sql(
        "DROP VIEW current_findings; DROP VIEW current_reports; DROP TABLE reports;"
        "ALTER TABLE bare RENAME TO reports;"
        "CREATE VIEW current_reports AS SELECT * FROM reports;"
        "UPDATE reports SET score = 'nan', counted_score = 'nan', effective_score = 'nan' "
        "WHERE test_case_id = 'c001' AND system = 'candidate'"
    )
    gate = project.gate()
    assert gate.verdict == "inconclusive"
    assert "non-finite score on candidate (case c001)" in reasons(gate)


def test_a_metric_the_cases_do_not_have(world):
    project = world(playbook="cite_or_abstain", judge=None, metrics="[missed_abstention_rate]")
    cases = both(60)
    project.judged(cases, playbook="cite_or_abstain", model="target")
    gate = project.gate()
    assert verdicts(gate)["missed_abstention_rate"] == "inconclusive"
    assert "no case on both sides" in reasons(gate)


def test_open_reviews_leave_the_judges_verdict_open(world):
    project = world()
    project.judged(changed(both(60), "candidate", "c001", provisional=True))
    gate = project.gate()
    assert gate.verdict == "inconclusive"
    assert "review pending: 1 of 120 reports are provisional" in reasons(gate)


def test_open_reviews_count_where_the_gate_allows_it(world):
    project = world(allow_provisional="true")
    project.judged(changed(both(60), "candidate", "c001", provisional=True))
    assert project.gate().verdict == "pass"


def test_what_code_decided_fails_whatever_review_is_open(world):
    project = world()
    cases = changed(both(60), "candidate", "c001", provisional=True, invented=1, score=0.0)
    project.judged(changed(cases, "candidate", "c002", "c003", score=0.0))
    gate = project.gate()
    assert verdicts(gate)["score"] == "inconclusive"
    assert verdicts(gate)["new_hallucinated_cases"] == "fail"
    assert gate.verdict == "fail"


def test_another_model_answered(world):
    project = world()
    project.judged(changed(both(60), "candidate", "c001", answered="judge-1-mini"))
    gate = project.gate()
    assert gate.verdict == "inconclusive"
    assert "prov/judge-1 was asked and judge-1-mini answered, on 1 cases" in reasons(gate)


def test_another_model_that_is_listed_as_equal(world):
    project = world(same_models="[[prov/judge-1, judge-1-mini]]")
    project.judged(changed(both(60), "candidate", "c001", answered="judge-1-mini"))
    assert project.gate().verdict == "pass"


def test_a_changed_fingerprint_is_told(world):
    project = world()
    cases = changed(both(60, fingerprint="fp1"), "candidate", "c001", fingerprint="fp2")
    project.judged(cases)
    gate = project.gate()
    assert gate.verdict == "pass"
    assert "fingerprint changed within one evaluation: fp1, fp2" in gate.notes[0]


@pytest.mark.parametrize(
    ("standing", "verdict"), [(True, "pass"), (False, "inconclusive"), (None, "inconclusive")]
)
def test_by_default_a_pass_needs_a_qualified_judge(world, standing, verdict):
    project = world(require_qualified=None)
    project.judged(both(60))
    gate = project.gate(qualified=lambda playbook, judge, prompt: standing)
    assert gate.verdict == verdict
    assert gate.qualified is standing
    if verdict != "pass":
        assert "judge not qualified" in reasons(gate)


@pytest.mark.parametrize(("standing", "verdict"), [(None, "pass"), (False, "inconclusive")])
def test_where_it_need_not_be_qualified_only_a_judge_that_failed_lets_nothing_pass(
    world, standing, verdict
):
    project = world()
    project.judged(both(60))
    assert project.gate(qualified=lambda *_: standing).verdict == verdict


def test_an_inconclusive_gate_passes_only_where_told_to(tmp_path):
    project = make_world(tmp_path, gate_text(inconclusive_passes="true"))
    project.judged(both(5))
    report = project.gates()
    assert report.gates[0].verdict == "inconclusive"
    assert report.verdict == "pass"


def test_no_gate_and_nothing_to_compare(tmp_path):
    settings = gate_text().split("systems:")[0]
    report = make_world(tmp_path, settings).gates()
    assert report.verdict == "inconclusive"
    assert "nothing to compare" in report.reasons[0]


def test_cases_missing_on_the_candidate(world):
    project = world()
    kept = [Judged(f"c{n:03d}", system="candidate") for n in range(30)]
    project.judged([*many(60), *kept])
    assert "30 of 60 cases of prod are missing on candidate" in reasons(project.gate())


def test_what_is_not_applicable_on_one_side_is_told_and_not_compared(world):
    project = world()
    project.judged(
        changed(
            both(60), "candidate", "c001", "c002", score=None, status=Status.NOT_APPLICABLE,
            reason=Reason.NO_CLAIMS,
        )
    )  # fmt: skip
    gate = project.gate()
    assert gate.pairs == 58
    assert "2 cases are not applicable on the candidate alone" in gate.notes[0]


def test_a_reviewers_scores_count_and_are_counted(world):
    project = world()
    cases = changed(both(60), "candidate", "c001", "c002", score=0.0)
    project.judged(cases)
    assert project.gate().verdict == "fail"

    project.judged([replace(c, override=1.0) if c.score == 0.0 else c for c in cases])
    gate = project.gate()
    assert gate.verdict == "pass"
    assert "2 scores are a reviewer's" in gate.notes[0]
    assert gate.candidate.overridden == 2
