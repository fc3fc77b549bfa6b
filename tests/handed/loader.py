"""Worked cases that were handed over: one JSON object a line, in a folder beside the project.

The folder is no part of the project. Where it is absent, the tests that read it have no cases
and are skipped; ``CITEVAL_HANDED_CASES`` names another place.
"""

import json
import os
from pathlib import Path
from typing import Any

_PROJECT = Path(__file__).resolve().parents[2]


def cases_folder() -> Path:
    """Return where the case files lie, whether or not they do."""
    named = os.environ.get("CITEVAL_HANDED_CASES")
    return Path(named) if named else _PROJECT.parent / "shared" / "cases"


def load_cases(file: str, *areas: str) -> list[dict[str, Any]]:
    """Return the cases of one file (``playbooks``, ...), of some areas only where named."""
    path = cases_folder() / f"{file}.jsonl"
    if not path.exists():
        return []
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [row for row in rows if not areas or row["area"] in areas]
