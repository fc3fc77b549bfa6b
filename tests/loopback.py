"""A small web server on loopback: serves scripted JSON, keeps what it was sent."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Loopback:
    """What the server gives (``body``, ``status``) and what it got."""

    url: str = ""
    status: int = 200
    body: Any = field(default_factory=dict)
    received: list[Any] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def loopback() -> Iterator[Loopback]:
    """Run a server for the length of a block."""
    state = Loopback()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(None)

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length", 0))
            self._answer(self.rfile.read(size))

        def _answer(self, sent: bytes | None) -> None:
            state.headers.append(dict(self.headers))
            if sent is not None:
                state.received.append(_read(sent))
            body = json.dumps(state.body).encode()
            self.send_response(state.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()


def _read(sent: bytes) -> Any:
    text = sent.decode()
    try:
        return json.loads(text)
    except ValueError:
        return text
