"""What a change of epoch did to the scores: the same anchor cases, judged under both."""

from collections.abc import Mapping
from dataclasses import dataclass

from citeval_assets.statistics.paired import paired_difference

MIN_ANCHORS = 10
"""With fewer anchor cases scored under both epochs there is no bridge."""


class NoBridge(ValueError):
    """Too few anchor cases were scored under both epochs; the text says how many."""


@dataclass(frozen=True, slots=True)
class EpochSide:
    """One side of a bridge: the judge, and the conditions its scores were made under."""

    model: str
    prompt_version: str
    epoch: str


@dataclass(frozen=True, slots=True)
class Bridge:
    """How far scores of the new epoch lie above those of the old one, on the same cases.

    ``offset`` = mean(new - old) over the anchor cases, in 0..1, with its interval; ``None``
    bounds where the anchors are of one question.
    """

    playbook: str
    old: EpochSide
    new: EpochSide
    anchors: int
    offset: float
    low: float | None
    high: float | None
    old_mean: float
    new_mean: float
    changed: int


def build_bridge(
    playbook: str,
    old: EpochSide,
    new: EpochSide,
    scores: Mapping[str, tuple[float, float]],
    questions: Mapping[str, str],
    confidence: float = 0.95,
) -> Bridge:
    """Compare the anchor cases.

    Args:
        playbook: of the anchor cases.
        old: the conditions of the first score of each case.
        new: those of the second.
        scores: by case hash, the score under the old and under the new epoch.
        questions: by case hash, what several cases share.
        confidence: of the interval.

    Raises:
        NoBridge: where too few cases were scored under both.
    """
    if len(scores) < MIN_ANCHORS:
        raise NoBridge(
            f"{len(scores)} anchor cases of {playbook} were scored under both epochs, at least "
            f"{MIN_ANCHORS} are needed"
        )
    ordered = sorted(scores)
    found = paired_difference(
        [scores[case][1] - scores[case][0] for case in ordered],
        [questions.get(case, case) for case in ordered],
        confidence=confidence,
    )
    return Bridge(
        playbook=playbook,
        old=old,
        new=new,
        anchors=len(scores),
        offset=found.difference,
        low=found.low,
        high=found.high,
        old_mean=sum(before for before, _ in scores.values()) / len(scores),
        new_mean=sum(after for _, after in scores.values()) / len(scores),
        changed=found.better + found.worse,
    )
