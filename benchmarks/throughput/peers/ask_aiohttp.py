"""The floor: one aiohttp session, json, no validation."""

import asyncio
import json

import aiohttp
from given import KEY, MAX_TOKENS, MODEL, Given, Stopwatch, all_at_once, is_judgement, tell


async def main() -> None:
    given = Given()
    headers = {"Authorization": f"Bearer {KEY}"}
    url = f"{given.base_url}/chat/completions"
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, headers=headers) as session:

        async def ask(messages) -> bool:
            body = {
                "model": MODEL,
                "messages": messages,
                "temperature": 0.0,
                "max_tokens": MAX_TOKENS,
                "response_format": given.response_format,
            }
            async with session.post(url, json=body) as reply:
                content = (await reply.json())["choices"][0]["message"]["content"]
            return is_judgement(json.loads(content))

        await all_at_once(given.warm_up, given.concurrency, ask)
        watch = Stopwatch()
        parsed = await all_at_once(given.cases, given.concurrency, ask)
        tell(watch.read(), parsed, aiohttp.__version__)


if __name__ == "__main__":
    asyncio.run(main())
