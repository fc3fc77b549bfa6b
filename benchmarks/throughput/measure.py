"""citeval, one run: judge the cases against the server and tell what it took, as JSON.

Each run is a process of its own. What is loaded on the way (imports, the first calls) is told as
start-up; the loop is what comes after, over all cases. The same for the others is in ``peers``.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE / "peers")]

from given import KEY, WARM_UP, Stopwatch, peak_mb
from workload import KEY_NAME, PLAYBOOK, write_project


def environ(folder: Path) -> dict[str, str]:
    return {"DAGSTER_HOME": str(folder / "home"), KEY_NAME: KEY}


def citeval(base: str, cases: int, concurrency: int, road: str) -> dict[str, Any]:
    """All of a run that is done for each case: ledger, look-up, call, validation, scoring."""
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.service import Service

    begun = Stopwatch()
    with tempfile.TemporaryDirectory() as name:
        warm = _service(Project, Service, Path(name) / "warm", WARM_UP, base, concurrency, road)
        warmed = warm.judge(warm.project.cells()[0])
        service = _service(Project, Service, Path(name) / "all", cases, base, concurrency, road)
        [cell] = service.project.cells()
        started, start = peak_mb(), begun.read()
        watch = Stopwatch()
        summary = service.judge(cell)
        loop = watch.read()
        peak = peak_mb()
        watch = Stopwatch()
        again = service.judge(cell)
        rerun = watch.read()
        watch = Stopwatch()
        service.report(cell)
        return {
            "start": start,
            "loop": loop,
            "calls": summary.calls,
            # The cases that ride along to show whether the judge judges at all.
            "canary_calls": warmed.calls - WARM_UP + summary.calls - cases,
            "parsed": summary.valid,
            "peak_mb": peak,
            "grown_mb": peak - started,
            "rerun": {**rerun, "calls": again.calls, "reused_calls": again.reused_calls},
            "report": watch.read(),
        }


def _service(
    project: Any, service: Any, folder: Path, cases: int, base: str, concurrency: int, road: str
) -> Any:
    write_project(folder, cases, api_base=base, road=road, concurrency=concurrency)
    made = service(project.load(folder, environ(folder)))
    made.register_cases(PLAYBOOK)
    return made


def prompts(cases: int) -> list[list[dict[str, str]]]:
    """Return the messages citeval would send: the bare tools are given the same."""
    from citeval_assets.evaluation.cases import current_dataset, prepared_cases
    from citeval_assets.evaluation.project import ALL_DATASETS, Project
    from citeval_assets.evaluation.service import Service
    from citeval_assets.playbooks.registry import get_playbook
    from citeval_assets.templates.render import render_messages

    playbook = get_playbook(PLAYBOOK)
    with tempfile.TemporaryDirectory() as name:
        made = _service(
            Project, Service, Path(name) / "p", cases, "http://127.0.0.1:9/v1", 1, "auto"
        )
        [cell] = made.project.cells()
        template = made.project.templates.get(PLAYBOOK, cell.prompt_version)
        with made.project.open_ledger() as ledger:
            dataset = current_dataset(ledger, PLAYBOOK, ALL_DATASETS)
            return [
                [
                    {"role": str(message.role), "content": message.content}
                    for message in render_messages(
                        template,
                        playbook.slot_values(case.prepared.view),
                        feedback="",
                        secret=ledger.secret(),
                    )
                ]
                for case in prepared_cases(ledger, dataset)
            ]


def schema() -> dict[str, Any]:
    from citeval_assets.judging.schemas import reply_schema
    from citeval_assets.playbooks.registry import get_playbook

    asked = reply_schema(get_playbook(PLAYBOOK))
    body = {"name": asked.name, "strict": True, "schema": dict(asked.schema)}
    return {"type": "json_schema", "json_schema": body}


ROADS = {"citeval-lean": "lean", "citeval-stock": "stock"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool", choices=ROADS)
    parser.add_argument("--base", required=True)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--concurrency", type=int, default=64)
    chosen = parser.parse_args()
    watch = Stopwatch()
    result = citeval(chosen.base, chosen.cases, chosen.concurrency, ROADS[chosen.tool])
    result["process"] = watch.read()
    print(json.dumps(result))


if __name__ == "__main__":
    main()
