"""The fake judge in a process of its own, for as long as it is needed."""

import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


@contextmanager
def fake_judge(latency_ms: float, script: str | None = None) -> Iterator[str]:
    """Run the judge of this folder, or another server's script, and yield its address."""
    command = [sys.executable, script or str(HERE / "fake_judge.py"), "--latency", str(latency_ms)]
    with tempfile.TemporaryDirectory() as folder:
        port_file = Path(folder) / "port"
        if script is not None:
            command += ["--port", "0", "--port-file", str(port_file)]
            command += ["--rules", str(HERE / "rules.py")]
        running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert running.stdout is not None
            if script is None:
                port = running.stdout.readline()
            else:
                while not port_file.exists() or not (port := port_file.read_text()).strip():
                    time.sleep(0.05)
            yield f"http://127.0.0.1:{port.strip()}/v1"
        finally:
            running.terminate()
            running.wait()


def stats(base: str) -> dict[str, Any]:
    """Return the server's counters."""
    with urllib.request.urlopen(base.removesuffix("/v1") + "/stats") as reply:  # loopback
        return json.load(reply)
