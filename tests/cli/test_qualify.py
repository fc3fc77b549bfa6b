"""``citeval qualify``, and what ``citeval calibrate`` asks for anew."""

from pathlib import Path

import pytest

from tests.evaluation.judged_project import labelled_rows
from tests.small_project import SmallProject, make_project

SETTINGS = """\
models:
  - {id: naive, model: embedded/overlap-0, roles: [judge], stage: production}
  - {id: lexical, model: embedded/lexical-1, roles: [judge], stage: candidate}
systems:
  - {label: prod, stage: production}
calibration: {qualification: {canaries: false, min_mutants: 3}}
"""
NAME = "citation_faithfulness"


@pytest.fixture(scope="module")
def judged(tmp_path_factory) -> SmallProject:
    """A project in which both judges have judged 60 labelled cases."""
    made = make_project(tmp_path_factory.mktemp("judged"), SETTINGS)
    made.write_rows(NAME, labelled_rows(60))
    made.evaluate(playbooks=[NAME], prompts=["v1"])
    return made


@pytest.fixture
def run(citeval, judged, monkeypatch):
    monkeypatch.setenv("DAGSTER_HOME", str(judged.home))

    def call(verb: str, *arguments: str | Path):
        return citeval(verb, "--project", judged.folder, *arguments)

    return call


CHOSEN = ("--playbook", NAME, "--prompt", "v1", "--judge", "naive")


def test_a_naive_judge_is_caught(run):
    answer = run("qualify", *CHOSEN, "--cases", "3", "--json")
    assert answer.code == 0
    (judge,) = answer.document["judges"]
    assert (judge["playbook"], judge["model"], judge["prompt_version"]) == (NAME, "naive", "v1")
    assert judge["qualified"] is False
    assert judge["reasons"]
    faults = {fault["fault"]: fault for fault in judge["faults"]}
    swapped = faults["number_changed"]
    assert (swapped["n"], swapped["passed"], swapped["judge"]["rate"]) == (3, False, 0.0)
    assert faults["source_invented"]["by_code"] == 3
    assert {change["change"] for change in judge["harmless"]} >= {"unchanged", "typography"}
    assert run("qualify", *CHOSEN, "--cases", "3", "--json").document["judges"][0]["calls"] == 0


def test_strict_makes_it_an_exit_code_and_the_table_says_why(run):
    answer = run("qualify", *CHOSEN, "--cases", "3", "--strict")
    assert answer.code == 3
    assert "not qualified" in answer.stdout
    assert "number_changed" in answer.stdout


def test_unknown_names_are_bad_input(run):
    assert run("qualify", "--judge", "nobody").code == 2


def test_calibrate_measures_every_judge_that_has_labels(run):
    answer = run("calibrate", "--json")
    assert answer.code == 0
    human = {
        judge["model"]: judge
        for judge in answer.document["judges"]
        if judge["label_source"] == "human" and judge["n"]
    }
    assert set(human) == {"naive", "lexical"}
    naive = human["naive"]
    assert (naive["n"], naive["state"]) == (60, "calibrated")
    assert naive["confusion"]["right"]["right"] == 40
    assert naive["corrected"][0]["score"]["method"] == "ppi++"
    told = run("calibrate")
    assert "calibrated" in told.stdout
    assert "60 human" in told.stdout


def test_calibrate_builds_a_bridge_between_two_judges(run):
    there = ("--playbook", NAME, "--prompt", "v1", "--judge", "lexical", "--from", "naive")
    answer = run("calibrate", "--bridge", *there, "--cases", "20", "--json")
    assert answer.code == 0
    (bridge,) = answer.document["bridges"]
    assert (bridge["old"]["model"], bridge["new"]["model"]) == ("naive", "lexical")
    assert bridge["anchors"] == 20
    assert bridge["low"] <= bridge["offset"] <= bridge["high"]
    assert "offset" in run("calibrate", "--bridge", *there, "--cases", "20").stdout


def test_calibrate_says_where_there_is_nothing_to_bridge(run):
    answer = run("calibrate", "--bridge", *CHOSEN)
    assert answer.code == 1
    assert "never judged under another epoch" in answer.stderr


def test_calibrate_asks_the_same_again(run):
    answer = run("calibrate", "--repeat", "2", *CHOSEN, "--cases", "10", "--json")
    assert answer.code == 0
    (noise,) = answer.document["noise"]
    assert (noise["model"], noise["cases"], noise["deviation"]) == ("naive", 10, 0.0)
