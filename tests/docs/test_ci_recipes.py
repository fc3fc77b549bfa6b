"""The recipes for CI do what their page says: their commands are run as they stand there."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
import yaml

from citeval_assets.cli.program import run as citeval
from tests.small_project import REPOSITORY, SmallProject, make_project

RECIPES = REPOSITORY / "docs" / "ci"
SHELL = RECIPES / "gate.sh"
WORKFLOW = RECIPES / "github-actions.yml"
COMMAND = re.compile(r"^\s*(citeval [^|&>;]*)", re.MULTILINE)
NAME = "citation_faithfulness"
ELSEWHERE = ("Install", "Comment on the pull request")
"""Steps that need the package index, or GitHub."""


def steps() -> dict[str, dict[str, Any]]:
    """Return the steps of the workflow that run commands, by name."""
    document = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    return {step["name"]: step for step in document["jobs"]["gate"]["steps"] if "run" in step}


def commands() -> list[str]:
    texts = [SHELL.read_text(encoding="utf-8"), *(step["run"] for step in steps().values())]
    found = (match.strip() for text in texts for match in COMMAND.findall(text))
    return sorted(set(found))


@pytest.mark.parametrize("command", commands())
def test_every_command_of_the_recipes_exists_with_its_options(command, capsys):
    assert citeval([*shlex.split(command)[1:], "--help"]) == 0


def test_the_workflow_asks_for_little_and_shows_the_gate_whatever_happened():
    document = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    assert document["permissions"] == {"contents": "read", "pull-requests": "write"}
    assert "pull_request" in document[True]
    assert "pull_request_target" not in document[True]
    named = steps()
    assert named["Judge"]["continue-on-error"]
    assert "continue-on-error" not in named["Gate"]
    assert named["Summary"]["if"] == "always()"
    untrusted = [step["run"] for step in named.values() if "${{" in step["run"]]
    assert untrusted == []


SETTINGS = """\
models:
  - {id: naive, model: embedded/overlap-0, roles: [judge], stage: production}
systems:
  - {label: prod, stage: production}
  - {label: candidate, stage: candidate}
gates:
  - {name: release, playbook: citation_faithfulness, baseline: prod, candidate: candidate,
     prompt: v1, min_pairs: 1}
calibration: {qualification: {cases_per_fault: 1}}
"""


@pytest.fixture
def project(tmp_path: Path) -> SmallProject:
    """A project of one playbook whose candidate cites a source nobody gave."""
    made = make_project(tmp_path, SETTINGS)
    for playbook in made.folder.joinpath("prompts").iterdir():
        if playbook.is_dir() and playbook.name != NAME:
            shutil.rmtree(playbook)
            made.cases_file(playbook.name).unlink()
    made.folder.joinpath("prompts", NAME, "v2.md").unlink()
    made.folder.joinpath("prompts", "prompts.lock").unlink()
    rows = made.rows(NAME)
    for row in rows:
        if row["system"] == "candidate":
            row["answer"] = "The ferry runs at night [7]."
    made.write_rows(NAME, rows)
    tools = tmp_path / "bin"
    tools.mkdir()
    called = f'#!/bin/sh\nexec "{sys.executable}" -m citeval_assets.cli "$@"\n'
    tools.joinpath("citeval").write_text(called, encoding="utf-8")
    tools.joinpath("citeval").chmod(0o755)
    return made


def in_shell(project: SmallProject, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
    environ: Mapping[str, str] = {
        **os.environ,
        "PATH": f"{project.folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(REPOSITORY),
        "DAGSTER_HOME": str(project.home),
        **more,
    }
    return subprocess.run(
        command, cwd=project.folder, env=environ, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_the_shell_recipe_ends_with_the_verdict_and_leaves_its_files(project):
    ended = in_shell(project, "sh", str(SHELL))
    assert ended.returncode == 3, ended.stderr
    out = project.folder / "citeval-out"
    gate = json.loads((out / "gate.json").read_text(encoding="utf-8"))
    assert gate["verdict"] == "fail"
    assert Xml.parse(out / "gate.xml").getroot().tag == "testsuites"
    assert "citeval gate" in (out / "gate.md").read_text(encoding="utf-8")
    assert json.loads((out / "qualify.json").read_text(encoding="utf-8"))["judges"]
    assert json.loads((out / "anchor.json").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_the_shell_recipe_stops_at_a_broken_configuration(project):
    project.folder.joinpath("citeval.yaml").write_text("modles: []\n", encoding="utf-8")
    assert in_shell(project, "sh", str(SHELL)).returncode == 2


@pytest.mark.slow
def test_the_steps_of_the_workflow_run_one_after_the_other(project):
    summary = project.folder / "summary.md"
    codes: dict[str, int] = {}
    for name, step in steps().items():
        if name in ELSEWHERE:
            continue
        more = {"OUT": "citeval-out", "GITHUB_STEP_SUMMARY": str(summary)}
        ended = in_shell(project, "bash", "-e", "-o", "pipefail", "-c", step["run"], **more)
        codes[name] = ended.returncode
    assert codes.pop("Gate") == 3
    assert set(codes.values()) == {0}, codes
    assert "citeval gate" in summary.read_text(encoding="utf-8")
