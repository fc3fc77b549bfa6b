"""Did the judge see it? What the report of a mutant says about what was changed."""

from dataclasses import dataclass
from enum import StrEnum

from citeval_assets.playbooks.report import Finding, Report
from citeval_assets.playbooks.vocabulary import DecidedBy, FindingUnit
from citeval_assets.qualification.mutants import Mutant

_FULL = 1.0 - 1e-9


class Seen(StrEnum):
    """What a report says of the changed sentence."""

    FAULTED = "faulted"
    PASSED = "passed"
    UNSCORED = "unscored"


@dataclass(frozen=True, slots=True)
class MutantOutcome:
    """How one mutant was judged. ``by_code``: the checks in code settled it without the judge."""

    test_case_id: str
    system: str
    operator: str
    faulty: bool
    seen: Seen
    by_code: bool
    score: float | None
    change: str

    @property
    def wrong(self) -> bool:
        """Whether the judge missed a fault, or raised a false alarm."""
        missed = self.faulty and self.seen is Seen.PASSED
        return missed or (not self.faulty and self.seen is Seen.FAULTED)


def outcome_of(operator: str, mutant: Mutant, report: Report) -> MutantOutcome:
    """Return what the report says of what was changed.

    Playbooks with a row for each sentence or citation are held to the rows of the changed
    sentence: a judge that faults something else has not seen the fault. ``answer_comparison``
    gives one verdict on the whole answer.
    """
    seen, by_code = _seen(mutant, report)
    return MutantOutcome(
        test_case_id=report.test_case_id,
        system=report.system,
        operator=operator,
        faulty=mutant.faulty,
        seen=seen,
        by_code=by_code,
        score=report.score,
        change=mutant.change,
    )


def _seen(mutant: Mutant, report: Report) -> tuple[Seen, bool]:
    if report.score is None:
        return Seen.UNSCORED, False
    whole = all(finding.unit is FindingUnit.CRITERION for finding in report.findings)
    if whole:
        weak = [f for f in report.findings if f.weight is not None and f.weight < _FULL]
        settled = bool(weak) and all(f.decided_by is DecidedBy.CODE for f in weak)
        faulted = report.score < _FULL
        return (Seen.FAULTED if faulted else Seen.PASSED), faulted and (mutant.by_code or settled)
    rows = [f for f in report.findings if f.weight is not None and _touches(mutant, f)]
    weak = [f for f in rows if f.weight is not None and f.weight < _FULL]
    if not weak:
        return Seen.PASSED, False
    return Seen.FAULTED, any(f.decided_by is DecidedBy.CODE for f in weak)


def _touches(mutant: Mutant, finding: Finding) -> bool:
    if not mutant.touched or finding.char_start is None or finding.char_end is None:
        return True
    start, end = finding.char_start, finding.char_end
    return any(start < span.end and span.start < end for span in mutant.touched)
