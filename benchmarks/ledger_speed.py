"""CPU milliseconds the ledger costs per judged call, part by part, as JSON.

Run it as ``python benchmarks/ledger_speed.py [url]``; without an address a temporary SQLite file
is used. What a session does to the ledger is done here in batches, as for cases that ask at the
same moment. Each round is a run of its own; the smallest figure of all rounds is told, so that
what else the machine does hardly shows. Waiting for the disk costs no CPU.

``desk`` is what the event loop and its threads take for all of it together, call keys and rows
included: the same questions through ``AnswerDesk`` and ``GroupWriter``, with a model that answers
at once. ``audit`` is what checking one row of the chain takes.
"""

import asyncio
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

from citeval_assets.judging.answers import AnswerDesk
from citeval_assets.judging.call_rows import intent_row, reply_row
from citeval_assets.judging.caller import Asked, Caller
from citeval_assets.judging.deadline import CaseDeadline
from citeval_assets.judging.form import CallForm
from citeval_assets.judging.leases import LeaseDesk
from citeval_assets.judging.lookups import StoredReplies
from citeval_assets.judging.request import Completion, Cost, ModelRequest, ReplySchema, Usage
from citeval_assets.judging.schemas import reply_schema
from citeval_assets.judging.timing import Timing
from citeval_assets.ledger.audit import verify
from citeval_assets.ledger.leases import Leasing
from citeval_assets.ledger.records import (
    CallIntent,
    CallReply,
    EvaluationItem,
    EvaluationRecord,
    StoredCall,
)
from citeval_assets.ledger.store import Ledger
from citeval_assets.ledger.writer import GroupWriter
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.view import ModelView
from citeval_assets.templates.model import Message

CALLS = 1024
BATCH = 16
ROUNDS = 5
OWNER = "bench"
TIMING = Timing()
FORM = CallForm()
PROMPT = 'Unit 1 (cites [1]): the "valve" of the harbour was opened.\n' * 230
VERDICT = '{"unit": 1, "verdict": "supported", "reason": "the passage says so"},\n' * 10
PARAMETERS = {"temperature": 0.0, "max_output_tokens": 4096}
COMPLETION = Completion(
    VERDICT, "stop", Usage(3400, 0, 160), Cost(Decimal("0.0042")), "judge-2026", "fp_1", "openai"
)


class Stopwatch:
    """The smallest CPU time of each part, over all rounds."""

    def __init__(self) -> None:
        self.least: dict[str, float] = {}
        self._round: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        started = time.process_time()
        yield
        self._round[name] += time.process_time() - started

    def end_round(self) -> None:
        for name, seconds in self._round.items():
            self.least[name] = min(seconds, self.least.get(name, seconds))
        self._round.clear()


def main() -> None:
    watch = Stopwatch()
    schema = reply_schema(get_playbook("citation_faithfulness"))
    with tempfile.TemporaryDirectory() as folder:
        url = sys.argv[1] if len(sys.argv) > 1 else f"sqlite:///{Path(folder) / 'ledger.db'}"
        with Ledger.open(url) as ledger:
            for number in range(ROUNDS):
                run = f"{time.time_ns()}-{number}"
                by_part(ledger, [make_request(f"{run}-a", n, schema) for n in range(CALLS)], watch)
                asked = [make_request(f"{run}-b", n, schema) for n in range(CALLS)]
                with watch.part("desk"):
                    asyncio.run(through_the_desk(ledger, asked))
                watch.end_round()
            with watch.part("audit"):
                report = verify(ledger)
            watch.end_round()
    told = {name: round(s / CALLS * 1000, 4) for name, s in watch.least.items()}
    told["audit"] = round(watch.least["audit"] / report.rows * 1000, 4)
    print(json.dumps(told))


