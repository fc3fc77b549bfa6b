"""One tool, one run: judge the cases against the server and tell what it took, as JSON.

Each run is a process of its own. What is loaded on the way (imports, the first calls) is told as
start-up; the loop is what comes after, over all cases.
"""

import argparse
import asyncio
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from workload import KEY_NAME, LITELLM_MODEL, PLAYBOOK, write_project

KEY = "bench-key-000000"
WARM_UP = 8


class Stopwatch:
    """CPU and wall seconds since it was started; threads of the process included."""

    def __init__(self) -> None:
        self.cpu, self.wall = time.process_time(), time.perf_counter()

    def read(self) -> dict[str, float]:
        return {
            "cpu_s": round(time.process_time() - self.cpu, 4),
            "wall_s": round(time.perf_counter() - self.wall, 4),
        }


def environ(folder: Path) -> dict[str, str]:
    return {"DAGSTER_HOME": str(folder / "home"), KEY_NAME: KEY}


def citeval(base: str, cases: int, concurrency: int, road: str) -> dict[str, Any]:
    """All of a run that is done for each case: ledger, look-up, call, validation, scoring."""
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.service import Service

    with tempfile.TemporaryDirectory() as name:
        warm = _service(Project, Service, Path(name) / "warm", WARM_UP, base, concurrency, road)
        warm.judge(warm.project.cells()[0])
        service = _service(Project, Service, Path(name) / "all", cases, base, concurrency, road)
        [cell] = service.project.cells()
        started = peak_mb()
        watch = Stopwatch()
        summary = service.judge(cell)
        loop = watch.read()
        peak = peak_mb()
        watch = Stopwatch()
        again = service.judge(cell)
        rerun = watch.read()
        watch = Stopwatch()
        service.report(cell)
        return {
            "loop": loop,
            "calls": summary.calls,
            "valid": summary.valid,
            "peak_mb": peak,
            "grown_mb": peak - started,
            "rerun": {**rerun, "calls": again.calls, "reused_calls": again.reused_calls},
            "report": watch.read(),
        }


def _service(
    project: Any, service: Any, folder: Path, cases: int, base: str, concurrency: int, road: str
) -> Any:
    write_project(folder, cases, api_base=base, road=road, concurrency=concurrency)
    made = service(project.load(folder, environ(folder)))
    made.register_cases(PLAYBOOK)
    return made


def prompts(cases: int) -> list[list[dict[str, str]]]:
    """Return the messages citeval would send: the bare tools are given the same."""
    from citeval_assets.evaluation.cases import current_dataset, prepared_cases
    from citeval_assets.evaluation.project import ALL_DATASETS, Project
    from citeval_assets.evaluation.service import Service
    from citeval_assets.playbooks.registry import get_playbook
    from citeval_assets.templates.render import render_messages

    playbook = get_playbook(PLAYBOOK)
    with tempfile.TemporaryDirectory() as name:
        made = _service(
            Project, Service, Path(name) / "p", cases, "http://127.0.0.1:9/v1", 1, "auto"
        )
        [cell] = made.project.cells()
        template = made.project.templates.get(PLAYBOOK, cell.prompt_version)
        with made.project.open_ledger() as ledger:
            dataset = current_dataset(ledger, PLAYBOOK, ALL_DATASETS)
            return [
                [
                    {"role": str(message.role), "content": message.content}
                    for message in render_messages(
                        template,
                        playbook.slot_values(case.prepared.view),
                        feedback="",
                        secret=ledger.secret(),
                    )
                ]
                for case in prepared_cases(ledger, dataset)
            ]


def schema() -> dict[str, Any]:
    from citeval_assets.judging.schemas import reply_schema
    from citeval_assets.playbooks.registry import get_playbook

    asked = reply_schema(get_playbook(PLAYBOOK))
    body = {"name": asked.name, "strict": True, "schema": dict(asked.schema)}
    return {"type": "json_schema", "json_schema": body}


async def _all(asked: list[Any], concurrency: int, ask: Callable[[Any], Any]) -> None:
    gate = asyncio.Semaphore(concurrency)

    async def one(messages: Any) -> None:
        async with gate:
            await ask(messages)

    await asyncio.gather(*map(one, asked))


def bare_litellm(base: str, cases: int, concurrency: int, _: str) -> dict[str, Any]:
    """litellm.acompletion in a loop; the reply is parsed and nothing else."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    asked, response_format = prompts(cases), schema()
    import litellm

    litellm.suppress_debug_info = True

    async def ask(messages: Any) -> None:
        reply = await litellm.acompletion(
            model=LITELLM_MODEL,
            messages=messages,
            api_base=base,
            api_key=KEY,
            max_retries=0,
            temperature=0.0,
            max_tokens=4096,
            response_format=response_format,
        )
        json.loads(reply.choices[0].message.content)

    async def main() -> dict[str, Any]:
        await _all(asked[:WARM_UP], concurrency, ask)
        watch = Stopwatch()
        await _all(asked, concurrency, ask)
        return {"loop": watch.read(), "calls": len(asked), "peak_mb": peak_mb()}

    return asyncio.run(main())


def raw_aiohttp(base: str, cases: int, concurrency: int, _: str) -> dict[str, Any]:
    """The floor: one session, json, no validation."""
    asked, response_format = prompts(cases), schema()
    import aiohttp

    async def main() -> dict[str, Any]:
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector) as session:

            async def ask(messages: Any) -> None:
                body = {
                    "model": "gpt-4o-mini",
                    "messages": messages,
                    "temperature": 0.0,
                    "max_tokens": 4096,
                    "response_format": response_format,
                }
                headers = {"Authorization": f"Bearer {KEY}"}
                url = f"{base}/chat/completions"
                async with session.post(url, json=body, headers=headers) as reply:
                    json.loads((await reply.json())["choices"][0]["message"]["content"])

            await _all(asked[:WARM_UP], concurrency, ask)
            watch = Stopwatch()
            await _all(asked, concurrency, ask)
            return {"loop": watch.read(), "calls": len(asked), "peak_mb": peak_mb()}

    return asyncio.run(main())


def peak_mb() -> float:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


TOOLS: dict[str, tuple[Callable[[str, int, int, str], dict[str, Any]], str]] = {
    "aiohttp": (raw_aiohttp, ""),
    "litellm": (bare_litellm, ""),
    "citeval-lean": (citeval, "lean"),
    "citeval-stock": (citeval, "stock"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool", choices=TOOLS)
    parser.add_argument("--base", required=True)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--concurrency", type=int, default=64)
    chosen = parser.parse_args()
    run, road = TOOLS[chosen.tool]
    watch = Stopwatch()
    result = run(chosen.base, chosen.cases, chosen.concurrency, road)
    result["process"] = watch.read()
    print(json.dumps(result))


if __name__ == "__main__":
    main()
