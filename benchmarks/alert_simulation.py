"""How often do the alerts cry wolf, and how soon do they see a fall?

    .venv/bin/python benchmarks/alert_simulation.py [--runs 400]

Three parts: the sequential test over evaluations (citeval_assets/statistics/falls.py), with the
reference estimated from its first evaluations as in production; the drift test of the weekly
canary (drift.py); and the coverage of the weighted mean of the nightly sample (sampling.py).
"""

import argparse
import random
import statistics

from citeval_assets.statistics.drift import drift_test
from citeval_assets.statistics.falls import watch_trend
from citeval_assets.statistics.sampling import Stratum, draw, sample_size, stratified_mean

WANTED = 500
TOLERANCE = 0.02
SEED = 20261
BEFORE = 10
"""Evaluations before a fall begins."""


def score(rng: random.Random, mean: float, shape: str) -> float:
    """One score with this mean: right or wrong, or spread over the range."""
    if shape == "binary":
        return float(rng.random() < mean)
    return rng.betavariate(4 * mean, 4 * (1 - mean))


def first_alarm(rng: random.Random, mean: float, later: float, per: int, shape: str, most: int):
    """Evaluations after the first 10 until an alarm (``most`` where there is none)."""
    series = [[score(rng, mean, shape) for _ in range(per)] for _ in range(BEFORE)]
    series += [[score(rng, later, shape) for _ in range(per)] for _ in range(most)]
    falls = watch_trend(series, tolerance=TOLERANCE, between_false_alarms=WANTED).falls
    return max(0, falls[0].position - BEFORE) + 1 if falls else most


def falls(runs: int) -> None:
    print(f"sequential test: one false alarm in {WANTED} evaluations wanted, tolerance {TOLERANCE}")
    print("shape   per mean  | false alarms in 100 evaluations | evaluations until a fall is seen")
    print("                  | share of unchanged series       | 5 pts   10 pts   20 pts (median)")
    for shape in ("binary", "beta"):
        for per, mean in ((20, 0.9), (20, 0.7), (60, 0.9)):
            rng = random.Random(f"{SEED}|{shape}|{per}|{mean}")
            false = sum(first_alarm(rng, mean, mean, per, shape, 100) < 100 for _ in range(runs))
            seen = [
                statistics.median(
                    first_alarm(rng, mean, mean - drop, per, shape, 100)
                    for _ in range(max(40, runs // 4))
                )
                for drop in (0.05, 0.10, 0.20)
            ]
            told = "   ".join(f"{'>=100' if value >= 100 else f'{value:.0f}':>5}" for value in seen)
            print(f"{shape:7} {per:3} {mean:4}  | {false / runs:31.3f} | {told}")
    print(
        f"bound: at most {100 / WANTED:.2f} of unchanged series in 100 evaluations (ARL {WANTED})"
    )


def drift(runs: int) -> None:
    print("\ndrift test of the canary: 40 cases, alpha 0.01")
    for name, flip, shift in (
        ("unchanged, deterministic", 0.0, 0.0),
        ("unchanged, 5 % flips", 0.05, 0.0),
        ("half as strict again on 25 %", 0.02, 0.25),
        ("half as strict again on 50 %", 0.02, 0.5),
        ("20 % flips, no direction", 0.2, 0.0),
    ):
        rng = random.Random(f"{SEED}|{name}")
        found = 0
        for _ in range(runs * 5):
            before = [float(rng.random() < 0.8) for _ in range(40)]
            after = [1 - old if rng.random() < flip else old for old in before]
            after = [max(0.0, new - 0.2) if rng.random() < shift else new for new in after]
            found += drift_test(before, after, alpha=0.01).drifted
        print(f"{name:30} reported in {found / (runs * 5):.4f}")


def coverage(runs: int) -> None:
    print("\nweighted mean of the nightly sample: three systems of very different size and quality")
    rng = random.Random(SEED)
    hit, plain_error, weighted_error = 0, 0.0, 0.0
    for number in range(runs):
        population = [
            [float(rng.random() < mean) for _ in range(size)]
            for size, mean in ((2000, 0.95), (200, 0.7), (60, 0.4))
        ]
        truth = statistics.fmean(value for stratum in population for value in stratum)
        strata = []
        for index, stratum in enumerate(population):
            keys = {f"{index}-{position}": value for position, value in enumerate(stratum)}
            size = sample_size(len(stratum), 40, 1.0)
            taken = tuple(keys[key] for key in draw(keys, size, number))
            strata.append(Stratum(len(stratum), taken))
        found = stratified_mean(strata)
        assert found.mean is not None and found.low is not None and found.high is not None
        hit += found.low <= truth <= found.high
        weighted_error += found.mean - truth
        plain_error += statistics.fmean(v for s in strata for v in s.scores) - truth
    print(f"95 % interval covers the truth in {hit / runs:.3f}")
    print(f"bias: weighted {weighted_error / runs:+.4f}, unweighted {plain_error / runs:+.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=400)
    chosen = parser.parse_args()
    falls(chosen.runs)
    drift(chosen.runs)
    coverage(chosen.runs)
