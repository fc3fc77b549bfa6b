"""Takes the clues of one claim against its evidence, and keeps what explains them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from citeval_assets.embedded.lexical.antonyms import OPPOSITES
from citeval_assets.embedded.lexical.clues import Clues
from citeval_assets.embedded.lexical.frequencies import weight_of
from citeval_assets.embedded.lexical.numerals import Numeral, numerals_in, stands_among
from citeval_assets.embedded.lexical.passages import FRAGMENT, Evidence, PassageSentence
from citeval_assets.embedded.lexical.vocabulary import (
    FALLING,
    HEDGES,
    NEGATIONS,
    RISING,
    UNIVERSALS,
)
from citeval_assets.embedded.lexical.word_classes import root
from citeval_assets.embedded.lexical.words import Words, names_in, words_of

_ALIGNED_CLAIM = 300
_ALIGNED_SENTENCE = 600
"""Characters that are aligned letter by letter: the cost grows with their product."""

_BARE_ANSWER_WORDS = 4
"""A claim of so few words is an answer, not a sentence: it is read with its question."""

_MIDDLING_QUESTION = 0.6
"""Share of a question's words that the sentence of an answer holds when it says nothing."""

_HOLDS_THE_ANSWER = 0.6
"""Share of what the best sentence has of an answer from which another holds it as well."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim made ready: its words, numbers and names. ``text`` is without citation marks."""

    text: str
    words: Words
    weights: dict[str, float]
    weight: float
    numerals: tuple[Numeral, ...]
    names: tuple[str, ...]
    question: frozenset[str] = frozenset()

    @classmethod
    def of(cls, text: str, question: str = "") -> "Claim":
        """Read a claim, and with it the question where the claim is a bare answer to it."""
        words = words_of(text)
        stems = dict.fromkeys(words.content) or dict.fromkeys(words.stems)
        weights = {s: weight_of(s) for s in stems}
        asked: frozenset[str] = frozenset()
        if question and len(text.split()) <= _BARE_ANSWER_WORDS:
            asked = frozenset(words_of(question).content) - weights.keys()
        total = sum(weights.values()) or 1.0
        return cls(text, words, weights, total, numerals_in(text.lower()), names_in(text), asked)


@dataclass(frozen=True, slots=True)
class Measured:
    """The clues of a claim and where they come from.

    ``best`` is the sentence that says most of the claim, ``further`` those that add to it.
    ``missing`` are content words, ``missing_numbers`` and ``missing_names`` what the evidence
    does not hold at all. ``opposites`` are pairs (word of the claim, word of the sentence).
    """

    clues: Clues
    best: PassageSentence | None
    further: tuple[PassageSentence, ...] = ()
    missing: tuple[str, ...] = ()
    missing_numbers: tuple[Numeral, ...] = ()
    missing_names: tuple[str, ...] = ()
    opposites: tuple[tuple[str, str], ...] = ()


def measure(claim: Claim, evidence: Evidence) -> Measured:
    """Compare a claim with its evidence."""
    if not evidence.sentences:
        return Measured(_NOTHING, None, missing=tuple(claim.weights))
    alignment = _Alignment(claim, evidence)
    best = alignment.best
    coverage = _coverage(claim, evidence)
    copied = _copying(claim, evidence, coverage["rec"])
    numbers, missing_numbers = _numbers(claim, evidence, alignment.near)
    names, missing_names = _names(claim, evidence, alignment.near)
    polarity, opposites = _polarity(claim, best, alignment.best1)
    clues = Clues(**coverage, **alignment.clues(), **copied, **numbers, **names, **polarity)
    return Measured(
        clues,
        best,
        alignment.further,
        tuple(s for s in claim.weights if s not in evidence.stems),
        missing_numbers,
        missing_names,
        opposites,
    )


_NOTHING = Clues(*([0.0] * len(Clues._fields)))


def _coverage(claim: Claim, evidence: Evidence) -> dict[str, float]:
    """How much of the claim's words the evidence holds, wherever."""
    missing = [s for s in claim.weights if s not in evidence.stems]
    lost = sum(claim.weights[s] for s in missing)
    spelled = dict(zip(claim.words.stems, claim.words.tokens, strict=True))
    rescued = sum(claim.weights[s] * _known_part(spelled.get(s, s), evidence) for s in missing)
    wrec = 1 - lost / claim.weight
    return {
        "rec": 1 - len(missing) / max(1, len(claim.weights)),
        "wrec": wrec,
        "wrec_fuzzy": wrec + rescued / claim.weight,
        "nmiss": float(min(len(missing), 12)),
        "miss_any": float(bool(missing)),
        "maxidf_miss": max((claim.weights[s] for s in missing), default=0.0),
        "mass": math.log1p(max(0.0, sum(claim.weights.values()) - lost)),
    }


def _known_part(word: str, evidence: Evidence) -> float:
    """Return the share of a word's fragments that words of the evidence hold."""
    pieces = [word[i : i + FRAGMENT] for i in range(len(word) - FRAGMENT + 1)]
    return sum(piece in evidence.fragments for piece in pieces) / len(pieces) if pieces else 0.0


