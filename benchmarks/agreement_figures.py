"""Balanced accuracy, area under the curve, macro F1; calibration draws; bootstrap intervals."""

import random
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np
from agreement_models import Said, recalibrated
from agreement_rows import SEEN, Item

from citeval_assets.embedded.calibration import fit

DRAWS = 20
MOST_LABELS = 60
BOOTSTRAPS = 500
SEED = 20261

Pairs = Sequence[tuple[Item, Said]]
Row = dict[str, Any]


def balanced_accuracy(gold: Sequence[bool], said: Sequence[bool]) -> float:
    """Return the mean of both classes' recall; 0.5 where a class is empty."""
    right = [s for g, s in zip(gold, said, strict=True) if g]
    wrong = [not s for g, s in zip(gold, said, strict=True) if not g]
    return (fmean(right) + fmean(wrong)) / 2 if right and wrong else 0.5


def area(gold: Sequence[bool], scores: Sequence[float]) -> float:
    """Return the area under the ROC curve; ties count one half."""
    order = np.argsort(np.asarray(scores), kind="stable")
    ranked = np.asarray(scores)[order]
    _, inverse, counts = np.unique(ranked, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks = np.empty(len(ranked))
    ranks[order] = (ends - (counts - 1) / 2)[inverse]
    positive = np.asarray(gold, dtype=bool)
    n, m = int(positive.sum()), int((~positive).sum())
    return float((ranks[positive].sum() - n * (n + 1) / 2) / (n * m)) if n and m else 0.5


def macro_f1(gold: Sequence[int], said: Sequence[int]) -> float:
    """Return the mean F1 over the levels that occur among the labels."""
    found = []
    for level in sorted(set(gold)):
        hits = sum(g == s == level for g, s in zip(gold, said, strict=True))
        given = sum(s == level for s in said) + sum(g == level for g in gold)
        found.append(2 * hits / given if given else 0.0)
    return fmean(found)


def measures(pairs: Pairs) -> Row:
    """Return the figures of one model on one source."""
    gold = [item.level == 2 for item, _ in pairs]
    full = [said.level == 2 for _, said in pairs]
    three_way = any(item.three_way for item, _ in pairs)
    levels = [item.level if three_way else 2 * (item.level == 2) for item, _ in pairs]
    given = [said.level if three_way else 2 * (said.level == 2) for _, said in pairs]
    decided = [g == f for g, f, (_, s) in zip(gold, full, pairs, strict=True) if s.decided]
    return {
        "n": len(pairs),
        "balanced_accuracy": balanced_accuracy(gold, full),
        "auc": area(gold, [said.score for _, said in pairs]),
        "macro_f1": macro_f1(levels, given),
        "decided_share": len(decided) / len(pairs),
        "decided_accuracy": fmean(decided) if decided else None,
    }


def by_source(pairs: Pairs) -> dict[str, Pairs]:
    """Return the pairs of each source."""
    found: dict[str, list[tuple[Item, Said]]] = {}
    for pair in pairs:
        found.setdefault(pair[0].source, []).append(pair)
    return dict(sorted(found.items()))


def summary(sources: Mapping[str, Row]) -> Row:
    """Return the figures of all sources with their means."""
    decided = [s["decided_accuracy"] for s in sources.values() if s["decided_accuracy"] is not None]
    return {
        "sources": dict(sources),
        "mean_balanced_accuracy": fmean(s["balanced_accuracy"] for s in sources.values()),
        "mean_auc": fmean(s["auc"] for s in sources.values()),
        "mean_decided_accuracy": fmean(decided) if decided else None,
    }


def uncalibrated(pairs: Pairs) -> Row:
    """Return the figures of a model as it ships."""
    sources = {}
    for name, own in by_source(pairs).items():
        seen = [kind for kind, names in SEEN.items() if name in names]
        sources[name] = {**measures(own), **({"seen": seen} if seen else {})}
    return summary(sources)


def calibrated(pairs: Pairs) -> Row:
    """Return the figures after calibration on min(60, n/2) labels, as the mean of 20 draws."""
    return summary({name: _drawn(name, own) for name, own in by_source(pairs).items()})


def _drawn(name: str, pairs: Pairs) -> Row:
    chance = random.Random(f"{SEED}/{name}")
    labels = min(MOST_LABELS, len(pairs) // 2)
    found: list[Row] = []
    for _ in range(DRAWS):
        drawn = chance.sample(range(len(pairs)), len(pairs))
        own = [pairs[i] for i in drawn[:labels]]
        gold = [item.level == 2 for item, _ in own]
        if not any(gold) or all(gold):
            continue
        fitted = fit([said.score for _, said in own], gold)
        rest = [(pairs[i][0], recalibrated(pairs[i][1], fitted)) for i in drawn[labels:]]
        found.append(measures(rest))
    if not found:
        return measures(pairs)
    mean = {key: _mean([row[key] for row in found]) for key in found[0] if key != "n"}
    return {"n": len(pairs) - labels, "labels": labels, **mean}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def majority(items: Sequence[Item]) -> Row:
    """Return the figures of always saying what most labels of a source say."""
    sources = {}
    empty: Pairs = [(item, Said(0.0, 0)) for item in items]
    for name, own in by_source(empty).items():
        levels = [item.level if item.three_way else 2 * (item.level == 2) for item, _ in own]
        most = max(sorted(set(levels)), key=levels.count)
        sources[name] = measures([(item, Said(0.0, most)) for item, _ in own])
    return summary(sources)


def intervals(runs: Mapping[str, Pairs], baseline: str) -> dict[str, Row]:
    """Return 95 % bootstrap intervals of the means, and of the lead over the baseline.

    Groups (questions) are drawn with replacement within each source, the same for all models.
    """
    chance = np.random.default_rng(SEED)
    names = list(runs)
    sources = {name: by_source(pairs) for name, pairs in runs.items()}
    draws: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    groups = {s: _groups(own) for s, own in sources[names[0]].items()}
    for _ in range(BOOTSTRAPS):
        chosen = {}
        for source, members in groups.items():
            picked = chance.integers(0, len(members), len(members))
            chosen[source] = [i for at in picked for i in members[at]]
        for name in names:
            pairs = [_quick(own, chosen[s]) for s, own in sources[name].items()]
            draws[name].append((fmean(b for b, _ in pairs), fmean(a for _, a in pairs)))
    return {name: _intervals(draws, name, baseline) for name in names}


def _groups(pairs: Pairs) -> list[list[int]]:
    found: dict[str, list[int]] = {}
    for at, (item, _) in enumerate(pairs):
        found.setdefault(item.group, []).append(at)
    return list(found.values())


def _quick(pairs: Pairs, chosen: Sequence[int]) -> tuple[float, float]:
    gold = [pairs[i][0].level == 2 for i in chosen]
    return (
        balanced_accuracy(gold, [pairs[i][1].level == 2 for i in chosen]),
        area(gold, [pairs[i][1].score for i in chosen]),
    )


def _intervals(draws: Mapping[str, Sequence[tuple[float, float]]], name: str, base: str) -> Row:
    def of(values: Sequence[float]) -> list[float]:
        low, high = np.percentile(values, [2.5, 97.5])
        return [float(low), float(high)]

    own = draws[name]
    found: Row = {
        "mean_balanced_accuracy": of([b for b, _ in own]),
        "mean_auc": of([a for _, a in own]),
    }
    if name != base and base in draws:
        both = list(zip(own, draws[base], strict=True))
        found["lead_over_" + base] = {
            "mean_balanced_accuracy": of([x[0] - y[0] for x, y in both]),
            "mean_auc": of([x[1] - y[1] for x, y in both]),
        }
    return found
