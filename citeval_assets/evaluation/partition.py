"""One cell, step by step: ask the judge, then turn stored replies into reports."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from itertools import islice
from typing import TypeVar

from citeval_assets.config import ModelConfig
from citeval_assets.embedded.calibration import Calibration
from citeval_assets.embedded.registry import calibration_of
from citeval_assets.evaluation.answering import under_system
from citeval_assets.evaluation.cases import (
    NothingRegistered,
    PreparedCase,
    current_dataset,
    prepared_cases,
    rules_of,
)
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.evaluation.riding import judge_canaries, without_canaries
from citeval_assets.evaluation.summaries import EvaluationSummary, summarise, with_canaries
from citeval_assets.evaluation.tasks import tasks_of
from citeval_assets.judging.clients import ModelClient, client_for
from citeval_assets.judging.epoch import epoch
from citeval_assets.judging.policy import JudgingPolicy, comparison_budget
from citeval_assets.judging.progress import ProgressCallback
from citeval_assets.judging.replay import replay
from citeval_assets.judging.session import CaseOutcome, run_session
from citeval_assets.ledger.records import (
    DatasetRecord,
    EvaluationItem,
    EvaluationRecord,
    StoredCall,
)
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.qualification.canaries import canary_result
from citeval_assets.templates.model import PromptTemplate

_PAGE = 200
"""Cases whose calls are read from the ledger at once."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Judged:
    """What asking the model about one cell came to."""

    record: EvaluationRecord
    summary: EvaluationSummary
    reports: tuple[Report, ...]


def judge_cell(
    project: Project,
    ledger: Ledger,
    cell: Cell,
    *,
    scope: str,
    run_id: str,
    policy: JudgingPolicy,
    progress: ProgressCallback | None = None,
) -> Judged:
    """Ask the model of a cell about every case not yet settled, and record the evaluation."""
    started = datetime.now(UTC).isoformat()
    playbook = get_playbook(cell.playbook)
    template = project.templates.get(cell.playbook, cell.prompt_version)
    model = project.settings.model(cell.model)
    dataset = current_dataset(ledger, cell.playbook, scope)
    drawn = tasks_of(project, ledger, cell, dataset, policy.budget)
    outcomes = run_session(
        playbook=playbook,
        template=template,
        model=model,
        client=client_of(project, model),
        ledger=ledger,
        policy=policy,
        run_id=run_id,
        tasks=drawn.tasks,
        progress=progress,
        total=drawn.total,
    )
    if project.settings.calibration.qualification.canaries:
        outcomes += judge_canaries(
            playbook=playbook,
            template=template,
            model=model,
            client=client_of(project, model),
            ledger=ledger,
            dataset=dataset,
            outcomes=outcomes,
            policy=policy,
            run_id=run_id,
        )
    record = _record_evaluation(
        project, ledger, cell, template, dataset, outcomes, scope, run_id, started
    )
    return _judged(cell, playbook, record, outcomes)


def _judged(
    cell: Cell, playbook: AnyPlaybook, record: EvaluationRecord, outcomes: Sequence[CaseOutcome]
) -> Judged:
    canaries = canary_result(_item(record.evaluation_id, outcome) for outcome in outcomes)
    reports = tuple(outcome.report for outcome in without_canaries(outcomes))
    costs = [outcome.cost_usd for outcome in outcomes]
    known = [cost for cost in costs if cost is not None]
    unpriced = sum(outcome.unpriced_calls for outcome in outcomes)
    summary = summarise(
        record.evaluation_id,
        cell,
        reports,
        calls=sum(outcome.calls for outcome in outcomes),
        reused_calls=sum(outcome.reused_calls for outcome in outcomes),
        cost=None if unpriced else sum(known, Decimal(0)),
        failure_counts=playbook.failure_counts,
        answered_by=[answerer for outcome in outcomes for answerer in outcome.answered_by],
    )
    return Judged(record, with_canaries(summary, canaries.state, canaries.detail), reports)


def _record_evaluation(
    project: Project,
    ledger: Ledger,
    cell: Cell,
    template: PromptTemplate,
    dataset: DatasetRecord,
    outcomes: Sequence[CaseOutcome],
    scope: str,
    run_id: str,
    started: str,
) -> EvaluationRecord:
    cell_epoch = cell_epoch_of(project, cell, rules_of(dataset))
    evaluation_id = _evaluation_id(cell, dataset, cell_epoch, scope, outcomes)
    record = EvaluationRecord(
        evaluation_id=evaluation_id,
        playbook=cell.playbook,
        model=cell.model,
        prompt_version=cell.prompt_version,
        template_sha256=template.sha256,
        dataset_version=dataset.dataset_version,
        scope=scope,
        epoch=cell_epoch,
        run_id=run_id,
        started_at=started,
        finished_at=datetime.now(UTC).isoformat(),
    )
    items = [_item(evaluation_id, outcome) for outcome in outcomes]
    stored = ledger.record_evaluation(record, items)
    ledger.make_current("evaluation", evaluation_key(cell, scope), evaluation_id)
    ledger.make_current("scope", evaluation_key(cell, ""), scope)
    return stored


