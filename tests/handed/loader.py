"""Worked cases that were handed over: one JSON object a line, in a folder beside the project.

The folder is no part of the project. Where it is absent, the tests that read it have no cases
and are skipped; ``CITEVAL_CASES`` names another place.
"""

import json
import os
from pathlib import Path
from typing import Any

_PROJECT = Path(__file__).resolve().parents[2]


def cases_folder() -> Path:
    """Return where the case files lie, whether or not they do."""
    named = os.environ.get("CITEVAL_CASES") or os.environ.get("CITEVAL_HANDED_CASES")
    return Path(named) if named else _PROJECT.parent / "shared" / "cases"


def load_cases(file: str, *areas: str) -> list[dict[str, Any]]:
    """Return the cases of one file (``playbooks``, ...), of some areas only where named."""
    path = cases_folder() / f"{file}.jsonl"
    if not path.exists():
        return []
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [row for row in rows if not areas or row["area"] in areas]


def expanded(value: Any) -> Any:
    """Return an input with every ``generate`` object replaced by the text it stands for.

    Called when a test runs, not when it is collected: the texts are large.
    """
    if isinstance(value, list):
        return [expanded(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "generate" not in value:
        return {key: expanded(one) for key, one in value.items()}
    kind = value["generate"]
    if kind == "repeat":
        return value["text"] * value["times"]
    if kind == "concat":
        return "".join(_part(part) for part in value["parts"])
    if kind == "nested":
        inner = value.get("inner", "")
        return value["open"] * value["depth"] + inner + value["close"] * value["depth"]
    if kind == "keys":
        return json.dumps({f"key{number}": number for number in range(value["count"])})
    raise ValueError(f"no way to generate {kind!r}")


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if "repeat" in part:
        return part["repeat"] * part["times"]
    return expanded(part)
