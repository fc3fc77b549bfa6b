"""What a decision is about: one case as it was, under one judge and prompt version."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from citeval_assets.ledger.records import ReviewDecision


class About(Protocol):
    """Anything that names a report: a queue row, a report row, a decision."""

    @property
    def playbook(self) -> str: ...  # noqa: D102
    @property
    def case_hash(self) -> str: ...  # noqa: D102
    @property
    def model(self) -> str: ...  # noqa: D102
    @property
    def prompt_version(self) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True, order=True)
class Subject:
    """One reviewed thing. Changed content, another judge or another prompt is another one."""

    playbook: str
    case_hash: str
    model: str
    prompt_version: str

    @classmethod
    def of(cls, about: About) -> "Subject":
        """Return what ``about`` is about."""
        return cls(about.playbook, about.case_hash, about.model, about.prompt_version)

    @property
    def item_id(self) -> str:
        """Its id in the review queue and in addresses."""
        basis = "|".join((self.playbook, self.case_hash, self.model, self.prompt_version))
        return hashlib.sha256(basis.encode()).hexdigest()[:24]


def by_subject(decisions: Iterable[ReviewDecision]) -> dict[Subject, list[ReviewDecision]]:
    """Return the decisions about each subject, in the order in which they come."""
    found: dict[Subject, list[ReviewDecision]] = {}
    for decision in decisions:
        found.setdefault(Subject.of(decision), []).append(decision)
    return found