def evaluation_key(cell: Cell, scope: str) -> str:
    """Return the name under which the ledger keeps the current evaluation of a cell."""
    return json.dumps([cell.playbook, cell.model, cell.prompt_version, scope])


def current_evaluation(ledger: Ledger, cell: Cell) -> EvaluationRecord | None:
    """Return the evaluation of a cell that was materialized last, whatever it covered."""
    scope = ledger.current("scope", evaluation_key(cell, ""))
    if scope is None:
        return None
    evaluation_id = ledger.current("evaluation", evaluation_key(cell, scope))
    return ledger.evaluation(evaluation_id) if evaluation_id else None


def cell_epoch_of(project: Project, cell: Cell, rules: Iterable[DomainRules]) -> str:
    """Return what makes two scores of this cell comparable, as one hash."""
    model = project.settings.model(cell.model)
    return epoch(
        get_playbook(cell.playbook),
        model,
        project.templates.get(cell.playbook, cell.prompt_version),
        rules,
        comparison_budget(project.compared_models(cell.playbook)),
        _calibration(project, model),
    )


def client_of(project: Project, model: ModelConfig) -> ModelClient:
    """Return the client that asks a model of this project."""
    return client_for(model, project.environ, _calibration(project, model))


def _calibration(project: Project, model: ModelConfig) -> Calibration:
    return calibration_of(model.model, model.id, project.settings.state_dir)


def _evaluation_id(
    cell: Cell,
    dataset: DatasetRecord,
    cell_epoch: str,
    scope: str,
    outcomes: Sequence[CaseOutcome],
) -> str:
    """Hash what an evaluation rests on: a rerun that changes nothing is the same evaluation."""
    settled = [[o.case_hash, o.report.status, o.report.reason, *o.call_ids] for o in outcomes]
    basis = [
        cell.playbook,
        cell.model,
        cell.prompt_version,
        dataset.dataset_version,
        cell_epoch,
        scope,
        settled,
    ]
    return hashlib.sha256(json.dumps(basis, separators=(",", ":")).encode()).hexdigest()[:32]


def _item(evaluation_id: str, outcome: CaseOutcome) -> EvaluationItem:
    report = outcome.report
    return EvaluationItem(
        evaluation_id=evaluation_id,
        case_hash=outcome.case_hash,
        test_case_id=report.test_case_id,
        system=report.system,
        call_ids=outcome.call_ids,
        status=report.status,
        reason=report.reason,
        score=report.score,
        routing=report.routing,
        escalations=tuple(str(escalation.name) for escalation in report.escalations),
        validation_problems=report.validation_problems,
    )


@dataclass(frozen=True, slots=True)
class RebuiltReport:
    """A report computed again from what the ledger holds, with the case it is about."""

    item: EvaluationItem
    case: PreparedCase
    calls: tuple[StoredCall, ...]
    report: Report


def rebuild_reports(ledger: Ledger, record: EvaluationRecord) -> Iterator[RebuiltReport]:
    """Compute the reports of a recorded evaluation from stored replies alone."""
    playbook = get_playbook(record.playbook)
    dataset = ledger.dataset(record.playbook, record.dataset_version)
    if dataset is None:
        raise NothingRegistered(
            f"evaluation {record.evaluation_id} names dataset version "
            f"{record.dataset_version}, which the ledger does not hold"
        )
    by_hash = {item.case_hash: item for item in ledger.items(record.evaluation_id)}
    judged = (case for case in prepared_cases(ledger, dataset) if case.case_hash in by_hash)
    for page in batched(judged, _PAGE):
        items = [by_hash[case.case_hash] for case in page]
        stored = ledger.calls(call_id for item in items for call_id in item.call_ids)
        for case, item in zip(page, items, strict=True):
            calls = tuple(stored[call_id] for call_id in item.call_ids)
            named = under_system(case, item.system)
            report = replay(playbook, named.prepared, calls, item)
            yield RebuiltReport(item, named, calls, report)


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield lists of at most ``size`` items."""
    rest = iter(items)
    while page := list(islice(rest, size)):
        yield page
