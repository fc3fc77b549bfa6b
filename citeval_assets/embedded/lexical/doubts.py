"""When this judge does not know: claims that shared words cannot settle, whatever the score.

Each doubt is a short clause for the explanation. The thresholds come from what the clues are
worth on human-labelled data (``benchmarks/AGREEMENT.md``); where nothing was measured, the doubt
errs towards review.
"""

import re
from collections.abc import Iterator

from citeval_assets.embedded.lexical.arithmetic import may_be_calculated
from citeval_assets.embedded.lexical.conflicts import measured_in_other_units
from citeval_assets.embedded.lexical.copies import CopyDifference
from citeval_assets.embedded.lexical.language import reads_as_english
from citeval_assets.embedded.lexical.measuring import Claim, Measured
from citeval_assets.embedded.lexical.passages import Evidence

BAND = (0.2, 0.8)
"""Probabilities between which the judge does not decide alone."""

_NEAR_WHOLE = 0.8
_ONE_SIDED = 0.4
_ORDERED = 0.6
_HOP_GAIN = 0.25
_HOP_BEST = 0.6
_FAR_CHARS = 400
_LEAST_PASSAGE_WORDS = 5
_LEAST_CLAIM_WORDS = 3
_CALCULATION = re.compile(
    r"\b(?:in total|totals?|totall?ed|sum of|combined|on average|averages?|difference between"
    r"|twice|double[sd]?|triple[sd]?|half|halves|thirds?|quarters?|fifths?|tenths?|dozens?"
    r"|times (?:as|more|less|higher|lower|larger)|ratio of|remaining"
    r"|(?:more|less|fewer|higher|lower|larger|smaller|longer|shorter|older|younger|faster|greater)"
    r" than|(?:increased|decreased|rose|fell|grew|dropped) by"
    r"|per ?cent (?:more|less|higher|lower)|the (?:majority|minority|most|least) of)\b",
    re.IGNORECASE,
)
_OPINION = re.compile(
    r"\?\s*$|\b(?:i think|i believe|in my (?:view|opinion)|we recommend|you should|arguably)\b",
    re.IGNORECASE,
)


def doubts(
    claim: Claim,
    evidence: Evidence,
    measured: Measured,
    difference: CopyDifference | None,
    probability: float,
) -> tuple[str, ...]:
    """Return why a person should look at a claim; nothing where the judge decides alone."""
    supported = probability >= 0.5
    return tuple(
        dict.fromkeys(
            (
                *_by_score(probability),
                *_by_scope(claim, evidence),
                *(_against_support(measured) if supported else _against_refusal(claim, measured)),
                *_by_calculation(claim, evidence, measured, difference),
                *(_by_copy(difference) if difference is not None else ()),
            )
        )
    )


def _by_score(probability: float) -> Iterator[str]:
    if BAND[0] < probability < BAND[1]:
        yield "the words do not tell clearly"


def _by_scope(claim: Claim, evidence: Evidence) -> Iterator[str]:
    if not reads_as_english(claim.text) or not evidence.is_english:
        yield "not in English, which is all this judge reads"
    if sum(len(s.words.tokens) for s in evidence.sentences) < _LEAST_PASSAGE_WORDS:
        yield "there is hardly any text to compare with"
    if len(claim.weights) < _LEAST_CLAIM_WORDS:
        yield "too few words to compare"
    if _OPINION.search(claim.text):
        yield "a question or an opinion"


def _against_support(measured: Measured) -> Iterator[str]:
    clues = measured.clues
    if clues.neg_xor >= _ONE_SIDED:
        yield "only one side is negated"
    if measured.opposites or clues.dir_clash:
        yield "the sentence may say the opposite"
    if clues.best1 >= _NEAR_WHOLE and clues.order < _ORDERED:
        yield "the same words stand in another order"
    if measured.missing_numbers or measured.missing_names:
        yield "a number or a name is missing"
    if _needs_a_hop(measured):
        yield "its parts stand far apart"


def _against_refusal(claim: Claim, measured: Measured) -> Iterator[str]:
    """Only what is missing for certain is refused without a person: a number, a name."""
    if not measured.missing_numbers and not measured.missing_names:
        yield "it may be a paraphrase"


def _by_calculation(
    claim: Claim, evidence: Evidence, measured: Measured, difference: CopyDifference | None
) -> Iterator[str]:
    if difference is None and _CALCULATION.search(claim.text):
        yield "it compares or calculates"
    given = (*(n.value for n in claim.numerals), *evidence.values)
    for number in measured.missing_numbers:
        others = [value for value in given if value != number.value]
        if may_be_calculated(number.value, others):
            yield "a missing number may be calculated"
    if measured.missing_numbers and measured_in_other_units(claim, measured):
        yield "the numbers may be in other units"


def _by_copy(difference: CopyDifference) -> Iterator[str]:
    if difference.replaced:
        own, other = difference.replaced[0]
        yield f"it says \u201c{own}\u201d where the sentence it copies says \u201c{other}\u201d"
    elif difference.moved:
        yield "the same words stand in another order"
    elif difference.dropped:
        yield f"it leaves out \u201c{' '.join(difference.dropped)}\u201d"
    elif difference.negated:
        yield "only one side is negated"
    elif difference.added:
        yield f"it adds \u201c{' '.join(difference.added[:3])}\u201d"


def _needs_a_hop(measured: Measured) -> bool:
    clues, best = measured.clues, measured.best
    if best is None or clues.best1 >= _HOP_BEST or clues.best3 - clues.best1 < _HOP_GAIN:
        return False
    return any(
        other.passage_id != best.passage_id or abs(other.start - best.start) > _FAR_CHARS
        for other in measured.further
    )
