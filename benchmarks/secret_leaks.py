"""Ten planted keys, echoed back in six encodings: how often is one found in anything written?

    python benchmarks/secret_leaks.py [--json]

A provider on loopback repeats the key it is sent in every way a provider can: in error texts, in
addresses, in headers, in the middle of replies, plain and encoded. ``citeval run`` is run against
it as a user would (through Dagster, with its event log), once quietly and once with all debug
switches on; then come the exports, the report file, what the audit shows, and every page of
``citeval serve``. Everything that was written or shown is searched for every key in every encoding:
ledger, warehouse, snapshot, Dagster's home, exports, pages, standard output and standard error.
Exits 1 if anything is found, or if a page or command did not work.
"""

import argparse
import base64
import html
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

REPOSITORY = Path(__file__).resolve().parents[1]

KEYS = {
    "KEY_0": "canary-secret-000222",
    "KEY_1": "sk-proj-Canary1234567890abcdefghij",
    "KEY_2": "sk-ant-api03-canary_0123456789-abcdef",
    "KEY_3": "AIzaCanary0123456789abcdefghijklmnopqrs",
    "KEY_4": "gsk_canary0123456789abcdefghijklmnop",
    "KEY_5": "hf_canary0123456789abcdefghijklmnop",
    "KEY_6": "canary/with+slash=and&sign<html>",
    "KEY_7": 'canary"quote\\and-backslash',
    "KEY_8": "0123456789abcdef0123456789abcdef",
    "KEY_9": "canary key with blanks",
}
"""Half of them stand in a variable, the others in a file that one names."""


def encodings(key: str) -> dict[str, str]:
    """Return the six spellings that are planted and searched for."""
    raw = key.encode()
    return {
        "plain": key,
        "url": quote(key, safe=""),
        "json": json.dumps(key)[1:-1],
        "html": html.escape(key),
        "base64": base64.b64encode(raw).decode(),
        "hex": raw.hex(),
    }


class Echo(BaseHTTPRequestHandler):
    """Answers each case in its own way; every way repeats the key."""

    protocol_version = "HTTP/1.1"
    count = 0
    _lock = threading.Lock()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        key = self.headers["Authorization"].removeprefix("Bearer ")
        with Echo._lock:
            Echo.count += 1
            number = Echo.count
        told = " | ".join(f"{name} {text}" for name, text in encodings(key).items())
        status, content, kind = self._way(number % 8, key, told, body)
        data = content.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("X-Echo", quote(key))
        self.end_headers()
        self.wfile.write(data)

    def _way(self, way: int, key: str, told: str, body: bytes) -> tuple[int, str, str]:
        error = {
            0: (401, f"Incorrect API key provided: {key}. {told}"),
            1: (404, f"no such address /v1/x?key={quote(key)}&again={told}"),
            2: (400, f"bad request; Authorization: Bearer {key}; {told}"),
            3: (403, f"forbidden for {told}"),
            4: (422, f"unprocessable: {told}"),
        }.get(way)
        if error is not None:
            status, message = error
            return status, json.dumps({"error": {"message": message}}), "application/json"
        if way == 5:
            return 200, f"<html>{html.escape(told)}</html>", "text/html"
        content = f'{{"citation_faithfulness_score": 1, "note": {json.dumps(told)}}}'
        if way == 6:
            content = f"I was called with {told} and {body[:200].decode(errors='replace')}"
        return 200, json.dumps(_completion(content, key)), "application/json"

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""


