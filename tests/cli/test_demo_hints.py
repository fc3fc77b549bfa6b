"""What the demo offers next can be pasted as it stands."""

import io
import sys
from pathlib import Path

import pytest

from citeval_assets.cli import demo
from citeval_assets.cli.context import Cli
from citeval_assets.cli.output import Output

HOME = Path("/tmp/a demo")


def hints(project: Path = Path()) -> list[str]:
    cli = Cli(Output(io.StringIO(), io.StringIO(), as_json=False), project=project)
    return demo._next_steps(cli, HOME)


def test_a_program_the_shell_does_not_find_is_named_by_its_path(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "argv", [".venv/bin/citeval", "demo"])
    monkeypatch.setattr(demo.shutil, "which", lambda _: None)
    assert any(" .venv/bin/citeval compare prod candidate" in line for line in hints())


def test_a_program_on_the_path_is_named_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/usr/bin/citeval", "demo"])
    monkeypatch.setattr(demo.shutil, "which", lambda _: "/usr/bin/citeval")
    assert any(" citeval compare prod candidate" in line for line in hints())


def test_folders_with_blanks_are_quoted_and_another_project_is_named() -> None:
    lines = hints(Path("my project"))
    assert all(line.startswith("DAGSTER_HOME='/tmp/a demo' ") for line in lines)
    assert any("compare prod candidate --project 'my project'" in line for line in lines)


def test_there_are_three_of_them() -> None:
    assert len(hints()) == 3
