"""A door before the model's server that refuses every response format, as many servers do.

Behind it nothing holds the model to JSON: what it writes of itself is what has to be read.
"""

import json
import threading
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_REFUSAL = {"error": {"message": "response_format is not supported", "param": "response_format"}}


@contextmanager
def without_formats(base: str, refused: Counter[str]) -> Iterator[str]:
    """Yield an address that passes on to ``base`` what asks for no format, and count the rest."""

    class Door(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if "response_format" in json.loads(body):
                refused["400"] += 1
                self._answer(400, json.dumps(_REFUSAL).encode())
                return
            address = base + self.path.removeprefix("/v1")
            headers = {"Content-Type": "application/json"}
            request = urllib.request.Request(address, body, headers)  # loopback
            try:
                with urllib.request.urlopen(request) as answer:
                    self._answer(answer.status, answer.read())
            except urllib.error.HTTPError as error:
                self._answer(error.code, error.read())

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    door = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    threading.Thread(target=door.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{door.server_address[1]}/v1"
    finally:
        door.shutdown()
        door.server_close()
