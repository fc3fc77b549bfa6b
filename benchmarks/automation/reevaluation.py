"""Calls counted: what each kind of change makes a paid judge be asked.

    .venv/bin/python -m benchmarks.automation.reevaluation

Twenty cases of citation_faithfulness (ten questions, two systems), two paid judges, two prompt
versions. The judge answers offline and counts. Nothing else is judged.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.defs.automated import Automated
from tests.paid_judge import PaidJudge, stand_in
from tests.small_project import CASES, make_project

PLAYBOOK = "citation_faithfulness"
SETTINGS = """\
models:
  - {id: first, model: paid/judge-1, roles: [judge], stage: production}
  - {id: second, model: paid/judge-2, roles: [judge]}
systems:
  - {label: prod, stage: production}
"""


def main(folder: Path, judge: PaidJudge) -> None:
    """Change one thing after the other, evaluate, count."""
    project = make_project(folder, SETTINGS)
    world = Automated(project, None)  # type: ignore[arg-type]
    base = CASES[PLAYBOOK][0]
    rows: list[dict[str, Any]] = [
        {**base, "test_case_id": f"case-{n}", "system": system, "question": f"{n} {system}?"}
        for n in range(10)
        for system in ("prod", "candidate")
    ]
    project.write_rows(PLAYBOOK, rows)

    def step(what: str, change: Callable[[], Any]) -> None:
        change()
        before = len(judge.requests)
        summary = project.evaluate(playbooks=[PLAYBOOK])
        asked = len(judge.requests) - before
        print(f"{what:64} {asked:3} calls, {summary.reused_calls:3} replies reused", flush=True)

    def edit(position: int, **fields: Any) -> None:
        rows[position] = {**rows[position], **fields}
        project.write_rows(PLAYBOOK, rows)

    def edit_draft() -> None:
        file = world.template(PLAYBOOK, "v9")
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("## User", "Be strict.\n\n## User", 1), encoding="utf-8")

    step("the first run: 20 cases x 2 judges x 2 prompt versions", lambda: None)
    step("again, nothing changed", lambda: None)
    step("the case file is written anew, same content", lambda: project.write_rows(PLAYBOOK, rows))
    step("one case edited: its question", lambda: edit(0, question="Another question?"))
    step("one case edited: its sources (as by a new retriever)", lambda: edit(
        1, sources=[*base["sources"], {"id": "9", "text": "Dogs travel free."}]))  # fmt: skip
    step("one case edited: its label only", lambda: edit(
        2, labels={"score": 1.0}, label_source="human"))  # fmt: skip
    step("the rows in another order", lambda: project.write_rows(PLAYBOOK, rows[::-1]))
    step("one case taken out", lambda: project.write_rows(PLAYBOOK, rows[:-1]))
    step("it comes back", lambda: project.write_rows(PLAYBOOK, rows))
    step("a third judge", lambda: world.add_model(
        "{id: third, model: paid/judge-3, roles: [judge]}"))  # fmt: skip
    step(
        "a new prompt version with the text of v1, 3 judges",
        lambda: world.add_template(PLAYBOOK, "v9"),
    )
    step("its text is edited (a draft), 3 judges", edit_draft)
    step("a judge is retired", lambda: world.settings(
        lambda text: text.replace("roles: [judge]}\nsystems", "roles: [judge], stage: retired}\nsystems")))  # noqa: E501  # fmt: skip


if __name__ == "__main__":
    paid = PaidJudge()
    with tempfile.TemporaryDirectory() as scratch, pytest.MonkeyPatch.context() as patch:
        stand_in(patch, paid)
        main(Path(scratch), paid)