def by_part(ledger: Ledger, requests: Sequence[ModelRequest], watch: Stopwatch) -> None:
    stored: list[StoredCall] = []
    for start in range(0, CALLS, BATCH):
        batch = requests[start : start + BATCH]
        with watch.part("call keys"):
            keys = [request.call_key for request in batch]
        with watch.part("look up, nothing there"):
            ledger.replies_for(keys)
        with watch.part("rows of the calls"):
            made = [make_call(request, number) for number, request in enumerate(batch)]
        with watch.part("intent, with its lease"):
            ledger.add_calls([call.intent for call in made], [], None, Leasing(OWNER, 60.0))
        with watch.part("reply"):
            ledger.add_replies([call.reply for call in made])
        with watch.part("look up, reply there"):
            ledger.replies_for(keys)
        stored += made
    record, items = make_evaluation(stored)
    with watch.part("evaluation"):
        ledger.record_evaluation(record, items)


async def through_the_desk(ledger: Ledger, requests: Sequence[ModelRequest]) -> None:
    leases = LeaseDesk(ledger, owner=OWNER)
    untimed = CaseDeadline(None, time.monotonic)
    async with GroupWriter(ledger, leases.terms) as writer:
        desk = AnswerDesk(StoredReplies(ledger), cast("Caller", AtOnce(writer)), leases)
        for start in range(0, CALLS, BATCH):
            batch = requests[start : start + BATCH]
            await asyncio.gather(
                *(desk.answer(request, make_audit(n), untimed) for n, request in enumerate(batch))
            )
        await leases.close()


class AtOnce:
    """A caller whose model answers at once: what is left is what the ledger needs."""

    def __init__(self, writer: GroupWriter):
        self._writer = writer
        self.client = self

    async def ready(self, _: ModelRequest) -> None:
        return None

    async def ask(
        self, request: ModelRequest, audit: CallIntent, _: CaseDeadline, asked: Asked
    ) -> None:
        call = make_call(request, 0, audit)
        await self._writer.intent(call.intent)
        await self._writer.hand_in(call.reply)
        asked.calls.append(call)


def make_request(run: str, number: int, schema: ReplySchema) -> ModelRequest:
    return ModelRequest(
        model="openai/judge",
        endpoint="https://models.example/v1",
        messages=(
            Message("system", "You check whether sources say what an answer says they say."),
            Message("user", f"{run} {number}\n{PROMPT}"),
        ),
        view=cast("ModelView", None),
        schema=schema,
        parameters=PARAMETERS,
    )


def make_audit(number: int) -> CallIntent:
    return CallIntent(
        call_id="",
        call_key="",
        run_id="run",
        playbook="citation_faithfulness",
        test_case_id=f"case-{number}",
        system="prod",
        case_hash="c" * 64,
        model_id="judge",
        model="openai/judge",
        endpoint="https://models.example/v1",
        prompt_version="v2",
        template_sha256="a" * 64,
        dataset_version="d" * 64,
        attempt=1,
        try_number=0,
        repeat=0,
        source_ids=("1", "2", "3", "4", "5"),
        messages_json="[]",
        parameters_json="{}",
    )


def make_call(request: ModelRequest, number: int, audit: CallIntent | None = None) -> StoredCall:
    call_id, now = TIMING.new_id(), TIMING.timestamp()
    about = audit or make_audit(number)
    intent = intent_row(request, about, FORM, call_id=call_id, try_number=1, created_at=now)
    reply: CallReply = reply_row(call_id, COMPLETION, FORM, 2400.5, now)
    return StoredCall(intent, reply)


def make_evaluation(
    calls: Sequence[StoredCall],
) -> tuple[EvaluationRecord, list[EvaluationItem]]:
    name, now = TIMING.new_id(), TIMING.timestamp()
    about = {"playbook": "citation_faithfulness", "model": "judge", "prompt_version": "v2"}
    rest = {"template_sha256": "a" * 64, "dataset_version": "d" * 64, "scope": "*"}
    times = {"run_id": "run", "started_at": now, "finished_at": now}
    record = EvaluationRecord(evaluation_id=name, epoch="e" * 64, **about, **rest, **times)
    like: Any = EvaluationItem(name, "", "", "prod", (), "valid", None, 0.75, "pass")
    return record, [
        replace(
            like,
            case_hash=f"{number:064}",
            test_case_id=call.intent.test_case_id,
            call_ids=(call.intent.call_id,),
        )
        for number, call in enumerate(calls)
    ]


if __name__ == "__main__":
    main()
