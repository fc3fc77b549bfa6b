"""Every judge against the labels there are, and its scores with its known error taken out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from citeval_assets.calibration.correcting import (
    JudgedCase,
    SystemCorrection,
    corrected_scores,
)
from citeval_assets.calibration.measuring import JudgeAgreement, LabelledScore, agreement
from citeval_assets.evaluation.current import current_evaluation
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.evaluation.qualifying import judge_cells
from citeval_assets.ledger.records import EvaluationItem, EvaluationRecord, HumanLabel
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.vocabulary import LabelSource
from citeval_assets.qualification.canaries import is_canary
from citeval_assets.review.labels import standing_labels
from citeval_assets.statistics.agreement import Confusion
from citeval_assets.statistics.corrected_means import Correction
from citeval_assets.warehouse.connection import Warehouse
from citeval_assets.warehouse.judge_tables import CalibrationRow
from citeval_assets.warehouse.values import canonical, read_time
from citeval_assets.warehouse.writers import write_calibration

_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)


@dataclass(frozen=True, slots=True)
class JudgeCalibration:
    """One judge and prompt version under one playbook, against the labels of one source."""

    playbook: str
    model: str
    prompt_version: str
    epoch: str
    evaluation_id: str
    agreement: JudgeAgreement
    corrected: tuple[SystemCorrection, ...]


@dataclass(frozen=True, slots=True)
class _Label:
    score: float
    source: LabelSource
    given_at: str = ""


def calibrate(
    project: Project, ledger: Ledger, warehouse: Warehouse, cells: Sequence[Cell] = ()
) -> list[JudgeCalibration]:
    """Compare the current scores of the judges with the labels, and show it in the warehouse.

    Asks nobody. The table is replaced as a whole; ``cells`` restricts what is returned.
    """
    given = human_labels(ledger)
    found: list[JudgeCalibration] = []
    rows: list[CalibrationRow] = []
    for cell in judge_cells(project.cells()):
        record = current_evaluation(ledger, cell)
        if record is None:
            continue
        items = [i for i in ledger.items(record.evaluation_id) if not is_canary(i)]
        labels = _labels(ledger, record, items, given)
        newest = max([record.finished_at, *(label.given_at for label in labels.values())])
        for source in LabelSource:
            calibration = _against(project, record, items, labels, source)
            rows.append(_row(calibration, newest))
            if not cells or cell in cells:
                found.append(calibration)
    write_calibration(warehouse, rows)
    return found


def human_labels(ledger: Ledger) -> dict[str, HumanLabel]:
    """Return the label of people that counts for each case, by case hash."""
    return standing_labels(ledger.human_labels(), ledger.review_decisions())


def _labels(
    ledger: Ledger,
    record: EvaluationRecord,
    items: Sequence[EvaluationItem],
    given: Mapping[str, HumanLabel],
) -> dict[str, _Label]:
    """Return the label of each case that has one; what a person recorded later comes first."""
    case_type = get_playbook(record.playbook).case_type
    found: dict[str, _Label] = {}
    for stored in ledger.cases(item.case_hash for item in items):
        case = case_type.model_validate_json(stored.canonical_json)
        if case.labels is not None and case.labels.score is not None and case.label_source:
            found[stored.case_hash] = _Label(case.labels.score, case.label_source)
    for item in items:
        label = given.get(item.case_hash)
        if label is not None and label.score is not None:
            found[item.case_hash] = _Label(label.score, LabelSource.HUMAN, label.created_at)
    return found


def _against(
    project: Project,
    record: EvaluationRecord,
    items: Sequence[EvaluationItem],
    labels: Mapping[str, _Label],
    source: LabelSource,
) -> JudgeCalibration:
    config = project.settings.calibration
    scored = [(item, item.score) for item in items if item.score is not None]
    of_source = {case: label.score for case, label in labels.items() if label.source is source}
    agreed = agreement(
        [
            LabelledScore(
                item.case_hash, item.test_case_id, item.system, score, of_source[item.case_hash]
            )
            for item, score in scored
            if item.case_hash in of_source
        ],
        source,
        config,
    )
    cases = [JudgedCase(i.system, score, of_source.get(i.case_hash)) for i, score in scored]
    # Cases that were made to show faults are no sample of anything: nothing is corrected by them.
    corrected = corrected_scores(cases, agreed, config) if source is LabelSource.HUMAN else ()
    return JudgeCalibration(
        playbook=record.playbook,
        model=record.model,
        prompt_version=record.prompt_version,
        epoch=record.epoch,
        evaluation_id=record.evaluation_id,
        agreement=agreed,
        corrected=corrected,
    )


def _row(found: JudgeCalibration, computed_at: str) -> CalibrationRow:
    agreed = found.agreement
    whole = found.corrected[0].score if found.corrected else None
    return CalibrationRow(
        playbook=found.playbook,
        model=found.model,
        prompt_version=found.prompt_version,
        epoch=found.epoch,
        evaluation_id=found.evaluation_id,
        label_source=agreed.label_source,
        n_labelled=agreed.n,
        n_positive=agreed.positives,
        n_negative=agreed.negatives,
        calibrated=agreed.calibrated,
        state=agreed.state,
        accuracy=agreed.accuracy,
        balanced_accuracy=agreed.balanced_accuracy,
        kappa=agreed.kappa.mean,
        kappa_low=agreed.kappa.low,
        kappa_high=agreed.kappa.high,
        mean_deviation=agreed.mean_deviation,
        bias=agreed.bias,
        conflicts=len(agreed.conflicts),
        raw_score=whole.raw if whole else None,
        corrected_score=whole.mean if whole else None,
        corrected_low=whole.low if whole else None,
        corrected_high=whole.high if whole else None,
        correction=str(whole.method if whole else Correction.RAW),
        correction_note=whole.note if whole else "",
        confusion=canonical(confusion_table(agreed.confusion)),
        per_label=canonical({quality.label: _plain(quality) for quality in agreed.per_label}),
        details=canonical(
            {
                "levels": confusion_table(agreed.levels),
                "conflicts": _plain(agreed.conflicts),
                "systems": _plain(found.corrected),
            }
        ),
        computed_at=read_time(computed_at),
    )


def confusion_table(confusion: Confusion) -> dict[str, dict[str, int]]:
    """Return a confusion matrix as label -> judged -> cases."""
    return {
        label: {judged: confusion.count(label, judged) for judged in confusion.classes}
        for label in confusion.classes
    }


def _plain(found: object) -> Any:
    return _ANYTHING.dump_python(found, mode="json")


def conflicting(
    calibrations: Sequence[JudgeCalibration],
) -> Iterator[tuple[JudgeCalibration, LabelledScore]]:
    """Yield every case on which a judge and a person differ by more than the margin."""
    for calibration in calibrations:
        if calibration.agreement.label_source == LabelSource.HUMAN:
            for score in calibration.agreement.conflicts:
                yield calibration, score
