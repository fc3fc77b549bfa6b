"""How fast the pages answer over a large project: 100,000 reports, 1,000,000 findings.

    python benchmarks/pages --home /tmp/citeval-pages [--share 1.0] [--requests 60]

Writes the project into ``--home`` unless it stands there already (minutes, and some gigabytes
at full size), serves it in a process of its own, asks every page as visitors do, and prints
times and memory.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from generate import make_project
from measure import measure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--home", type=Path, required=True, help="where the project is, or goes")
    parser.add_argument("--share", type=float, default=1.0, help="of the full size")
    parser.add_argument("--requests", type=int, default=60, help="per kind of page")
    parser.add_argument("--only-generate", action="store_true")
    given = parser.parse_args()
    made = make_project(given.home, given.share)
    print(f"{made.folder}: {made.reports:,} reports, {made.findings:,} findings")
    if not given.only_generate:
        measure(made, given.requests)


if __name__ == "__main__":
    main()
