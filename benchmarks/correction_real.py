"""Raw and corrected means beside what people really said, on files of human-labelled rows.

    python benchmarks/correction_real.py --data DIR [--draws 200] [--file NAME ...] [--json]

DIR is that of ``agreement.py``. In each source the labels of all but min(60, n/2) items are
hidden, at random; the mean a person would have given is estimated from the rest and from what the
embedded judge said of all items (PPI++), and held against the mean of all labels. Told per source
and judge: error of the raw mean, mean error of the corrected one, and how often the 95 % interval
holds the truth, over all draws; beside it the same for the interval around the raw mean. An item
counts 1 where it is fully supported, else 0, for people and judges alike. Seeded.

The truth here is the mean of the very items that were drawn from, not of a larger world: an
interval that allows for a larger world holds it more often than 95 times in 100. "Drawn anew"
is the check against that: as many items are drawn with replacement, so that the source is the
world, and the same labels hidden.
"""

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

from agreement_models import models_of
from agreement_rows import FILES, read_items

from citeval_assets.statistics.corrected_means import CorrectedMean, ppi_mean
from citeval_assets.statistics.intervals import mean_interval

SEED = 20261
LABELS = 60
MIN_ITEMS = 40
"""Sources with fewer items have too few labels to correct anything by."""


@dataclass(frozen=True, slots=True)
class Line:
    """One judge on one source. Means and errors are shares in 0..1; coverages shares of draws."""

    file: str
    source: str
    judge: str
    items: int
    labels: int
    draws: int
    truth: float
    raw: float
    raw_error: float
    corrected_error: float
    labels_alone_error: float
    raw_covers: bool
    corrected_covers: float
    anew_covers: float
    width: float


def held(
    file: str, source: str, judge: str, pairs: Sequence[tuple[float, float]], draws: int
) -> Line:
    """Hide and estimate over and over. ``pairs``: (label, judged) of every item."""
    count = min(LABELS, len(pairs) // 2)
    truth = fmean(label for label, _ in pairs)
    whole = mean_interval([judged for _, judged in pairs])
    chance = random.Random(f"{SEED}|{file}|{source}|{judge}")
    errors: list[float] = []
    alone: list[float] = []
    widths: list[float] = []
    covered = anew = 0
    for _ in range(draws):
        again = _estimate(chance.choices(pairs, k=len(pairs)), count)
        anew += _holds(again, truth)
        order = list(pairs)
        chance.shuffle(order)
        known = order[:count]
        found = _estimate(order, count)
        assert found.mean is not None and found.low is not None and found.high is not None
        errors.append(abs(found.mean - truth))
        alone.append(abs(fmean(y for y, _ in known) - truth))
        widths.append(found.high - found.low)
        covered += _holds(found, truth)
    assert whole.mean is not None and whole.low is not None and whole.high is not None
    return Line(
        file=file,
        source=source,
        judge=judge,
        items=len(pairs),
        labels=count,
        draws=draws,
        truth=truth,
        raw=whole.mean,
        raw_error=abs(whole.mean - truth),
        corrected_error=fmean(errors),
        labels_alone_error=fmean(alone),
        raw_covers=whole.low <= truth <= whole.high,
        corrected_covers=covered / draws,
        anew_covers=anew / draws,
        width=fmean(widths),
    )


def _estimate(pairs: Sequence[tuple[float, float]], labels: int) -> CorrectedMean:
    """Estimate the mean label from the first labels and what the judge said of all items."""
    known, rest = pairs[:labels], pairs[labels:]
    return ppi_mean([y for y, _ in known], [f for _, f in known], [f for _, f in rest])


def _holds(found: CorrectedMean, truth: float) -> bool:
    return found.low is not None and found.high is not None and found.low <= truth <= found.high


def lines_of(folder: Path, file: str, draws: int) -> Iterator[Line]:
    """Yield one line for each judge and source of a file."""
    items = read_items(folder, file)
    for judge, model in models_of(file).items():
        by_source: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
        for item in items:
            by_source[item.source].append((float(item.level == 2), float(model(item).level == 2)))
        for source, pairs in sorted(by_source.items()):
            if len(pairs) < MIN_ITEMS:
                continue
            yield held(file, source, judge, pairs, draws)


def table(lines: Sequence[Line]) -> Iterator[str]:
    """Yield the lines as Markdown, the means of each file and judge last."""
    yield (
        "| file | source | judge | items | labels | people | raw | raw error | corrected error | "
        "labels alone | raw covers | corrected covers | drawn anew |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for line in lines:
        yield (
            f"| {line.file} | {line.source} | {line.judge} | {line.items} | {line.labels} | "
            f"{line.truth:.1%} | {line.raw:.1%} | {100 * line.raw_error:.1f} | "
            f"{100 * line.corrected_error:.1f} | {100 * line.labels_alone_error:.1f} | "
            f"{'yes' if line.raw_covers else 'no'} | {line.corrected_covers:.1%} | "
            f"{line.anew_covers:.1%} |"
        )
    yield ""
    yield (
        "| file | judge | sources | raw error | corrected error | labels alone | raw covers | "
        "corrected covers | drawn anew |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    groups: defaultdict[tuple[str, str], list[Line]] = defaultdict(list)
    for line in lines:
        groups[line.file, line.judge].append(line)
    for line in lines:
        groups["all", line.judge].append(line)
    for (file, judge), members in groups.items():
        yield (
            f"| {file} | {judge} | {len(members)} | "
            f"{100 * fmean(m.raw_error for m in members):.1f} | "
            f"{100 * fmean(m.corrected_error for m in members):.1f} | "
            f"{100 * fmean(m.labels_alone_error for m in members):.1f} | "
            f"{sum(m.raw_covers for m in members)} of {len(members)} | "
            f"{fmean(m.corrected_covers for m in members):.1%} | "
            f"{fmean(m.anew_covers for m in members):.1%} |"
        )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the files")
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--file", action="append", choices=FILES, help="only this file")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    given = parser.parse_args()
    files = [f for f in given.file or FILES if (given.data / f"{f}.jsonl").is_file()]
    if not files:
        parser.error(f"{given.data} holds none of {', '.join(f'{f}.jsonl' for f in FILES)}")
    lines = [line for file in files for line in lines_of(given.data, file, given.draws)]
    if given.json:
        print(json.dumps([asdict(line) for line in lines], indent=1))
    else:
        print("\n".join(table(lines)))


if __name__ == "__main__":
    main()
