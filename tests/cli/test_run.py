"""``citeval run``, ``status``, ``audit`` and ``demo`` as a person or a script uses them."""

import json
import shutil

import pytest

from citeval_assets.cli.program import run as citeval
from tests.small_project import SmallProject, make_project


@pytest.fixture
def project(tmp_path, monkeypatch) -> SmallProject:
    project = make_project(tmp_path)
    monkeypatch.setenv("DAGSTER_HOME", str(project.home))
    monkeypatch.chdir(project.folder)
    return project


@pytest.fixture(scope="module")
def judged_once(tmp_path_factory) -> SmallProject:
    """A project whose reasoning traces are judged: made once, since a run takes seconds."""
    project = make_project(tmp_path_factory.mktemp("judged"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAGSTER_HOME", str(project.home))
        patch.chdir(project.folder)
        assert citeval(["run", "--playbook", "cot_faithfulness"]) == 0
    return project


@pytest.fixture
def judged(judged_once, tmp_path, monkeypatch) -> SmallProject:
    """A copy of the judged project, the test's own."""
    shutil.copytree(judged_once.folder.parent, tmp_path / "copy")
    project = SmallProject(tmp_path / "copy" / "project", tmp_path / "copy" / "home")
    monkeypatch.setenv("DAGSTER_HOME", str(project.home))
    monkeypatch.chdir(project.folder)
    return project


def printed_json(capsys) -> dict:
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    return json.loads(out)


def test_run_json_is_one_document_with_the_promised_fields(project, capsys):
    code = citeval(["run", "--playbook", "citation_faithfulness", "--prompt", "v1", "--json"])

    document = printed_json(capsys)
    assert code == 0
    assert {"calls", "reused_calls", "cost_usd", "seconds", "evaluations"} <= document.keys()
    (evaluation,) = document["evaluations"]
    assert {
        "evaluation_id", "playbook", "model", "prompt_version", "cases", "valid", "failed",
        "indeterminate", "errors", "not_applicable", "calls", "reused_calls", "mean_score",
        "coverage",
    } <= evaluation.keys()  # fmt: skip
    assert evaluation["cases"] == evaluation["valid"] == 4
    assert evaluation["mean_score"] == 0.75
    assert evaluation["coverage"] == 1.0


def test_a_second_run_says_that_it_made_no_call(judged, capsys):
    assert citeval(["run", "--playbook", "cot_faithfulness"]) == 0

    assert "0 calls made" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "named", "near"),
    [
        (["--playbook", "citation_acuracy"], "citation_acuracy", "citation_accuracy"),
        (["--model", "naif"], "naif", "naive"),
        (["--prompt", "v11"], "v11", "v1"),
        (["--dataset", "cot_faithfulnes-golden"], "cot_faithfulnes-golden", "cot_faithfulness"),
    ],
)
def test_unknown_names_are_bad_input_with_the_nearest_known_one(
    project, capsys, arguments, named, near
):
    assert citeval(["run", *arguments]) == 2
    message = capsys.readouterr().err
    assert named in message
    assert near in message


def test_status_tells_what_is_missing_and_what_became_stale(judged, capsys):
    rows = judged.rows("cot_faithfulness")
    rows[0]["question"] = "What does the bell weigh?"
    judged.write_rows("cot_faithfulness", rows)
    capsys.readouterr()

    assert citeval(["status", "--json"]) == 0

    cells = printed_json(capsys)["cells"]
    states = {cell["playbook"]: (cell["state"], cell["why"]) for cell in cells}
    assert states["cot_faithfulness"] == (
        "stale",
        ["cases changed: 1 new or edited, 1 gone or replaced"],
    )
    assert states["answer_comparison"][0] == "missing"


def test_audit_verify_passes_and_prints_an_anchor_that_holds(judged, capsys):
    assert citeval(["audit", "anchor", "--json"]) == 0
    anchor = printed_json(capsys)["anchor"]

    assert citeval(["audit", "verify", "--anchor", anchor, "--json"]) == 0

    assert printed_json(capsys)["ok"] is True


def test_audit_verify_names_a_changed_row_and_exits_1(judged, capsys):
    file = judged.home / "citeval" / "ledger.db"
    content = file.read_bytes()
    place = content.rindex(b"912 kilograms")
    file.write_bytes(content[:place] + b"913" + content[place + 3 :])
    capsys.readouterr()

    assert citeval(["audit", "verify", "--json"]) == 1

    document = printed_json(capsys)
    assert document["ok"] is False
    assert document["faults"]


def test_audit_show_prints_what_was_asked_about_a_case(judged, capsys):
    assert citeval(["audit", "show", "bell", "--json"]) == 0

    (call,) = printed_json(capsys)["calls"]
    assert call["intent"]["playbook"] == "cot_faithfulness"
    assert "912 kilograms" in call["intent"]["messages_json"]


def test_audit_show_tells_requests_results_and_takes_the_id_of_a_call(judged, capsys):
    assert citeval(["audit", "show", "bell", "--json"]) == 0
    history = printed_json(capsys)
    results = {(r["item"]["system"], r["item"]["status"]) for r in history["results"]}
    assert results == {("prod", "valid"), ("candidate", "valid")}
    assert {case["system"] for case in history["cases"]} == {"prod", "candidate"}
    call_id = history["calls"][0]["intent"]["call_id"]

    assert citeval(["audit", "show", call_id]) == 0

    assert "evaluation" in capsys.readouterr().out
    assert citeval(["audit", "show", "nobody"]) == 2


