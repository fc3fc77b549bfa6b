"""How much memory many cases take, each step by itself, judged through litellm over loopback.

    python benchmarks/many_cases.py [--cases 100000] [--json]

Short cases from one JSON Lines file are registered, judged against the fake judge, judged again
with nothing changed, and written to the warehouse. Each step is a process of its own, as in
Dagster, and tells its memory in MB before it does anything, on the way and at most; judging also
after litellm is loaded and after every 10,000 cases, with the growth per case from the first tenth
to the end. ``--road embedded`` judges with a model that needs no litellm, ``--text`` makes cases
longer.
"""

import argparse
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "benchmarks" / "throughput")]

from serving import fake_judge
from workload import KEY_NAME, MODEL, PLAYBOOK, write_project

from citeval_assets.evaluation.inputs import register_cases
from citeval_assets.evaluation.partition import judge_cell
from citeval_assets.evaluation.project import ALL_DATASETS, Project
from citeval_assets.judging.policy import JudgingPolicy, comparison_budget
from citeval_assets.judging.progress import Progress

LIMIT_MB = 300
"""What judging may take."""

_STEP = 10_000


def now_mb() -> float:
    """Return the memory of this process at present (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return round(pages * resource.getpagesize() / 2**20, 1)


def peak_mb() -> float:
    """Return the most memory this process had."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


@dataclass
class Marks:
    """What one step tells."""

    marks: dict[str, float] = field(default_factory=dict[str, float])
    started: float = field(default_factory=time.perf_counter)
    cpu: float = field(default_factory=time.process_time)

    def set(self, name: str) -> None:
        """Note the memory at a point, once."""
        self.marks.setdefault(name, now_mb())

    def told(self, cases: int, **more: object) -> dict[str, Any]:
        """Return all there is to tell."""
        seconds = time.perf_counter() - self.started
        return {
            "memory_mb": self.marks,
            "peak_mb": peak_mb(),
            "seconds": round(seconds, 1),
            "seconds_per_10000": round(seconds / cases * 10_000, 1),
            "cpu_ms_per_case": round(1000 * (time.process_time() - self.cpu) / cases, 3),
            "imported": [name for name in ("litellm", "pandas", "duckdb") if name in sys.modules],
            **more,
        }


def write_cases(folder: Path, cases: int, text: int) -> None:
    """Write the cases as the rows of a file, about ``text`` characters of passage each."""
    with (folder / "data" / "cases.jsonl").open("w", encoding="utf-8") as file:
        for number in range(cases):
            fact = f"Lamp {number} was moved to hall {number % 97} in {1500 + number % 500}."
            padding = f"It burned on evening {number} as it had before. "
            row = {
                "test_case_id": f"case-{number:06}",
                "system": "prod",
                "question": f"Where is lamp {number}?",
                "sources": [{"id": "1", "text": f"{fact} {padding * (text // len(padding))}"}],
                "answer": f"{fact[:-1]} [1].",
            }
            file.write(json.dumps(row) + "\n")


def project_of(folder: Path) -> Project:
    return Project.load(folder, {"DAGSTER_HOME": str(folder / "home"), KEY_NAME: "bench-key-00"})


def register(folder: Path, cases: int, tell: Any) -> None:
    """Register the cases in the ledger."""
    project, marks = project_of(folder), Marks()
    marks.set("before the first case")
    with project.open_ledger() as ledger:
        registered = register_cases(project, ledger, PLAYBOOK)
    marks.set("after registration")
    tell.put(marks.told(cases, registered=registered.summary.cases))


def show(folder: Path, cases: int, tell: Any) -> None:
    """Register again, with nothing changed, and show the cases in the warehouse."""
    from citeval_assets.evaluation.service import Service

    project, marks = project_of(folder), Marks()
    marks.set("before the first case")
    Service(project).register_cases(PLAYBOOK)
    marks.set("after registration")
    tell.put(marks.told(cases))


def judge(folder: Path, cases: int, tell: Any) -> None:
    """Judge all cases."""
    project, marks = project_of(folder), Marks()
    [cell] = project.cells()
    marks.set("before the first case")

    def progress(seen: Progress) -> None:
        if seen.calls and "litellm" in sys.modules:
            marks.set("after litellm and the first call")
        if seen.cases and (seen.cases % _STEP == 0 or seen.cases in (cases // 10, cases)):
            marks.set(f"after {seen.cases}")

    model = project.settings.model(cell.model)
    policy = JudgingPolicy.for_model(
        model, token_budget=comparison_budget([model]), refresh=False, repeat=0
    )
    with project.open_ledger() as ledger:
        judged = judge_cell(
            project,
            ledger,
            cell,
            scope=ALL_DATASETS,
            run_id="run",
            policy=policy,
            progress=progress,
        )
    marks.set("recorded")
    summary = judged.summary
    told = marks.told(cases, judged=summary.cases, valid=summary.valid, calls=summary.calls)
    first, last = (marks.marks.get(f"after {number}") for number in (cases // 10, cases))
    if first is not None and last is not None:
        grown_kb = (last - first) * 1024 / (cases - cases // 10)
        told["growth_kb_per_case"] = round(grown_kb, 3)
    tell.put(told)


def report(folder: Path, cases: int, tell: Any) -> None:
    """Write the reports to the warehouse."""
    from citeval_assets.evaluation.service import Service

    project, marks = project_of(folder), Marks()
    [cell] = project.cells()
    marks.set("before the first case")
    Service(project).report(cell)
    marks.set("after the write of the warehouse")
    tell.put(marks.told(cases))


def apart(step: Callable[[Path, int, Any], None], folder: Path, cases: int) -> dict[str, Any]:
    """Run a step in a fresh process and return what it tells."""
    context = multiprocessing.get_context("spawn")
    tell = context.SimpleQueue()
    process = context.Process(target=step, args=(folder, cases, tell))
    process.start()
    process.join()
    if process.exitcode != 0:
        sys.exit(f"the process ended with {process.exitcode}")
    return tell.get()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--text", type=int, default=0, help="characters of passage to a case")
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
        write_cases(folder, chosen.cases, chosen.text)
        steps = {
            "registered": register,
            "judged": judge,
            "judged again": judge,
            "reported": report,
            "registered again and shown": show,
        }
        result: dict[str, dict[str, Any]] = {}
        for title, step in steps.items():
            result[title] = apart(step, folder, chosen.cases)
            if not chosen.json:
                print(json.dumps({title: result[title]}, indent=2), flush=True)
    if chosen.json:
        print(json.dumps(result))
    first, again = result["judged"], result["judged again"]
    complete = first["valid"] == chosen.cases and again["calls"] == 0
    return 0 if complete and max(first["peak_mb"], again["peak_mb"]) < LIMIT_MB else 1


if __name__ == "__main__":
    sys.exit(main())
