"""Every tool as one command that prints its result: citeval, bare clients and peers."""

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "peers"))

from found import BARE, NAMES, command_of
from given import SILENT, WARM_UP
from serving import stats

CITEVAL = ("citeval-lean", "citeval-stock")
ALL = (*BARE, *CITEVAL, *NAMES)

Result = dict[str, Any]


@dataclass(frozen=True)
class Work:
    """What every tool is given."""

    cases: int
    concurrency: int
    folder: Path

    def write(self) -> None:
        """Write the messages citeval would send, and the form of a reply it would ask for."""
        from measure import prompts, schema

        lines = [json.dumps(messages) for messages in prompts(self.cases)]
        (self.folder / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
        (self.folder / "format.json").write_text(json.dumps(schema()), encoding="utf-8")

    def environ(self, base: str) -> dict[str, str]:
        return {
            **os.environ,
            **SILENT,
            "BASE_URL": base,
            "CASES_FILE": str(self.folder / "cases.jsonl"),
            "FORMAT_FILE": str(self.folder / "format.json"),
            "CONCURRENCY": str(self.concurrency),
        }


Tool = Callable[[str, Work], Result]


def available(
    names: tuple[str, ...], environments: Path | None
) -> tuple[dict[str, Tool], list[str]]:
    """Return the tools there are, and the names of those that are not installed."""
    found: dict[str, Tool] = {}
    missing: list[str] = []
    for name in names:
        if name in CITEVAL:
            found[name] = _citeval(name)
        elif (command := command_of(name, environments)) is not None:
            found[name] = _peer(name, *command)
        else:
            missing.append(name)
    return found, missing


def _citeval(name: str) -> Tool:
    def run(base: str, work: Work) -> Result:
        command = [sys.executable, str(HERE / "measure.py"), name, "--base", base]
        command += ["--cases", str(work.cases), "--concurrency", str(work.concurrency)]
        return _run(name, command, dict(os.environ), base, work)

    return run


def _peer(name: str, command: list[str], environ: dict[str, str]) -> Tool:
    def run(base: str, work: Work) -> Result:
        return _run(name, command, {**work.environ(base), **environ}, base, work)

    return run


def _run(name: str, command: list[str], environ: dict[str, str], base: str, work: Work) -> Result:
    before = stats(base)["requests"]
    done = subprocess.run(command, env=environ, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stdout[-1500:]}\n{done.stderr[-3000:]}")
    result: Result = json.loads(done.stdout.splitlines()[-1])
    requests = stats(base)["requests"] - before
    result["requests_at_server"] = requests - WARM_UP
    result["cpu_ms_per_case"] = round(1000 * result["loop"]["cpu_s"] / work.cases, 4)
    expected = work.cases + result.get("canary_calls", 0)
    result["as_asked"] = requests - WARM_UP == expected and result["parsed"] == work.cases
    return result


def other(command: str) -> Tool:
    """Return any other program, measured from outside with its start-up."""

    def run(base: str, work: Work) -> Result:
        started, before, requests = time.perf_counter(), os.times(), stats(base)["requests"]
        done = subprocess.run(shlex.split(command), env=work.environ(base))
        wall, after = time.perf_counter() - started, os.times()
        cpu = after.children_user + after.children_system
        cpu -= before.children_user + before.children_system
        return {
            "loop": {"cpu_s": round(cpu, 3), "wall_s": round(wall, 3)},
            "cpu_ms_per_case": round(1000 * cpu / work.cases, 4),
            "requests_at_server": stats(base)["requests"] - requests,
            "exit_code": done.returncode,
            "note": "start-up included",
        }

    return run
