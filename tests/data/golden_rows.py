"""Reading the golden rows, and judging one with a judge that says exactly what its labels say."""

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from citeval_assets.playbooks.attempts import Reply
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.settling import settle

DATA = Path(__file__).resolve().parents[2] / "data"
PLAYBOOKS = (
    "answer_comparison",
    "citation_accuracy",
    "citation_faithfulness",
    "cite_or_abstain",
    "cot_faithfulness",
)
Row = dict[str, Any]


def read_rows(playbook: str) -> list[Row]:
    lines = (DATA / "golden" / f"{playbook}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def key(row: Row) -> str:
    return f"{row['test_case_id']}:{row['system']}"


def prepared(playbook: str, row: Row, rules: DomainRules | None = None) -> Any:
    recipe = get_playbook(playbook)
    return recipe.prepare(recipe.case_type.model_validate(row), rules or DomainRules())


def report(playbook: str, row: Row, reply: Row) -> Report:
    """Return the report over a judge that gives this reply."""
    attempts = [Reply(json.dumps(reply), "stop")]
    outcome = settle(get_playbook(playbook), prepared(playbook, row), attempts)
    assert isinstance(outcome, Report), outcome
    return outcome


def said(playbook: str, row: Row) -> str:
    """Return what the system said: the answer, the trace, or the answer of its output."""
    if playbook == "cite_or_abstain":
        try:
            output = json.loads(row["recorded_output"])
        except ValueError:
            return row["recorded_output"]
        return "\n".join(filter(None, (output["answer"], output["abstention_reason"])))
    text = row.get("answer", row.get("reasoning_trace"))
    return text if isinstance(text, str) else "\n".join(text)


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def script(name: str) -> ModuleType:
    """Import a script of the data folder, with its neighbours in reach."""
    if str(DATA) not in sys.path:
        sys.path.insert(0, str(DATA))
    spec = importlib.util.spec_from_file_location(f"golden_{name}", DATA / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
