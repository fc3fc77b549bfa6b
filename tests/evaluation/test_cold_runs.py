"""What a run from a cold process does without: the client library, where nobody has to be asked."""

import json
import subprocess
import sys

from citeval_assets.evaluation import partition
from tests.evaluation.judged_project import CELL, NAME, judged_project, labelled_rows
from tests.paid_judge import PaidJudge

SCRIPT = """\
import sys
from citeval_assets.cli.program import run
code = run(sys.argv[1:])
print("LOADED", sorted({"litellm", "openai", "httpx"} & set(sys.modules)), code, file=sys.stderr)
"""


def test_neither_an_embedded_judge_nor_a_run_that_is_wholly_reused_loads_the_client_library(
    tmp_path, monkeypatch
):
    project = judged_project(tmp_path, labelled_rows(3))
    with monkeypatch.context() as patched:
        paid = PaidJudge(endpoint="provider default")
        patched.setattr(partition, "client_of", lambda *_: paid)
        project.evaluate(
            playbooks=[NAME], models=[CELL.model], prompt_versions=[CELL.prompt_version]
        )
    assert paid.requests
    command = [sys.executable, "-c", SCRIPT, "run", "--json", "--project", str(project.folder)]
    done = subprocess.run(
        [*command, "--playbook", NAME, "--prompt", CELL.prompt_version],
        capture_output=True,
        text=True,
        check=False,
        env={**project.environ, "PATH": ""},
        timeout=120,
    )
    assert "LOADED [] 0" in done.stderr, done.stderr
    cells = {cell["model"]: cell for cell in json.loads(done.stdout)["evaluations"]}
    assert cells["naive"]["calls"] > 0, "the embedded judge was asked"
    assert cells[CELL.model]["calls"] == 0
    assert cells[CELL.model]["reused_calls"] == len(paid.requests)
