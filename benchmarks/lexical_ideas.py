"""Ideas that could lift the lexical judge, each measured alone on public claims.

    python benchmarks/lexical_ideas.py --data DIR

DIR holds citation_support.jsonl and cited_answers.jsonl (see agreement.py). Each line gives the
area under the curve of every source of citation_support and their mean. "Out" means: fitted on
the claims of all other sources, scored on the one left out. Fitting needs scipy (not a
dependency of the project: ``pip install scipy``); without it those lines are left out.
"""

import argparse
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from agreement_figures import area
from agreement_rows import Item, read_items

from citeval_assets.embedded.lexical import measuring, words
from citeval_assets.embedded.lexical.claims import bare_claim, clauses_of
from citeval_assets.embedded.lexical.clues import Clues
from citeval_assets.embedded.lexical.frequencies import weight_of
from citeval_assets.embedded.lexical.measuring import Claim, Measured, measure
from citeval_assets.embedded.lexical.numerals import same_number
from citeval_assets.embedded.lexical.passages import Evidence, evidence_of
from citeval_assets.embedded.lexical.scoring import shipped_weights
from citeval_assets.embedded.lexical.stemming import stem
from citeval_assets.embedded.lexical.words import words_of

ADDED = ("mass", "asked")
"""Clues that were not among the 28 fitted on other data."""

PENALTY = 0.1
Array = np.ndarray[Any, Any]


def read(item: Item) -> tuple[Claim, Evidence]:
    """Return the claim of an item and its evidence."""
    unit = item.view.units[item.units[0]]
    texts = {p.id: p.source_text for p in item.view.passages}
    claim = Claim.of(bare_claim(unit.text, tuple(texts)), item.view.question)
    return claim, evidence_of(tuple((i, texts[i]) for i in unit.cited_ids))


def share(claim: Claim, stems: frozenset[str]) -> float:
    """Return the share of a claim, by weight, in a set of stems."""
    return sum(w for s, w in claim.weights.items() if s in stems) / claim.weight


def best_pair(claim: Claim, evidence: Evidence, _: Measured) -> float:
    """Best window: the best two neighbouring sentences together."""
    held = [s.content for s in evidence.sentences]
    pairs = [a | b for a, b in pairwise(held)] or held
    return max(share(claim, pair) for pair in pairs)


def densest_window(claim: Claim, evidence: Evidence, _: Measured) -> float:
    """Best window of 20 content words, wherever sentences end."""
    run = [s for sentence in evidence.sentences for s in sentence.words.content]
    windows = (frozenset(run[i : i + 20]) for i in range(max(1, len(run) - 19)))
    return max(share(claim, window) for window in windows)


def number_binding(claim: Claim, evidence: Evidence, found: Measured) -> float:
    """What else of the claim stands in the sentence that has its number; mean of numbers."""
    bound = [
        max(
            (
                share(claim, s.content)
                for s in evidence.sentences
                if any(same_number(number.value, n.value) for n in s.numerals)
            ),
            default=0.0,
        )
        for number in claim.numerals
    ]
    return fmean(bound) if bound else found.clues.best1


def name_binding(claim: Claim, evidence: Evidence, found: Measured) -> float:
    """The same for names."""
    bound = [
        max((share(claim, s.content) for s in evidence.sentences if name in s.tokens), default=0.0)
        for name in claim.names
    ]
    return fmean(bound) if bound else found.clues.best1


def weakest_clause(claim: Claim, evidence: Evidence, _: Measured) -> float:
    """Share of the least covered clause in its best sentence."""
    clauses = [Claim.of(text) for text in clauses_of(claim.text)] or [claim]
    return min(max(share(c, s.content) for s in evidence.sentences) for c in clauses)


def skipped_pairs(claim: Claim, evidence: Evidence, _: Measured) -> float:
    """Share of the claim's pairs of near words that are near each other in the evidence."""

    def near(run: Sequence[str], reach: int) -> set[frozenset[str]]:
        return {frozenset((a, b)) for i, a in enumerate(run) for b in run[i + 1 : i + reach]}

    own = near(claim.words.content, 3)
    held = set[frozenset[str]]().union(*(near(s.words.content, 5) for s in evidence.sentences))
    return len(own & held) / len(own) if own else 1.0


EXTRAS: dict[str, Callable[[Claim, Evidence, Measured], float]] = {
    "best pair of sentences": best_pair,
    "densest window of 20 words": densest_window,
    "number binding": number_binding,
    "name binding": name_binding,
    "weakest clause": weakest_clause,
    "pairs with a gap": skipped_pairs,
}


def _not_asked(item: Item) -> float:
    """Share of what the claim adds to the question that stands in the evidence."""
    claim, evidence = read(item)
    asked = frozenset(words_of(item.view.question).content)
    new = {s: w for s, w in claim.weights.items() if s not in asked}
    return sum(w for s, w in new.items() if s in evidence.stems) / sum(new.values()) if new else 1.0


