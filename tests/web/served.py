"""A small published project to be looked at: two systems, two judges, a gate that failed.

Written directly, without a run: the candidate invents a source in ``ferry`` and misquotes in
``kiln``; the judge ``naive`` was asked twice, the second time in another epoch.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from citeval_assets.datasets.hashing import canonical_json, case_hash
from citeval_assets.evaluation.project import Project
from citeval_assets.evaluation.rebuilding import produced_text
from citeval_assets.ledger.records import (
    CallIntent,
    CallReply,
    CaseRecord,
    DatasetMember,
    DatasetRecord,
    EvaluationItem,
    EvaluationRecord,
    StoredCall,
)
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.report import Escalation, Evidence, Finding, Flag, Report
from citeval_assets.playbooks.vocabulary import (
    DecidedBy,
    EscalationName,
    FindingUnit,
    Reason,
    RiskLevel,
    Routing,
    Severity,
    Status,
)
from citeval_assets.warehouse.publishing import publish
from citeval_assets.warehouse.rows import EvaluatedCase, partition_rows
from citeval_assets.warehouse.tables import GateResultRow, TestCaseRow
from citeval_assets.warehouse.writers import (
    write_gate_results,
    write_partition,
    write_test_cases,
)
from citeval_assets.web.app import create_app
from citeval_assets.web.site import Access, Site
from citeval_assets.web.snapshot import Snapshot
from tests.small_project import SETTINGS

ADDRESS = "http://127.0.0.1:8765"
PLAYBOOK = "citation_faithfulness"
FERRY = "The ferry runs from April to October, four times a day."
BICYCLES = "Bicycles travel free of charge."


@dataclass(frozen=True, slots=True)
class Row:
    """One case of one system as it came out: the row, and its findings."""

    fields: dict[str, Any]
    findings: tuple[Finding, ...]
    status: Status = Status.VALID
    risk: RiskLevel = RiskLevel.STANDARD


def claim(
    text: str, sentence: str, number: int, source: str, label: str = "supported", **more: Any
) -> Finding:
    """Return a claim about ``sentence``, located in ``text``."""
    start = text.index(sentence)
    values: dict[str, Any] = {
        "unit": FindingUnit.CLAIM, "unit_number": number, "text": sentence, "source_id": source,
        "label": label, "weight": 1.0 if label == "supported" else 0.0,
        "explanation": f"about {sentence[:20]}", "char_start": start,
        "char_end": start + len(sentence),
    }  # fmt: skip
    return Finding(**{**values, **more})


def rows() -> list[Row]:
    """Return the cases: two of each system, and one whose judgement failed."""
    sources = [
        {"id": "1", "text": FERRY, "title": "Timetable", "page": 3},
        {"id": "2", "text": f"Dogs pay half. {BICYCLES} Cars pay in full."},
    ]
    good = f"{FERRY[:-1]} [1]. {BICYCLES[:-1]} [2]."
    bad = f"{FERRY[:-1]} [1]. Lorries wait at the gate [7]."
    here = Evidence(source_id="2", char_start=15, char_end=46, text=BICYCLES)
    ferry = {"test_case_id": "ferry", "question": "When does the ferry run?", "sources": sources}
    invented = claim(
        bad, "Lorries wait at the gate", 1, "7", "hallucinated_source",
        decided_by=DecidedBy.CODE, explanation="there is no passage with this id",
    )  # fmt: skip
    quoted = '"The kiln holds nine hundred pots" [1].'
    misquoted = claim(
        quoted, quoted[:-5], 0, "1", "partially_supported",
        flags=(Flag(type="quote_mismatch", severity=Severity.MAJOR, detail="not verbatim"),),
        evidence=(Evidence(source_id="1", char_start=0, char_end=28, match="nearest",
                           text="The kiln holds 90 small pots", similarity=0.81),),
    )  # fmt: skip
    kiln = {
        "test_case_id": "kiln/a b&c",
        "question": "How many pots does the kiln hold?",
        "sources": [{"id": "1", "text": "The kiln holds 90 small pots, says the manual."}],
    }
    sound = "The kiln holds 90 small pots [1]."
    return [
        Row(
            {**ferry, "system": "prod", "answer": good},
            (
                claim(good, FERRY[:-1], 0, "1"),
                claim(good, BICYCLES[:-1], 1, "2", evidence=(here,)),
            ),
        ),
        Row(
            {**ferry, "system": "candidate", "answer": bad},
            (claim(bad, FERRY[:-1], 0, "1"), invented),
        ),
        Row({**kiln, "system": "prod", "answer": sound}, (claim(sound, sound[:-5], 0, "1"),)),
        Row({**kiln, "system": "candidate", "answer": quoted}, (misquoted,), risk=RiskLevel.HIGH),
        Row(
            {**ferry, "test_case_id": "toll", "system": "candidate", "answer": good},
            (),
            status=Status.VALIDATION_FAILED,
        ),
    ]


def make_site(
    folder: Path, given: Sequence[Row] | None = None, *, dataset: str = "golden",
    judges: Sequence[tuple[str, str, int]] = (
        ("naive", "epoch-1", 20), ("naive", "epoch-2", 21), ("strict", "epoch-2", 21),
    ),
    access: Access | None = None, gate: bool = True,
) -> Site:  # fmt: skip
    """Write and publish a project in ``folder``."""
    root = folder / "project"
    (root / "data" / "golden").mkdir(parents=True)
    (root / "prompts").mkdir()
    (root / "citeval.yaml").write_text(SETTINGS, encoding="utf-8")
    project = Project.load(root, {"DAGSTER_HOME": str(folder / "home")})
    cases = [(row, *_case(row)) for row in (rows() if given is None else given)]
    with project.open_ledger() as ledger:
        members = tuple(
            DatasetMember(dataset, "golden", record.case_hash, "{}", number)
            for number, (_, _, record) in enumerate(cases)
        )
        ledger.register_dataset(
            DatasetRecord(PLAYBOOK, "d1", members), [record for _, _, record in cases]
        )
        for judge, epoch, day in judges:
            record = _evaluation(judge, epoch, day)
            judged = [_judged(record, row, stored, dataset) for row, _, stored in cases]
            calls = [call for case in judged for call in case.calls]
            ledger.add_calls([c.intent for c in calls], [c.reply for c in calls])
            ledger.record_evaluation(record, [case.item for case in judged])
            write_partition(
                project.warehouse, partition_rows(record, get_playbook(PLAYBOOK), judged)
            )
        secret = ledger.secret()
    write_test_cases(
        project.warehouse,
        PLAYBOOK,
        [
            TestCaseRow(
                PLAYBOOK, dataset, "d1", case.test_case_id, case.system, record.case_hash,
                "golden", "standard", case.question, produced=produced_text(case),
            )
            for _, case, record in cases
        ],
        [],
    )  # fmt: skip
    if gate:
        lost = next(c.test_case_id for _, c, _ in cases if c.system == "candidate")
        write_gate_results(project.warehouse, [_gate_row(judges[0][0], lost)])
    publish(project.warehouse, project.published_path)
    return Site(project, Snapshot(project.published_path), secret, access or Access())


def _case(row: Row) -> tuple[Any, CaseRecord]:
    case = get_playbook(PLAYBOOK).case_type.model_validate(row.fields)
    text = canonical_json(case.model_dump(mode="json", exclude_defaults=True))
    digest = case_hash(PLAYBOOK, case)
    return case, CaseRecord(digest, PLAYBOOK, case.test_case_id, case.system, text)


def _evaluation(judge: str, epoch: str, day: int) -> EvaluationRecord:
    moment = f"2026-11-{day}T08:00:00.000000+00:00"
    return EvaluationRecord(
        f"e-{judge}-{day}", PLAYBOOK, judge, "v1", "t" * 64, "d1", "*", epoch, f"run-{day}",
        moment, moment,
    )  # fmt: skip


def _judged(record: EvaluationRecord, row: Row, stored: CaseRecord, dataset: str) -> EvaluatedCase:
    failed = row.status is Status.VALIDATION_FAILED
    weights = [f.weight or 0.0 for f in row.findings]
    score = None if failed else sum(weights) / len(weights)
    escalations = (
        (Escalation(name=EscalationName.UNSCORED, detail="the reply never passed"),)
        if failed
        else (Escalation(name=EscalationName.HALLUCINATED_SOURCE, severity=Severity.CRITICAL),)
        if score is not None and score < 1
        else ()
    )
    report = Report(
        playbook=PLAYBOOK, test_case_id=stored.test_case_id, system=stored.system,
        risk_level=row.risk, status=row.status,
        reason=Reason.VALIDATION_FAILED if failed else None, score=score, attempts=1,
        routing=Routing.REVIEW if escalations else Routing.DELIVER, escalations=escalations,
        provisional=bool(escalations) and row.risk is RiskLevel.HIGH, findings=row.findings,
        validation_problems=("claims_analysis: missing",) if failed else (),
    )  # fmt: skip
    call = _call(record, stored)
    item = EvaluationItem(
        record.evaluation_id, stored.case_hash, stored.test_case_id, stored.system,
        (call.intent.call_id,), row.status, report.reason, score, report.routing,
        tuple(str(e.name) for e in escalations),
    )  # fmt: skip
    return EvaluatedCase(item, report, (call,), dataset, "golden", question_key=stored.test_case_id)


def _call(record: EvaluationRecord, stored: CaseRecord) -> StoredCall:
    call_id = f"call-{record.evaluation_id}-{stored.case_hash[:10]}"
    intent = CallIntent(
        call_id, call_id, record.run_id, PLAYBOOK, stored.test_case_id, stored.system,
        stored.case_hash, record.model, "embedded/overlap-0", "embedded", "v1", "t" * 64, "d1",
        1, 1, 0, ("1", "2"), json.dumps([{"role": "user", "content": "Judge <this>."}]), "{}",
        created_at=record.started_at,
    )  # fmt: skip
    reply = CallReply(
        call_id, "reply", text='{"raw": "reply of the judge"}', finish_reason="stop",
        answered_model="overlap-0@1", cost_usd=Decimal("0.01"), latency_ms=12.0,
        created_at=record.finished_at,
    )  # fmt: skip
    return StoredCall(intent, reply)


def _gate_row(judge: str, case: str) -> GateResultRow:
    line = {"compare": "systems", "cases": [case], "baseline_value": 0, "candidate_value": 1}
    return GateResultRow(
        gate="release", playbook=PLAYBOOK, metric="new_hallucinated_cases", mode="",
        baseline="prod", candidate="candidate", model=judge, prompt_version="v1", scope="*",
        difference=1.0, ci_low=None, ci_high=None, pairs=2, detectable_drop=None, threshold=0.0,
        overridden=0, provisional=0, verdict="fail",
        reasons=json.dumps([f"1 case that was clean has an invented source now ({case})"]),
        inputs=json.dumps({"line": line}), decision_id="g1",
        decided_at=datetime(2026, 11, 22, 8, tzinfo=UTC),
    )  # fmt: skip


@contextmanager
def visiting(site: Site, **headers: str) -> Iterator[TestClient]:
    """Yield a client that asks the site as a browser on this machine would."""
    with TestClient(
        create_app(site), base_url=ADDRESS, headers={"Accept": "text/html", **headers},
        follow_redirects=False,
    ) as client:  # fmt: skip
        yield client


def with_access(site: Site, access: Access) -> Site:
    """Return the same site under other rules of access."""
    return replace(site, access=access)
