"""``citeval gate`` and ``citeval compare`` as a release manager, a script and CI use them."""

import json
import re
import shlex
from xml.etree import ElementTree as Xml

import pytest

from citeval_assets.cli.program import run as citeval
from citeval_assets.warehouse.gate_reading import recorded_decisions
from tests.gates.builders import HEAD, World, both, changed, claim, gate_text, make_world
from tests.small_project import REPOSITORY, SmallProject, make_project


@pytest.fixture
def world(tmp_path, monkeypatch) -> World:
    project = make_world(tmp_path, gate_text())
    monkeypatch.setenv("DAGSTER_HOME", str(project.home))
    monkeypatch.chdir(project.folder)
    return project


@pytest.fixture
def project(tmp_path, monkeypatch) -> SmallProject:
    project = make_project(tmp_path)
    monkeypatch.setenv("DAGSTER_HOME", str(project.home))
    monkeypatch.chdir(project.folder)
    return project


def printed_json(capsys) -> dict:
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    return json.loads(out)


@pytest.mark.parametrize(
    ("cases", "code", "verdict"),
    [
        (both(60), 0, "pass"),
        (changed(both(60), "candidate", "c001", "c002", score=0.0), 3, "fail"),
        (both(5), 4, "inconclusive"),
    ],
)
def test_the_verdict_is_the_exit_code(world, capsys, cases, code, verdict):
    world.judged(cases)

    assert citeval(["gate", "--json"]) == code

    document = printed_json(capsys)
    assert document["verdict"] == verdict
    score = document["gates"][0]
    assert {
        "playbook", "metric", "baseline", "candidate", "difference", "interval", "pairs",
        "detectable_drop", "verdict", "reasons",
    } <= score.keys()  # fmt: skip
    assert score["verdict"] == verdict


def test_nothing_judged_is_inconclusive(world, capsys):
    assert citeval(["gate"]) == 4
    assert "no rows" in capsys.readouterr().out


def test_people_see_sides_verdicts_and_reasons(world, capsys):
    cases = changed(both(60), "candidate", "c001", "c002", score=0.0, findings=(claim(),))
    world.judged(cases)

    assert citeval(["gate"]) == 3

    out = capsys.readouterr().out
    for part in (
        "60 of 60", "-3.3 [", "detectable drop", "false alarm", "score fell by 3.3 points",
        "exact McNemar p = 0.500", "The ferry runs 4 times a day", "verdict: fail",
    ):  # fmt: skip
        assert part in out


def test_files_for_ci_and_for_the_pull_request(world, capsys, tmp_path):
    world.judged(changed(both(60), "candidate", "c001", "c002", score=None))
    junit, markdown = tmp_path / "out" / "gate.xml", tmp_path / "gate.md"

    assert citeval(["gate", "--junit", str(junit), "--markdown", str(markdown)]) == 3

    (suite,) = Xml.parse(junit).getroot()
    assert suite.get("name") == "citation_faithfulness"
    assert suite.get("errors") == "2"
    assert "citeval gate: fail" in markdown.read_text(encoding="utf-8")


