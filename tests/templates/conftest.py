"""A prompts folder with one playbook of its own, so that these tests need no real one."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from citeval_assets.playbooks.base import AnyPlaybook, ModelReply, Slot
from citeval_assets.playbooks.vocabulary import TemplateKind
from citeval_assets.templates.library import TemplateLibrary, load_templates


class TeaReply(ModelReply):
    verdict: str
    cups: int


TEA = cast(
    "AnyPlaybook",
    SimpleNamespace(
        name="tea_tasting",
        kind=TemplateKind.JUDGE,
        slots=(Slot("TEA_NOTES"), Slot("WATER", optional=True)),
        min_examples=1,
        reply_type=TeaReply,
    ),
)

HEAD: Mapping[str, str] = {
    "playbook": "tea_tasting",
    "version": "v1",
    "kind": "judge",
    "status": "draft",
    "slots": "[TEA_NOTES]",
    "output_schema": "tea_tasting.reply",
    "few_shot": "v1.md",
    "description": "Tastes tea.",
}

BODY = """
## System

Judge the tea.

[FEW_SHOT_EXAMPLES]

## User

[TEA_NOTES]

[CORRECTION_FEEDBACK]
"""

EXAMPLES = """
### Example 1 (good)

Notes: floral.

```json
{"verdict": "good", "cups": 3}
```
"""


def template_text(body: str = BODY, **head: str | None) -> str:
    merged = {**HEAD, **head}
    lines = [f"{key}: {value}" for key, value in merged.items() if value is not None]
    return "\n".join(["---", *lines, "---", body])


class Prompts:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.playbook = folder / "tea_tasting"
        (self.playbook / "examples").mkdir(parents=True)
        self.write("examples/v1.md", EXAMPLES)

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.playbook / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def load(self, **playbooks: Any) -> TemplateLibrary:
        return load_templates(self.folder, {"tea_tasting": TEA, **playbooks})

    def problem(self) -> str:
        problems = self.load().problems
        assert len(problems) == 1, problems
        return str(problems[0])


@pytest.fixture
def prompts(tmp_path: Path) -> Prompts:
    return Prompts(tmp_path / "prompts")


@pytest.fixture
def template() -> Callable[..., str]:
    return template_text


@pytest.fixture
def tea() -> AnyPlaybook:
    return TEA
