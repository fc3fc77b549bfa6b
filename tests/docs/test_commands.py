"""What the pages tell people to type works, and what they link to exists."""

import re
import shlex
from pathlib import Path

import pytest

from citeval_assets.cli.program import run as citeval
from tests.small_project import REPOSITORY, make_project

PAGES = sorted([REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md")])
GENERAL_PAGES = [
    REPOSITORY / "README.md",
    REPOSITORY / "docs" / "automation.md",
    REPOSITORY / "docs" / "prompts.md",
]
"""Pages whose commands run over any project; the others are tested beside what they describe."""


def shell_lines(page: Path) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    lines = (line.split("  #")[0].strip() for block in blocks for line in block.splitlines())
    return [line for line in lines if line]


def citeval_commands() -> list[str]:
    lines = (line for page in GENERAL_PAGES for line in shell_lines(page))
    commands = (line.removeprefix(".venv/bin/") for line in lines)
    return sorted({command for command in commands if command.startswith("citeval ")})


@pytest.mark.slow
def test_commands_of_the_general_pages_run(tmp_path, monkeypatch, capsys):
    project = make_project(tmp_path)
    monkeypatch.setenv("DAGSTER_HOME", str(project.home))
    monkeypatch.chdir(project.folder)

    failed = {c: code for c in citeval_commands() if (code := citeval(shlex.split(c)[1:]))}

    assert not failed, capsys.readouterr().err
    assert len(citeval_commands()) >= 5


def test_the_settings_that_the_page_on_automation_shows_are_accepted(tmp_path):
    page = (REPOSITORY / "docs" / "automation.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    judge = "models: [{id: embedded-overlap-0, model: embedded/overlap-0, roles: [judge]}]\n"
    for number, block in enumerate(blocks):
        make_project(tmp_path / str(number), judge + block).load()
    assert len(blocks) == 2


def test_make_targets_that_pages_name_exist():
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE))
    assert named - targets == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page):
    targets = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", page.read_text(encoding="utf-8"))
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert missing == []


def test_the_readme_lists_every_page():
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert [p.name for p in PAGES if p.parent.name == "docs" and f"docs/{p.name}" not in text] == []
