"""Two processes that share one piece of work, beside one that does it alone.

    python benchmarks/throughput/shared_work.py --cases 1000 --rounds 3

Every process is told the whole work: one ledger, one model, the same limits. Together they must pay
each call once, keep to the model's limit, and not take more CPU for it than one process does. The
arrangements take turns. CPU is that of judging in all processes, without imports and the first
calls; they begin together once all of them are warm. Prints JSON.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE), str(HERE / "peers")]

from given import WARM_UP, Stopwatch, peak_mb
from measure import environ
from serving import fake_judge, stats
from workload import PLAYBOOK, write_project


def work(folder: Path, warm: Path) -> None:
    """Judge the project in ``folder`` once somebody says so on the standard input."""
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.service import Service

    rehearsed = Service(Project.load(warm, environ(warm)))
    rehearsed.judge(rehearsed.project.cells()[0])
    service = Service(Project.load(folder, environ(folder)))
    [cell] = service.project.cells()
    print("ready", flush=True)
    sys.stdin.readline()
    watch = Stopwatch()
    found = service.judge(cell)
    told = {**watch.read(), "calls": found.calls, "reused": found.reused_calls}
    told |= {"valid": found.valid, "evaluation": found.evaluation_id, "peak_mb": peak_mb()}
    print(json.dumps(told), flush=True)


def arranged(base: str, processes: int, cases: int, limit: int) -> dict[str, Any]:
    """Let so many processes judge one project at the same time."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _registered(folder / "all", cases, base, limit)
        running = [_begun(folder, number, base, limit) for number in range(processes)]
        for one in running:
            assert one.stdout is not None
            if one.stdout.readline() != "ready\n":
                sys.exit(f"a process failed before it began: {one.wait()}")
        before = stats(base)["requests"]
        for one in running:
            assert one.stdin is not None
            one.stdin.write("go\n")
            one.stdin.flush()
        said = [one.communicate()[0].splitlines() for one in running]
        if any(one.returncode for one in running):
            sys.exit(f"a process failed: {[one.returncode for one in running]}")
        shares = [json.loads(lines[-1]) for lines in said]
        made = stats(base)["requests"] - before
        return _figures(shares, made, cases, folder / "all")


def _registered(folder: Path, cases: int, base: str, limit: int) -> None:
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.service import Service

    write_project(folder, cases, api_base=base, concurrency=limit)
    Service(Project.load(folder, environ(folder))).register_cases(PLAYBOOK)


def _begun(folder: Path, number: int, base: str, limit: int) -> "subprocess.Popen[str]":
    warm = folder / f"warm-{number}"
    _registered(warm, WARM_UP, base, limit)
    command = [sys.executable, str(Path(__file__).resolve()), "--work", str(folder / "all")]
    command += ["--warm", str(warm)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)


def _figures(
    shares: list[dict[str, Any]], calls_at_server: int, cases: int, folder: Path
) -> dict[str, Any]:
    from citeval_assets.evaluation.project import Project

    with Project.load(folder, environ(folder)).open_ledger() as ledger:
        maybe_paid = len(ledger.maybe_paid())
    cpu = sum(share["cpu_s"] for share in shares)
    return {
        "calls_at_server": calls_at_server,
        "canary_calls": sum(share["calls"] for share in shares) - cases,
        "cpu_s": round(cpu, 4),
        "wall_s": max(share["wall_s"] for share in shares),
        "calls_per_cpu_s": round(cases / cpu, 2),
        "one_evaluation": len({share["evaluation"] for share in shares}) == 1,
        "all_valid": all(share["valid"] == cases for share in shares),
        "unanswered_intents": maybe_paid,
        "shares": shares,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--latency", type=float, default=50.0, help="ms")
    parser.add_argument("--limit", type=int, default=64, help="calls the model may have open")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--warm", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        work(chosen.work, chosen.warm)
        return
    rounds: list[dict[str, Any]] = []
    for number in range(chosen.rounds):
        found: dict[str, Any] = {}
        order = (1, chosen.processes) if number % 2 == 0 else (chosen.processes, 1)
        for processes in order:
            # A server for each, so that its high-water mark is theirs alone.
            with fake_judge(chosen.latency) as base:
                told = arranged(base, processes, chosen.cases, chosen.limit)
                told["most_open"] = stats(base)["max_in_flight"]
            found["alone" if processes == 1 else "shared"] = told
            print(number, processes, json.dumps(told), file=sys.stderr, flush=True)
        rounds.append(found)
    text = json.dumps(_summary(rounds, chosen), indent=2)
    if chosen.out:
        chosen.out.write_text(text + "\n", encoding="utf-8")
    print(text)


def _summary(rounds: list[dict[str, Any]], chosen: argparse.Namespace) -> dict[str, Any]:
    ratios = [one["shared"]["calls_per_cpu_s"] / one["alone"]["calls_per_cpu_s"] for one in rounds]
    walls = [one["shared"]["wall_s"] / one["alone"]["wall_s"] for one in rounds]
    both = [found for one in rounds for found in one.values()]
    return {
        "cases": chosen.cases,
        "processes": chosen.processes,
        "latency_ms": chosen.latency,
        "calls_per_cpu_s_ratio": round(statistics.median(ratios), 4),
        "each_round": [round(ratio, 4) for ratio in ratios],
        "wall_ratio": round(statistics.median(walls), 4),
        "paid_twice": max(
            found["calls_at_server"] - chosen.cases - found["canary_calls"] for found in both
        ),
        "one_call_a_case": all(
            found["calls_at_server"] - found["canary_calls"] == chosen.cases for found in both
        ),
        "one_evaluation": all(found["one_evaluation"] and found["all_valid"] for found in both),
        "most_open": max(found["most_open"] for found in both),
        "limit": chosen.limit,
        "rounds": rounds,
    }


if __name__ == "__main__":
    main()
