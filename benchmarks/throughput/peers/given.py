"""What each peer is given and what it tells. Standard library only: it runs in their environments.

``BASE_URL``, ``CONCURRENCY``, ``CASES_FILE`` (one JSON list of messages a line) and
``FORMAT_FILE`` (the ``response_format`` the judge is asked to keep to) stand in the environment.
The last line a peer prints is its result as JSON.
"""

import asyncio
import json
import os
import resource
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

KEY = "bench-key-000000"
MODEL = "gpt-4o-mini"
MAX_TOKENS = 4096
WARM_UP = 8
"""Calls made before the loop, so that imports and first connections are not part of it."""

SILENT = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "DEEPEVAL_UPDATE_WARNING_OPT_IN": "0",
    "DEEPEVAL_DISABLE_DOTENV": "1",
    "DEEPEVAL_RETRY_MAX_ATTEMPTS": "1",
    "DEEPEVAL_NO_INSPECT_PROMPT": "1",
    "DEEPEVAL_FILE_SYSTEM": "READ_ONLY",
    "CONFIDENT_OPEN_BROWSER": "0",
    "RAGAS_DO_NOT_TRACK": "true",
    "DO_NOT_TRACK": "1",
    "ANONYMIZED_TELEMETRY": "false",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PROMPTFOO_DISABLE_SHARING": "1",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    "PROMPTFOO_DISABLE_ERROR_LOG": "1",
    "PROMPTFOO_DISABLE_DEBUG_LOG": "1",
    "PROMPTFOO_CACHE_ENABLED": "false",
    "INSPECT_DISPLAY": "none",
    "OPENAI_API_KEY": KEY,
    "TQDM_DISABLE": "1",
    "NO_COLOR": "1",
}
"""No telemetry, no update check, no cache, nothing kept: what each tool's documentation names."""


class Given:
    """The work: messages, address, how many calls at once."""

    def __init__(self) -> None:
        lines = Path(os.environ["CASES_FILE"]).read_text(encoding="utf-8").splitlines()
        self.cases: list[list[dict[str, str]]] = [json.loads(line) for line in lines]
        self.response_format = json.loads(Path(os.environ["FORMAT_FILE"]).read_text("utf-8"))
        self.base_url = os.environ["BASE_URL"]
        self.concurrency = int(os.environ["CONCURRENCY"])

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of a reply."""
        return self.response_format["json_schema"]["schema"]

    @property
    def warm_up(self) -> list[list[dict[str, str]]]:
        return self.cases[:WARM_UP]


class Stopwatch:
    """CPU and wall seconds since it was started; threads of the process included."""

    def __init__(self) -> None:
        self.cpu, self.wall = time.process_time(), time.perf_counter()

    def read(self) -> dict[str, float]:
        return {
            "cpu_s": round(time.process_time() - self.cpu, 4),
            "wall_s": round(time.perf_counter() - self.wall, 4),
        }


def peak_mb() -> float:
    """Return the most memory this program held, in MB."""
    # Not ru_maxrss: a program keeps that of the process it was forked from.
    status = Path("/proc/self/status")
    if status.exists():
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return round(int(line.split()[1]) / 1024, 1)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def is_judgement(reply: dict[str, Any]) -> bool:
    """Whether a parsed reply is one of the fake judge, whole."""
    return bool(reply["claims_analysis"]) and bool(reply["overall_assessment"])


async def all_at_once(
    cases: list[Any], concurrency: int, ask: Callable[[Any], Awaitable[bool]]
) -> int:
    """Ask about every case, so many at a time; return how many went well."""
    gate = asyncio.Semaphore(concurrency)

    async def one(messages: Any) -> bool:
        async with gate:
            return await ask(messages)

    return sum(await asyncio.gather(*map(one, cases)))


def tell(loop: dict[str, float], parsed: int, version: str, **more: Any) -> None:
    """Print the result; ``start`` is everything before the loop."""
    start = {"cpu_s": round(time.process_time() - loop["cpu_s"], 4)}
    told = {"loop": loop, "parsed": parsed, "version": version, "start": start}
    print("\n" + json.dumps({**told, "peak_mb": peak_mb(), **more}), flush=True)