def _completion(content: str, key: str) -> dict[str, Any]:
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": f"model-of-{key}",
        "system_fingerprint": key,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def write_project(folder: Path, base: str) -> dict[str, str]:
    """Write a project with ten models, one for each key; return its environment."""
    models = [
        {
            "id": f"m{number}",
            "model": "openai/echo",
            "roles": ["judge"],
            "api_base": base,
            "api_key_env": name,
            "limits": {"tries": 1, "timeout_s": 60, "breaker_failures": 1000},
        }
        for number, name in enumerate(KEYS)
    ]
    (folder / "citeval.yaml").write_text(json.dumps({"models": models}), encoding="utf-8")
    source = REPOSITORY / "prompts" / "citation_faithfulness"
    prompts = folder / "prompts" / "citation_faithfulness"
    (prompts / "examples").mkdir(parents=True)
    for file in ("v1.md", "examples/v1.md"):
        (prompts / file).write_text((source / file).read_text(encoding="utf-8"), encoding="utf-8")
    golden = folder / "data" / "golden"
    golden.mkdir(parents=True)
    rows = [
        {
            "test_case_id": f"case-{number}",
            "system": "prod",
            "question": f"What is number {number}?",
            "sources": [{"id": "1", "text": f"Number {number} is the lamp in the hall."}],
            "answer": f"Number {number} is the lamp in the hall [1].",
        }
        for number in range(4)
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (golden / "citation_faithfulness.jsonl").write_text(text, encoding="utf-8")
    secrets = folder.parent / "secrets"
    secrets.mkdir(exist_ok=True)
    environ = {}
    for number, (name, key) in enumerate(KEYS.items()):
        if number % 2:
            (secrets / name).write_text(key + "\n", encoding="utf-8")
            environ[f"{name}_FILE"] = str(secrets / name)
        else:
            environ[name] = key
    return environ


def hits(texts: Iterator[tuple[str, bytes]]) -> list[str]:
    """Return where a key was found, and in which spelling (never the key)."""
    wanted = {
        (name, how): spelling.encode()
        for name, key in KEYS.items()
        for how, spelling in encodings(key).items()
    }
    return [
        f"{place}: {name} {how}"
        for place, content in texts
        for (name, how), spelling in wanted.items()
        if spelling in content
    ]


def written(home: Path, folder: Path, outputs: dict[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield everything that was written; packed tables are read out as well."""
    yield from outputs.items()
    for root in (home, folder):
        for file in sorted(root.rglob("*")):
            if file.is_file():
                yield str(file.relative_to(root)), file.read_bytes()
    import duckdb

    for file in home.rglob("*.duckdb"):
        with duckdb.connect(str(file), read_only=True) as connection:
            for (table,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
                rows = connection.table(table).fetchall()
                yield f"{file.name}/{table}", repr(rows).encode()


PAGES = (
    "/", "/cases", "/cases.csv", "/review", "/review/digest", "/calibration", "/judges", "/audit",
    "/compare",
)  # fmt: skip


def pages(command: list[str], environ: dict[str, str], folder: Path) -> dict[str, bytes]:
    """Return every page, and those of cases and of the queue that they lead to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    running = subprocess.Popen(
        [*command, "serve", "--port", str(port)],
        env=environ,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    found: dict[str, bytes] = {}
    try:
        waiting = list(PAGES)
        while waiting and len(found) < 80:
            path = waiting.pop(0)
            found[f"page {path}"] = content = fetched(f"http://127.0.0.1:{port}{path}")
            links = re.findall(rb'href="(/(?:case|review|audit|compare)[^"#]*)"', content)
            more = dict.fromkeys(html.unescape(link.decode()) for link in links)
            waiting += [one for one in more if f"page {one}" not in found and one not in waiting]
    finally:
        running.terminate()
        said, _ = running.communicate()
    return {**found, "serve output": said}


def fetched(address: str) -> bytes:
    for _ in range(300):
        try:
            with urllib.request.urlopen(address) as reply:  # loopback
                return reply.read()
        except urllib.error.HTTPError as error:
            return f"HTTP {error.code} ".encode() + error.read()
        except urllib.error.URLError:
            time.sleep(0.2)
    return b"no answer"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_address[1]}/v1"
    with tempfile.TemporaryDirectory() as name:
        folder, home = Path(name) / "project", Path(name) / "home"
        folder.mkdir()
        keys = write_project(folder, base)
        quiet = {"PATH": os.environ["PATH"], "DAGSTER_HOME": str(home), **keys}
        loud = {**quiet, "LOG_LEVEL": "DEBUG", "LITELLM_LOG": "DEBUG", "OPENAI_LOG": "debug"}
        home.mkdir()
        outputs: dict[str, bytes] = {}
        command = [sys.executable, "-m", "citeval_assets.cli", "--project", str(folder)]
        for label, environ, arguments in (
            ("run", quiet, ["run"]),
            ("debug run", loud, ["--debug", "run", "--refresh", "--verbose"]),
            ("status", quiet, ["status", "--json"]),
            ("audit export", quiet, ["audit", "export"]),
            ("audit show", quiet, ["audit", "show", "case-0"]),
            ("audit maybe-paid", quiet, ["audit", "maybe-paid"]),
            ("export reports", quiet, ["export", "reports"]),
            ("export findings", quiet, ["export", "findings", "--format", "jsonl"]),
            ("report", quiet, ["report", "--out", str(folder / "report.html")]),
        ):
            done = subprocess.run(
                [*command, *arguments],
                env={**environ, "PYTHONPATH": str(REPOSITORY)},
                capture_output=True,
                cwd=folder,
            )
            outputs[f"{label} stdout"], outputs[f"{label} stderr"] = done.stdout, done.stderr
        outputs |= pages(command, {**quiet, "PYTHONPATH": str(REPOSITORY)}, folder)
        found = hits(written(home, folder, outputs))
        everything = [content for _, content in written(home, folder, outputs)]
    result = {
        "keys": len(KEYS),
        "encodings": 6,
        "calls": Echo.count,
        "bytes_searched": sum(map(len, everything)),
        "redactions": sum(content.count(b"[redacted]") for content in everything),
        "pages": sum(name.startswith("page ") for name in outputs),
        "pages_that_failed": [
            name
            for name, content in outputs.items()
            if name.startswith("page ") and content.startswith((b"HTTP ", b"no answer"))
        ],
        "hits": found,
    }
    print(json.dumps(result) if chosen.json else json.dumps(result, indent=2))
    if not Echo.count:
        print(outputs["run stderr"].decode()[-2000:], file=sys.stderr)
    return 1 if found or not Echo.count else 0


if __name__ == "__main__":
    sys.exit(main())
