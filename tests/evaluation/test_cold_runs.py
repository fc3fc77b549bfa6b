"""What a run from a cold process does without: the client library, where nobody has to be asked."""

import json
import subprocess
import sys

import pytest

from citeval_assets.evaluation import partition
from citeval_assets.evaluation.service import Service
from tests.evaluation.judged_project import (
    CELL,
    NAIVE,
    NAME,
    SETTINGS,
    judged_project,
    labelled_rows,
)
from tests.paid_judge import PaidJudge
from tests.small_project import NO_CANARIES

pytestmark = pytest.mark.slow

CLIENT_LIBRARIES = ("litellm", "openai", "httpx")

JUDGE = """\
import json, os, sys
from pathlib import Path
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.evaluation.service import Service
service = Service(Project.load(Path(sys.argv[1]), os.environ))
made = [service.judge(Cell(*cell)) for cell in json.loads(sys.argv[2])]
told = {one.model: (one.calls, one.reused_calls) for one in made}
"""

TELL = f"print(json.dumps([told, sorted(set({CLIENT_LIBRARIES}) & set(sys.modules))]))"


def test_neither_an_embedded_judge_nor_a_run_that_is_wholly_reused_loads_the_client_library(
    tmp_path, monkeypatch
):
    settings = SETTINGS.partition("calibration:")[0] + NO_CANARIES
    project = judged_project(tmp_path, labelled_rows(3), settings)
    paid = PaidJudge(endpoint="provider default")
    with monkeypatch.context() as patched:
        patched.setattr(partition, "client_of", lambda *_: paid)
        service = Service(project.load())
        service.register_cases(NAME)
        service.judge(CELL)
    cells = [[cell.playbook, cell.model, cell.prompt_version] for cell in (CELL, NAIVE)]
    done = subprocess.run(
        [sys.executable, "-c", JUDGE + TELL, str(project.folder), json.dumps(cells)],
        capture_output=True,
        text=True,
        check=False,
        env={**project.environ, "PATH": ""},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    told, loaded = json.loads(done.stdout)
    assert len(paid.requests) == 3
    assert told[CELL.model] == [0, 3], "the run is wholly reused"
    assert told[NAIVE.model] == [3, 0], "the embedded judge was asked"
    assert loaded == []
