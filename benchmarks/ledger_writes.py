"""What a durable, hash-chained row costs: CPU and wall milliseconds per call, audit, look-up.

Run it as ``python benchmarks/ledger_writes.py [url]``; without an address a temporary SQLite file
is used. Wall times depend on how fast the disk syncs; compare the CPU column.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

from citeval_assets.ledger.audit import verify
from citeval_assets.ledger.records import CallIntent, CallReply
from citeval_assets.ledger.store import Ledger

Result = TypeVar("Result")

CALLS = 3400
BATCH = 25
PROMPT_CHARACTERS = 8000
REPLY_CHARACTERS = 600


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = sys.argv[1] if len(sys.argv) > 1 else f"sqlite:///{Path(folder) / 'ledger.db'}"
        with Ledger.open(url) as ledger:
            run = str(time.time_ns())
            intents = [make_intent(run, number) for number in range(CALLS)]
            replies = [make_reply(run, number) for number in range(CALLS)]
            measure("write an intent and its reply", CALLS, lambda: write(ledger, intents, replies))
            keys = [intent.call_key for intent in intents]
            measure("look up a reply", CALLS, lambda: ledger.replies_for(keys))
            report = measure("audit a row", ledger.head()[0], lambda: verify(ledger))
            print(f"audited {report.rows} rows, {'in order' if report.ok else report.faults}")


def write(ledger: Ledger, intents: list[CallIntent], replies: list[CallReply]) -> None:
    for start in range(0, CALLS, BATCH):
        ledger.add_intents(intents[start : start + BATCH])
        ledger.add_replies(replies[start : start + BATCH])


def make_intent(run: str, number: int) -> CallIntent:
    return CallIntent(
        call_id=f"{run}-{number}",
        call_key=f"{run}-key-{number}",
        run_id=run,
        playbook="citation_accuracy",
        test_case_id=f"case-{number}",
        system="prod",
        case_hash="c" * 64,
        model_id="judge",
        model="openai/judge",
        endpoint="https://models.example/v1",
        prompt_version="v1",
        template_sha256="a" * 64,
        dataset_version="d" * 64,
        attempt=1,
        try_number=1,
        repeat=0,
        source_ids=("1", "2", "3"),
        messages_json=f'["{run} {number} {"p" * PROMPT_CHARACTERS}"]',
        parameters_json='{"temperature":0.0}',
        response_schema_sha256="b" * 64,
    )


def make_reply(run: str, number: int) -> CallReply:
    return CallReply(
        call_id=f"{run}-{number}",
        outcome="reply",
        text="r" * REPLY_CHARACTERS,
        finish_reason="stop",
        prompt_tokens=2000,
        completion_tokens=150,
        cost_usd=Decimal("0.0042"),
        latency_ms=2400.0,
    )


def measure(what: str, times: int, act: Callable[[], Result]) -> Result:
    cpu, wall = time.process_time(), time.perf_counter()
    result = act()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(f"{what}: {cpu / times * 1000:.3f} CPU ms, {wall / times * 1000:.3f} wall ms")
    return result


if __name__ == "__main__":
    main()