def test_a_file_that_cannot_be_written_is_said(world, capsys, tmp_path):
    world.judged(both(60))
    (tmp_path / "file").touch()
    assert citeval(["gate", "--junit", str(tmp_path / "file" / "gate.xml")]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_an_unknown_gate_names_the_nearest(world, capsys):
    world.judged(both(60))
    assert citeval(["gate", "--gate", "relase"]) == 2
    assert "release" in capsys.readouterr().err


def test_the_verdicts_are_in_ledger_and_warehouse_once(world, capsys):
    world.judged(both(60))
    assert citeval(["gate"]) == citeval(["gate"]) == 0
    with world.project.open_ledger() as ledger:
        recorded = sorted(decision.decision_id for decision in ledger.gate_decisions())
    with world.project.warehouse.reading() as connection:
        assert recorded_decisions(connection) == recorded
    assert len(recorded) == 4


def test_the_published_snapshot_can_be_gated(world, capsys):
    world.judged(both(60))
    assert citeval(["gate", "--published"]) == 4
    from citeval_assets.evaluation.service import Service

    Service(world.project).publish()
    assert citeval(["gate", "--published"]) == 0


def test_a_run_decides_the_gates_and_publishes_them(project, capsys):
    assert citeval(["run", "--playbook", "citation_faithfulness"]) == 0
    from citeval_assets.warehouse.connection import open_snapshot

    with open_snapshot(project.load().published_path) as connection:
        rows = connection.execute("SELECT DISTINCT gate, verdict FROM gate_results").fetchall()
    assert rows == [("citation_faithfulness-candidate-against-prod", "inconclusive")]
    capsys.readouterr()

    assert citeval(["gate", "--json"]) == 4
    assert "at least 50 are needed" in printed_json(capsys)["reasons"][0]


@pytest.fixture
def worse(project) -> SmallProject:
    rows = project.rows("citation_faithfulness")
    for row in rows:
        if row["system"] == "candidate" and row["test_case_id"] == "ferry":
            row["answer"] = "The ferry runs from April to October [1]. The harbour sleeps [7]."
    project.write_rows("citation_faithfulness", rows)
    project.evaluate(playbooks=["citation_faithfulness"])
    return project


def test_compare_shows_what_became_worse_with_both_texts(worse, capsys):
    assert citeval(["compare", "prod", "candidate", "--json"]) == 0

    (found,) = printed_json(capsys)["comparisons"]
    assert (found["pairs"], found["worse"], found["better"], found["same"]) == (2, 1, 0, 1)
    assert found["difference"] == -0.25
    (case,) = found["cases"]
    assert (case["test_case_id"], case["change"]) == ("ferry", "worse")
    assert case["question"] == "When does the ferry run?"
    assert "Bicycles travel free" in case["base"]["text"]
    assert "harbour sleeps" in case["candidate"]["text"]
    assert "hallucinated_source" in case["candidate"]["failures"][0]
    assert case["new_failures"] == ["citation_faithfulness/hallucinated_source/9/claim:text"]


def test_compare_reads_well_on_a_terminal(worse, capsys):
    assert citeval(["compare", "prod", "candidate"]) == 0
    out = capsys.readouterr().out
    for part in ("worse 1, better 0, same 1", "worse: ferry  1.00 -> 0.50", "new failure:"):
        assert part in out


def test_compare_prompt_versions(worse, capsys):
    assert citeval(["compare", "v1", "v2", "--by", "prompts", "--json"]) == 0
    (found,) = printed_json(capsys)["comparisons"]
    assert (found["pairs"], found["same"]) == (4, 4)


def test_compare_shows_cases_that_lost_their_score(world, capsys):
    world.judged(changed(both(20), "candidate", "c003", score=None))
    assert citeval(["compare", "prod", "candidate", "--prompt", "v1"]) == 0
    out = capsys.readouterr().out
    assert "unscored: c003" in out
    assert "candidate: 19 of 20 scored (VALIDATION_FAILED: validation_failed 1; mean" in out
    assert "0.950 to 1.000" in out


def test_compare_of_unknown_sides_names_the_known(worse, capsys):
    assert citeval(["compare", "prod", "candidat"]) == 2
    assert "candidate" in capsys.readouterr().err


def test_compare_where_nothing_is_in_common(worse, capsys):
    assert citeval(["compare", "prod", "candidate", "--playbook", "cot_faithfulness"]) == 2
    assert "no case" in capsys.readouterr().err


def test_the_commands_of_the_page_run(project, capsys):
    page = REPOSITORY / "docs" / "gates.md"
    project.evaluate(playbooks=["citation_faithfulness"])
    block = re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)[0]
    commands = [line.split("  ")[0] for line in block.splitlines()]

    codes = {command: citeval(shlex.split(command)[1:]) for command in commands}

    assert set(codes.values()) <= {0, 3, 4}, capsys.readouterr().err
    assert len(commands) >= 6


def test_the_settings_of_the_page_are_valid(tmp_path):
    text = (REPOSITORY / "docs" / "gates.md").read_text(encoding="utf-8")
    (settings,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    golden = "datasets: [{name: golden, playbook: citation_faithfulness, path: data/g/a.jsonl}]\n"
    head = HEAD.replace("judge-a", "gpt-judge")
    project = make_world(tmp_path, head + golden + settings)
    assert project.project.settings.gates[0].max_new_patterns == 0
