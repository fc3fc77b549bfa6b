"""What the pages on retrieval, target models and budgets tell people to write and type works."""

import re
import shlex
import sys
import types
from pathlib import Path

import pytest
import yaml

from citeval_assets.cli.exits import ExitCode
from citeval_assets.cli.program import run as citeval
from citeval_assets.config import load_settings
from citeval_assets.retrieval import retriever_for
from tests.docs.test_commands import shell_lines
from tests.evaluation.answering_project import SETTINGS, answering_project
from tests.small_project import REPOSITORY

DOCS = REPOSITORY / "docs"
PAGES = [DOCS / f"{name}.md" for name in ("retrieval", "target-models", "budgets")]
JUDGE = {"id": "j", "model": "embedded/overlap-0", "roles": ["judge"]}


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_entries_are_valid_configuration(page, tmp_path):
    found = blocks(page, "yaml")
    assert found
    for text in found:
        content = {"models": [JUDGE], **yaml.safe_load(text)}
        (tmp_path / "citeval.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        load_settings(tmp_path, {})


def test_the_python_function_of_the_page_is_a_retriever(tmp_path, monkeypatch):
    (code,) = blocks(DOCS / "retrieval.md", "python")
    module = types.ModuleType("house_search")
    exec(code, module.__dict__)  # noqa: S102
    monkeypatch.setitem(sys.modules, "house_search", module)
    entries = [yaml.safe_load(text) for text in blocks(DOCS / "retrieval.md", "yaml")]
    house = next(e for e in entries if e["retrievers"][0]["name"] == "house")
    (tmp_path / "citeval.yaml").write_text(
        yaml.safe_dump({"models": [JUDGE], **house}), encoding="utf-8"
    )
    found = retriever_for(load_settings(tmp_path, {}), "house")
    assert found.version == "handbook-2026-11"
    assert [s.id for s in found.search("Who signs?", 3)] == ["h-1"]
    assert [s.id for s in found.fetch(["a"])] == ["a"]


@pytest.mark.slow
def test_commands_of_the_pages_run(tmp_path, monkeypatch, capsys):
    settings = SETTINGS.replace("id: next", "id: embedded-extractive-1")
    project = answering_project(tmp_path, settings)
    monkeypatch.setenv("DAGSTER_HOME", str(project.home))
    monkeypatch.chdir(project.folder)
    project.evaluate(models=["today"])
    lines = [line for page in PAGES for line in shell_lines(page)]
    commands = [line for line in lines if line.startswith("citeval ")]
    codes = {command: citeval(shlex.split(command)[1:]) for command in commands}
    assert len(codes) >= 5
    gate = codes.pop("citeval gate")
    assert gate == ExitCode.GATE_INCONCLUSIVE, "four questions are too few to tell"
    assert set(codes.values()) == {ExitCode.DONE}, capsys.readouterr().err
