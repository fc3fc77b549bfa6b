"""How far the embedded models agree with people, on files of human-labelled rows.

    python benchmarks/agreement.py --data DIR [--json] [--file NAME ...]

DIR holds up to five files (citation_support.jsonl, cited_answers.jsonl, cot_steps.jsonl,
abstention.jsonl, answer_comparison.jsonl). "Supported" is full support; partial counts as not,
as it does where annotators said only "attributable or not". Figures are per source, and means of
sources. ``calibrated``: min(60, n/2) labels of each source fit slope and intercept, the rest is
scored, mean of 20 draws. Sources marked ``seen`` had a part in making the lexical judge
(``weights``: their data, ``cut``: their published development rows). Needs numpy.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from agreement_figures import calibrated, intervals, majority, uncalibrated
from agreement_models import models_of
from agreement_rows import FILES, read_items

Row = dict[str, Any]
MAJORITY = "always-majority"


def measured(folder: Path, file: str) -> dict[str, Row]:
    """Return the figures of every model on one file."""
    items = read_items(folder, file)
    runs = {name: [(i, model(i)) for i in items] for name, model in models_of(file).items()}
    bounds = intervals(runs, next(iter(runs)))
    found: dict[str, Row] = {}
    for name, pairs in runs.items():
        found[name] = {
            **uncalibrated(pairs), "intervals": bounds[name], "calibrated": calibrated(pairs)
        }  # fmt: skip
    return {**found, MAJORITY: majority(items)}


def table(file: str, found: dict[str, Row]) -> str:
    """Return the figures of one file as text."""
    lines = [f"\n{file}"]
    width = max(len(s) for row in found.values() for s in row["sources"]) + 2
    for name, row in found.items():
        lines.append(f"  {name}: {_means(row)}{_bounds(row)}")
        if "calibrated" in row:
            lines.append(f"  {name}, calibrated: {_means(row['calibrated'])}")
        for source, own in row["sources"].items():
            seen = f"  seen: {', '.join(own['seen'])}" if own.get("seen") else ""
            alone = own["decided_accuracy"]
            lines.append(
                f"    {source:{width}} n {own['n']:5}  bacc {100 * own['balanced_accuracy']:5.1f}  "
                f"auc {100 * own['auc']:5.1f}  f1 {100 * own['macro_f1']:5.1f}  "
                f"decides {own['decided_share']:4.0%}"
                + (f", right {alone:4.0%}" if alone is not None else "") + seen
            )  # fmt: skip
    return "\n".join(lines)


def _means(row: Row) -> str:
    alone = row["mean_decided_accuracy"]
    return (
        f"mean balanced accuracy {100 * row['mean_balanced_accuracy']:.1f}, mean auc "
        f"{100 * row['mean_auc']:.1f}" + (f", right alone {100 * alone:.1f}" if alone else "")
    )


def _bounds(row: Row) -> str:
    said = []
    for name, bounds in row.get("intervals", {}).items():
        if name.startswith("lead_over_"):
            low, high = bounds["mean_auc"]
            said.append(f"auc over {name[10:]} {100 * low:+.1f}..{100 * high:+.1f}")
            low, high = bounds["mean_balanced_accuracy"]
            said.append(f"bacc {100 * low:+.1f}..{100 * high:+.1f}")
    return f"  ({', '.join(said)})" if said else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the files")
    parser.add_argument("--file", action="append", choices=FILES, help="only this file")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    asked = parser.parse_args()
    present = [f for f in asked.file or FILES if (asked.data / f"{f}.jsonl").is_file()]
    if not present:
        parser.error(f"{asked.data} holds none of {', '.join(FILES)}")
    found = {file: measured(asked.data, file) for file in present}
    if asked.json:
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
    else:
        print("\n".join(table(file, rows) for file, rows in found.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
