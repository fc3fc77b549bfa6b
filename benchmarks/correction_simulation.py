"""How well corrected means hold what they promise, where the judge's own mean is off.

    python benchmarks/correction_simulation.py [--runs 4000] [--json FILE]

Each run draws cases with true scores, judges them with a judge that errs more one way than the
other, reveals few of the true scores, and looks whether the interval holds the true mean. Prints
the coverage of 95 % intervals and the errors of raw and corrected means, as Markdown.
"""

import argparse
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import fmean

from citeval_assets.statistics.corrected_means import (
    CorrectedMean,
    KnownErrors,
    ppi_mean,
    rogan_gladen,
)
from citeval_assets.statistics.intervals import mean_interval

SEED = 20261


@dataclass(frozen=True, slots=True)
class Judge:
    """A way to err: ``missed`` of the good cases fail, ``fooled`` of the bad ones pass."""

    name: str
    missed: float
    fooled: float

    def score(self, truth: float, draw: random.Random, *, halves: bool) -> float:
        """Return what the judge gives a case of this true score; with ``halves`` also 0.5."""
        if truth >= 1:
            return _instead(draw, self.missed, 1.0, (0.0, 0.5) if halves else (0.0,))
        if truth <= 0:
            return _instead(draw, self.fooled, 0.0, (1.0, 0.5) if halves else (1.0,))
        return _instead(draw, (self.missed + self.fooled) / 2, truth, (0.0, 1.0))


def _instead(draw: random.Random, chance: float, right: float, wrong: Sequence[float]) -> float:
    return draw.choice(list(wrong)) if draw.random() < chance else right


JUDGES = (
    Judge("too strict", 0.14, 0.04),
    Judge("too mild", 0.02, 0.45),
    Judge("far too strict", 0.20, 0.06),
)
TRUTHS: dict[str, tuple[tuple[float, float], ...]] = {
    "pass or fail": ((1.0, 0.75), (0.0, 0.25)),
    "three levels": ((1.0, 0.65), (0.5, 0.15), (0.0, 0.2)),
}
SIZES = ((30, 300), (60, 60), (60, 400), (100, 1_000), (200, 2_000))


@dataclass(frozen=True, slots=True)
class Row:
    """One setting: how far the judge is off, and what the intervals and means are worth."""

    method: str
    scores: str
    judge: str
    labelled: int
    judged: int
    bias_points: float
    raw_coverage: float
    coverage: float
    raw_error_points: float
    error_points: float
    width_points: float
    labels_only_width_points: float
    runs: int


def simulate(runs: int, sizes: Sequence[tuple[int, int]] = SIZES) -> Iterator[Row]:
    """Yield one row for each judge, kind of score and size."""
    for (kind, mix), judge, (labelled, rest) in product(TRUTHS.items(), JUDGES, sizes):
        yield _row("ppi++", kind, judge, labelled, rest, mix, runs, _ppi)
    for judge, (labelled, rest) in product(JUDGES, sizes):
        if labelled >= 60:
            mix = TRUTHS["pass or fail"]
            yield _row("rogan_gladen", "pass or fail", judge, labelled, rest, mix, runs, _elsewhere)


Estimate = Callable[[random.Random, Judge, Sequence[tuple[float, float]], int, int], CorrectedMean]


def _row(
    method: str,
    kind: str,
    judge: Judge,
    labelled: int,
    rest: int,
    mix: Sequence[tuple[float, float]],
    runs: int,
    estimate: Estimate,
) -> Row:
    truth = sum(score * share for score, share in mix)
    draw = random.Random(f"{SEED}|{method}|{kind}|{judge.name}|{labelled}|{rest}")
    found = [estimate(draw, judge, mix, labelled, rest) for _ in range(runs)]
    raw = [_raw_interval(draw, judge, mix, labelled + rest) for _ in range(min(runs, 500))]
    return Row(
        method=method,
        scores=kind,
        judge=judge.name,
        labelled=labelled,
        judged=labelled + rest,
        bias_points=100 * (fmean(one.raw or 0.0 for one in found) - truth),
        raw_coverage=fmean(low <= truth <= high for low, high in raw),
        coverage=fmean((one.low or 0) <= truth <= (one.high or 0) for one in found),
        raw_error_points=100 * fmean(abs((one.raw or 0) - truth) for one in found),
        error_points=100 * fmean(abs((one.mean or 0) - truth) for one in found),
        width_points=100 * fmean((one.high or 0) - (one.low or 0) for one in found),
        labels_only_width_points=100 * _labels_only(draw, mix, labelled),
        runs=runs,
    )


def _truths(draw: random.Random, mix: Sequence[tuple[float, float]], n: int) -> list[float]:
    return draw.choices([score for score, _ in mix], [share for _, share in mix], k=n)


def _ppi(
    draw: random.Random, judge: Judge, mix: Sequence[tuple[float, float]], labelled: int, rest: int
) -> CorrectedMean:
    halves = len(mix) > 2
    labels = _truths(draw, mix, labelled)
    beside = [judge.score(label, draw, halves=halves) for label in labels]
    others = [judge.score(truth, draw, halves=halves) for truth in _truths(draw, mix, rest)]
    return ppi_mean(labels, beside, others)


def _elsewhere(
    draw: random.Random, judge: Judge, mix: Sequence[tuple[float, float]], labelled: int, rest: int
) -> CorrectedMean:
    """The error rates come from a balanced set labelled elsewhere."""

    def passed(truth: float, n: int) -> int:
        return sum(judge.score(truth, draw, halves=False) >= 0.5 for _ in range(n))

    half = labelled // 2
    errors = KnownErrors(passed(1.0, half), half, half - passed(0.0, half), half)
    others = sum(judge.score(t, draw, halves=False) >= 0.5 for t in _truths(draw, mix, rest))
    return rogan_gladen(others, rest, errors)


def _raw_interval(
    draw: random.Random, judge: Judge, mix: Sequence[tuple[float, float]], n: int
) -> tuple[float, float]:
    truths = _truths(draw, mix, n)
    interval = mean_interval([judge.score(truth, draw, halves=len(mix) > 2) for truth in truths])
    return interval.low or 0.0, interval.high or 0.0


def _labels_only(draw: random.Random, mix: Sequence[tuple[float, float]], n: int) -> float:
    widths: list[float] = []
    for _ in range(200):
        interval = mean_interval(_truths(draw, mix, n))
        widths.append((interval.high or 0.0) - (interval.low or 0.0))
    return fmean(widths)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=4_000)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    rows = list(simulate(given.runs))
    print("| method | scores | judge | labelled | judged | judge off by | raw covers | covers "
          "| raw error | error | width | labels alone |")  # fmt: skip
    print("|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        print(
            f"| {row.method} | {row.scores} | {row.judge} | {row.labelled} | {row.judged} | "
            f"{row.bias_points:+.1f} | {row.raw_coverage:.1%} | {row.coverage:.1%} | "
            f"{row.raw_error_points:.1f} | {row.error_points:.1f} | {row.width_points:.1f} | "
            f"{row.labels_only_width_points:.1f} |"
        )
    if given.json:
        given.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
