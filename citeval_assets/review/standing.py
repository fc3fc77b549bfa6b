"""What the decisions about one report amount to.

Nothing is overwritten: each reviewer's newest decision that was not taken back stands. Where
two reviewers' scores are further apart than ``DISPUTE_MARGIN`` nobody is outvoted: the item is
disputed, stays in the queue, and the judge's score goes on counting until they agree.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from citeval_assets.ledger.records import ReviewDecision
from citeval_assets.review.decisions import DecisionKind, labels_of
from citeval_assets.review.subjects import Subject, by_subject

DISPUTE_MARGIN = 0.3
"""Two scores (0..1) further apart than this are a dispute."""

_ROUNDING = 1e-9


class ItemState(StrEnum):
    """Where one item of the queue stands."""

    OPEN = "open"
    DECIDED = "decided"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class Position:
    """What one reviewer holds about one report. ``score`` is what the report should count."""

    reviewer: str
    kind: DecisionKind
    score: float | None
    blind: bool
    decision: ReviewDecision


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands: one position per reviewer, the oldest first."""

    state: ItemState
    positions: tuple[Position, ...]

    @property
    def override(self) -> float | None:
        """The score that counts instead of the judge's; ``None``: the judge's counts."""
        if self.state is not ItemState.DECIDED:
            return None
        scored = [p for p in self.positions if p.score is not None]
        newest = scored[-1] if scored else None
        if newest is None or newest.kind is DecisionKind.CONFIRM:
            return None
        return newest.score


def standing_of(decisions: Sequence[ReviewDecision]) -> Standing:
    """Return what the decisions about one report, the oldest first, amount to."""
    taken_back = {labels_of(one).undoes for one in decisions if one.decision == DecisionKind.UNDO}
    held: dict[str, Position] = {}
    for one in decisions:
        kind = _kind(one)
        if kind is None or not kind.settles or one.decision_id in taken_back:
            continue
        labels = labels_of(one)
        held.pop(one.reviewer, None)
        held[one.reviewer] = Position(one.reviewer, kind, labels.score, labels.blind, one)
    positions = tuple(held.values())
    if not positions:
        return Standing(ItemState.OPEN, ())
    state = ItemState.DISPUTED if _disputed(positions) else ItemState.DECIDED
    return Standing(state, positions)


def standings(decisions: Iterable[ReviewDecision]) -> dict[Subject, Standing]:
    """Return what stands about every report that was ever decided about."""
    return {subject: standing_of(found) for subject, found in by_subject(decisions).items()}


def settled(standing_by_subject: Mapping[Subject, Standing]) -> frozenset[Subject]:
    """Return what needs nobody any more."""
    return frozenset(
        subject
        for subject, standing in standing_by_subject.items()
        if standing.state is ItemState.DECIDED
    )


def apart(first: float | None, second: float | None) -> bool:
    """Whether two scores are too far apart to stand for one opinion."""
    if first is None or second is None:
        return False
    return abs(first - second) > DISPUTE_MARGIN + _ROUNDING


def _kind(decision: ReviewDecision) -> DecisionKind | None:
    try:
        return DecisionKind(decision.decision)
    except ValueError:
        return None  # of a newer citeval: it decides nothing here


def _disputed(positions: Sequence[Position]) -> bool:
    scores = [p.score for p in positions if p.score is not None]
    return len(scores) > 1 and apart(min(scores), max(scores))
