"""The fake judge in a process of its own, for as long as it is needed."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent


@contextmanager
def fake_judge(latency_ms: float) -> Iterator[str]:
    """Run the judge of this folder and yield its address."""
    command = [sys.executable, str(HERE / "fake_judge.py"), "--latency", str(latency_ms)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        yield f"http://127.0.0.1:{running.stdout.readline().strip()}/v1"
    finally:
        running.terminate()
        running.wait()
