"""Small records to put into a warehouse."""

from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, cast

from citeval_assets.ledger.records import (
    CallIntent,
    CallReply,
    EvaluationItem,
    EvaluationRecord,
    StoredCall,
)
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.report import Details, Escalation, Finding, Flag, Report
from citeval_assets.playbooks.vocabulary import (
    EscalationName,
    FindingUnit,
    Reason,
    RiskLevel,
    Routing,
    Severity,
    Status,
)
from citeval_assets.warehouse.rows import EvaluatedCase, PartitionRows, Reviewed, partition_rows

JUDGED = cast(AnyPlaybook, SimpleNamespace(name="citation_accuracy", failure_counts=False))
UNDER_TEST = cast(AnyPlaybook, SimpleNamespace(name="cite_or_abstain", failure_counts=True))


def evaluation(evaluation_id: str = "e1", **changes: Any) -> EvaluationRecord:
    record = EvaluationRecord(
        evaluation_id=evaluation_id,
        playbook="citation_accuracy",
        model="judge-a",
        prompt_version="v1",
        template_sha256="t" * 64,
        dataset_version="d1",
        scope="*",
        epoch="epoch1",
        run_id="run1",
        started_at="2026-11-30T08:00:00.000000+00:00",
        finished_at="2026-11-30T08:00:05.250000+00:00",
    )
    return replace(record, **changes)


def call(case: str = "c1", attempt: int = 1, run_id: str = "run1", **changes: Any) -> StoredCall:
    fields = set(CallReply.__dataclass_fields__)
    call_id = changes.pop("call_id", f"{case}-{attempt}-{run_id}")
    intent = CallIntent(
        call_id=call_id,
        call_key=f"key-{call_id}",
        run_id=run_id,
        playbook="citation_accuracy",
        test_case_id=case,
        system="prod",
        case_hash=f"hash-{case}",
        model_id="judge-a",
        model="embedded/overlap-0",
        endpoint="embedded",
        prompt_version="v1",
        template_sha256="t" * 64,
        dataset_version="d1",
        attempt=attempt,
        try_number=changes.pop("try_number", 1),
        repeat=1,
        source_ids=("s1",),
        messages_json="[]",
        parameters_json="{}",
        created_at="2026-11-30T08:00:01.000000+00:00",
    )
    reply = CallReply(
        call_id=call_id,
        outcome="reply",
        text='{"score": 1}',
        finish_reason="stop",
        prompt_tokens=100,
        completion_tokens=20,
        cost_usd=Decimal("0.00000187500"),
        latency_ms=12.5,
        created_at="2026-11-30T08:00:01.312000+00:00",
    )
    assert set(changes) <= fields
    return StoredCall(intent, replace(reply, **changes))


def report(case: str = "c1", score: float | None = 1.0, **changes: Any) -> Report:
    values: dict[str, Any] = {
        "playbook": "citation_accuracy",
        "test_case_id": case,
        "system": "prod",
        "risk_level": RiskLevel.STANDARD,
        "status": Status.VALID,
        "score": score,
        "attempts": 1,
        "findings": (finding(0), finding(1, flags=(flag(),), label="unsupported", weight=0.0)),
        "details": Details(),
    }
    return Report(**{**values, **changes})


def unscored(
    case: str, status: Status, reason: Reason = Reason.VALIDATION_FAILED, **changes: Any
) -> Report:
    escalation = Escalation(name=EscalationName.UNSCORED, detail="never passed")
    values: dict[str, Any] = {
        "status": status,
        "reason": reason,
        "findings": (),
        "escalations": () if status is Status.NOT_APPLICABLE else (escalation,),
        "routing": Routing.DELIVER if status is Status.NOT_APPLICABLE else Routing.REVIEW,
    }
    return report(case, None, **{**values, **changes})


def finding(number: int = 0, **changes: Any) -> Finding:
    values: dict[str, Any] = {
        "unit": FindingUnit.CITATION,
        "unit_number": number,
        "text": "The bridge is steel [1].",
        "source_id": "s1",
        "label": "fully_supported",
        "weight": 1.0,
        "explanation": "it says so",
        "char_start": 20,
        "char_end": 23,
    }
    return Finding(**{**values, **changes})


def flag() -> Flag:
    return Flag(type="unsupported", severity=Severity.MAJOR, detail="nothing of it stands there")


def evaluated(
    given: Report, calls: tuple[StoredCall, ...] | None = None, **item: Any
) -> EvaluatedCase:
    if calls is None:
        calls = (call(given.test_case_id),) if given.attempts else ()
    issued = EvaluationItem(
        evaluation_id="e1",
        case_hash=f"hash-{given.test_case_id}-{given.system}",
        test_case_id=given.test_case_id,
        system=given.system,
        call_ids=tuple(stored.intent.call_id for stored in calls),
        status=given.status,
        reason=given.reason,
        score=given.score,
        routing=given.routing,
        escalations=tuple(str(e.name) for e in given.escalations),
        validation_problems=given.validation_problems,
    )
    return EvaluatedCase(replace(issued, **item), given, calls, "golden-set", "golden")


def rows_of(
    *reports: Report,
    record: EvaluationRecord | None = None,
    playbook: AnyPlaybook = JUDGED,
    overrides: dict[tuple[str, str], float] | None = None,
) -> PartitionRows:
    cases = [evaluated(given) for given in reports]
    reviews = {key: Reviewed(score, settled=True) for key, score in (overrides or {}).items()}
    return partition_rows(record or evaluation(), playbook, cases, reviews)
