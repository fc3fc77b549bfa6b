"""One decision: read from what a reviewer sent, checked, and made a record."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from citeval_assets.ledger.records import ReviewDecision
from citeval_assets.review.unit_labels import choices_of, score_of

MAX_TEXT_CHARS = 20_000
MAX_NAME_CHARS = 80
_SAME = 1e-9


class DecisionKind(StrEnum):
    """What a reviewer can do with an item."""

    CONFIRM = "confirm"
    """The judge is right."""
    OVERRIDE = "override"
    """The judge is wrong; the reviewer's labels and score stand instead."""
    ANSWER = "answer"
    """The reviewer writes the answer the system should have given."""
    DISMISS = "dismiss"
    """Nothing to decide: the report stands as it is and says nothing about the judge."""
    NOTE = "note"
    """A remark; decides nothing."""
    UNDO = "undo"
    """Takes an earlier decision back; both stay in the record."""

    @property
    def settles(self) -> bool:
        """Whether it closes the item."""
        return self not in (DecisionKind.NOTE, DecisionKind.UNDO)


class DecisionRefused(ValueError):
    """A decision that cannot be recorded. ``field`` names what to mend on the form."""

    def __init__(self, field: str, message: str) -> None:
        self.field = field
        super().__init__(message)


class GivenLabels(BaseModel):
    """What ``labels_json`` of a decision holds.

    ``score`` is the reviewer's score in 0..1 (of a confirmation the judge's), ``judged`` and
    ``verdict`` what the report said, ``units`` the label given to each unit, ``blind``
    whether the verdict was hidden, ``undoes`` the decision taken back.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    score: Annotated[float | None, Field(ge=0, le=1, allow_inf_nan=False)] = None
    judged: float | None = None
    verdict: str | None = None
    units: dict[int, str] = Field(default_factory=dict)
    blind: bool = False
    undoes: str | None = None

    def as_json(self) -> str:
        """Return the text for the ledger: only what was given."""
        return self.model_dump_json(exclude_defaults=True)


@dataclass(frozen=True, slots=True)
class ReportInView:
    """The report a reviewer decides about."""

    playbook: str
    test_case_id: str
    system: str
    case_hash: str
    model: str
    prompt_version: str
    evaluation_id: str
    score: float | None
    verdict: str | None = None
    units: tuple[int, ...] = ()
    """The numbers of the units that can be labelled."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a reviewer sent, as it came."""

    kind: str
    reviewer: str
    note: str = ""
    score: str = ""
    answer: str = ""
    units: Mapping[int, str] | None = None
    blind: bool = False
    undoes: str = ""


def labels_of(decision: ReviewDecision) -> GivenLabels:
    """Return the labels of a recorded decision; of one nobody can read, none."""
    try:
        return GivenLabels.model_validate_json(decision.labels_json or "{}")
    except ValidationError:
        return GivenLabels()


def make_decision(
    report: ReportInView, given: Given, before: list[ReviewDecision]
) -> ReviewDecision:
    """Return the record of what a reviewer decided about a report.

    A blind verdict is one of the reviewer alone: it is recorded as a confirmation where it
    comes to the judge's score, else as an override.

    Args:
        report: what it is about.
        given: what the reviewer sent.
        before: what was decided about it so far.

    Raises:
        DecisionRefused: something is missing or cannot be read.
    """
    reviewer = " ".join(given.reviewer.split())
    if not reviewer:
        raise DecisionRefused("reviewer", "Say who you are: a decision has a reviewer.")
    if len(reviewer) > MAX_NAME_CHARS:
        raise DecisionRefused("reviewer", f"A name has at most {MAX_NAME_CHARS} characters.")
    for field, text in (("note", given.note), ("answer", given.answer)):
        if len(text) > MAX_TEXT_CHARS:
            raise DecisionRefused(field, f"A text has at most {MAX_TEXT_CHARS:,} characters.")
    kind = _kind(given)
    labels = _labels(report, given, kind, before, reviewer)
    if given.blind and kind is DecisionKind.OVERRIDE and _agrees(labels.score, report.score):
        kind = DecisionKind.CONFIRM
    return ReviewDecision(
        decision_id=uuid.uuid4().hex,
        playbook=report.playbook,
        test_case_id=report.test_case_id,
        system=report.system,
        case_hash=report.case_hash,
        model=report.model,
        prompt_version=report.prompt_version,
        decision=str(kind),
        reviewer=reviewer,
        note=given.note.strip(),
        labels_json=labels.as_json(),
        answer=given.answer.strip() if kind is DecisionKind.ANSWER else None,
        evaluation_id=report.evaluation_id,
    )


