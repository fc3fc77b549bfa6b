"""One item of the queue as its page shows it: the case, what the judge said, what people said."""

from collections.abc import Sequence
from dataclasses import dataclass

from citeval_assets.ledger.records import ReviewDecision
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.registry import all_playbooks
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
    queued_report,
    report_for_review,
)
from citeval_assets.web.case_shown import ShownCase, show_case
from citeval_assets.web.decided import Decided


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
    shown: ShownCase
    attempts: tuple[Attempt, ...]
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
        return any(unit.labelled for unit in self.shown.units)

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
            units=tuple(unit.number for unit in self.shown.units if unit.labelled),
        )


def find_item(
    connection: Connection,
    ledger: Ledger,
    item_id: str,
    decided: Decided,
    *,
    blind: bool,
) -> ReviewItem | None:
    """Return an item by its id, whether it is in the queue or was decided; ``None``: unknown.

    ``blind`` leaves out of the marks whatever would give the verdict away.
    """
    queued = queue_item(connection, item_id)
    subject = decided.subjects.get(item_id) if queued is None else Subject.of(queued)
    if subject is None:
        return None
    stored = queued_report(connection, queued) if queued else _report_of(connection, subject)
    if stored is None:
        return None
    mine = decided.about.get(subject, [])
    standing = standing_of(mine)
    return ReviewItem(
        item_id=item_id,
        subject=subject,
        stored=stored,
        shown=show_case(ledger, subject.playbook, subject.case_hash, stored.report, blind=blind),
        attempts=tuple(attempts_of(connection, stored)),
        choices=choices_of(subject.playbook),
        standing=standing,
        history=_history(mine, standing),
    )


def _report_of(connection: Connection, subject: Subject) -> ReportForReview | None:
    return report_for_review(
        connection, subject.playbook, subject.case_hash, subject.model, subject.prompt_version
    )


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
