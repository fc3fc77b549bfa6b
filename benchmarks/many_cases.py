"""How much memory a hundred thousand cases take, judged through litellm over loopback.

    python benchmarks/many_cases.py [--cases 100000] [--json]

Short cases of one dataset are registered from a stream and judged in one process against the fake
judge, with ledger, validation and scoring as in any run. Told are the memory of the process before
the first case, after each fifth of them, and at most; then that of an unchanged rerun, in a process
of its own. ``--road embedded`` judges with a model that needs no litellm.
"""

import argparse
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "benchmarks" / "throughput")]

from serving import fake_judge
from workload import KEY_NAME, MODEL, PLAYBOOK, write_project

from citeval_assets.datasets.hashing import canonical_json, case_hash
from citeval_assets.evaluation.inputs import CaseSettings
from citeval_assets.evaluation.partition import judge_cell
from citeval_assets.evaluation.project import ALL_DATASETS, Project
from citeval_assets.evaluation.service import RunOptions
from citeval_assets.judging.progress import Progress
from citeval_assets.ledger.records import CaseRecord, DatasetMember, DatasetRecord
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.rules import DomainRules

VERSION = "many"


def now_mb() -> float:
    """Return the memory of this process at present (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return round(pages * resource.getpagesize() / 2**20, 1)


def peak_mb() -> float:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def records(cases: int) -> Iterator[CaseRecord]:
    """Yield the cases one by one."""
    case_type = get_playbook(PLAYBOOK).case_type
    for number in range(cases):
        fact = f"Lamp {number} was moved to hall {number % 97} in {1500 + number % 500}."
        case = case_type.model_validate(
            {
                "test_case_id": f"case-{number:06}",
                "system": "prod",
                "question": f"Where is lamp {number}?",
                "sources": [{"id": "1", "text": f"{fact} It still burns."}],
                "answer": f"{fact[:-1]} [1].",
            }
        )
        content = canonical_json(case.model_dump(mode="json", exclude_defaults=True))
        name = case.test_case_id
        yield CaseRecord(case_hash(PLAYBOOK, case), PLAYBOOK, name, "prod", content)


def register(folder: Path, cases: int) -> None:
    """Register the cases without ever holding them."""
    rules = CaseSettings(rules=DomainRules()).model_dump_json()
    with project_of(folder).open_ledger() as ledger:
        members = tuple(
            DatasetMember("cases", "golden", record.case_hash, rules, position)
            for position, record in enumerate(records(cases))
        )
        ledger.register_dataset(DatasetRecord(PLAYBOOK, VERSION, members), records(cases))
        ledger.make_current("dataset", f"{PLAYBOOK}/{ALL_DATASETS}", VERSION)


def project_of(folder: Path) -> Project:
    return Project.load(folder, {"DAGSTER_HOME": str(folder / "home"), KEY_NAME: "bench-key-00"})


def judge(folder: Path, cases: int, tell: Any) -> None:
    """Judge all cases and tell what it took."""
    project = project_of(folder)
    [cell] = project.cells()
    marks = {"before the first case": now_mb()}
    step = max(cases // 5, 1)

    def progress(seen: Progress) -> None:
        if seen.cases and seen.cases % step == 0:
            marks[f"after {seen.cases}"] = now_mb()

    model = project.settings.model(cell.model)
    started, cpu = time.perf_counter(), time.process_time()
    with project.open_ledger() as ledger:
        judged = judge_cell(
            project,
            ledger,
            cell,
            scope=ALL_DATASETS,
            run_id="run",
            policy=RunOptions().policy(model, [model]),
            progress=progress,
        )
    tell.put(
        {
            "cases": judged.summary.cases,
            "valid": judged.summary.valid,
            "calls": judged.summary.calls,
            "memory_mb": marks,
            "peak_mb": peak_mb(),
            "seconds": round(time.perf_counter() - started, 1),
            "cpu_ms_per_case": round(1000 * (time.process_time() - cpu) / cases, 3),
            "litellm_imported": "litellm" in sys.modules,
        }
    )


def apart(target: Any, *given: Any) -> Any:
    """Run something in a fresh process and return what it tells."""
    context = multiprocessing.get_context("spawn")
    tell = context.SimpleQueue()
    process = context.Process(target=target, args=(*given, tell))
    process.start()
    process.join()
    if process.exitcode != 0:
        sys.exit(f"the process ended with {process.exitcode}")
    return tell.get()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--road", choices=("lean", "stock", "embedded"), default="lean")
    parser.add_argument("--json", action="store_true", help="on one line")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, fake_judge(latency_ms=0) as base:
        folder = Path(name) / "project"
        road = "auto" if chosen.road == "embedded" else chosen.road
        write_project(folder, 1, api_base=base, road=road, concurrency=32)
        settings = json.loads((folder / "citeval.yaml").read_text())
        if chosen.road == "embedded":
            settings["models"] = [{"id": MODEL, "model": "embedded/overlap-0", "roles": ["judge"]}]
        settings["calibration"] = {"qualification": {"canaries": False}}
        (folder / "citeval.yaml").write_text(json.dumps(settings))
        register(folder, chosen.cases)
        result = {
            "judged": apart(judge, folder, chosen.cases),
            "again": apart(judge, folder, chosen.cases),
        }
    print(json.dumps(result, indent=None if chosen.json else 2))
    first, again = result["judged"], result["again"]
    complete = first["valid"] == chosen.cases and again["calls"] == 0
    return 0 if complete and max(first["peak_mb"], again["peak_mb"]) < 300 else 1


if __name__ == "__main__":
    sys.exit(main())
