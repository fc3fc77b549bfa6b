"""A provider on loopback that speaks several wire formats and records every byte of a request."""

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self

from aiohttp import web

_TEXT = '{"verdict": "yes"}'

_REPLIES: dict[str, Any] = {
    "openai": {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "answering-model-2026",
        "system_fingerprint": "fp_1",
        "service_tier": "default",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": _TEXT},
                "finish_reason": "stop",
                "logprobs": None,
            }
        ],
        "usage": {
            "prompt_tokens": 100,
            "completion_tokens": 20,
            "total_tokens": 120,
            "prompt_tokens_details": {"cached_tokens": 40},
        },
    },
    "anthropic": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5-20250929",
        "content": [{"type": "text", "text": _TEXT}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 60,
            "output_tokens": 20,
            "cache_read_input_tokens": 40,
            "cache_creation_input_tokens": 0,
        },
    },
    "ollama": {
        "model": "some-model",
        "created_at": "2026-11-01T00:00:00Z",
        "message": {"role": "assistant", "content": _TEXT},
        "done": True,
        "done_reason": "stop",
        "prompt_eval_count": 100,
        "eval_count": 20,
    },
    "generate": {
        "model": "some-model",
        "created_at": "2026-11-01T00:00:00Z",
        "response": _TEXT,
        "done": True,
        "done_reason": "stop",
        "prompt_eval_count": 100,
        "eval_count": 20,
    },
    "gemini": {
        "candidates": [
            {
                "content": {"parts": [{"text": _TEXT}], "role": "model"},
                "finishReason": "STOP",
                "index": 0,
            }
        ],
        "usageMetadata": {
            "promptTokenCount": 100,
            "candidatesTokenCount": 20,
            "totalTokenCount": 120,
        },
        "modelVersion": "gemini-2.0-flash-001",
    },
}


@dataclass(frozen=True)
class Recorded:
    """One request: its line, its headers in order of name, its body."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


class WireServer:
    """Answers everything in the wire format that is set; can be told to fail."""

    def __init__(self) -> None:
        self.wire = "openai"
        self.requests: list[Recorded] = []
        self.base = ""
        self._fault: tuple[int, Any, Mapping[str, str]] | None = None
        self._behaviour = ""
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

    @contextmanager
    def answering(self, status: int, body: Any, headers: Mapping[str, str]) -> Iterator[None]:
        self._fault = (status, body, headers)
        try:
            yield
        finally:
            self._fault = None

    @contextmanager
    def behaving(self, behaviour: str) -> Iterator[None]:
        self._behaviour = behaviour
        try:
            yield
        finally:
            self._behaviour = ""

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        app = web.Application(client_max_size=50_000_000)
        app.router.add_route("*", "/{path:.*}", self._answer)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        self._loop.run_until_complete(runner.setup())
        site = web.TCPSite(runner, "127.0.0.1", 0)
        self._loop.run_until_complete(site.start())
        self.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())
        self._loop.close()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        headers = tuple(sorted((k.lower(), v) for k, v in request.headers.items()))
        self.requests.append(Recorded(request.method, request.path_qs, headers, body))
        if self._behaviour == "silent":
            await asyncio.sleep(30)
        if self._behaviour == "reset" and request.transport is not None:
            request.transport.abort()
        if self._fault is None:
            return web.json_response(_REPLIES[self.wire])
        status, content, given = self._fault
        if isinstance(content, str):
            kind = given.get("Content-Type", "text/plain")
            rest = {k: v for k, v in given.items() if k != "Content-Type"}
            return web.Response(text=content, status=status, content_type=kind, headers=rest)
        text = json.dumps(content)
        return web.Response(
            text=text, status=status, content_type="application/json", headers=dict(given)
        )
