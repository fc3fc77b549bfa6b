"""A stand-in for a model provider: OpenAI-compatible, on loopback, scripted per case.

It runs in a thread of its own, so that plain and async tests can both talk to it, and it counts
what was really sent.
"""

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web


@dataclass(frozen=True)
class Scripted:
    """What the server does with one request."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    silent: bool = False
    reset: bool = False
    delay_s: float = 0.0


def says(
    content: str | Mapping[str, Any] | None,
    *,
    finish: str = "stop",
    usage: Mapping[str, Any] | None = None,
    delay_s: float = 0.0,
) -> Scripted:
    """A normal completion with this content (an object is sent as its JSON)."""
    text = json.dumps(content) if isinstance(content, Mapping) else content
    counted = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "stand-in-2026-11",
        "system_fingerprint": "fp_stand_in",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": finish,
            }
        ],
        "usage": counted if usage is None else dict(usage),
    }
    return Scripted(body=body, delay_s=delay_s)


def refuses_with(
    status: int, message: str, *, retry_after: str | None = None, **error: Any
) -> Scripted:
    """An error response as providers send it."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return Scripted(status, {"error": {"message": message, **error}}, headers)


NO_CHOICES = Scripted(body={**says("x").body, "choices": []})
ERROR_BODY = Scripted(body={"error": {"message": "rate limit", "type": "rate_limit_error"}})
SILENT = Scripted(silent=True)
RESET = Scripted(reset=True)
SERVER_ERROR = refuses_with(500, "the server had an error")
OVERLOADED = refuses_with(503, "overloaded")


def rate_limited(retry_after: str | None = "1") -> Scripted:
    """A 429 with its Retry-After."""
    return refuses_with(429, "slow down", retry_after=retry_after, type="rate_limit_error")


class StandInServer:
    """Answers each case by its script; the last entry of a script repeats.

    A case is recognised by its key standing anywhere in the prompt; a prompt that holds no key
    gets ``default``.
    """

    def __init__(
        self,
        scripts: Mapping[str, Sequence[Scripted]] | None = None,
        default: Scripted | None = None,
    ):
        self.scripts = dict(scripts or {})
        self.default = default or refuses_with(404, "no script for this prompt")
        self.requests: list[dict[str, Any]] = []
        self.seen: Counter[str] = Counter()
        self.in_flight = 0
        self.max_in_flight = 0
        self.url = ""
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    @property
    def count(self) -> int:
        return len(self.requests)

    def prompts(self) -> list[str]:
        """Return all message texts of each request, joined."""
        return ["\n".join(m["content"] for m in r["body"]["messages"]) for r in self.requests]

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        app = web.Application(client_max_size=50_000_000)
        app.router.add_post("/v1/chat/completions", self._answer)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        self._loop.run_until_complete(runner.setup())
        site = web.TCPSite(runner, "127.0.0.1", 0)
        self._loop.run_until_complete(site.start())
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())
        self._loop.close()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append({"body": body, "headers": dict(request.headers)})
        self.in_flight += 1
        self.max_in_flight = max(self.max_in_flight, self.in_flight)
        try:
            return await self._follow(self._next(body), request)
        finally:
            self.in_flight -= 1

    def _next(self, body: Mapping[str, Any]) -> Scripted:
        prompt = "\n".join(str(message["content"]) for message in body["messages"])
        for key, script in self.scripts.items():
            if key in prompt:
                position = min(self.seen[key], len(script) - 1)
                self.seen[key] += 1
                return script[position]
        return self.default

    async def _follow(self, step: Scripted, request: web.Request) -> web.StreamResponse:
        if step.delay_s:
            await asyncio.sleep(step.delay_s)
        if step.silent:
            await asyncio.sleep(30)
        if step.reset and request.transport is not None:
            request.transport.abort()
        return web.json_response(step.body, status=step.status, headers=dict(step.headers))
