"""What a judged case costs: citeval on both roads, bare litellm and a raw loop, interleaved.

    python benchmarks/throughput --cases 1000 --rounds 3 --out throughput.json

Every tool judges the same cases against a judge on loopback, in processes of their own, in turns
within each round, so that what else the machine does falls on all of them. The figures are
medians over the rounds; ratios are taken within a round. ``--server`` runs another fake server
(a script that takes ``--port 0 --port-file --latency --rules``); ``--peer NAME=COMMAND`` adds any
other program: it finds BASE_URL, CASES_FILE (one JSON list of messages a line) and CONCURRENCY in
its environment and is measured from outside, start-up included.
"""

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from serving import fake_judge

TOOLS = ("aiohttp", "litellm", "citeval-lean", "citeval-stock")


@contextmanager
def server(script: str | None, latency_ms: float) -> Iterator[str]:
    """Run the judge and yield its address."""
    if script is None:
        with fake_judge(latency_ms) as base:
            yield base
        return
    with tempfile.TemporaryDirectory() as folder:
        port_file = Path(folder) / "port"
        command = [sys.executable, script, "--port", "0", "--port-file", str(port_file)]
        command += ["--latency", str(latency_ms), "--rules", str(HERE / "rules.py")]
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            while not port_file.exists() or not port_file.read_text().strip():
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port_file.read_text().strip()}/v1"
        finally:
            running.terminate()
            running.wait()


def stats(base: str) -> dict[str, Any]:
    address = base.removesuffix("/v1") + "/stats"
    with urllib.request.urlopen(address) as reply:  # loopback
        return json.load(reply)


def measured(tool: str, base: str, cases: int, concurrency: int) -> dict[str, Any]:
    command = [sys.executable, str(HERE / "measure.py"), tool, "--base", base]
    command += ["--cases", str(cases), "--concurrency", str(concurrency)]
    before = stats(base)["requests"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{tool} failed:\n{done.stderr[-3000:]}")
    result = json.loads(done.stdout.splitlines()[-1])
    result["requests_at_server"] = stats(base)["requests"] - before
    result["cpu_ms_per_case"] = round(1000 * result["loop"]["cpu_s"] / cases, 4)
    return result


def peer(command: str, base: str, prompts: Path, cases: int, concurrency: int) -> dict[str, Any]:
    """Run another program over the same prompts; its CPU and memory as the system counts them."""
    given = {"BASE_URL": base, "CASES_FILE": str(prompts), "CONCURRENCY": str(concurrency)}
    started, before = time.perf_counter(), os.times()
    requests = stats(base)["requests"]
    done = subprocess.run(shlex.split(command), env={**os.environ, **given})
    after = os.times()
    cpu = after.children_user + after.children_system
    cpu -= before.children_user + before.children_system
    return {
        "process": {"cpu_s": round(cpu, 3), "wall_s": round(time.perf_counter() - started, 3)},
        "loop": {"cpu_s": round(cpu, 3), "wall_s": round(time.perf_counter() - started, 3)},
        "cpu_ms_per_case": round(1000 * cpu / cases, 4),
        "requests_at_server": stats(base)["requests"] - requests,
        "exit_code": done.returncode,
        "note": "start-up included",
    }


def summary(rounds: list[dict[str, Any]], cases: int, latency_ms: float, open_at_once: int) -> Any:
    """Return medians over the rounds, with ratios taken within each."""
    ideal = cases * latency_ms / 1000 / open_at_once
    told = {}
    for tool in rounds[0]:
        runs = [one[tool] for one in rounds]
        told[tool] = {
            "cpu_ms_per_case": _median(run["cpu_ms_per_case"] for run in runs),
            "loop_wall_s": _median(run["loop"]["wall_s"] for run in runs),
            "x_ideal_wall": round(_median(r["loop"]["wall_s"] for r in runs) / ideal, 3)
            if ideal
            else None,
            "x_litellm_cpu": _median(
                one[tool]["cpu_ms_per_case"] / one["litellm"]["cpu_ms_per_case"]
                for one in rounds
                if "litellm" in one
            ),
            "peak_mb": _median(run.get("peak_mb", 0) for run in runs),
            "requests_at_server": [run["requests_at_server"] for run in runs],
        }
        if "rerun" in runs[0]:
            told[tool]["rerun_wall_s"] = _median(run["rerun"]["wall_s"] for run in runs)
            told[tool]["rerun_calls"] = [run["rerun"]["calls"] for run in runs]
            told[tool]["report_cpu_ms_per_case"] = _median(
                1000 * run["report"]["cpu_s"] / cases for run in runs
            )
    return told


def _median(values: Any) -> float | None:
    found = list(values)
    return round(statistics.median(found), 4) if found else None


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--latency", type=float, action="append", help="ms; 0, 50 and 500")
    parser.add_argument("--tool", choices=TOOLS, action="append")
    parser.add_argument("--server", help="another fake server's script")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    tools = chosen.tool or TOOLS
    result: dict[str, Any] = {
        "cases": chosen.cases,
        "concurrency": chosen.concurrency,
        "rounds": chosen.rounds,
        "python": sys.version.split()[0],
    }
    with tempfile.TemporaryDirectory() as folder:
        prompts_file = Path(folder) / "prompts.jsonl"
        if chosen.peer:
            from measure import prompts

            lines = [json.dumps(messages) for messages in prompts(chosen.cases)]
            prompts_file.write_text("\n".join(lines), encoding="utf-8")
        for latency in chosen.latency or (0.0, 50.0, 500.0):
            # Without latency one call at a time shows what a call costs; more only queue up.
            rounds: list[dict[str, Any]] = []
            with server(chosen.server, latency) as base:
                for number in range(chosen.rounds):
                    found: dict[str, Any] = {}
                    order = tools if number % 2 == 0 else tuple(reversed(tools))
                    for tool in order:
                        found[tool] = measured(tool, base, chosen.cases, chosen.concurrency)
                        print(latency, number, tool, json.dumps(found[tool]), file=sys.stderr)
                    for named in chosen.peer:
                        name, _, command = named.partition("=")
                        found[name] = peer(
                            command, base, prompts_file, chosen.cases, chosen.concurrency
                        )
                    rounds.append(found)
            result[f"latency_{latency:g}_ms"] = {
                "summary": summary(rounds, chosen.cases, latency, chosen.concurrency),
                "runs": rounds,
            }
    text = json.dumps(result, indent=2)
    if chosen.out:
        chosen.out.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
