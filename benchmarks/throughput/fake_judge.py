"""A judge on loopback: answers every chat completion correctly after a fixed latency.

Nothing but the standard library, so that it takes as little as possible of the cores that are
measured. ``GET /stats`` tells how many calls were made and how many were open at once.
"""

import argparse
import asyncio
import json

from workload import judge_reply


class FakeJudge:
    """The server, with its counters."""

    def __init__(self, latency_ms: float) -> None:
        self.latency_s = latency_ms / 1000
        self.requests = self.open = self.most_open = 0
        self.prompt_tokens = self.completion_tokens = 0
        self._replies: dict[str, bytes] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                fields = head.decode("latin-1").lower().split("\r\n")
                length = next((f for f in fields if f.startswith("content-length:")), ":0")
                body = await reader.readexactly(int(length.split(":")[1]))
                writer.write(await self._answer(fields[0], body))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def _answer(self, line: str, body: bytes) -> bytes:
        if line.startswith("get"):
            told = {
                "requests": self.requests,
                "max_in_flight": self.most_open,
                "prompt_tokens": self.prompt_tokens,
                "completion_tokens": self.completion_tokens,
            }
            return _response(json.dumps(told).encode())
        self.requests += 1
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        asked = json.loads(body)
        prompt = asked["messages"][-1]["content"]
        content = judge_reply(prompt)
        if self.latency_s:
            await asyncio.sleep(self.latency_s)
        self.open -= 1
        self.prompt_tokens += len(body) // 4
        self.completion_tokens += len(content) // 4
        reply = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": asked["model"],
            "system_fingerprint": "fp_fake",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": content},
                    "finish_reason": "stop",
                }
            ],
            "usage": {
                "prompt_tokens": len(body) // 4,
                "completion_tokens": len(content) // 4,
                "total_tokens": (len(body) + len(content)) // 4,
            },
        }
        return _response(json.dumps(reply).encode())


def _response(body: bytes) -> bytes:
    return (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        % len(body)
    ) + body


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.0, help="milliseconds")
    arguments = parser.parse_args()
    judge = FakeJudge(arguments.latency)
    server = await asyncio.start_server(judge.serve, "127.0.0.1", 0, limit=1 << 20)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
