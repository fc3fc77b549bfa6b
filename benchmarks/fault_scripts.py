"""Every fault of a fake provider: are requests at the provider and rows in the ledger one number?

    python benchmarks/fault_scripts.py [--server fake_llm.py] [--cases 6] [--road lean] [--json]

For each fault script a project of its own is evaluated against the provider, over both roads:
each fault alone and always, each fault once and then well, and mixtures. Requests the provider
counted are compared with the attempts in the ledger, and with what the run says it made. Then one
rerun: faults are asked about again, replies are not. ``--server`` is a script that understands
``--port 0``, ``--port-file``, ``--log``, ``--case-regex``, ``--rules`` and the faults named below;
without one, and without ``shared/tools/fake_llm.py`` beside the project, the stand-in of the tests
plays those it knows.
Exits 1 where a number differs or a case is left without a state.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

REPOSITORY = Path(__file__).resolve().parents[1]
THROUGHPUT = REPOSITORY / "benchmarks" / "throughput"
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "tests"), str(THROUGHPUT)]

from stand_in_server import (
    ERROR_BODY,
    OVERLOADED,
    RESET,
    SERVER_ERROR,
    SILENT,
    Scripted,
    StandInServer,
    rate_limited,
    refuses_with,
    says,
)
from workload import KEY_NAME, PLAYBOOK, judge_reply, write_project

from citeval_assets.evaluation.project import Project
from citeval_assets.evaluation.service import Service

HANDED = REPOSITORY.parent / "shared" / "tools" / "fake_llm.py"
TRANSPORT = ("429", "500", "503", "400", "401", "reset", "reset_mid", "slow_body", "timeout")
CONTENT = (
    "bad_envelope", "malformed", "truncated", "fenced", "prose", "refusal", "content_filter",
    "empty", "null", "wrong_schema", "wrong_type", "wrong_enum", "score_range",
    "missing_citations", "nan", "dup_keys", "unicode_junk", "extra_keys",
)  # fmt: skip
MIXTURES = (
    "429,malformed,ok", "500,reset,ok", "malformed,503,ok", "timeout,ok", "truncated,429,ok",
    "429,429,429,429,ok", "empty,reset_mid,ok", "bad_envelope,malformed,ok",
)  # fmt: skip


class Provider(Protocol):
    """A provider whose faults can be scripted."""

    base: str

    def follow(self, script: str) -> None:
        """Start over: every case meets these faults, one after the other."""
        ...

    def requests(self) -> int:
        """Return how many requests came since."""
        ...


class Handed:
    """The fake server in a process of its own; its log has a line for every request."""

    def __init__(self, root: str, log: Path) -> None:
        self.base = f"{root}/v1"
        self._root, self._log, self._before = root, log, 0

    def follow(self, script: str) -> None:
        self._post("/admin/config", {"script": script})
        self._post("/admin/reset", {})
        self._before = self._lines()

    def requests(self) -> int:
        return self._lines() - self._before

    def _lines(self) -> int:
        return self._log.read_bytes().count(b"\n")

    def _post(self, path: str, body: Any) -> None:
        asked = urllib.request.Request(
            self._root + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        urllib.request.urlopen(asked).close()


@contextmanager
def handed(script: Path) -> Iterator[Provider]:
    """Run a fake server script."""
    with tempfile.TemporaryDirectory() as folder:
        port_file = Path(folder) / "port"
        command = [sys.executable, str(script), "--port", "0", "--port-file", str(port_file)]
        command += ["--rules", str(THROUGHPUT / "rules.py"), "--case-regex", r"case number (\d+)"]
        command += ["--score-field", "citation_faithfulness_score", "--enum-field", "verdict"]
        command += ["--citations-field", "claims_analysis", "--retry-after", "0"]
        command += ["--hang-s", "3", "--slow-s", "0.2", "--log", str(Path(folder) / "log")]
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            while not port_file.exists() or not port_file.read_text().strip():
                time.sleep(0.02)
            address = f"http://127.0.0.1:{port_file.read_text().strip()}"
            yield Handed(address, Path(folder) / "log")
        finally:
            running.terminate()
            running.wait()


PLAYED: Mapping[str, Scripted] = {
    "429": rate_limited("0"),
    "500": SERVER_ERROR,
    "503": OVERLOADED,
    "400": refuses_with(400, "bad"),
    "401": refuses_with(401, "no"),
    "reset": RESET,
    "timeout": SILENT,
    "bad_envelope": ERROR_BODY,
    "malformed": says("{not json"),
    "truncated": says('{"citation', finish="length"),
    "prose": says("The verdict is supported."),
    "refusal": says("I'm sorry, but I can't help with that."),
    "content_filter": says("", finish="content_filter"),
    "empty": says(""),
    "null": says(None),
    "wrong_schema": says({"opinion": "fine"}),
}
"""The faults the stand-in plays."""


class Stage(StandInServer):
    """The stand-in, with one script for every case."""

    def __init__(self) -> None:
        super().__init__()
        self.script: Sequence[str] = ()
        self.met: Counter[str] = Counter()

    def _next(self, body: Mapping[str, Any]) -> Scripted:
        prompt = body["messages"][-1]["content"]
        case = prompt.partition("case number ")[2].partition(" ")[0]
        position = self.met[case]
        self.met[case] += 1
        name = self.script[position] if position < len(self.script) else "ok"
        return PLAYED.get(name) or says(json.loads(judge_reply(prompt)))


class OwnProvider:
    """The stand-in, as a provider."""

    def __init__(self, stage: Stage) -> None:
        self._stage, self.base, self._before = stage, stage.url, 0

    def follow(self, script: str) -> None:
        self._stage.script = script.split(",")
        self._stage.met.clear()
        self._before = self._stage.count

    def requests(self) -> int:
        return self._stage.count - self._before


@contextmanager
def own() -> Iterator[Provider]:
    with Stage() as stage:
        yield OwnProvider(stage)


def provider_of(script: Path | None) -> AbstractContextManager[Provider]:
    if script is None and HANDED.exists():
        script = HANDED
    return own() if script is None else handed(script)


def scripts(known: Sequence[str]) -> list[str]:
    """Return every fault always, every fault once, and the mixtures."""
    always = [",".join([fault] * 12) for fault in known]
    once = [f"{fault},ok" for fault in known]
    mixed = [one for one in MIXTURES if {*one.split(",")} <= {*known, "ok"}]
    return ["ok", *always, *once, *mixed]


def project_for(folder: Path, base: str, cases: int, road: str) -> Project:
    write_project(folder, cases, api_base=base, road=road, concurrency=4)
    settings = json.loads((folder / "citeval.yaml").read_text())
    settings["models"][0]["limits"] = {
        "max_concurrency": 4, "tries": 3, "timeout_s": 1.5, "backoff_s": 0.01,
        "backoff_max_s": 0.05, "breaker_failures": 1000, "max_output_tokens": 1024,
    }  # fmt: skip
    settings["calibration"] = {"qualification": {"canaries": False}}
    (folder / "citeval.yaml").write_text(json.dumps(settings))
    rows = (folder / "data" / "cases.jsonl").read_text().splitlines()
    marked = [json.loads(row) for row in rows]
    for number, row in enumerate(marked):
        row["question"] = f"case number {number} asks: {row['question']}"
    text = "".join(json.dumps(row) + "\n" for row in marked)
    (folder / "data" / "cases.jsonl").write_text(text)
    return Project.load(folder, {"DAGSTER_HOME": str(folder / "home"), KEY_NAME: "bench-key-0000"})


def attempts(project: Project) -> tuple[int, int]:
    """Return how many requests the ledger knows of, and how many of them nothing came of."""
    with project.open_ledger() as ledger, ledger.reading() as connection:
        count = connection.exec_driver_sql("SELECT count(*) FROM call_intents").scalar_one()
        return count, len(ledger.maybe_paid())


def tried(provider: Provider, script: str, cases: int, road: str) -> dict[str, Any]:
    """Evaluate under one fault script, and once more."""
    provider.follow(script)
    with tempfile.TemporaryDirectory() as name:
        project = project_for(Path(name) / "project", provider.base, cases, road)
        service = Service(project)
        service.register_cases(PLAYBOOK)
        [cell] = project.cells()
        first = service.judge(cell)
        requests, (rows, open_) = provider.requests(), attempts(project)
        provider.follow("ok")
        again = service.judge(cell)
        later, (all_rows, _) = provider.requests(), attempts(project)
    states = first.valid + first.failed + first.indeterminate + first.errors + first.not_applicable
    return {
        "script": script if len(script) < 60 else f"{script.split(',')[0]}, always",
        "road": road,
        "requests": requests,
        "attempts": rows,
        "said": first.calls,
        "without_an_outcome": open_,
        "valid": first.valid,
        "unscored_reasons": first.unscored_reasons,
        "rerun_requests": later,
        "rerun_attempts": all_rows - rows,
        "right": requests == rows == first.calls
        and open_ == 0
        and later == all_rows - rows == again.calls
        and states == first.cases == cases,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", type=Path, help="another fake server's script")
    parser.add_argument("--cases", type=int, default=6)
    parser.add_argument("--road", choices=("lean", "stock"), action="append")
    parser.add_argument("--json", action="store_true", help="on one line")
    chosen = parser.parse_args()
    found: list[dict[str, Any]] = []
    with provider_of(chosen.server) as provider:
        stand_in = isinstance(provider, OwnProvider)
        known = tuple(PLAYED) if stand_in else (*TRANSPORT, *CONTENT)
        for road in chosen.road or ("lean", "stock"):
            for script in scripts(known):
                found.append(tried(provider, script, chosen.cases, road))
                print(f"{len(found)} {road} {found[-1]['script']}", file=sys.stderr, flush=True)
                if not found[-1]["right"]:
                    print(json.dumps(found[-1]), file=sys.stderr, flush=True)
    result = {
        "server": "stand-in of the tests" if stand_in else "fake server",
        "scripts": len(found),
        "faults": len(known),
        "requests_at_the_server": sum(one["requests"] + one["rerun_requests"] for one in found),
        "attempts_in_the_ledger": sum(one["attempts"] + one["rerun_attempts"] for one in found),
        "scripts_where_they_differ": sum(not one["right"] for one in found),
        "runs": found,
    }
    print(json.dumps(result, indent=None if chosen.json else 2))
    return 1 if result["scripts_where_they_differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
