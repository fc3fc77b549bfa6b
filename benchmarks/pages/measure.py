"""Ask every page of a served project as visitors do; print times and memory.

The processor time stands beside the times: on a machine with other work to do, only that tells
what a page costs.
"""

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import duckdb
from generate import JUDGES, SYSTEMS, Made

ALLOWED_MS, ALLOWED_MB = 300, 400
Address = Callable[[random.Random], str]


def measure(made: Made, requests: int) -> bool:
    """Serve the project, measure every kind of page; return whether all keep to the bounds."""
    kinds = _kinds(made)
    with _Server(made) as server:
        rng = random.Random(3)
        print(f"{'page':<34}{'p50 ms':>8}{'p95 ms':>8}{'max ms':>8}{'CPU ms':>8}{'kB':>7}")
        slow: list[str] = []
        for name, address in kinds.items():
            server.get(address(rng))
            times, size, before = [], 0, server.cpu_ms()
            for _ in range(requests):
                path = address(rng)
                started = time.perf_counter()
                size = max(size, len(server.get(path)))
                times.append(1000 * (time.perf_counter() - started))
            cpu = (server.cpu_ms() - before) / requests
            times.sort()
            p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
            print(
                f"{name:<34}{p50:>8.0f}{p95:>8.0f}{times[-1]:>8.0f}{cpu:>8.0f}{size / 1000:>7.0f}"
            )
            if p95 > ALLOWED_MS:
                slow.append(name)
        now, peak = server.memory_mb()
    print(f"memory: {now:.0f} MB at the end, {peak:.0f} MB at most (allowed {ALLOWED_MB})")
    for name in slow:
        print(f"too slow: {name}")
    return not slow and peak <= ALLOWED_MB


