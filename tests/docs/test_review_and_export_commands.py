"""The commands of the pages on review, reports and exports run as they stand there."""

import shlex

import pytest

from citeval_assets.cli.program import run as citeval
from tests.docs.test_commands import shell_lines
from tests.small_project import REPOSITORY, make_project

PAGES = ("review.md", "exporting.md")
COMMANDS = sorted(
    {
        line
        for page in PAGES
        for line in shell_lines(REPOSITORY / "docs" / page)
        if line.startswith("citeval ") and not line.startswith("citeval serve")
    }
)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    made = make_project(tmp_path_factory.mktemp("docs"))
    made.evaluate(playbooks=["citation_faithfulness"], prompts=["v1"])
    return made


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(command, project, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DAGSTER_HOME", str(project.home))
    monkeypatch.chdir(tmp_path)
    arguments = ["--project", str(project.folder), *shlex.split(command)[1:]]
    assert citeval(arguments) == 0, capsys.readouterr().err