class _Alignment:
    """The sentences that say most of the claim."""

    def __init__(self, claim: Claim, evidence: Evidence) -> None:
        self._claim = claim
        self._wanted = frozenset(claim.weights)
        self._sentences = evidence.sentences
        self._shared = [self._wanted & s.content for s in evidence.sentences]
        scores = [self._weight(shared) for shared in self._shared]
        self._at = max(
            range(len(scores)),
            key=lambda i: (round(scores[i], 6), -len(self._sentences[i].words.content)),
        )
        self.best = self._sentences[self._at]
        self.best1 = scores[self._at]
        self._chosen = self._greedy()

    def _weight(self, stems: frozenset[str]) -> float:
        weights = self._claim.weights
        # Sorted: sets are ordered by a seed of the process, and sums of floats by their order.
        return sum(weights[s] for s in sorted(stems)) / self._claim.weight

    def _greedy(self) -> list[int]:
        """Return the best sentence and up to two that add most to it."""
        chosen, covered = [self._at], self._shared[self._at]
        while len(chosen) < 3:
            gains = [self._weight(shared - covered) for shared in self._shared]
            at = max(range(len(gains)), key=lambda i: round(gains[i], 6))
            if gains[at] <= 0:
                break
            chosen.append(at)
            covered |= self._shared[at]
        return chosen

    @property
    def further(self) -> tuple[PassageSentence, ...]:
        """The sentences that add to the best one."""
        return tuple(self._sentences[i] for i in self._chosen[1:])

    @property
    def near(self) -> tuple[PassageSentence, ...]:
        """The best sentence with its neighbours."""
        return self._sentences[max(0, self._at - 1) : self._at + 2]

    def clues(self) -> dict[str, float]:
        """Return what the best sentences say of the claim."""
        claim, best = self._claim, self.best
        window = frozenset[str]().union(*self._shared[max(0, self._at - 1) : self._at + 2])
        shared = self._shared[self._at]
        ours = [s for s in claim.words.content if s in shared]
        theirs = [s for s in best.words.content if s in self._wanted]
        tokens = claim.words.tokens
        return {
            "best1": self.best1,
            "best3": self._weight(frozenset[str]().union(*(self._shared[i] for i in self._chosen))),
            "win3": self._weight(window),
            "prec_best": len(shared) / max(1, len(best.content)),
            "lcs": LCSseq.similarity(tokens, best.words.tokens) / max(1, len(tokens)),
            "partial": fuzz.partial_ratio(
                claim.text.lower()[:_ALIGNED_CLAIM], best.lowered[:_ALIGNED_SENTENCE]
            )
            / 100,
            "order": LCSseq.similarity(ours, theirs) / len(ours) if ours else 0.0,
            "asked": self._asked(),
        }

    def _asked(self) -> float:
        """Return how far a sentence that holds a bare answer is about the question."""
        question = {s: weight_of(s) for s in sorted(self._claim.question)}
        if not question:
            return 0.0
        least = _HOLDS_THE_ANSWER * self.best1
        shares = [
            sum(weight for s, weight in question.items() if s in sentence.content)
            for sentence, shared in zip(self._sentences, self._shared, strict=True)
            if shared and self._weight(shared) >= least
        ]
        return max(shares, default=0.0) / sum(question.values()) - _MIDDLING_QUESTION


def _copying(claim: Claim, evidence: Evidence, recall: float) -> dict[str, float]:
    """How much of the claim stands there in the same order, word by word."""
    content, stems = claim.words.content, claim.words.stems
    pairs = list(pairwise(content))
    triples = list(zip(stems, stems[1:], stems[2:], strict=False))
    run = longest = 0
    for triple in triples:
        run = run + 1 if triple in evidence.trigrams else 0
        longest = max(longest, run)
    return {
        "bigram": sum(p in evidence.bigrams for p in pairs) / len(pairs) if pairs else recall,
        "trigram": sum(t in evidence.trigrams for t in triples) / len(triples)
        if triples
        else recall,
        "copyrun": (longest + 2) / max(3, len(stems)) if longest else 0.0,
    }


def _numbers(
    claim: Claim, evidence: Evidence, near: Sequence[PassageSentence]
) -> tuple[dict[str, float], tuple[Numeral, ...]]:
    values_near = [n.value for s in near for n in s.numerals]
    missing = tuple(n for n in claim.numerals if not stands_among(n.value, evidence.values))
    far = sum(not stands_among(n.value, values_near) for n in claim.numerals)
    count = max(1, len(claim.numerals))
    clues = {
        "num_miss": len(missing) / count,
        "num_miss_any": float(bool(missing)),
        "num_miss_near": far / count,
        "num_swap": float(bool(missing) and bool(values_near)),
    }
    return clues, missing


def _names(
    claim: Claim, evidence: Evidence, near: Sequence[PassageSentence]
) -> tuple[dict[str, float], tuple[str, ...]]:
    tokens_near = frozenset[str]().union(*(s.tokens for s in near))
    missing = tuple(
        name
        for name in claim.names
        if name not in evidence.tokens and root(name) not in evidence.stems
    )
    count = max(1, len(claim.names))
    clues = {
        "ent_miss": len(missing) / count,
        "ent_miss_n": float(min(len(missing), 5)),
        "ent_miss_near": sum(name not in tokens_near for name in claim.names) / count,
    }
    return clues, missing


def _polarity(
    claim: Claim, best: PassageSentence, weight: float
) -> tuple[dict[str, float], tuple[tuple[str, str], ...]]:
    """What of the best sentence could turn the claim around."""
    ours, theirs = frozenset(claim.words.tokens), best.tokens
    opposites = tuple(
        (word, other)
        for word in dict.fromkeys(claim.words.tokens)
        if word not in theirs
        for other in sorted(OPPOSITES.get(word, ()))
        if other in theirs and other not in ours
    )
    clues = {
        "neg_xor": weight * (bool(ours & NEGATIONS) != bool(theirs & NEGATIONS)),
        "ant": weight * bool(opposites),
        "dir_clash": weight * (_direction(ours) * _direction(theirs) < 0),
        "hedge_b_only": float(bool(theirs & HEDGES) and not ours & HEDGES),
        "univ_c_only": float(bool(ours & UNIVERSALS - theirs)),
    }
    return clues, opposites


def _direction(tokens: frozenset[str]) -> int:
    return bool(tokens & RISING) - bool(tokens & FALLING)
