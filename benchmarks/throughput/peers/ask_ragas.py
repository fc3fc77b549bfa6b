"""ragas: its structured LLM call (``llm_factory``) under its own executor with ``max_workers``.

The reply is parsed into a pydantic model, as its metrics do it. Its prompts are one text, so the
system message goes as ``system_prompt``.
"""

import asyncio
from importlib.metadata import version

from given import KEY, MAX_TOKENS, MODEL, Given, Stopwatch, is_judgement, tell
from judgement import Judgement
from openai import AsyncOpenAI
from ragas.executor import Executor
from ragas.llms import llm_factory
from ragas.run_config import RunConfig


def main() -> None:
    given = Given()
    [system] = {case[0]["content"] for case in given.cases if case[0]["role"] == "system"} or [""]
    client = AsyncOpenAI(base_url=given.base_url, api_key=KEY, max_retries=0)
    llm = llm_factory(
        MODEL, client=client, temperature=0.0, max_tokens=MAX_TOKENS, system_prompt=system
    )
    limits = RunConfig(max_workers=given.concurrency, max_retries=0)

    async def judge(case) -> bool:
        found = await llm.agenerate(case[-1]["content"], response_model=Judgement)
        return is_judgement(found.model_dump())

    async def run(cases) -> int:
        executor = Executor(run_config=limits, raise_exceptions=True, show_progress=False)
        for case in cases:
            executor.submit(judge, case)
        return sum(found is True for found in await executor.aresults())

    async def both() -> None:
        await run(given.warm_up)
        watch = Stopwatch()
        parsed = await run(given.cases)
        tell(watch.read(), parsed, version("ragas"))

    asyncio.run(both())


if __name__ == "__main__":
    main()
