"""``dagster dev`` over a project, in a process group of its own, and its GraphQL interface."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
_FINAL = {"SUCCESS", "FAILURE", "CANCELED"}


@dataclass(frozen=True)
class Live:
    """A running interface with its daemon."""

    folder: Path
    home: Path
    url: str
    process: "subprocess.Popen[bytes]"
    log: Path

    def ask(self, query: str, **variables: Any) -> dict[str, Any]:
        """Put a question to the GraphQL interface."""
        body = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(
            f"{self.url}/graphql", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=120) as reply:
            answer = json.loads(reply.read())
        if "errors" in answer:
            raise RuntimeError(answer["errors"][0]["message"])
        return answer["data"]

    def launch(self, job: str, config: Mapping[str, Any] | None = None, **tags: str) -> str:
        """Launch a job as a person does in the launchpad; return the run id."""
        data = self.ask(
            """mutation ($params: ExecutionParams!) { launchRun(executionParams: $params) {
            __typename ... on LaunchRunSuccess { run { runId } }
            ... on PythonError { message }
            ... on RunConfigValidationInvalid { errors { message } } } }""",
            params={
                "selector": {
                    "repositoryLocationName": "citeval",
                    "repositoryName": "__repository__",
                    "jobName": job,
                },
                "runConfigData": json.dumps(config or {}),
                "executionMetadata": {"tags": [{"key": k, "value": v} for k, v in tags.items()]},
            },
        )["launchRun"]
        if data["__typename"] != "LaunchRunSuccess":
            raise RuntimeError(f"{job}: {data}")
        return data["run"]["runId"]

    def runs(self) -> list[dict[str, Any]]:
        """Return the runs so far, the newest first."""
        found = self.ask(
            """{ runsOrError(limit: 500) { ... on Runs { results { runId jobName status startTime
            endTime creationTime tags { key value } } } } }"""
        )["runsOrError"]["results"]
        return [{**run, "tags": {t["key"]: t["value"] for t in run["tags"]}} for run in found]

    def ticks(self, name: str) -> list[dict[str, Any]]:
        """Return the newest ticks of a sensor, the newest first."""
        return self.ask(
            """query ($s: InstigationSelector!) { instigationStateOrError(instigationSelector: $s) {
            ... on InstigationState { ticks(limit: 300) { status timestamp endTimestamp skipReason
            runIds error { message } } } } }""",
            s={
                "repositoryLocationName": "citeval",
                "repositoryName": "__repository__",
                "name": name,
            },
        )["instigationStateOrError"]["ticks"]

    def wait(self, what: str, until: Callable[[], Any], seconds: float = 300) -> Any:
        """Wait until something is true; return it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = until()
            if found:
                return found
            if self.process.poll() is not None:
                raise RuntimeError(f"dagster dev ended with {self.process.returncode}: {self.log}")
            time.sleep(1.0)
        raise TimeoutError(f"{what}: not within {seconds:g} s; see {self.log}")

    def finished(self, run_id: str, seconds: float = 300) -> str:
        """Wait for a run to end; return its status."""

        def status() -> str | None:
            for run in self.runs():
                if run["runId"] == run_id and run["status"] in _FINAL:
                    return run["status"]
            return None

        return self.wait(f"run {run_id}", status, seconds)

    def quiet(self, seconds: float = 300) -> list[dict[str, Any]]:
        """Wait until no run is under way; return all runs."""

        def done() -> list[dict[str, Any]] | None:
            runs = self.runs()
            return runs if all(run["status"] in _FINAL for run in runs) else None

        return self.wait("all runs", done, seconds)


def free_port() -> int:
    """Return a port nobody uses just now."""
    with socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextmanager
def live(folder: Path, home: Path, environ: Mapping[str, str] | None = None) -> Iterator[Live]:
    """Run the interface and the daemon over a project for the length of a block."""
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "dagster.yaml").exists():
        text = (REPOSITORY / "dagster_home" / "dagster.yaml").read_text(encoding="utf-8")
        (home / "dagster.yaml").write_text(text, encoding="utf-8")
    variables = {
        **os.environ,
        "DAGSTER_HOME": str(home),
        "CITEVAL_PROJECT": str(folder),
        "PYTHONPATH": str(REPOSITORY),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        **(environ or {}),
    }
    dagster = str(Path(sys.executable).parent / "dagster")
    port = free_port()
    log = home / "dagster-dev.log"
    command = [dagster, "dev", "-w", str(REPOSITORY / "workspace.yaml")]
    command += ["-h", "127.0.0.1", "-p", str(port)]
    with log.open("wb") as stream:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=variables,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    running = Live(folder, home, f"http://127.0.0.1:{port}", process, log)
    try:
        running.wait("the interface", lambda: _answers(running), 180)
        yield running
    finally:
        _end(process)


def _answers(running: Live) -> bool:
    try:
        found = running.ask("{ workspaceOrError { ... on Workspace { locationEntries { name "
                            "loadStatus locationOrLoadError { __typename } } } } }")  # fmt: skip
    except (OSError, RuntimeError):
        return False
    entries = found["workspaceOrError"]["locationEntries"]
    return bool(entries) and all(
        e["loadStatus"] == "LOADED"
        and (e["locationOrLoadError"] or {}).get("__typename") == "RepositoryLocation"
        for e in entries
    )


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the process group: dagster dev leaves its children behind otherwise."""
    for number in (signal.SIGINT, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            return
        try:
            process.wait(20)
            if number is signal.SIGINT:
                time.sleep(2)
                continue
        except subprocess.TimeoutExpired:
            continue
