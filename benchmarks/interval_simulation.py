"""How often each interval holds the true difference, on paired scores of which most are tied.

    python benchmarks/interval_simulation.py [--draws 4000] [--resamples 999] [--out FILE]

Draws many sets of pairs from known distributions of per-case differences and counts, for each
method and number of pairs, how often the 95 % interval holds the true mean. Then: how often
`non_inferiority` and `both` pass a candidate that is truly 2 points worse, how often the bare
rule fires although nothing changed beside the rate that is printed with a verdict, and how often
a drop of the size called detectable is detected. Seeded: the same call prints the same tables.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np
from scipy import stats

from citeval_assets.statistics.margins import Standing, non_inferiority
from citeval_assets.statistics.paired import PairedDifference, paired_difference
from citeval_assets.statistics.power import detectable_drop, false_alarm_rate

SEED = 20261
SIZES = (50, 100, 200, 500, 1000)
MARGIN = 0.02
Bounds = tuple[float, float]


@dataclass(frozen=True)
class Scenario:
    """A distribution of the difference of one case, in 0..1 units; optionally by question."""

    name: str
    support: tuple[float, ...]
    weights: tuple[float, ...]
    per_question: int = 1

    @property
    def shares(self) -> np.ndarray:
        return np.array(self.weights) / sum(self.weights)

    @property
    def mean(self) -> float:
        return float(np.dot(self.support, self.shares))

    def draw(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, list[int] | None]:
        """Return n differences; with several cases a question, half of them follow the first."""
        if self.per_question == 1:
            return rng.choice(self.support, size=n, p=self.shares), None
        questions = np.repeat(np.arange(-(-n // self.per_question)), self.per_question)[:n]
        own = rng.choice(self.support, size=n, p=self.shares)
        shared = rng.choice(self.support, size=n, p=self.shares)[questions]
        follows = rng.random(n) < 0.5
        return np.where(follows, shared, own), questions.tolist()


SCENARIOS = (
    Scenario("graded, 70 % tied, even", (-1, -0.5, -1 / 3, -0.25, 0, 0.25, 1 / 3, 0.5, 1),
             (2, 5, 4, 4, 70, 4, 4, 5, 2)),
    Scenario("graded, 90 % tied, mostly lost", (-1, -0.5, -0.25, 0, 0.25, 0.5),
             (2, 4, 2, 90, 1, 1)),
    Scenario("graded, 95 % tied, mostly lost", (-1, -0.5, -0.25, 0, 0.5), (1.5, 1.5, 1, 95, 1)),
    Scenario("small steps, 60 % tied", (-0.2, -0.1, 0, 0.1, 0.2), (10, 12, 60, 12, 6)),
    Scenario("pass/fail, 80 % tied, even", (-1, 0, 1), (10, 80, 10)),
    Scenario("pass/fail, 95 % tied, mostly lost", (-1, 0, 1), (4, 95, 1)),
    Scenario("three cases a question, 85 % tied", (-1, -0.5, 0, 0.5, 1), (3, 5, 85, 5, 2), 3),
)  # fmt: skip

TWO_WORSE = (
    Scenario("graded, 95 % tied", (-1, -0.5, 0, 0.5), (1, 3, 95, 1)),
    Scenario("graded, 80 % tied", (-1, -0.5, -0.25, 0, 0.25, 0.5, 1), (2, 4, 6, 80, 4, 3, 1)),
    Scenario("small steps, 60 % tied", (-0.2, -0.1, 0, 0.1, 0.2), (14, 12, 60, 8, 6)),
    Scenario("pass/fail, 90 % tied", (-1, 0, 1), (6, 90, 4)),
    Scenario("pass/fail, 98 % tied, only lost", (-1, 0), (2, 98)),
)
"""All with a true difference of -2 points: the margin itself."""

UNCHANGED = (
    Scenario("sd 10: graded, 92 % tied", (-0.5, -0.25, 0, 0.25, 0.5), (1.5, 2, 93, 2, 1.5)),
    Scenario("sd 20: graded, 88 % tied", (-1, -0.5, 0, 0.5, 1), (1, 4, 90, 4, 1)),
    Scenario("sd 20: pass/fail, 96 % tied", (-1, 0, 1), (2, 96, 2)),
)


def t_interval(d: np.ndarray, rng: np.random.Generator, resamples: int) -> Bounds:
    half = stats.t.ppf(0.975, len(d) - 1) * d.std(ddof=1) / np.sqrt(len(d))
    return float(d.mean() - half), float(d.mean() + half)


def _resampled(d: np.ndarray, rng: np.random.Generator, resamples: int):
    """Resample by counts of the few distinct values; return means, standard errors, counts."""
    support, counts = np.unique(d, return_counts=True)
    drawn = rng.multinomial(len(d), counts / len(d), size=resamples)
    means = drawn @ support / len(d)
    squares = drawn @ support**2
    errors = np.sqrt(np.maximum(0, (squares - len(d) * means**2) / (len(d) - 1)) / len(d))
    return support, counts, means, errors


def percentile(d: np.ndarray, rng: np.random.Generator, resamples: int) -> Bounds:
    _, _, means, _ = _resampled(d, rng, resamples)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def bca(d: np.ndarray, rng: np.random.Generator, resamples: int) -> Bounds:
    """Bias-corrected and accelerated (Efron 1987); ties count half in the bias correction."""
    support, counts, means, _ = _resampled(d, rng, resamples)
    if len(support) == 1:
        return float(d[0]), float(d[0])
    below = (means < d.mean()).mean() + 0.5 * (means == d.mean()).mean()
    bias = stats.norm.ppf(np.clip(below, 1 / resamples, 1 - 1 / resamples))
    left_out = (d.sum() - support) / (len(d) - 1)
    centred = np.dot(counts, left_out) / len(d) - left_out
    skew = np.dot(counts, centred**3) / (6 * np.dot(counts, centred**2) ** 1.5)
    z = np.array([-1.959964, 1.959964]) + bias
    low, high = np.quantile(means, stats.norm.cdf(bias + z / (1 - skew * z)))
    return float(low), float(high)


def studentised(d: np.ndarray, rng: np.random.Generator, resamples: int) -> Bounds:
    """Bootstrap-t; a resample in which nothing varies counts as infinitely far."""
    support, _, means, errors = _resampled(d, rng, resamples)
    if len(support) == 1:
        return float(d[0]), float(d[0])
    gap = means - d.mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(errors > 0, gap / errors, np.sign(gap) * np.inf)
    t = np.nan_to_num(t, nan=0.0, posinf=1e6, neginf=-1e6)
    low, high = np.quantile(t, [0.025, 0.975])
    error = d.std(ddof=1) / np.sqrt(len(d))
    return max(-1.0, float(d.mean() - high * error)), min(1.0, float(d.mean() - low * error))


def adjusted_wald(d: np.ndarray, rng: np.random.Generator, resamples: int) -> Bounds:
    """One pair won and one lost added (Bonett and Price 2012), of the size of those seen."""
    changed = d[d != 0]
    step = np.sqrt(np.mean(changed**2)) if len(changed) else 1.0
    return t_interval(np.concatenate([d, [step, -step]]), rng, resamples)


METHODS: dict[str, Callable[[np.ndarray, np.random.Generator, int], Bounds]] = {
    "t": t_interval,
    "percentile": percentile,
    "BCa": bca,
    "studentised": studentised,
    "adj. Wald": adjusted_wald,
}


def results(
    scenario: Scenario, n: int, draws: int, rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, PairedDifference]]:
    """Yield drawn sets with the comparison citeval makes of them."""
    for _ in range(draws):
        d, questions = scenario.draw(rng, n)
        yield d, paired_difference(d.tolist(), questions)


def coverage(
    scenario: Scenario,
    n: int,
    draws: int,
    resamples: int,
    rng: np.random.Generator,
    methods: Iterable[str] = METHODS,
) -> dict[str, float]:
    """Return the share of intervals that hold the true mean, by method (``score`` is ours).

    Of cases that share questions only t is tried beside ours: it shows what ignoring them costs.
    """
    known = METHODS if scenario.per_question == 1 else {"t": t_interval}
    tried = {name: known[name] for name in methods if name in known}
    hits = dict.fromkeys(("score", *tried), 0)
    for d, ours in results(scenario, n, draws, rng):
        assert ours.low is not None and ours.high is not None
        hits["score"] += ours.low <= scenario.mean <= ours.high
        for name, method in tried.items():
            low, high = method(d, rng, resamples)
            hits[name] += low <= scenario.mean <= high
    return {name: count / draws for name, count in hits.items()}


def false_passes(
    scenario: Scenario, n: int, draws: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Return how often ``non_inferiority`` and ``both`` pass a candidate at the margin."""
    shown = both = 0
    for _, ours in results(scenario, n, draws, rng):
        passes = non_inferiority(ours, MARGIN) is Standing.ABOVE
        shown += passes
        both += passes and ours.difference >= -MARGIN - 1e-9
    return shown / draws, both / draws


