"""One cell, step by step: ask the judge, then turn stored replies into reports."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import TypeVar

from citeval_assets.config import ModelConfig
from citeval_assets.embedded.calibration import Calibration
from citeval_assets.embedded.registry import calibration_of
from citeval_assets.evaluation.answering import replays, system_label, under_system
from citeval_assets.evaluation.asking import Asking, asked
from citeval_assets.evaluation.cases import (
    NothingRegistered,
    PreparedCase,
    current_dataset,
    prepared_cases,
    rules_of,
)
from citeval_assets.evaluation.current import evaluation_key, scope_evaluation
from citeval_assets.evaluation.evidence import CaseSettings
from citeval_assets.evaluation.kept import EvaluationItems, SettledCase, SettledCases
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.evaluation.riding import Riders
from citeval_assets.evaluation.settled import settled_before
from citeval_assets.evaluation.summaries import EvaluationSummary, summarise, with_canaries
from citeval_assets.evaluation.tasks import self_judging, tasks_of
from citeval_assets.judging.clients import ModelClient, client_for
from citeval_assets.judging.epoch import epoch
from citeval_assets.judging.identity import Answerer
from citeval_assets.judging.policy import JudgingPolicy, comparison_budget
from citeval_assets.judging.progress import ProgressCallback
from citeval_assets.judging.replay import replay
from citeval_assets.ledger.evaluations import items_of_cases
from citeval_assets.ledger.records import (
    DatasetRecord,
    EvaluationItem,
    EvaluationRecord,
    StoredCall,
)
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.vocabulary import TemplateKind
from citeval_assets.qualification.canaries import canary_result, is_canary
from citeval_assets.warehouse.production import is_production

_PAGE = 200
"""Cases whose calls are read from the ledger at once."""

_encode = json.JSONEncoder(separators=(",", ":")).encode

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Judged:
    """What asking the model about one cell came to."""

    record: EvaluationRecord
    summary: EvaluationSummary


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
    """Ask the model of a cell about every case not yet settled, and record the evaluation.

    Cases that the current evaluation settled, and that nothing has changed about, are taken over.
    """
    started = datetime.now(UTC).isoformat()
    dataset = current_dataset(ledger, cell.playbook, scope)
    cell_epoch = cell_epoch_of(project, cell, rules_of(dataset))
    known = ledger.current("evaluation", evaluation_key(cell, scope))
    cases = _settled_before(project, ledger, cell, scope, cell_epoch, dataset, policy)

    def settled_now() -> SettledCases:
        """Return what another process recorded meanwhile."""
        if ledger.current("evaluation", evaluation_key(cell, scope)) == known:
            return SettledCases()
        return _settled_before(project, ledger, cell, scope, cell_epoch, dataset, policy)

    drawn = tasks_of(project, ledger, cell, dataset, policy.budget, cases.positions())
    client = partial(client_of, project, project.settings.model(cell.model))
    riders = Riders(
        get_playbook(cell.playbook),
        dataset.dataset_version,
        cases,
        project.settings.calibration.qualification.canaries,
    )
    asking = Asking(client, drawn, run_id, policy, progress, riders)
    with asked(asking, (scope, cell_epoch), cases, settled_now) as stopped:
        record = _record_evaluation(
            project, ledger, cell, dataset, cell_epoch, cases, scope, run_id, started
        )
    summary = _summary(cell, record, cases, riders.left_out())
    return Judged(record, summary.model_copy(update={"stopped": stopped}))


def _settled_before(
    project: Project,
    ledger: Ledger,
    cell: Cell,
    scope: str,
    cell_epoch: str,
    dataset: DatasetRecord,
    policy: JudgingPolicy,
) -> SettledCases:
    """Return the cases that need no look: settled in the current evaluation, and unchanged."""
    record = scope_evaluation(ledger, cell, scope)
    if record is None or record.epoch != cell_epoch:
        return SettledCases()
    judges = get_playbook(cell.playbook).kind is TemplateKind.JUDGE
    if not judges and record.dataset_version != dataset.dataset_version:
        # Which case of several alike a target model is asked about depends on all of them.
        return SettledCases()
    refused: dict[str, bool] = {}

    labels = None if judges or replays(project, cell) else _labels(project, cell, dataset)

    def is_refused(system: str) -> bool:
        if system not in refused:
            relabelled = labels is not None and system not in labels
            refused[system] = relabelled or (
                judges and self_judging(project, cell, system) is not None
            )
        return refused[system]

    found = settled_before(ledger, record, dataset, policy, is_refused)
    if not judges:
        hashes = {case.case_hash for case in found}
        items = ledger.items(record.evaluation_id)
        if any(item.case_hash not in hashes and not is_canary(item) for item in items):
            return SettledCases()
    return found


def _labels(project: Project, cell: Cell, dataset: DatasetRecord) -> set[str]:
    """Return the labels under which the answers of a target model are kept now."""
    settings = {member.rules_json for member in dataset.members}
    retrievers = {CaseSettings.model_validate_json(text).retriever for text in settings}
    return {system_label(project, cell, retriever) for retriever in retrievers}


@dataclass(slots=True)
class _Spent:
    """What the calls of the cases add up to, who answered them, and which cases are canaries."""

    calls: int = 0
    reused_calls: int = 0
    unpriced_calls: int = 0
    cost_usd: Decimal = Decimal(0)
    answered_by: Counter[Answerer] = field(default_factory=Counter[Answerer])
    canaries: list[SettledCase] = field(default_factory=list[SettledCase])

    def add(self, case: SettledCase) -> None:
        """Add one case."""
        self.calls += case.calls
        self.reused_calls += case.reused_calls
        self.unpriced_calls += case.unpriced_calls
        self.cost_usd += case.cost_usd or 0
        for answerer in case.answered_by:
            self.answered_by[answerer] += 1
        if is_canary(case):
            self.canaries.append(case)


def _summary(
    cell: Cell,
    record: EvaluationRecord,
    every: Sequence[SettledCase],
    left_out: Iterable[SettledCase],
) -> EvaluationSummary:
    """Count what became of the cases; the canaries among them count in no figure of the judged.

    Of what was ``left_out`` only the calls count.
    """
    spent = _Spent()
    for case in every:
        spent.add(case)
    canaries = canary_result(spent.canaries)
    for case in left_out:
        spent.add(case)
    summary = summarise(
        record.evaluation_id,
        cell,
        (case for case in every if not is_canary(case)),
        calls=spent.calls,
        reused_calls=spent.reused_calls,
        cost=None if spent.unpriced_calls else spent.cost_usd,
        failure_counts=get_playbook(cell.playbook).failure_counts,
        answered_by=spent.answered_by,
    )
    return with_canaries(summary, canaries.state, canaries.detail)


def _record_evaluation(
    project: Project,
    ledger: Ledger,
    cell: Cell,
    dataset: DatasetRecord,
    cell_epoch: str,
    cases: Sequence[SettledCase],
    scope: str,
    run_id: str,
    started: str,
) -> EvaluationRecord:
    evaluation_id = _evaluation_id(cell, dataset, cell_epoch, scope, cases)
    record = EvaluationRecord(
        evaluation_id=evaluation_id,
        playbook=cell.playbook,
        model=cell.model,
        prompt_version=cell.prompt_version,
        template_sha256=project.templates.get(cell.playbook, cell.prompt_version).sha256,
        dataset_version=dataset.dataset_version,
        scope=scope,
        epoch=cell_epoch,
        run_id=run_id,
        started_at=started,
        finished_at=datetime.now(UTC).isoformat(),
    )
    stored = ledger.record_evaluation(record, EvaluationItems(evaluation_id, cases))
    ledger.make_current("evaluation", evaluation_key(cell, scope), evaluation_id)
    if not is_production(scope):
        ledger.make_current("scope", evaluation_key(cell, ""), scope)
    return stored


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
    cases: Sequence[SettledCase],
) -> str:
    """Hash what an evaluation rests on: a rerun that changes nothing is the same evaluation."""
    basis = [
        cell.playbook,
        cell.model,
        cell.prompt_version,
        dataset.dataset_version,
        cell_epoch,
        scope,
    ]
    digest = hashlib.sha256(_encode(basis).encode())
    # A judge grades the systems the cases name; a target model gives its answers a label, which
    # may change with the configuration.
    labelled = get_playbook(cell.playbook).kind is TemplateKind.GENERATE
    for case in cases:
        settled = [case.case_hash, case.status, case.reason, *case.call_ids]
        if labelled:
            settled.append(case.system)
        digest.update(b"\n" + _encode(settled).encode())
    return digest.hexdigest()[:32]


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
    for members in batched(dataset.members, _PAGE):
        hashes = [member.case_hash for member in members]
        with ledger.reading() as connection:
            items = items_of_cases(connection, record.evaluation_id, hashes)
        judged = [member for member in members if member.case_hash in items]
        stored = ledger.calls(call_id for item in items.values() for call_id in item.call_ids)
        for case in prepared_cases(ledger, dataset, judged):
            item = items[case.case_hash]
            calls = tuple(stored[call_id] for call_id in item.call_ids)
            named = under_system(case, item.system)
            report = replay(playbook, named.prepared, calls, item)
            yield RebuiltReport(item, named, calls, report)


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield lists of at most ``size`` items."""
    rest = iter(items)
    while page := list(islice(rest, size)):
        yield page
