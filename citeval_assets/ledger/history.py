"""What happened to one case: as it was judged, every request, every result, every decision."""

from dataclasses import dataclass

from citeval_assets.ledger.records import (
    CallIntent,
    CaseRecord,
    EvaluationItem,
    EvaluationRecord,
    HumanLabel,
    ReviewDecision,
    StoredCall,
)
from citeval_assets.ledger.store import Ledger


@dataclass(frozen=True, slots=True)
class JudgedIn:
    """One result of a case, with the evaluation it belongs to."""

    evaluation: EvaluationRecord
    item: EvaluationItem


@dataclass(frozen=True, slots=True)
class CaseHistory:
    """Everything the ledger holds about one test case, each part oldest first.

    ``unanswered`` are requests nothing came of: they may have been paid for.
    """

    test_case_id: str
    cases: tuple[CaseRecord, ...]
    calls: tuple[StoredCall, ...]
    unanswered: tuple[CallIntent, ...]
    results: tuple[JudgedIn, ...]
    decisions: tuple[ReviewDecision, ...]
    labels: tuple[HumanLabel, ...]

    @property
    def empty(self) -> bool:
        """Whether the ledger knows nothing of the case."""
        return not (self.cases or self.calls or self.unanswered or self.results)


def case_history(ledger: Ledger, trace_id: str) -> CaseHistory:
    """Return what happened to a case, named by its test case id or by the id of one of its calls.

    Raises:
        TamperedRowError: A stored call was changed after it was written.
    """
    named = ledger.calls([trace_id]).get(trace_id)
    test_case_id = trace_id if named is None else named.intent.test_case_id
    calls = tuple(ledger.calls_of_case(test_case_id))
    unanswered = tuple(ledger.maybe_paid(test_case_id=test_case_id))
    items = list(ledger.items_of_case(test_case_id))
    records = {name: ledger.evaluation(name) for name in {item.evaluation_id for item in items}}
    hashes = dict.fromkeys(
        [item.case_hash for item in items]
        + [call.intent.case_hash for call in calls]
        + [intent.case_hash for intent in unanswered]
    )
    return CaseHistory(
        test_case_id=test_case_id,
        cases=tuple(ledger.cases(hashes)),
        calls=calls,
        unanswered=unanswered,
        results=tuple(
            JudgedIn(record, item)
            for item in items
            if (record := records[item.evaluation_id]) is not None
        ),
        decisions=tuple(ledger.review_decisions(test_case_id)),
        labels=tuple(ledger.human_labels(test_case_id)),
    )
