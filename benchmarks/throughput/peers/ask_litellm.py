"""Bare ``litellm.acompletion`` in a loop; the reply is parsed and nothing else."""

import asyncio
import json
import os
from importlib.metadata import version

from given import KEY, MAX_TOKENS, MODEL, Given, Stopwatch, all_at_once, is_judgement, tell

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm


async def main() -> None:
    given = Given()
    litellm.suppress_debug_info = True

    async def ask(messages) -> bool:
        reply = await litellm.acompletion(
            # A model litellm knows the price of: without one it is slower.
            model=f"openai/{MODEL}",
            messages=messages,
            api_base=given.base_url,
            api_key=KEY,
            max_retries=0,
            temperature=0.0,
            max_tokens=MAX_TOKENS,
            response_format=given.response_format,
        )
        return is_judgement(json.loads(reply.choices[0].message.content))

    await all_at_once(given.warm_up, given.concurrency, ask)
    watch = Stopwatch()
    parsed = await all_at_once(given.cases, given.concurrency, ask)
    tell(watch.read(), parsed, version("litellm"))


if __name__ == "__main__":
    asyncio.run(main())
