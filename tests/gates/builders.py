"""A project whose warehouse holds just the judgements a test names; nothing is judged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from citeval_assets.config import load_settings
from citeval_assets.evaluation.gating import GateQuery, run_gates
from citeval_assets.evaluation.project import Project
from citeval_assets.gates.model import GateReport, GateResult, MetricResult
from citeval_assets.ledger.records import EvaluationItem, EvaluationRecord
from citeval_assets.playbooks.citation_faithfulness.scoring import CitationFaithfulnessDetails
from citeval_assets.playbooks.cite_or_abstain.schema import (
    AnswerStatus,
    CiteDetails,
    FirstAttempt,
)
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.report import Details, Finding, Flag, Report
from citeval_assets.playbooks.vocabulary import (
    FindingUnit,
    Reason,
    RiskLevel,
    Routing,
    Severity,
    Status,
)
from citeval_assets.templates.library import TemplateLibrary, load_templates
from citeval_assets.warehouse.rows import EvaluatedCase, Reviewed, partition_rows
from citeval_assets.warehouse.tables import TestCaseRow
from citeval_assets.warehouse.writers import write_partition, write_test_cases
from tests.small_project import REPOSITORY
from tests.warehouse.builders import call

FAITHFULNESS = "citation_faithfulness"

HEAD = """\
models:
  - {id: judge-a, model: prov/judge-1, roles: [judge], stage: production}
  - {id: judge-b, model: prov/judge-2, roles: [judge], stage: candidate}
  - {id: target, model: embedded/extractive-0, roles: [target], stage: production}
systems:
  - {label: prod, stage: production}
  - {label: candidate, stage: candidate}
