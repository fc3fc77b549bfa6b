"""Did the judge see it? Only the changed sentence tells."""

from typing import Any

import pytest

from citeval_assets.playbooks.report import Finding, Report
from citeval_assets.playbooks.vocabulary import DecidedBy, FindingUnit, RiskLevel, Status
from citeval_assets.qualification.mutants import Mutant
from citeval_assets.qualification.outcomes import Seen, outcome_of
from tests.qualification.cases import mutant

MADE = mutant("number_changed")
PLACE = {"char_start": MADE.touched[0].start, "char_end": MADE.touched[0].end}
ELSEWHERE = {"char_start": MADE.touched[0].end + 1, "char_end": MADE.touched[0].end + 9}


def finding(weight: float | None, unit: FindingUnit = FindingUnit.CLAIM, **more: Any) -> Finding:
    return Finding(unit=unit, unit_number=0, text="", label="", weight=weight, **more)


def outcome(*findings: Finding, score: float | None = 0.5, made: Mutant = MADE):
    report = Report(
        playbook="citation_faithfulness",
        test_case_id=made.case.test_case_id,
        system="prod",
        risk_level=RiskLevel.STANDARD,
        status=Status.VALID if score is not None else Status.ERROR,
        score=score,
        findings=findings,
    )
    return outcome_of("number_changed", made, report)


def test_a_fault_found_in_another_sentence_is_not_the_fault():
    found = outcome(finding(1.0, **PLACE), finding(0.0, **ELSEWHERE))
    assert (found.seen, found.wrong) == (Seen.PASSED, True)


def test_anything_less_than_full_in_the_changed_sentence_is_the_fault():
    found = outcome(finding(0.5, **PLACE), finding(1.0, **ELSEWHERE), score=0.75)
    assert (found.seen, found.wrong, found.by_code) == (Seen.FAULTED, False, False)


def test_what_code_decided_is_told_apart():
    found = outcome(finding(0.0, decided_by=DecidedBy.CODE, **PLACE))
    assert (found.seen, found.by_code) == (Seen.FAULTED, True)


def test_a_harmless_change_may_be_faulted_anywhere():
    made = mutant("typography")
    found = outcome(finding(1.0, **PLACE), finding(0.0, **ELSEWHERE), made=made)
    assert (found.seen, found.wrong) == (Seen.FAULTED, True)
    assert outcome(finding(1.0), finding(None), made=made, score=1.0).seen is Seen.PASSED


def test_without_a_score_nothing_was_seen():
    found = outcome(score=None)
    assert (found.seen, found.wrong) == (Seen.UNSCORED, False)


@pytest.mark.parametrize(
    ("score", "decided_by", "seen", "by_code"),
    [
        (1.0, DecidedBy.JUDGE, Seen.PASSED, False),
        (0.5, DecidedBy.JUDGE, Seen.FAULTED, False),
        (0.5, DecidedBy.CODE, Seen.FAULTED, True),
    ],
)
def test_a_verdict_on_the_whole_answer_counts_as_one(score, decided_by, seen, by_code):
    found = outcome(
        finding(score, FindingUnit.CRITERION, decided_by=decided_by),
        finding(1.0, FindingUnit.CRITERION),
        score=score,
    )
    assert (found.seen, found.by_code) == (seen, by_code)