class Claims:
    """All claims with their clues, and the sources they are scored by."""

    def __init__(self, folder: Path) -> None:
        support = read_items(folder, "citation_support")
        self.items = support + read_items(folder, "cited_answers")
        self.scored = np.array([i < len(support) for i in range(len(self.items))])
        self.source = np.array([item.source for item in self.items])
        self.gold = np.array([item.level == 2 for item in self.items])
        self.names = sorted(set(self.source[self.scored]))

    def clues(self) -> Array:
        """Return the clues of every claim, as the code stands now."""
        return np.array([measure(*read(item)).clues for item in self.items])

    def extra(self, of: Callable[[Claim, Evidence, Measured], float]) -> Array:
        """Return one more clue of every claim."""
        pairs = [read(item) for item in self.items]
        return np.array([of(c, e, measure(c, e)) if e.sentences else 0.0 for c, e in pairs])

    def show(self, name: str, scores: Array) -> None:
        """Print the area under the curve of each source, and their mean."""
        areas = []
        for source in self.names:
            own = (self.source == source) & self.scored
            areas.append(100 * area(self.gold[own].tolist(), scores[own].tolist()))
        print(f"{name:44}", *(f"{a:5.1f}" for a in areas), f"  mean {fmean(areas):.2f}")

    def left_out(self, columns: Array, signs: Array) -> Array:
        """Return scores of each source by a fit on all others (sign-constrained logistic)."""
        scores = np.zeros(len(self.items))
        for source in sorted(set(self.source)):
            train = self.source != source
            scores[~train] = self._fitted(columns, signs, train)[~train]
        return scores

    def _fitted(self, columns: Array, signs: Array, train: Array) -> Array:
        from scipy.optimize import minimize  # pyright: ignore[reportMissingImports]

        mean, spread = columns[train].mean(0), columns[train].std(0) + 1e-9
        scaled = (columns - mean) / spread * signs
        gold, weight = self.gold[train], self._weights(train)

        def loss(t: Array) -> tuple[float, Array]:
            z = scaled[train] @ t[:-1] + t[-1]
            error = weight * (1 / (1 + np.exp(-z)) - gold)
            value = (weight * (np.logaddexp(0, z) - gold * z)).mean()
            slope = np.append(scaled[train].T @ error / len(z), error.mean())
            slope[:-1] += 2 * PENALTY * t[:-1]
            return value + PENALTY * (t[:-1] ** 2).sum(), slope

        free = [(0, None)] * columns.shape[1] + [(None, None)]
        start = np.zeros(columns.shape[1] + 1)
        best = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=free).x
        return scaled @ best[:-1] + best[-1]

    def _weights(self, train: Array) -> Array:
        """Sources count by the root of their size, both classes of each alike."""
        weight = np.zeros(train.sum())
        source, gold = self.source[train], self.gold[train]
        for name in set(source):
            for label in (True, False):
                own = (source == name) & (gold == label)
                if own.any():
                    weight[own] = np.sqrt((source == name).sum()) / own.sum()
        return weight / weight.mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True)
    claims = Claims(parser.parse_args().data)
    print(" " * 44, *(f"{name[:5]:>5}" for name in claims.names))
    weights = np.array(shipped_weights().coefficients)
    fitted = np.array([w * (n not in ADDED) for n, w in zip(Clues._fields, weights, strict=True)])
    recall = Clues._fields.index("rec")
    with_classes = words.root, measuring.root
    words.root = measuring.root = stem
    plain = claims.clues()
    words.root, measuring.root = with_classes
    clues = claims.clues()
    claims.show("share of the claim's words (one clue)", plain[:, recall])
    claims.show("28 clues, plain stems", plain @ fitted)
    claims.show("+ irregular forms, peoples, synonyms", clues @ fitted)
    for name in ADDED:
        at = Clues._fields.index(name)
        claims.show(f"  + {name}", clues @ fitted + clues[:, at] * weights[at])
    shipped = clues @ weights
    claims.show("as shipped", shipped)
    flat = measuring.weight_of
    measuring.weight_of = lambda _: 8.0
    claims.show("  all words of one weight", claims.clues() @ weights)
    measuring.weight_of = lambda s: 8 * (weight_of(s) / 8) ** 1.5
    claims.show("  rare words weighing more (power 1.5)", claims.clues() @ weights)
    measuring.weight_of = flat
    new = np.array([_not_asked(item) for item in claims.items])
    claims.show("  + share of what the question does not say", shipped + new)
    extras = {name: claims.extra(of) for name, of in EXTRAS.items()}
    for name, column in extras.items():
        claims.show(f"  + {name}", shipped + column)
    try:
        signs = np.array([-1 if w < 0 else 1 for w in weights])
        claims.show("out: all clues fitted anew", claims.left_out(clues, signs))
        more = np.column_stack([shipped, *extras.values()])
        claims.show("out: shipped score and all ideas", claims.left_out(more, np.ones(7)))
        free = np.column_stack([clues, *extras.values()])
        both = np.append(signs, np.ones(6))
        claims.show("out: all clues and all ideas", claims.left_out(free, both))
    except ImportError:
        print("scipy is not there: nothing is fitted")


if __name__ == "__main__":
    main()
