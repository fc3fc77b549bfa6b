"""A limit on what a run may spend: how much is spent after it is reached?

    python benchmarks/spend_cap.py [--cases 200] [--json]

A judge on loopback counts the tokens it would bill, at a price written in the configuration. A run
over all cases is given a third of what it would cost: once in one process with many calls open,
once in four processes that share the limit. What the judge would bill is compared with the limit
and with what the ledger says was spent. Then the limit is raised, and the run goes on where it
stopped. Exits 1 where more was spent than allowed, or the figures differ.
"""

import argparse
import json
import multiprocessing
import sys
import tempfile
import urllib.request
from decimal import Decimal
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
THROUGHPUT = REPOSITORY / "benchmarks" / "throughput"
sys.path[:0] = [str(REPOSITORY), str(THROUGHPUT)]

from serving import fake_judge
from workload import KEY_NAME, PLAYBOOK, write_project

from citeval_assets.evaluation.project import Project
from citeval_assets.evaluation.service import RunOptions, Service
from citeval_assets.ledger.spending import run_scope

INPUT, OUTPUT = Decimal(3), Decimal(15)
"""US dollars per million tokens."""

RUN = "the run"


def billed(base: str) -> tuple[Decimal, int]:
    """Return what the judge would bill for all it answered, and for how many calls."""
    with urllib.request.urlopen(base.removesuffix("/v1") + "/stats") as reply:  # loopback
        told = json.load(reply)
    usd = (told["prompt_tokens"] * INPUT + told["completion_tokens"] * OUTPUT) / 1_000_000
    return usd, told["requests"]


def make_project(folder: Path, base: str, cases: int) -> None:
    write_project(folder, cases, api_base=base, concurrency=32)
    settings = json.loads((folder / "citeval.yaml").read_text())
    price = {"input_per_million": float(INPUT), "output_per_million": float(OUTPUT)}
    settings["models"][0]["price"] = price
    settings["models"][0]["limits"]["max_output_tokens"] = 1024
    settings["calibration"] = {"qualification": {"canaries": False}}
    (folder / "citeval.yaml").write_text(json.dumps(settings))
    service_of(folder, None).register_cases(PLAYBOOK)


def service_of(folder: Path, limit: Decimal | None) -> Service:
    project = Project.load(folder, {"DAGSTER_HOME": str(folder / "home"), KEY_NAME: "bench-key-00"})
    return Service(project, RunOptions(budget_usd=limit, spending_scope=RUN))


def judge(folder: Path, limit: Decimal) -> int:
    service = service_of(folder, limit)
    [cell] = service.project.cells()
    return service.judge(cell).calls


def spent(folder: Path) -> tuple[Decimal, Decimal]:
    with service_of(folder, None).project.open_ledger() as ledger:
        return ledger.spent(run_scope(RUN))


def tried(base: str, cases: int, processes: int) -> dict[str, Any]:
    """Run under a limit, in so many processes; then raise it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "project"
        make_project(folder, base, cases)
        before, calls_before = billed(base)
        limit = Decimal(cases) * Decimal("0.006")
        if processes == 1:
            judge(folder, limit)
        else:
            context = multiprocessing.get_context("spawn")
            workers = [
                context.Process(target=judge, args=(folder, limit)) for _ in range(processes)
            ]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
        after, calls_after = billed(base)
        told, reserved = spent(folder)
        rest = judge(folder, limit * 10)
        return {
            "processes": processes,
            "limit_usd": str(limit),
            "billed_usd": str(after - before),
            "over_the_limit_usd": str(max(after - before - limit, Decimal(0))),
            "unused_usd": str(limit - (after - before)),
            "ledger_says_spent_usd": str(told),
            "still_set_aside_usd": str(reserved),
            "calls": calls_after - calls_before,
            "cases": cases,
            "calls_after_the_limit_was_raised": rest,
            "right": after - before <= limit
            and abs(told - (after - before)) < Decimal("0.000001")
            and 0 < calls_after - calls_before < cases
            and calls_after - calls_before + rest == cases,
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--json", action="store_true", help="on one line")
    chosen = parser.parse_args()
    with fake_judge(latency_ms=20) as base:
        found = [tried(base, chosen.cases, processes) for processes in (1, 4)]
    print(json.dumps(found, indent=None if chosen.json else 2))
    return 0 if all(one["right"] for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
