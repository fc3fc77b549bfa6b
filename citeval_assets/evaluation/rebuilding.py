"""From the ledger to the warehouse: the same rows, however often it is done."""

from collections.abc import Iterator, Sequence

from citeval_assets.datasets.hashing import question_key, subject_hash
from citeval_assets.datasets.model import QuarantinedRow
from citeval_assets.evaluation.cases import NothingRegistered, case_records
from citeval_assets.evaluation.current import current_evaluation
from citeval_assets.evaluation.inputs import CaseSettings, Registered
from citeval_assets.evaluation.measurements import show_measurements
from citeval_assets.evaluation.partition import rebuild_reports
from citeval_assets.evaluation.project import Cell
from citeval_assets.evaluation.reviewing import Standings, known_reviews
from citeval_assets.gates.recording import current_rows
from citeval_assets.ledger.records import (
    CaseRecord,
    DatasetRecord,
    EvaluationItem,
    EvaluationRecord,
    TraceOffer,
)
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.cases import TestCase
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.shared import effective_risk_level
from citeval_assets.qualification.canaries import canary_result
from citeval_assets.review.standing import ItemState
from citeval_assets.review.subjects import Subject
from citeval_assets.warehouse.connection import Warehouse
from citeval_assets.warehouse.production import is_production
from citeval_assets.warehouse.reading import evaluation_ids
from citeval_assets.warehouse.rows import CaseKey, EvaluatedCase, Reviewed, case_rows
from citeval_assets.warehouse.spool import Spool
from citeval_assets.warehouse.tables import QuarantineRow, TestCaseRow, TraceSampleRow
from citeval_assets.warehouse.totals import CanaryState, Totals
from citeval_assets.warehouse.values import canonical, read_time
from citeval_assets.warehouse.writers import (
    PartitionWriter,
    write_gate_results,
    write_samples,
    write_test_cases,
)


def ensure_warehouse(ledger: Ledger, warehouse: Warehouse) -> bool:
    """Rebuild the warehouse from the ledger where it is missing, unreadable or outdated.

    Returns:
        Whether it was rebuilt. No model is asked.
    """
    return warehouse.ensure_ready(lambda empty: _write_everything(ledger, empty))


def _write_everything(ledger: Ledger, warehouse: Warehouse) -> None:
    cells: dict[Cell, str] = {}
    reviews = known_reviews(ledger)
    for record in ledger.evaluations():
        write_evaluation(ledger, warehouse, record, reviews)
        if not is_production(record.scope):
            cells[_cell_of(record)] = record.evaluation_id
    for cell, last_written in cells.items():
        current = current_evaluation(ledger, cell)
        if current is not None and current.evaluation_id != last_written:
            write_evaluation(ledger, warehouse, current, reviews)
    write_gate_results(warehouse, current_rows(ledger))
    show_measurements(ledger, warehouse)
    show_samples(ledger, warehouse)


def report_cell(ledger: Ledger, warehouse: Warehouse, cell: Cell) -> str:
    """Write the current evaluation of a cell, and earlier ones the warehouse does not hold.

    Returns:
        The id of the current evaluation.

    Raises:
        NothingRegistered: where the cell was never judged.
    """
    current = current_evaluation(ledger, cell)
    if current is None:
        raise NothingRegistered(
            f"{cell} has not been judged: materialize its judge outputs (or answers) first"
        )
    ensure_warehouse(ledger, warehouse)
    known = evaluation_ids(warehouse)
    reviews = known_reviews(ledger)
    earlier = (record for record in ledger.evaluations() if _cell_of(record) == cell)
    for record in earlier:
        if record.evaluation_id not in known and record.evaluation_id != current.evaluation_id:
            write_evaluation(ledger, warehouse, record, reviews)
    write_evaluation(ledger, warehouse, current, reviews)
    return current.evaluation_id


def write_evaluation(
    ledger: Ledger, warehouse: Warehouse, record: EvaluationRecord, reviews: Standings
) -> None:
    """Rebuild the reports of one evaluation and write them, as reviewers decided about them."""
    playbook = get_playbook(record.playbook)
    totals = Totals(record)
    with Spool(warehouse) as spool:
        writer = PartitionWriter(record.evaluation_id, spool)
        for rebuilt in rebuild_reports(ledger, record):
            case = EvaluatedCase(
                item=rebuilt.item,
                report=rebuilt.report,
                calls=rebuilt.calls,
                dataset=rebuilt.case.dataset,
                split=rebuilt.case.split,
                subject_hash=subject_hash(rebuilt.case.prepared.case),
                question_key=question_key(rebuilt.case.prepared.case.question),
            )
            reviewed = _reviews_of(record, rebuilt.item, reviews)
            writer.add(totals.count(case_rows(record, playbook, case, reviewed)))
        canaries = canary_result(ledger.items(record.evaluation_id))
        state = CanaryState(str(canaries.state), canaries.detail)
        writer.finish(warehouse, totals.evaluation_row(state), totals.score_trend())