"""


def gate_text(**changes: Any) -> str:
    """Return the settings of a project with one gate."""
    fields: dict[str, Any] = {
        "name": "release",
        "playbook": FAITHFULNESS,
        "baseline": "prod",
        "candidate": "candidate",
        "judge": "judge-a",
        "prompt": "v1",
        "min_pairs": 10,
        "require_qualified": "false",
        **changes,
    }
    lines = [f"    {key}: {value}" for key, value in fields.items() if value is not None]
    return f"{HEAD}gates:\n  -\n" + "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Judged:
    """One case as it was judged."""

    case: str
    score: float | None = 1.0
    system: str = "prod"
    status: Status | None = None
    reason: Reason | None = None
    invented: int = 0
    question: str = ""
    subject: str = "same"
    provisional: bool = False
    override: float | None = None
    repeat: int = 0
    answered: str = "judge-1-2026-04-14"
    fingerprint: str | None = None
    failures: tuple[str, ...] = ()
    details: Details | None = None
    verdict: str | None = None
    findings: tuple[Finding, ...] = field(default=())

    @property
    def found(self) -> Status:
        if self.status is not None:
            return self.status
        return Status.VALID if self.score is not None else Status.VALIDATION_FAILED


def many(count: int, **changes: Any) -> list[Judged]:
    """Return so many cases that differ in their name alone."""
    return [Judged(f"c{number:03d}", **changes) for number in range(count)]


def both(count: int, **changes: Any) -> list[Judged]:
    """Return so many cases that came out the same under both systems."""
    return [*many(count, **changes), *many(count, **{**changes, "system": "candidate"})]


def changed(cases: Iterable[Judged], system: str, *names: str, **changes: Any) -> list[Judged]:
    """Return the cases with some of one system changed."""
    return [
        replace(case, **changes) if case.system == system and case.case in names else case
        for case in cases
    ]


def claim(label: str = "partially_supported", **changes: Any) -> Finding:
    values: dict[str, Any] = {
        "unit": FindingUnit.CLAIM,
        "unit_number": 0,
        "text": "The ferry runs 4 times a day [1].",
        "source_id": "doc_1",
        "label": label,
        "weight": 0.0,
        "explanation": "the passage does not say so",
        **changes,
    }
    return Finding(**values)


def flagged(kind: str, **changes: Any) -> Finding:
    return claim(flags=(Flag(type=kind, severity=Severity.MAJOR),), **changes)


def answer(
    expected: str = "answered",
    *,
    abstained: bool = False,
    gaps: int = 0,
    statements: int = 4,
    invented: Sequence[str] = (),
) -> CiteDetails:
    """Return the details of one output under test."""
    return CiteDetails(
        expected_status=AnswerStatus(expected),
        first_attempt=FirstAttempt(
            readable=True,
            passed=True,
            overall_abstention=abstained,
            asserting_sentences=0 if abstained else statements,
            silent_citation_gaps=gaps,
            invented_chunk_ids=tuple(invented),
        ),
    )


def cite(changes: dict[str, dict[str, Any]]) -> list[Judged]:
    """Return forty answered and forty rightly abstained cases, some changed in the candidate."""
    found = []
    for system in ("prod", "candidate"):
        for number in range(80):
            name = f"c{number:03d}"
            given: dict[str, Any] = {"abstained": number >= 40}
            if system == "candidate":
                given |= changes.get(name, {})
            details = answer("answered" if number < 40 else "abstained", **given)
            found.append(Judged(name, system=system, details=details))
    return found


@dataclass(frozen=True)
class World:
    """The project, and what its gates say."""

    folder: Path
    home: Path

    @property
    def project(self) -> Project:
        environ = {"DAGSTER_HOME": str(self.home)}
        return Project(load_settings(self.folder, environ), shipped_templates(), environ)

    def judged(
        self,
        cases: Sequence[Judged],
        *,
        playbook: str = FAITHFULNESS,
        model: str = "judge-a",
        prompt: str = "v1",
        register: bool = True,
        **record: Any,
    ) -> None:
        """Write one evaluation of these cases, and register them as the present ones."""
        number = record.pop("number", 0)
        evaluation = EvaluationRecord(
            **{
                "evaluation_id": f"e-{model}-{prompt}-{number}",
                "playbook": playbook,
                "model": model,
                "prompt_version": prompt,
                "template_sha256": "t" * 64,
                "dataset_version": "d1",
                "scope": "*",
                "epoch": f"epoch-{model}-{prompt}",
                "run_id": "run",
                "started_at": "2026-11-30T08:00:00+00:00",
                "finished_at": f"2026-11-30T08:00:0{number}+00:00",
                **record,
            }
        )
        rows = [_evaluated(playbook, evaluation, case) for case in cases]
        overrides = {
            (case.case, case.system): Reviewed(case.override)
            for case in cases
            if case.override is not None
        }
        warehouse = self.project.warehouse
        write_partition(
            warehouse, partition_rows(evaluation, get_playbook(playbook), rows, overrides)
        )
        if register:
            present = [_present(playbook, evaluation, case) for case in cases]
            write_test_cases(warehouse, playbook, present, [])

    def gates(self, **chosen: Any) -> GateReport:
        return run_gates(self.project, GateQuery(), **chosen)

    def gate(self, **chosen: Any) -> GateResult:
        """Return the one gate of the project."""
        (gate,) = self.gates(**chosen).gates
        return gate

    def sql(self, statement: str) -> None:
        with self.project.warehouse.writing() as connection:
            connection.execute(statement)


def make_world(folder: Path, settings: str | None = None) -> World:
    """Write a project without a case; its prompts are the shipped ones."""
    project = folder / "project"
    project.mkdir()
    (project / "prompts").symlink_to(REPOSITORY / "prompts")
    (project / "citeval.yaml").write_text(settings or gate_text(), encoding="utf-8")
    return World(project, folder / "home")


@cache
def shipped_templates() -> TemplateLibrary:
    return load_templates(REPOSITORY / "prompts")


def metric(gate: GateResult, name: str = "score") -> MetricResult:
    (found,) = [metric for metric in gate.metrics if metric.metric == name]
    return found


def verdicts(gate: GateResult) -> dict[str, str]:
    return {metric.metric: str(metric.verdict) for metric in gate.metrics}


def _evaluated(playbook: str, evaluation: EvaluationRecord, case: Judged) -> EvaluatedCase:
    status = case.found
    failed = status is Status.VALIDATION_FAILED
    reason = case.reason or (Reason.VALIDATION_FAILED if failed else None)
    details = case.details
    if details is None:
        details = CitationFaithfulnessDetails(
            hallucinated_sources=tuple(f"x{n}" for n in range(case.invented)),
            hallucinated_source_count=case.invented,
            claim_count=2,
            supported_claim_count=2,
        )
    report = Report(
        playbook=playbook,
        test_case_id=case.case,
        system=case.system,
        risk_level=RiskLevel.HIGH if case.provisional else RiskLevel.STANDARD,
        status=status,
        reason=reason,
        score=case.score if status.scored else None,
        verdict=case.verdict,
        provisional=case.provisional,
        attempts=1,
        findings=case.findings,
        details=details,
    )
    item = EvaluationItem(
        evaluation_id=evaluation.evaluation_id,
        case_hash=_hash(case),
        test_case_id=case.case,
        system=case.system,
        call_ids=("x",),
        status=status,
        reason=reason,
        score=report.score,
        routing=Routing.DELIVER,
    )
    stored = call(case.case, answered_model=case.answered, fingerprint=case.fingerprint)
    intent = replace(stored.intent, model="prov/judge-1", repeat=case.repeat)
    return EvaluatedCase(
        item=item,
        report=report,
        calls=(replace(stored, intent=intent),),
        dataset="golden-set",
        split="golden",
        subject_hash=case.subject,
        question_key=case.question or case.case,
    )


def _present(playbook: str, evaluation: EvaluationRecord, case: Judged) -> TestCaseRow:
    return TestCaseRow(
        playbook=playbook,
        dataset="golden-set",
        dataset_version=evaluation.dataset_version,
        test_case_id=case.case,
        system=case.system,
        case_hash=_hash(case),
        split="golden",
        risk_level="standard",
        question="Why?",
    )


def _hash(case: Judged) -> str:
    return f"hash-{case.case}-{case.system}"
