"""The judge's answers for a fake server that takes rules from a file."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from workload import judge_reply


def respond(request: dict[str, Any], info: dict[str, Any]) -> str:
    return judge_reply(request["messages"][-1]["content"])
