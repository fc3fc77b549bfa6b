"""Amended golden rows: cases as they were judged, with what people decided about them.

A proposal: the rows keep their ids and texts, carry the human labels, and go through the same
checks as any data file when they are put into ``data/golden/``. A case that several people hold
different opinions on is left out until they agree.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.cases import TestCase
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.vocabulary import LabelSource, TemplateKind
from citeval_assets.review.decisions import DecisionKind, labels_of
from citeval_assets.review.labels import golden_labels, standing_labels
from citeval_assets.review.standing import ItemState, Position, standings

_NOT_GOLDEN = ("decision", "blind")
_LABELLED = (DecisionKind.CONFIRM, DecisionKind.OVERRIDE, DecisionKind.ANSWER)


@dataclass(frozen=True, slots=True)
class GoldenRow:
    """One proposed row, and why: who decided what."""

    playbook: str
    test_case_id: str
    system: str
    row: dict[str, Any]
    decided: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class GoldenProposal:
    """The proposed rows, and how many cases were left out because reviewers differ."""

    rows: tuple[GoldenRow, ...]
    disputed: int


def propose_golden(ledger: Ledger, playbook: str | None = None) -> GoldenProposal:
    """Return the golden rows that the decisions amount to, in the order of deciding."""
    decisions = list(ledger.review_decisions())
    counting = standing_labels(ledger.human_labels(), decisions)
    by_case: dict[str, list[Position]] = {}
    disputed: set[str] = set()
    for subject, standing in standings(decisions).items():
        if playbook is not None and subject.playbook != playbook:
            continue
        if standing.state is ItemState.DISPUTED:
            disputed.add(subject.case_hash)
        kept = [p for p in standing.positions if p.kind in _LABELLED]
        if kept:
            by_case.setdefault(subject.case_hash, []).extend(kept)
    # Two judges' reports of one case may have been decided apart, too.
    disputed |= {
        case
        for case, held in by_case.items()
        if case not in counting and any(p.score is not None for p in held)
    }
    rows = tuple(_row(ledger, case, held) for case, held in by_case.items() if case not in disputed)
    return GoldenProposal(rows, len(disputed))


def golden_lines(rows: Iterable[GoldenRow]) -> Iterator[str]:
    """Yield the rows as JSON lines."""
    for row in rows:
        yield json.dumps(row.row, ensure_ascii=False, allow_nan=False)


def _row(ledger: Ledger, case_hash: str, held: list[Position]) -> GoldenRow:
    (record,) = ledger.cases([case_hash])
    held.sort(key=lambda position: position.decision.created_at)
    row: dict[str, Any] = json.loads(record.canonical_json)
    playbook = all_playbooks()[record.playbook]
    fields = playbook.case_type.model_fields
    labels: dict[str, Any] = {}
    for position in held:
        labels.update(golden_labels(position.decision))
    labels = {name: value for name, value in labels.items() if name not in _NOT_GOLDEN}
    if playbook.kind is TemplateKind.GENERATE:
        labels.pop("score", None)  # it was that of one model's output, not of the case
        _with_verdict(row, playbook.case_type, held[-1])
    labels["reviewers"] = sorted({p.reviewer for p in held})
    answered = next((p.decision.answer for p in reversed(held) if p.decision.answer), None)
    if answered is not None:
        _with_answer(row, fields, answered, labels)
    row["labels"] = labels
    row["label_source"] = str(LabelSource.HUMAN)
    return GoldenRow(record.playbook, record.test_case_id, record.system, row, tuple(held))


def _with_verdict(row: dict[str, Any], case_type: type[TestCase], position: Position) -> None:
    """A confirmed status (an abstention above all) is what the row expects from now on."""
    verdict = labels_of(position.decision).verdict
    if position.kind is not DecisionKind.CONFIRM or "expected_status" not in case_type.model_fields:
        return
    amended = {**row, "expected_status": verdict}
    try:
        case_type.model_validate(amended)
    except ValidationError:
        return  # the report said something that no row can expect
    row.update(amended)


def _with_answer(
    row: dict[str, Any], fields: Iterable[str], answer: str, labels: dict[str, Any]
) -> None:
    """Put a reviewer's answer where the playbook looks for one, else among the labels."""
    names = set(fields)
    if "reference_answer" in names:
        row["reference_answer"] = answer
    else:
        labels["answer"] = answer
    if "expected_status" in names:
        row["expected_status"] = "answered"
    if "answerable" in names:
        row["answerable"] = True