def _kinds(made: Made) -> dict[str, Address]:
    """Return how the address of each kind of page is drawn."""
    published = made.home / "citeval" / "published" / "citeval.duckdb"
    with duckdb.connect(str(published), read_only=True) as connection:
        cases = connection.execute(
            "SELECT playbook, test_case_id, system, model, prompt_version FROM page_cases "
            "USING SAMPLE 2000 ROWS (reservoir, 7)"
        ).fetchall()
        texts = connection.execute(
            "SELECT searched FROM page_texts USING SAMPLE 500 ROWS (reservoir, 7)"
        ).fetchall()
        items = connection.execute(
            "SELECT item_id FROM review_queue USING SAMPLE 500 ROWS (reservoir, 7)"
        ).fetchall()
        words = [word for (text,) in texts for word in re.findall(r"[a-z]{5,}", text)]

    def url(path: str, **parameters: Any) -> str:
        return f"{path}?{urlencode({k: v for k, v in parameters.items() if v is not None})}"

    def case(rng: random.Random, **more: Any) -> str:
        names = ("playbook", "case", "system", "judge", "prompt")
        return url("/case", **dict(zip(names, rng.choice(cases), strict=True)), **more)

    def phrase(rng: random.Random) -> str:
        text = rng.choice(texts)[0].split("\n")[-2]
        parts = text.split()
        at = rng.randrange(max(1, len(parts) - 3))
        return '"' + " ".join(parts[at : at + 3]) + '"'

    playbooks = ("citation_faithfulness", "citation_accuracy", "cot_faithfulness")
    flags = ("partially_supported", "hallucinated_source", "unsupported")
    return {
        "overview": lambda rng: "/",
        "cases": lambda rng: "/cases",
        "cases: page 1 to 1800": lambda rng: url("/cases", page=rng.randint(1, 1_800)),
        "cases: playbook, system, judge": lambda rng: url(
            "/cases", playbook=rng.choice(playbooks), system=rng.choice(SYSTEMS),
            judge=rng.choice(JUDGES),
        ),
        "cases: flag": lambda rng: url("/cases", flag=rng.choice(flags), page=rng.randint(1, 20)),
        "cases: status": lambda rng: url("/cases", status="VALIDATION_FAILED"),
        "cases: any sort": lambda rng: url(
            "/cases", sort=rng.choice(("case", "system", "judge", "status", "failing", "newest")),
            way=rng.choice(("up", "down")),
        ),
        "cases: search, any word": lambda rng: url("/cases", q=rng.choice(words)),
        "cases: search, two words": lambda rng: url(
            "/cases", q=f"{rng.choice(words)} {rng.choice(words)}"
        ),
        "cases: search, a phrase": lambda rng: url("/cases", q=phrase(rng)),
        "cases: search, nothing found": lambda rng: url("/cases", q=f"zzz{rng.random()}"),
        "cases: search in one cell": lambda rng: url(
            "/cases", q=rng.choice(words), playbook=rng.choice(playbooks),
            judge=rng.choice(JUDGES),
        ),
        "case": case,
        "case: a finding": lambda rng: case(rng, finding=rng.randint(0, 11)),
        "compare: systems": lambda rng: url(
            "/compare", playbook=rng.choice(playbooks), judge=rng.choice(JUDGES), prompt="v1",
            base=SYSTEMS[0], candidate=SYSTEMS[1], page=rng.randint(1, 60),
        ),
        "compare: judges": lambda rng: url(
            "/compare", by="judges", playbook=rng.choice(playbooks), prompt="v1",
            base=JUDGES[0], candidate=rng.choice(JUDGES[1:]),
            show=rng.choice(("all", "worse", "better", "unscored")),
        ),
        "compare: prompts": lambda rng: url(
            "/compare", by="prompts", playbook=rng.choice(playbooks[:2]),
            judge=rng.choice(JUDGES), base="v1", candidate="v2",
        ),
        "review": lambda rng: "/review",
        "review: page 1 to 200": lambda rng: url("/review", page=rng.randint(1, 200)),
        "review: playbook, severity": lambda rng: url(
            "/review", playbook=rng.choice(playbooks), severity=rng.choice(("critical", "major")),
        ),
        "review: an item": lambda rng: f"/review/{rng.choice(items)[0]}",
        "review: an item, blind": lambda rng: f"/review/{rng.choice(items)[0]}?blind=1",
        "calibration": lambda rng: "/calibration",
        "judges": lambda rng: "/judges",
        "audit": lambda rng: "/audit",
        "audit: a case": lambda rng: url("/audit", trace=rng.choice(cases)[1]),
    }  # fmt: skip


class _Server:
    """``citeval serve`` over the project, in a process of its own."""

    def __init__(self, made: Made) -> None:
        self.made = made
        self.port = random.Random().randint(20_000, 40_000)

    def __enter__(self) -> "_Server":
        command = [sys.executable, "-m", "citeval_assets.cli", "--project", str(self.made.folder),
                   "serve", "--port", str(self.port)]  # fmt: skip
        environ = {**os.environ, "DAGSTER_HOME": str(self.made.home)}
        self.process = subprocess.Popen(command, env=environ)
        for _ in self._tries():
            try:
                self.get("/login")
                return self
            except OSError:
                time.sleep(0.2)
        raise SystemExit("the server did not come up")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(10)

    def _tries(self) -> Iterator[None]:
        for _ in range(150):
            if self.process.poll() is not None:
                raise SystemExit(f"the server ended with {self.process.returncode}")
            yield

    def get(self, path: str) -> bytes:
        """Return what one page answers."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path, headers={"Accept": "text/html"})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        if answer.status != 200:
            raise SystemExit(f"{answer.status} for {path}: {body[:300]!r}")
        return body

    def cpu_ms(self) -> float:
        """Return the processor time the server has used so far, all its threads together."""
        text = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8")
        used = text.rpartition(")")[2].split()[11:13]
        return 1000 * sum(map(int, used)) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self) -> tuple[float, float]:
        """Return the memory of the server now, and the most it ever had."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        found = dict(re.findall(r"^(VmRSS|VmHWM):\s+(\d+) kB", status, re.MULTILINE))
        return int(found["VmRSS"]) / 1024, int(found["VmHWM"]) / 1024