def false_alarms(
    scenario: Scenario, n: int, draws: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Return how often the bare rule fired without a change, and the mean rate told."""
    fired, told = 0, []
    for _, ours in results(scenario, n, draws, rng):
        fired += ours.difference < -MARGIN - 1e-9
        told.append(false_alarm_rate(ours, MARGIN))
    return fired / draws, float(np.mean([rate or 0.0 for rate in told]))


def detected(
    scenario: Scenario, n: int, draws: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Return the drop called detectable (mean over draws) and how often such a drop is seen."""
    seen, drops = 0, []
    for _, ours in results(scenario, n, draws, rng):
        drop = detectable_drop(ours)
        if drop is None:
            continue
        drops.append(drop)
        lost = rng.random(n) < drop / ours.changes.size
        fresh = scenario.draw(rng, n)[0]
        worse = paired_difference(np.where(lost, fresh - ours.changes.size, fresh).tolist())
        seen += worse.high is not None and worse.high < 0
    return float(np.mean(drops)), seen / max(1, len(drops))


def table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"### {title}", "", f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def report(draws: int, resamples: int) -> Iterator[str]:
    """Yield the tables."""
    rng = np.random.default_rng(SEED)
    names = ("score", *METHODS)
    rows = []
    for scenario in SCENARIOS:
        for n in SIZES:
            found = coverage(scenario, n, draws, resamples, rng)
            shares = [f"{found[name]:.1%}" if name in found else "" for name in names]
            rows.append([scenario.name, str(n), *shares])
    error = NormalDist().inv_cdf(0.975) * (0.95 * 0.05 / draws) ** 0.5
    yield table(
        f"Coverage of 95 % intervals ({draws} draws, ± {error:.1%})",
        ("differences", "pairs", *names),
        rows,
    )
    rows = [
        [s.name, str(n), *(f"{share:.1%}" for share in false_passes(s, n, draws, rng))]
        for s in TWO_WORSE
        for n in SIZES
    ]
    heads = ("differences", "pairs", "non_inferiority", "both")
    yield table("False passes of a candidate 2 points worse (at most 2.5 % meant)", heads, rows)
    rows = [
        [s.name, str(n), *(f"{share:.1%}" for share in false_alarms(s, n, draws, rng))]
        for s in UNCHANGED
        for n in SIZES
    ]
    heads = ("differences", "pairs", "fired", "told (mean)")
    yield table("The bare 2-point rule without any change", heads, rows)
    rows = []
    for s in UNCHANGED:
        for n in SIZES:
            drop, seen = detected(s, n, draws, rng)
            rows.append([s.name, str(n), f"{100 * drop:.1f} points", f"{seen:.0%}"])
    heads = ("differences", "pairs", "called detectable", "detected")
    yield table("The smallest detectable drop (80 % meant)", heads, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=4000)
    parser.add_argument("--resamples", type=int, default=999)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    parts = []
    for part in report(given.draws, given.resamples):
        sys.stdout.write(part + "\n")
        sys.stdout.flush()
        parts.append(part)
    if given.out:
        given.out.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