def test_audit_export_and_maybe_paid(judged, capsys, monkeypatch):
    monkeypatch.setenv("AUDIT_KEY", "secret of the auditor")
    export = ["audit", "export", "--out", "out/ledger.jsonl", "--sign-key-env", "AUDIT_KEY"]
    assert citeval([*export, "--json"]) == 0
    told = printed_json(capsys)
    lines = (judged.folder / "out" / "ledger.jsonl").read_text().splitlines()
    assert (told["rows"], told["signed"]) == (len(lines) - 2, True)
    assert citeval(["audit", "maybe-paid", "--json"]) == 0
    assert printed_json(capsys) == {"count": 0, "calls": []}
    assert citeval(["audit", "export", "--json"]) == 2
    capsys.readouterr()
    assert citeval(["audit", "export", "--sign-key-env", "NOT_SET", "--out", "x"]) == 2


@pytest.mark.slow
def test_anchors_are_kept_in_a_file_and_compared_with(judged, capsys):
    assert citeval(["audit", "anchor", "--file", "anchors.txt"]) == 0
    citeval(["run", "--playbook", "citation_faithfulness"])
    capsys.readouterr()
    assert citeval(["audit", "verify", "--anchors", "anchors.txt", "--json"]) == 0
    assert printed_json(capsys)["anchors"] == 1
    assert citeval(["audit", "verify", "--anchors", "missing.txt"]) == 2


@pytest.mark.slow
def test_demo_leaves_the_project_alone_and_tells_where_the_candidate_lost(
    project, capsys, tmp_path
):
    rows = project.rows("citation_faithfulness")
    for row in rows:
        if row["system"] == "candidate":
            row["answer"] = "The harbour is closed on Sundays [7]."
    project.write_rows("citation_faithfulness", rows)
    for playbook in ("citation_accuracy", "cot_faithfulness", "cite_or_abstain"):
        project.cases_file(playbook).unlink()

    assert citeval(["demo", str(tmp_path / "fresh")]) == 0

    out = capsys.readouterr().out
    assert "The candidate beside production" in out
    assert "[7] is no source of this case" in out
    assert "hallucinated_source" in out
    assert not project.home.exists()


def test_demo_refuses_a_folder_that_is_in_use(project, capsys, tmp_path):
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "file").touch()
    assert citeval(["demo", str(tmp_path / "used")]) == 2
    assert "fresh folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--playbook", "citation_accuracy", "--model", "extractive"],
        ["--playbook", "cot_faithfulness", "--prompt", "v1", "--model", "extractive"],
        ["--model", "extractive", "--prompt", "v2"],
    ],
)
def test_names_that_meet_in_no_cell_are_bad_input_and_no_empty_success(project, capsys, arguments):
    code = citeval(["run", *arguments])

    stderr = capsys.readouterr().err
    assert code == 2
    assert "nothing to evaluate" in stderr
    assert "'extractive'" in stderr


def test_an_anchor_that_is_none_is_bad_usage_and_not_a_fault_of_the_ledger(project, capsys):
    code = citeval(["audit", "verify", "--anchor", "90:deadbeef"])

    assert code == 2
    assert "90:deadbeef" in capsys.readouterr().err


def test_a_dry_run_says_what_would_be_asked_and_makes_no_call(project, capsys):
    assert citeval(["run", "--playbook", "cot_faithfulness", "--dry-run", "--json"]) == 0
    forecast = printed_json(capsys)
    assert forecast["to_ask"] > 0
    assert forecast["cost_usd"]["high"] == 0.0
    (cell,) = {cell["playbook"] for cell in forecast["cells"]}
    assert cell == "cot_faithfulness"

    assert citeval(["run", "--playbook", "cot_faithfulness", "--dry-run"]) == 0
    assert "questions to ask" in capsys.readouterr().out
    assert citeval(["status", "--playbook", "cot_faithfulness", "--json"]) == 0
    assert {cell["state"] for cell in printed_json(capsys)["cells"]} == {"missing"}


@pytest.mark.parametrize("amount", ["much", "-1", "nan", "inf"])
def test_an_amount_that_is_none_is_bad_usage(project, capsys, amount):
    assert citeval(["run", "--budget", amount]) == 2
    assert "amount" in capsys.readouterr().err


@pytest.mark.slow
def test_a_named_dataset_leaves_the_other_playbooks_alone(judged, capsys):
    assert citeval(["run", "--dataset", "citation_accuracy-golden", "--json"]) == 0

    evaluations = printed_json(capsys)["evaluations"]
    assert {evaluation["playbook"] for evaluation in evaluations} == {"citation_accuracy"}
    citeval(["status", "--playbook", "cot_faithfulness"])
    assert "stale" not in capsys.readouterr().out


def test_a_dataset_of_another_playbook_is_bad_input(project, capsys):
    code = citeval(
        ["run", "--playbook", "cot_faithfulness", "--dataset", "citation_accuracy-golden"]
    )

    assert code == 2
    assert "citation_accuracy-golden" in capsys.readouterr().err


def test_a_run_over_no_case_at_all_is_no_success(project, capsys):
    for playbook in ("citation_accuracy", "cot_faithfulness"):
        project.cases_file(playbook).unlink()

    assert citeval(["run", "--playbook", "cot_faithfulness"]) == 1

    assert "no test case to judge" in capsys.readouterr().err


def test_a_run_whose_rows_are_all_refused_says_so(project, capsys):
    project.cases_file("cot_faithfulness").write_text("{}\n", encoding="utf-8")

    assert citeval(["run", "--playbook", "cot_faithfulness"]) == 1

    assert "all 1 rows were refused" in capsys.readouterr().err
