"""promptfoo: ``promptfoo eval`` with an OpenAI provider at our address and an ``is-json`` check.

A Node program, so measured from outside: once with a few cases, which is its start-up, and once
with all; the loop is the difference. ``NODE`` and ``PROMPTFOO`` name both programs.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from given import KEY, MAX_TOKENS, MODEL, WARM_UP, Given, is_judgement, tell

_OFFLINE = {"HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1"}
"""It tells its makers that telemetry is off; that, too, must not leave the machine."""

_PART = '{"role": "%s", "content": {{%s | dump}}}'
PROMPT = f"[{_PART % ('system', 'system')}, {_PART % ('user', 'user')}]"


def evaluated(given: Given, cases: list[list[dict[str, str]]]) -> tuple[dict[str, float], int]:
    """Run it over these cases; return what it took, and how many replies it took for good."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        config, output = folder / "promptfooconfig.json", folder / "out.json"
        config.write_text(json.dumps(_config(given, cases)), encoding="utf-8")
        command = [os.environ["NODE"], os.environ["PROMPTFOO"], "eval", "--config", str(config)]
        command += ["--max-concurrency", str(given.concurrency), "--output", str(output)]
        command += ["--no-cache", "--no-write", "--no-table", "--no-progress-bar", "--no-share"]
        environ = {**os.environ, **_OFFLINE, "PROMPTFOO_CONFIG_DIR": str(folder / "home")}
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(command, env=environ, cwd=folder, capture_output=True, text=True)
        wall = time.perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if not output.exists():
            sys.exit(f"promptfoo wrote nothing:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        results = json.loads(output.read_text(encoding="utf-8"))["results"]["results"]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"cpu_s": cpu, "wall_s": wall}, sum(_is_good(result) for result in results)


def _config(given: Given, cases: list[list[dict[str, str]]]) -> dict[str, Any]:
    asked = {
        "apiBaseUrl": given.base_url,
        "apiKey": KEY,
        "temperature": 0,
        "max_tokens": MAX_TOKENS,
        "response_format": _whole(given.response_format, given.schema.get("$defs", {})),
    }
    return {
        "prompts": [{"raw": PROMPT, "label": "judge"}],
        "providers": [{"id": f"openai:chat:{MODEL}", "config": asked}],
        "defaultTest": {"assert": [{"type": "is-json"}]},
        "tests": [{"vars": {m["role"]: m["content"] for m in case}} for case in cases],
    }


def _whole(node: Any, named: dict[str, Any]) -> Any:
    """Put every part of a schema where it is referred to: promptfoo reads ``$ref`` its own way."""
    if isinstance(node, list):
        return [_whole(item, named) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _whole(named[node["$ref"].rpartition("/")[2]], named)
    return {name: _whole(value, named) for name, value in node.items() if name != "$defs"}


def _is_good(result: dict[str, Any]) -> bool:
    output = result.get("response", {}).get("output")
    reply = json.loads(output) if isinstance(output, str) else output
    return bool(result["success"]) and is_judgement(reply)


def main() -> None:
    given = Given()
    start, _ = evaluated(given, given.warm_up)
    whole, parsed = evaluated(given, given.cases)
    # The start-up run did the calls of the first cases as well: they are a share of the loop.
    share = len(given.cases) / max(1, len(given.cases) - WARM_UP)
    loop = {name: round((whole[name] - start[name]) * share, 4) for name in whole}
    version = json.loads(Path(os.environ["PROMPTFOO_PACKAGE"]).read_text("utf-8"))["version"]
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    tell(loop, parsed, version, start=start, peak_mb=round(most / 1024, 1))


if __name__ == "__main__":
    main()
