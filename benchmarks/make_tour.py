"""Make the pictures of docs/tour.md: the interface with real runs, in a browser without a window.

    .venv/bin/python -m benchmarks.make_tour [--only NAME ...] [--keep DIR]

Judges the shipped golden data of one playbook (with the offline judges) and production traces,
starts the interface over it, and takes one picture per page. Needs chromium; nothing leaves the
machine. Existing pictures are replaced.
"""

import argparse
import json
import shutil
import subprocess
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.automation.live import REPOSITORY, Live, live
from citeval_assets.defs.assembly import assemble
from citeval_assets.defs.instance import open_instance
from citeval_assets.defs.partitions import sync_partitions
from citeval_assets.defs.production import SAMPLE_JOB, TRACES_JOB, night_config
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.defs.running import DagsterRun
from tests.small_project import SmallProject, make_project

PICTURES = REPOSITORY / "docs" / "tour"
BROWSER = shutil.which("chromium") or "/usr/bin/chromium"
MOST_BYTES = 200_000
QUIET: dict[str, Any] = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}

SETTINGS = """\
models:
  - {id: lexical, model: embedded/lexical-1, roles: [judge], stage: candidate}
  - {id: overlap, model: embedded/overlap-0, roles: [judge], stage: production}
  - {id: extractive, model: embedded/extractive-0, roles: [target], stage: production}
systems:
  - {label: prod, stage: production}
  - {label: candidate, stage: candidate}
gates:
  - name: candidate-cites-faithfully
    playbook: citation_faithfulness
    baseline: prod
    candidate: candidate
    judge: overlap
sampling: {playbooks: [cot_faithfulness], per_system_per_day: 8}
"""

PAGES = {
    "graph": ("locations/citeval/asset-groups/citation_faithfulness/lineage", 1560, 880),
    "partitions": ("assets/citation_faithfulness/judge_outputs?view=partitions", 1400, 900),
    "reports": (
        "assets/citation_faithfulness/validated_reports?view=partitions&partition=overlap%7Cv1",
        1400,
        1000,
    ),
    "matrix": ("assets/evaluation_matrix?view=overview", 1400, 900),
    "production": ("assets/production/judged_sample?view=overview", 1400, 900),
    "gates": ("assets/regression_gates?view=checks", 1400, 800),
    "automation": ("automation", 1400, 900),
    "runs": ("runs", 1400, 680),
}
"""Name of a picture: the page, and the size of the window."""


def trace(number: int) -> dict[str, Any]:
    day = datetime.now(UTC) - timedelta(days=1 + number % 3)
    systems = ("prod-2026-11", "pilot")
    ending = "It hangs in the tower." if number % 4 else f"It was cast in {1500 + number}."
    return {
        "test_case_id": f"trace-{number}",
        "system": systems[number % 2],
        "produced_at": day.isoformat(),
        "question": "How heavy is the bell?",
        "sources": [{"id": "1", "text": "The bell weighs 912 kilograms. It hangs in the tower."}],
        "reasoning_trace": f"The bell weighs 912 kilograms. {ending} (request {number})",
        "final_answer": "912 kilograms.",
    }


def live_through(project: SmallProject) -> None:
    """Judge, sample production, then change a case, so that something is stale."""
    shutil.copy(
        REPOSITORY / "data" / "golden" / "citation_faithfulness.jsonl",
        project.cases_file("citation_faithfulness"),
    )
    inbox = project.folder / "data" / "traces" / "inbox"
    inbox.mkdir(parents=True)
    rows = [json.dumps(trace(number)) for number in range(60)]
    (inbox / "november.jsonl").write_text("\n".join([*rows, "{broken"]) + "\n", encoding="utf-8")
    factory = ServiceFactory(project.folder, environ=project.environ)
    definitions = assemble(factory)
    with open_instance(project.home) as instance:
        sync_partitions(instance, project.load())
        run = DagsterRun(definitions, instance, project.load())
        cells = [
            cell
            for cell in project.load().cells()
            if (cell.model, cell.prompt_version) != ("lexical", "v2")
        ]
        run.run(cells, lambda cell, number, total: print(f"{number} of {total}: {cell}"))
        tonight = night_config(datetime.now(UTC).date())
        for job, config in ((TRACES_JOB, {}), (SAMPLE_JOB, tonight)):
            definitions.resolve_job_def(job).execute_in_process(
                instance=instance, run_config={**QUIET, **config}, raise_on_error=False
            )
        rows = project.rows("cot_faithfulness")
        rows[0]["final_answer"] = "About 912 kilograms."
        project.write_rows("cot_faithfulness", rows)
        run.refresh()


def picture(running: Live, name: str) -> None:
    """Photograph one page."""
    page, width, height = PAGES[name]
    target = PICTURES / f"{name}.png"
    with tempfile.TemporaryDirectory() as profile:
        command = [
            BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            f"--window-size={width},{height}", "--virtual-time-budget=40000",
            f"--user-data-dir={profile}", f"--screenshot={target}", f"{running.url}/{page}",
        ]  # fmt: skip
        subprocess.run(command, check=True, capture_output=True, timeout=300)
    size = target.stat().st_size
    warning = "" if size <= MOST_BYTES else f"  OVER {MOST_BYTES}"
    print(f"{name}: {size} bytes{warning}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=[*PAGES], default=[*PAGES])
    parser.add_argument("--keep", type=Path, help="folder of the project; used again where it is")
    chosen = parser.parse_args()
    folder = chosen.keep or Path(tempfile.mkdtemp())
    PICTURES.mkdir(exist_ok=True)
    if (folder / "project").exists():
        project = SmallProject(folder / "project", folder / "home")
    else:
        folder.mkdir(parents=True, exist_ok=True)
        project = make_project(folder, SETTINGS)
        live_through(project)
    with live(project.folder, project.home) as running:
        time.sleep(60)
        running.quiet()
        for name in chosen.only:
            picture(running, name)
    if chosen.keep is None:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
