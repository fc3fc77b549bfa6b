"""What a judged case costs: citeval on both roads beside bare clients and its peers, interleaved.

    python benchmarks/throughput --cases 1000 --rounds 3 --peers DIR --out throughput.json

Every tool judges the same cases against a judge on loopback, in processes of their own, in turns
within each round, so that what else the machine does falls on all of them. The figures are
medians over the rounds; ratios are taken within a round. The loop is measured without start-up
(imports and the first calls), which is told apart. ``--peers DIR`` adds inspect-ai, ragas, deepeval
and promptfoo as far as they are installed there (``peers/install.py DIR`` does it). ``--server``
runs another fake server (a script that takes ``--port 0 --port-file --latency --rules``).
``--peer NAME=COMMAND`` adds any other program: it finds BASE_URL, CASES_FILE (one JSON list of
messages a line) and CONCURRENCY in its environment and is measured from outside, start-up included.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from serving import fake_judge
from summary import Round, summary, table
from tools import ALL, Tool, Work, available, other
from workload import SIZES, TOKENS_NAME


def rounds_of(tools: dict[str, Tool], base: str, work: Work, count: int) -> list[Round]:
    """Let the tools take turns, every other round in the opposite order."""
    rounds: list[Round] = []
    for number in range(count):
        order = list(tools) if number % 2 == 0 else list(reversed(tools))
        found: Round = {}
        for name in order:
            found[name] = tools[name](base, work)
            print(number, name, json.dumps(found[name]), file=sys.stderr, flush=True)
        rounds.append({name: found[name] for name in tools})
    return rounds


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--latency", type=float, action="append", help="ms; 0, 50 and 500")
    parser.add_argument("--tool", choices=ALL, action="append")
    parser.add_argument("--tokens", choices=SIZES, default="2000", help="of a prompt, about")
    parser.add_argument("--server", help="another fake server's script")
    parser.add_argument("--peers", type=Path, metavar="DIR", help="where the peers are installed")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def main() -> None:
    chosen = arguments()
    os.environ[TOKENS_NAME] = chosen.tokens
    tools, missing = available(tuple(chosen.tool or ALL), chosen.peers)
    for named in chosen.peer:
        name, _, command = named.partition("=")
        tools[name] = other(command)
    if missing:
        print(f"not installed, left out: {', '.join(missing)}", file=sys.stderr)
    result: dict[str, Any] = {
        "cases": chosen.cases,
        "tokens": chosen.tokens,
        "concurrency": chosen.concurrency,
        "rounds": chosen.rounds,
        "python": sys.version.split()[0],
        "not_installed": missing,
    }
    with tempfile.TemporaryDirectory() as folder:
        work = Work(chosen.cases, chosen.concurrency, Path(folder))
        work.write()
        for latency in chosen.latency or (0.0, 50.0, 500.0):
            with fake_judge(latency, chosen.server) as base:
                rounds = rounds_of(tools, base, work, chosen.rounds)
            told = summary(rounds, chosen.cases, latency, chosen.concurrency)
            result[f"latency_{latency:g}_ms"] = {"summary": told, "runs": rounds}
            print(table(latency, told), file=sys.stderr, flush=True)
    text = json.dumps(result, indent=2)
    if chosen.out:
        chosen.out.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
