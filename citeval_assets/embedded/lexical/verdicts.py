"""The verdict on one claim: what it is, how sure, and what it rests on."""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from citeval_assets.embedded.calibration import Calibration
from citeval_assets.embedded.lexical.claims import bare_claim, clauses_of
from citeval_assets.embedded.lexical.conflicts import NumberConflict, number_conflict
from citeval_assets.embedded.lexical.copies import CopyDifference, copy_difference
from citeval_assets.embedded.lexical.doubts import doubts
from citeval_assets.embedded.lexical.measuring import Claim, Measured, measure
from citeval_assets.embedded.lexical.passages import Evidence
from citeval_assets.embedded.lexical.scoring import probability, score

PLAIN_COPY = 0.9
"""Least probability of a claim that copies a sentence without a difference that matters."""

CONFLICTING = 0.1
"""Most probability of a claim one of whose numbers is another one in the evidence."""

CLAUSE_STANDS = 0.7
"""Share of a clause's words in the evidence from which the clause counts as supported."""

CLAUSE_LACKS = 0.34
"""Under this share a clause counts as missing."""

_HOPELESS = 0.1
"""Probability under which a claim is not looked through for a part that stands."""


class Support(StrEnum):
    """How far the evidence carries a claim."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge says of one claim.

    ``probability`` is that of full support. ``doubts`` say why a person should look; without
    any the judge decides alone. ``lacking`` are the clauses the evidence does not carry.
    """

    support: Support
    probability: float
    log_odds: float
    claim: Claim
    measured: Measured
    doubts: tuple[str, ...] = ()
    conflict: NumberConflict | None = None
    lacking: tuple[str, ...] = ()

    @property
    def unsure(self) -> bool:
        """Whether a person should look."""
        return bool(self.doubts)

    @property
    def confidence(self) -> float:
        """How probable the verdict is, of 0..1, rounded to 3 digits."""
        supported = self.support is Support.FULL
        return round(self.probability if supported else 1 - self.probability, 3)


@dataclass(frozen=True)
class Reading:
    """A claim compared with its evidence, before any verdict: the same under every calibration."""

    claim: Claim
    evidence: Evidence
    measured: Measured
    log_odds: float
    difference: CopyDifference | None
    conflict: NumberConflict | None

    @cached_property
    def lacking(self) -> tuple[str, ...]:
        """The clauses the evidence lacks, where it has at least one other."""
        return _lacking_clauses(self.claim, self.evidence)


def read_claim(
    text: str, evidence: Evidence, *, question: str = "", source_ids: tuple[str, ...] = ()
) -> Reading:
    """Compare a claim with its evidence."""
    claim = Claim.of(bare_claim(text, source_ids), question)
    measured = measure(claim, evidence)
    return Reading(
        claim,
        evidence,
        measured,
        score(measured.clues),
        copy_difference(claim, measured),
        number_conflict(claim, measured),
    )


def decide(reading: Reading, calibration: Calibration) -> Judgement:
    """Return the verdict on a claim that was read."""
    claim, measured, difference = reading.claim, reading.measured, reading.difference
    chance = probability(reading.log_odds, calibration)
    if difference is not None and not difference.matters:
        chance = max(chance, PLAIN_COPY)
    if reading.conflict is not None:
        chance = min(chance, CONFLICTING)
    # Where a number contradicts, that it differs from the sentence is the verdict, no doubt.
    unexplained = difference if reading.conflict is None else None
    found = doubts(claim, reading.evidence, measured, unexplained, chance)
    judged = Judgement(Support.NONE, chance, reading.log_odds, claim, measured, found)
    if reading.conflict is not None:
        return replace(judged, conflict=reading.conflict)
    uncertain = chance < 0.5 or bool(measured.missing_numbers)
    if uncertain and chance >= _HOPELESS and reading.lacking:
        partly = ("only a part of it was found", *found)
        return replace(judged, support=Support.PARTIAL, doubts=partly, lacking=reading.lacking)
    return replace(judged, support=Support.FULL if chance >= 0.5 else Support.NONE)


def judge_claim(
    text: str,
    evidence: Evidence,
    *,
    question: str = "",
    calibration: Calibration,
    source_ids: tuple[str, ...] = (),
) -> Judgement:
    """Judge a claim by its evidence."""
    reading = read_claim(text, evidence, question=question, source_ids=source_ids)
    return decide(reading, calibration)


def _lacking_clauses(claim: Claim, evidence: Evidence) -> tuple[str, ...]:
    clauses = clauses_of(claim.text)
    if len(clauses) < 2:
        return ()
    lacking: list[str] = []
    standing = 0
    for text in clauses:
        found = measure(Claim.of(text), evidence)
        share = found.clues.wrec_fuzzy
        if found.missing_numbers or share < CLAUSE_LACKS:
            lacking.append(text)
        elif share >= CLAUSE_STANDS:
            standing += 1
    return tuple(lacking) if standing else ()
