"""40 partitions, judged as one run and as many, while the published file is read and replaced.

    .venv/bin/python -m benchmarks.automation.backfill [--ways one processes daemon]

Three ways: ``one`` bulk run in one process (what sensors and reconcile ask for), ``processes``
eight run processes side by side, five partitions each, and ``daemon``: a backfill from the
interface, one run per partition, eight at a time. Beside each a reader opens the published
snapshot again and again, and a publisher replaces it. Counts failed runs, and what failed to get a
lock. All offline, embedded judge.
"""

import argparse
import multiprocessing
import os
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg

from benchmarks.automation.live import live
from citeval_assets.defs.assembly import assemble
from citeval_assets.defs.bulk import bulk_config
from citeval_assets.defs.instance import open_instance
from citeval_assets.defs.jobs import evaluation_job_name
from citeval_assets.defs.partitions import partition_of, sync_partitions
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.evaluation.project import Cell
from citeval_assets.evaluation.service import Service
from citeval_assets.warehouse.connection import WarehouseError, WarehouseMissing, open_snapshot
from tests.small_project import CASES, SmallProject, make_project

PLAYBOOK = "citation_accuracy"
MODELS = 20
CASES_EACH = 20
QUIET: dict[str, Any] = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
SPAWN = multiprocessing.get_context("spawn")
EIGHT = """\
telemetry: {enabled: false}
nux: {enabled: false}
concurrency: {runs: {max_concurrent_runs: 8}}
run_monitoring: {enabled: true, free_slots_after_run_end_seconds: 60}
"""


@dataclass
class Outcome:
    """What one way came to."""

    seconds: float = 0.0
    partitions: int = 0
    runs: int = 0
    failures: list[str] = field(default_factory=list)
    reads: int = 0
    publications: int = 0
    bystander_failures: list[str] = field(default_factory=list)


def make(folder: Path) -> SmallProject:
    """Write a project with 20 judges, so 40 cells of one playbook, registered but not judged."""
    entries = "".join(
        f"  - {{id: judge-{n:02}, model: embedded/overlap-0, roles: [judge]}}\n"
        for n in range(MODELS)
    )
    settings = f"models:\n{entries}systems:\n  - {{label: prod, stage: production}}\n"
    project = make_project(folder, settings)
    row = CASES[PLAYBOOK][0]
    rows = [{**row, "test_case_id": f"case-{n}", "system": "prod"} for n in range(CASES_EACH)]
    project.write_rows(PLAYBOOK, rows)
    service = Service(project.load())
    service.register_cases(PLAYBOOK)
    service.publish()
    project.home.mkdir(parents=True, exist_ok=True)
    (project.home / "dagster.yaml").write_text(EIGHT, encoding="utf-8")
    with open_instance(project.home) as instance:
        sync_partitions(instance, project.load())
    return project


def cells_of(project: SmallProject) -> list[Cell]:
    return list(project.load().cells([PLAYBOOK]))