def _kind(given: Given) -> DecisionKind:
    try:
        return DecisionKind(given.kind)
    except ValueError:
        known = ", ".join(DecisionKind)
        raise DecisionRefused(
            "decision", f"There is no such decision; there are {known}."
        ) from None


def _labels(
    report: ReportInView,
    given: Given,
    kind: DecisionKind,
    before: list[ReviewDecision],
    reviewer: str,
) -> GivenLabels:
    said = {"judged": report.score, "verdict": report.verdict}
    if kind is DecisionKind.UNDO:
        return GivenLabels(undoes=_undone(given, before, reviewer))
    if kind is DecisionKind.CONFIRM:
        if given.blind:
            raise DecisionRefused("score", "The verdict is hidden: give your own first.")
        return GivenLabels(score=report.score, **said)
    if kind is DecisionKind.NOTE and not given.note.strip():
        raise DecisionRefused("note", "A note needs a text.")
    if kind in (DecisionKind.NOTE, DecisionKind.DISMISS):
        return GivenLabels(blind=given.blind, **said)
    if kind is DecisionKind.ANSWER and not given.answer.strip():
        raise DecisionRefused("answer", "Write the answer that should have been given.")
    units = _units(report, given)
    score = _score(report, given, units)
    if score is None and kind is DecisionKind.OVERRIDE:
        raise DecisionRefused("score", "Give a score from 0 to 1, or a label to every unit.")
    return GivenLabels(score=score, units=units, blind=given.blind, **said)


def _undone(given: Given, before: list[ReviewDecision], reviewer: str) -> str:
    """Return the decision that is taken back: a standing one of the same reviewer."""
    taken_back = {labels_of(one).undoes for one in before}
    for one in before:
        if one.decision_id != given.undoes:
            continue
        if one.decision in (DecisionKind.UNDO, DecisionKind.NOTE):
            raise DecisionRefused("undoes", "Only a decision can be taken back.")
        if one.decision_id in taken_back:
            raise DecisionRefused("undoes", "That decision was taken back already.")
        if one.reviewer != reviewer:
            raise DecisionRefused(
                "undoes", f"Only {one.reviewer} can take that back; decide yourself instead."
            )
        return one.decision_id
    raise DecisionRefused("undoes", "There is no such decision about this report.")


def _units(report: ReportInView, given: Given) -> dict[int, str]:
    choices = {choice.label for choice in choices_of(report.playbook)}
    found: dict[int, str] = {}
    for number, label in (given.units or {}).items():
        if not label:
            continue
        if number not in report.units or label not in choices:
            raise DecisionRefused("units", f"Unit {number} cannot be labelled {label[:60]!r}.")
        found[number] = label
    return found


def _score(report: ReportInView, given: Given, units: Mapping[int, str]) -> float | None:
    text = given.score.strip().replace(",", ".")
    if text:
        try:
            score = float(text)
        except ValueError:
            score = -1.0
        if not 0 <= score <= 1:
            raise DecisionRefused("score", "A score is a number from 0 to 1.")
        return score
    if units and set(units) == set(report.units):
        return score_of(report.playbook, units)
    return None


def _agrees(given: float | None, judged: float | None) -> bool:
    return given is not None and judged is not None and abs(given - judged) < _SAME
