"""The verdict on one claim: what it is, how sure, and what it rests on."""

from dataclasses import dataclass
from enum import StrEnum

from citeval_assets.embedded.calibration import Calibration
from citeval_assets.embedded.lexical.claims import bare_claim, clauses_of
from citeval_assets.embedded.lexical.conflicts import NumberConflict, number_conflict
from citeval_assets.embedded.lexical.copies import copy_difference
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


def judge_claim(
    text: str,
    evidence: Evidence,
    *,
    question: str = "",
    calibration: Calibration,
    source_ids: tuple[str, ...] = (),
) -> Judgement:
    """Judge a claim by its evidence."""
    claim = Claim.of(bare_claim(text, source_ids), question)
    measured = measure(claim, evidence)
    log_odds = score(measured.clues)
    chance = probability(log_odds, calibration)
    difference = copy_difference(claim, measured)
    if difference is not None and not difference.matters:
        chance = max(chance, PLAIN_COPY)
    conflict = number_conflict(claim, measured)
    if conflict is not None:
        chance = min(chance, CONFLICTING)
    found = doubts(claim, evidence, measured, difference, chance, calibration)
    if conflict is not None:
        return Judgement(Support.NONE, chance, log_odds, claim, measured, found, conflict)
    lacking = _lacking_clauses(claim, evidence, chance)
    if lacking and (chance < 0.5 or measured.missing_numbers):
        partly = ("only a part of it was found", *found)
        return Judgement(
            Support.PARTIAL, chance, log_odds, claim, measured, partly, lacking=lacking
        )
    support = Support.FULL if chance >= 0.5 else Support.NONE
    return Judgement(support, chance, log_odds, claim, measured, found)


def _lacking_clauses(claim: Claim, evidence: Evidence, chance: float) -> tuple[str, ...]:
    """Return the clauses the evidence lacks, where it has at least one other."""
    clauses = clauses_of(claim.text)
    if len(clauses) < 2 or chance < 0.1:
        return ()
    lacking: list[str] = []
    standing = 0
    for text in clauses:
        clause = Claim.of(text)
        clues = measure(clause, evidence)
        share = clues.clues.wrec_fuzzy
        if clues.missing_numbers or share < CLAUSE_LACKS:
            lacking.append(text)
        elif share >= CLAUSE_STANDS:
            standing += 1
    return tuple(lacking) if standing else ()