def _reviews_of(
    record: EvaluationRecord, item: EvaluationItem, reviews: Standings
) -> dict[CaseKey, Reviewed]:
    subject = Subject(record.playbook, item.case_hash, record.model, record.prompt_version)
    standing = reviews.get(subject)
    if standing is None:
        return {}
    settled = standing.state is ItemState.DECIDED
    return {(item.test_case_id, item.system): Reviewed(standing.override, settled)}


def write_registered(
    ledger: Ledger, warehouse: Warehouse, registered: Registered, datasets: Sequence[str]
) -> None:
    """Show the registered cases and the refused rows in the warehouse."""
    write_test_cases(
        warehouse,
        registered.summary.playbook,
        _case_rows(ledger, registered.record),
        [_quarantine_row(row) for row in registered.quarantined],
        datasets=list(datasets) or None,
    )


def _case_rows(ledger: Ledger, dataset: DatasetRecord) -> Iterator[TestCaseRow]:
    case_type = get_playbook(dataset.playbook).case_type
    for member, record in case_records(ledger, dataset.members):
        rules = CaseSettings.model_validate_json(member.rules_json).rules
        case = case_type.model_validate_json(record.canonical_json)
        yield TestCaseRow(
            playbook=dataset.playbook,
            dataset=member.dataset,
            dataset_version=dataset.dataset_version,
            test_case_id=case.test_case_id,
            system=case.system,
            case_hash=member.case_hash,
            split=member.split,
            risk_level=str(effective_risk_level(case, rules)),
            question=case.question,
            language=case.language,
            tags=canonical(list(case.tags)),
            label_source=str(case.label_source) if case.label_source else None,
            human_score=case.human_score,
            produced=produced_text(case) or None,
        )


def _cell_of(record: EvaluationRecord) -> Cell:
    return Cell(record.playbook, record.model, record.prompt_version)


def produced_text(case: TestCase) -> str:
    """Return what the system under test wrote: its trace and final answer, or its answer."""
    fields = (getattr(case, name, None) for name in ("reasoning_trace", "final_answer", "answer"))
    parts = ("\n".join(f) if isinstance(f, list | tuple) else f for f in fields)
    return "\n\n".join(part for part in parts if part)


def show_samples(ledger: Ledger, warehouse: Warehouse) -> None:
    """Write what was drawn of production anew from the ledger, with the questions."""
    samples: list[TraceSampleRow] = []
    cases: list[TestCaseRow] = []
    for playbook, dataset in ledger.sampled_datasets():
        drawn = {o.case_hash: o for o in ledger.offers(playbook, dataset) if o.drawn}
        case_type = get_playbook(playbook).case_type
        for record in ledger.cases(drawn):
            offer = drawn[record.case_hash]
            samples.append(_sample_row(record, offer))
            case = case_type.model_validate_json(record.canonical_json)
            cases.append(
                TestCaseRow(
                    playbook=playbook,
                    dataset=dataset,
                    dataset_version=dataset,
                    test_case_id=record.test_case_id,
                    system=record.system,
                    case_hash=record.case_hash,
                    split="production",
                    risk_level=None if case.risk_level is None else str(case.risk_level),
                    question=case.question,
                    language=case.language,
                    tags=canonical(list(case.tags)),
                    produced=produced_text(case) or None,
                )
            )
    write_samples(warehouse, samples, cases)


def _sample_row(record: CaseRecord, offer: TraceOffer) -> TraceSampleRow:
    return TraceSampleRow(
        playbook=offer.playbook,
        dataset=offer.dataset,
        test_case_id=record.test_case_id,
        system=record.system,
        day=offer.day,
        offered=offer.offered,
        taken=offer.taken,
        probability=offer.probability,
        seed=offer.seed,
        drawn_at=read_time(offer.created_at),
    )


def _quarantine_row(row: QuarantinedRow) -> QuarantineRow:
    return QuarantineRow(
        playbook=row.playbook,
        dataset=row.dataset,
        file=row.file,
        line=row.line,
        reason=row.reason,
        row=row.row,
    )
