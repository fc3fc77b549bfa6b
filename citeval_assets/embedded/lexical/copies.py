"""Near copies: a claim in the words of a sentence, but for a word or two that may change it.

Shared words speak most strongly for such a claim, and are of no use: what counts is the
difference. It is found by aligning the words of both in order.
"""

from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

from citeval_assets.embedded.lexical.measuring import Claim, Measured
from citeval_assets.embedded.lexical.vocabulary import NEGATIONS, STOP_WORDS, listed
from citeval_assets.embedded.lexical.word_classes import root

NEAR_COPY = 0.75
"""Share of the claim's words that stand in the sentence, in its order, in a near copy."""

_LEAST_WORDS = 5
_MOST_READ = 120
"""Words of a claim and a sentence that are aligned."""

LIMITS = listed(
    """
    only if unless except until provided when where least most up maximum minimum subject
    otherwise alternatively instead former almost nearly some may might can should neither nor
    either
    """
)
"""Words that limit what a sentence says: a copy without them says more."""


_OPENS_A_CONDITION = listed(
    """
    if unless except provided until only but when where
    """
)


@dataclass(frozen=True, slots=True)
class CopyDifference:
    """How a near copy differs from its sentence.

    ``replaced`` are pairs (words of the claim, words of the sentence in their place), ``added``
    and ``moved`` words of the claim that the sentence lacks or has elsewhere, ``dropped`` the
    limiting words that the claim leaves out; ``negated``: a negation comes or goes.
    """

    replaced: tuple[tuple[str, str], ...] = ()
    added: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    negated: bool = False

    @property
    def matters(self) -> bool:
        """Whether the difference may change what is said."""
        return bool(self.replaced or self.added or self.moved or self.dropped or self.negated)


def copy_difference(claim: Claim, measured: Measured) -> CopyDifference | None:
    """Return how a claim differs from the sentence it copies; ``None`` where it copies none."""
    best = measured.best
    ours = claim.words.tokens[:_MOST_READ]
    if best is None or len(ours) < _LEAST_WORDS or measured.clues.lcs < NEAR_COPY:
        return None
    theirs = best.words.tokens[:_MOST_READ]
    replaced: list[tuple[str, str]] = []
    added: list[str] = []
    moved: list[str] = []
    dropped: list[str] = []
    for mine, source, inside in _gaps(ours, theirs):
        new = [word for word in _telling(mine) if root(word) not in best.content]
        moved.extend(word for word in _telling(mine) if root(word) in best.content)
        if new and _telling(source) and inside:
            replaced.append((" ".join(new), " ".join(_telling(source)[:3])))
        else:
            added.extend(new)
        if inside or (source[:1] and source[0] in _OPENS_A_CONDITION):
            dropped.extend(word for word in source if word in LIMITS and word not in ours)
    return CopyDifference(
        tuple(replaced),
        tuple(added),
        tuple(moved),
        tuple(dict.fromkeys(dropped)),
        _negations(ours) != _negations(theirs),
    )


def _gaps(
    ours: tuple[str, ...], theirs: tuple[str, ...]
) -> list[tuple[tuple[str, ...], tuple[str, ...], bool]]:
    """Return the stretches without a counterpart: of the claim, of the sentence, if inside."""
    gaps: list[tuple[tuple[str, ...], tuple[str, ...], bool]] = []
    own = other = 0
    for block in (*LCSseq.editops(ours, theirs).as_matching_blocks(),):
        if block.a > own or block.b > other:
            inside = own > 0 and block.a < len(ours)
            gaps.append((ours[own : block.a], theirs[other : block.b], inside))
        own, other = block.a + block.size, block.b + block.size
    return gaps


def _telling(words: tuple[str, ...]) -> list[str]:
    return [word for word in words if word not in STOP_WORDS]


def _negations(words: tuple[str, ...]) -> int:
    return sum(word in NEGATIONS for word in words)
