"""What people decided so far, read from the ledger once and again when a decision was added."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from starlette.requests import Request

from citeval_assets.ledger.records import ReviewDecision
from citeval_assets.ledger.store import Ledger
from citeval_assets.review.agreement import (
    JudgeUpheld,
    ReviewerAgreement,
    judges_upheld,
    reviewer_agreement,
)
from citeval_assets.review.standing import ItemState, Standing, settled, standing_of
from citeval_assets.review.subjects import Subject, by_subject

_reading = threading.Lock()


@dataclass(frozen=True)
class Decided:
    """All decisions, oldest first, and what they amount to."""

    decisions: tuple[ReviewDecision, ...]

    @cached_property
    def about(self) -> Mapping[Subject, list[ReviewDecision]]:
        """The decisions about each subject."""
        return by_subject(self.decisions)

    @cached_property
    def standings(self) -> Mapping[Subject, Standing]:
        """What stands about each subject."""
        return {subject: standing_of(found) for subject, found in self.about.items()}

    @cached_property
    def subjects(self) -> Mapping[str, Subject]:
        """The subjects by the id of their item."""
        return {subject.item_id: subject for subject in self.about}

    @cached_property
    def done(self) -> list[str]:
        """Ids of the items that need nobody any more."""
        return sorted(subject.item_id for subject in settled(self.standings))

    @cached_property
    def disputed(self) -> frozenset[str]:
        """Ids of the items on which reviewers differ."""
        return frozenset(
            item_id
            for item_id, subject in self.subjects.items()
            if self.standings[subject].state is ItemState.DISPUTED
        )

    @cached_property
    def agreement(self) -> ReviewerAgreement:
        """How far reviewers agree."""
        return reviewer_agreement(self.standings.values())

    @cached_property
    def upheld(self) -> list[JudgeUpheld]:
        """How often each judge was let stand."""
        return judges_upheld(list(self.standings.values()))


def decided_so_far(request: Request, ledger: Ledger) -> Decided:
    """Return all decisions; the ledger is read whole only when one was added."""
    state = request.app.state
    count = ledger.rows_in("review_decisions")
    known: tuple[int, Decided] | None = getattr(state, "decided", None)
    if known is not None and known[0] == count:
        return known[1]
    with _reading:
        found = Decided(tuple(ledger.review_decisions()))
    state.decided = (len(found.decisions), found)
    return found
