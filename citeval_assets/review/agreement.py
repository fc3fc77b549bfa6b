"""How far reviewers agree with each other, and with the judges they review."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from citeval_assets.review.decisions import DecisionKind
from citeval_assets.review.standing import ItemState, Position, Standing, apart
from citeval_assets.statistics.agreement import Confusion, cohen_kappa
from citeval_assets.statistics.intervals import Interval, wilson_interval


@dataclass(frozen=True, slots=True)
class ReviewerAgreement:
    """Agreement over all pairs of reviewers of one item.

    ``items`` were decided by two or more; ``share`` is that of agreeing pairs, with its Wilson
    interval; ``kappa`` is over the kinds of decision (pairs ordered by the time of deciding).
    ``blind`` pairs had the verdict hidden on both sides.
    """

    items: int
    disputed: int
    pairs: int
    agreed: int
    blind_pairs: int
    share: Interval
    kappa: Interval


@dataclass(frozen=True, slots=True)
class JudgeUpheld:
    """How often reviewers let one judge's verdict stand."""

    playbook: str
    model: str
    prompt_version: str
    decided: int
    upheld: int
    overridden: int
    dismissed: int
    share: Interval


def reviewer_agreement(standings: Iterable[Standing]) -> ReviewerAgreement:
    """Count how often two reviewers of one item agree."""
    several = [one for one in standings if len(one.positions) > 1]
    pairs = [pair for one in several for pair in combinations(one.positions, 2)]
    agreed = sum(agree(*pair) for pair in pairs)
    kinds = [(str(first.kind), str(second.kind)) for first, second in pairs]
    confusion = Confusion.of(
        [first for first, _ in kinds], [second for _, second in kinds], tuple(DecisionKind)
    )
    return ReviewerAgreement(
        items=len(several),
        disputed=sum(one.state is ItemState.DISPUTED for one in several),
        pairs=len(pairs),
        agreed=agreed,
        blind_pairs=sum(first.blind and second.blind for first, second in pairs),
        share=wilson_interval(agreed, len(pairs)),
        kappa=cohen_kappa(confusion),
    )


def agree(first: Position, second: Position) -> bool:
    """Whether two reviewers say the same: of the verdict, and nearly the same score."""
    corrects = (DecisionKind.OVERRIDE, DecisionKind.ANSWER)
    same_kind = first.kind is second.kind or (first.kind in corrects and second.kind in corrects)
    return same_kind and not apart(first.score, second.score)


def judges_upheld(standings: Sequence[Standing]) -> list[JudgeUpheld]:
    """Return of each judge and prompt version how often it was let stand."""
    found: dict[tuple[str, str, str], list[DecisionKind]] = {}
    for position in (position for one in standings for position in one.positions):
        about = position.decision
        key = (about.playbook, about.model, about.prompt_version)
        found.setdefault(key, []).append(position.kind)
    return [_upheld(key, kinds) for key, kinds in sorted(found.items())]


def _upheld(key: tuple[str, str, str], kinds: Sequence[DecisionKind]) -> JudgeUpheld:
    upheld = sum(kind is DecisionKind.CONFIRM for kind in kinds)
    dismissed = sum(kind is DecisionKind.DISMISS for kind in kinds)
    decided = len(kinds) - dismissed
    return JudgeUpheld(
        *key,
        decided=decided,
        upheld=upheld,
        overridden=decided - upheld,
        dismissed=dismissed,
        share=wilson_interval(upheld, decided),
    )