@contextmanager
def bystanders(project: SmallProject, outcome: Outcome) -> Iterator[None]:
    """Read the published file all the time, and publish it anew every second."""
    over = threading.Event()
    loaded = project.load()

    def read() -> None:
        while not over.is_set():
            try:
                with open_snapshot(loaded.published_path) as connection:
                    connection.execute("SELECT count(*) FROM current_reports").fetchone()
                outcome.reads += 1
            except (WarehouseError, OSError) as error:
                outcome.bystander_failures.append(f"reader: {error}")
            over.wait(0.02)

    def publish() -> None:
        while not over.is_set():
            try:
                Service(loaded).publish()
                outcome.publications += 1
            except WarehouseMissing:
                pass
            except (WarehouseError, OSError) as error:
                outcome.bystander_failures.append(f"publisher: {error}")
            over.wait(1.0)

    threads = [threading.Thread(target=work) for work in (read, publish)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def as_one(project: SmallProject, cells: Sequence[Cell]) -> list[str]:
    """Judge all cells in one run; return what failed."""
    definitions = assemble(ServiceFactory(project.folder, environ=project.environ))
    with open_instance(project.home) as instance:
        result = definitions.resolve_job_def("evaluate_cells").execute_in_process(
            instance=instance,
            run_config={**QUIET, **bulk_config(cells, "benchmark")},
            raise_on_error=False,
        )
        return [str(event) for event in result.get_step_failure_events()]


def some_partitions(folder: Path, home: Path, keys: Sequence[str], failed: Any) -> None:
    """Be one run process after the other: judge these partitions, each in a run of its own."""
    definitions = assemble(ServiceFactory(folder, environ={"DAGSTER_HOME": str(home)}))
    job = definitions.resolve_job_def(evaluation_job_name(PLAYBOOK))
    with open_instance(home) as instance:
        for key in keys:
            model, prompt = key.split("|")
            result = job.execute_in_process(
                instance=instance,
                partition_key=dg.MultiPartitionKey({"model": model, "prompt": prompt}),
                run_config=QUIET,
                raise_on_error=False,
            )
            for event in result.get_step_failure_events():
                failed.put(f"{key}: {event}")


def as_processes(project: SmallProject, cells: Sequence[Cell], at_once: int = 8) -> list[str]:
    """Judge the cells in eight processes side by side; return what failed."""
    failed = SPAWN.Queue()
    keys = [str(partition_of(cell)) for cell in cells]
    workers = [
        SPAWN.Process(
            target=some_partitions, args=(project.folder, project.home, keys[n::at_once], failed)
        )
        for n in range(at_once)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    found = [f"a process ended with {w.exitcode}" for w in workers if w.exitcode]
    while not failed.empty():
        found.append(failed.get())
    return found


def as_backfill(project: SmallProject, cells: Sequence[Cell]) -> list[str]:
    """Judge the cells by a backfill from the interface; return what failed."""
    keys = [str(partition_of(cell)) for cell in cells]
    with live(project.folder, project.home) as running:
        began = time.monotonic()
        running.ask(
            """mutation ($p: LaunchBackfillParams!) { launchPartitionBackfill(backfillParams: $p) {
            __typename ... on PythonError { message } } }""",
            p={
                "assetSelection": [
                    {"path": [PLAYBOOK, "judge_outputs"]},
                    {"path": [PLAYBOOK, "validated_reports"]},
                ],
                "partitionNames": keys,
                "title": "forty",
            },
        )

        def mine() -> list[dict[str, Any]]:
            return [run for run in running.runs() if "dagster/backfill" in run["tags"]]

        def done() -> bool:
            runs = mine()
            ended = [r for r in runs if r["status"] in ("SUCCESS", "FAILURE")]
            return len(ended) == len(keys)

        running.wait("the backfill", done, 3600)
        print(f"  backfill: {time.monotonic() - began:.0f} s from click to the last run")
        failed = [
            f"{r['tags']['dagster/partition']} failed" for r in mine() if r["status"] != "SUCCESS"
        ]
        text = running.log.read_text(encoding="utf-8", errors="replace")
        locked = [line[:200] for line in text.splitlines() if "locked" in line or "Busy" in line]
        return failed + locked


WAYS = {"one": as_one, "processes": as_processes, "daemon": as_backfill}


def measure(way: str, folder: Path) -> Outcome:
    """Judge 40 partitions in one of the ways."""
    project = make(folder)
    cells = cells_of(project)
    outcome = Outcome(partitions=len(cells))
    with bystanders(project, outcome):
        began = time.monotonic()
        outcome.failures = WAYS[way](project, cells)
        outcome.seconds = time.monotonic() - began
    with open_instance(project.home) as instance:
        outcome.runs = instance.get_runs_count()
        done = instance.get_materialized_partitions(dg.AssetKey([PLAYBOOK, "validated_reports"]))
    if len(done) != len(cells):
        outcome.failures.append(f"{len(done)} of {len(cells)} partitions have reports")
    return outcome


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ways", nargs="+", choices=[*WAYS], default=["one", "processes"])
    for name in parser.parse_args().ways:
        with tempfile.TemporaryDirectory() as scratch:
            cpu = os.times()
            found = measure(name, Path(scratch))
            spent = os.times()
            total = sum(spent[:4]) - sum(cpu[:4])
            print(
                f"{name:10} {found.partitions} partitions, {found.runs} runs, "
                f"{found.seconds:.0f} s ({total:.0f} CPU s), {len(found.failures)} failures; "
                f"published file read {found.reads} times, replaced {found.publications} times, "
                f"{len(found.bystander_failures)} failures",
                flush=True,
            )
            for line in (*found.failures, *found.bystander_failures)[:10]:
                print("   ", line[:300])
