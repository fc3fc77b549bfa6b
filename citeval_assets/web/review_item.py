"""One item of the queue as its page shows it: the case, what the judge said, what people said."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citeval_assets.ledger.records import ReviewDecision
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.cases import Source, TestCase
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.report import Finding, Report
from citeval_assets.playbooks.vocabulary import TemplateKind
from citeval_assets.review.decisions import DecisionKind, ReportInView, labels_of
from citeval_assets.review.standing import ItemState, Standing, standing_of
from citeval_assets.review.subjects import Subject
from citeval_assets.review.unit_labels import Choice, choices_of
from citeval_assets.warehouse.review_reading import (
    Attempt,
    Connection,
    ReportForReview,
    attempts_of,
    queue_item,
    report_for_review,
)
from citeval_assets.web.marked import Mark, Piece, pieces
from citeval_assets.web.tones import Tone, finding_tone


@dataclass(frozen=True, slots=True)
class ShownUnit:
    """One thing judged, with every finding about it and the label a person may give."""

    number: int
    text: str
    findings: tuple[Finding, ...]
    tone: Tone
    sources: tuple[str, ...]
    labelled: bool


@dataclass(frozen=True, slots=True)
class ShownSource:
    """One passage, with the spans the report names."""

    source: Source
    pieces: tuple[Piece, ...]
    cited: bool


@dataclass(frozen=True, slots=True)
class PastDecision:
    """One recorded decision, and whether it was taken back or can be."""

    decision: ReviewDecision
    score: float | None
    blind: bool
    taken_back: bool
    stands: bool


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """Everything the page of an item is made of."""

    item_id: str
    subject: Subject
    stored: ReportForReview
    report: Report
    case: TestCase | None
    details: Mapping[str, Any]
    case_text: tuple[Piece, ...]
    attempts: tuple[Attempt, ...]
    units: tuple[ShownUnit, ...]
    sources: tuple[ShownSource, ...]
    choices: tuple[Choice, ...]
    standing: Standing
    history: tuple[PastDecision, ...]

    @property
    def seen(self) -> str:
        """The newest decision this page shows; a form carries it."""
        return self.history[-1].decision.decision_id if self.history else ""

    @property
    def disputed(self) -> bool:
        """Whether reviewers are in dispute about it."""
        return self.standing.state is ItemState.DISPUTED

    @property
    def own_output(self) -> bool:
        """Whether what was reviewed is a model's own output, not a judge's verdict on another."""
        playbook = all_playbooks().get(self.subject.playbook)
        return playbook is not None and playbook.kind is TemplateKind.GENERATE

    @property
    def can_label(self) -> bool:
        """Whether single units can be labelled."""
        return any(unit.labelled for unit in self.units)

    @property
    def in_view(self) -> ReportInView:
        """What a decision is about."""
        return ReportInView(
            playbook=self.subject.playbook,
            test_case_id=self.stored.test_case_id,
            system=self.stored.system,
            case_hash=self.subject.case_hash,
            model=self.subject.model,
            prompt_version=self.subject.prompt_version,
            evaluation_id=self.stored.evaluation_id,
            score=self.stored.score,
            verdict=self.stored.verdict,
            units=tuple(unit.number for unit in self.units if unit.labelled),
        )


def find_item(
    connection: Connection,
    ledger: Ledger,
    item_id: str,
    decided: Sequence[ReviewDecision],
    *,
    blind: bool,
) -> ReviewItem | None:
    """Return an item by its id, whether it is in the queue or was decided; ``None``: unknown.

    ``blind`` leaves out of the marks whatever would give the verdict away.
    """
    subject = _subject(connection, item_id, decided)
    if subject is None:
        return None
    stored = report_for_review(
        connection, subject.playbook, subject.case_hash, subject.model, subject.prompt_version
    )
    if stored is None:
        return None
    report = Report.model_validate_json(stored.report)
    details: dict[str, Any] = json.loads(stored.report).get("details") or {}
    case = _case(ledger, subject)
    units = _units(report, subject.playbook)
    mine = [one for one in decided if Subject.of(one) == subject]
    standing = standing_of(mine)
    return ReviewItem(
        item_id=item_id,
        subject=subject,
        stored=stored,
        report=report,
        case=case,
        details=details,
        case_text=pieces(_judged_text(case, details), _unit_marks(report, blind=blind)),
        attempts=tuple(attempts_of(connection, stored)),
        units=units,
        sources=_sources(case, report, blind=blind),
        choices=choices_of(subject.playbook),
        standing=standing,
        history=_history(mine, standing),
    )


def _subject(
    connection: Connection, item_id: str, decided: Sequence[ReviewDecision]
) -> Subject | None:
    queued = queue_item(connection, item_id)
    if queued is not None:
        return Subject.of(queued)
    subjects = {Subject.of(one) for one in decided}
    return next((subject for subject in subjects if subject.item_id == item_id), None)


def _case(ledger: Ledger, subject: Subject) -> TestCase | None:
    playbook = all_playbooks().get(subject.playbook)
    if playbook is None:
        return None
    for record in ledger.cases([subject.case_hash]):
        return playbook.case_type.model_validate_json(record.canonical_json)
    return None


def _judged_text(case: TestCase | None, details: Mapping[str, Any]) -> str:
    """Return the text the offsets of the findings count in."""
    written = details.get("answer")
    if isinstance(written, str) and written:
        return written
    if case is None:
        return ""
    trace = getattr(case, "reasoning_trace", None) or ""
    steps = trace if isinstance(trace, str) else "\n".join(trace)
    return case.judged_text or steps or getattr(case, "answer", None) or ""


def _unit_marks(report: Report, *, blind: bool) -> list[Mark]:
    return [
        Mark(
            finding.char_start,
            finding.char_end,
            finding.unit_number,
            "none" if blind else str(finding_tone(finding.label, finding.weight)),
        )
        for finding in report.findings
        if finding.char_start is not None and finding.char_end is not None
    ]


def _units(report: Report, playbook: str) -> tuple[ShownUnit, ...]:
    by_number: dict[int, list[Finding]] = {}
    for finding in report.findings:
        by_number.setdefault(finding.unit_number, []).append(finding)
    choices = choices_of(playbook)
    return tuple(
        ShownUnit(
            number=number,
            text=findings[0].text,
            findings=tuple(findings),
            tone=min(
                (finding_tone(f.label, f.weight) for f in findings), key=lambda tone: tone.rank
            ),
            sources=tuple(dict.fromkeys(f.source_id for f in findings if f.source_id)),
            labelled=bool(choices) and any(f.weight is not None for f in findings),
        )
        for number, findings in sorted(by_number.items())
    )


def _sources(case: TestCase | None, report: Report, *, blind: bool) -> tuple[ShownSource, ...]:
    cited = {finding.source_id for finding in report.findings if finding.source_id}
    found: list[ShownSource] = []
    for source in case.unique_sources if case is not None else ():
        marks = [
            Mark(place.char_start, place.char_end, finding.unit_number, "good")
            for finding in report.findings
            for place in finding.evidence
            if place.source_id == source.id and not blind
        ]
        found.append(ShownSource(source, pieces(source.text, marks), source.id in cited))
    return tuple(sorted(found, key=lambda shown: not shown.cited))


def _history(decided: Sequence[ReviewDecision], standing: Standing) -> tuple[PastDecision, ...]:
    taken_back = {labels_of(one).undoes for one in decided}
    standing_ids = {position.decision.decision_id for position in standing.positions}
    return tuple(
        PastDecision(
            decision=one,
            score=labels_of(one).score,
            blind=labels_of(one).blind,
            taken_back=one.decision_id in taken_back,
            stands=one.decision_id in standing_ids and one.decision != DecisionKind.UNDO,
        )
        for one in decided
    )
