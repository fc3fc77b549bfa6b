"""JUnit for CI systems, Markdown for pull requests: complete, and safe with hostile text."""

from dataclasses import replace
from xml.etree import ElementTree as Xml

import pytest

from citeval_assets.gates.junit import junit_xml
from citeval_assets.gates.markdown import gate_markdown
from citeval_assets.playbooks.vocabulary import Reason, Status
from tests.gates.builders import HEAD, both, changed, claim, make_world

HOSTILE = "bad\x00 ]]> <b>&\ud800 @maintainer `|` ![x](http://evil.example/x.png)"


def junit(project) -> Xml.Element:
    return Xml.fromstring(junit_xml(project.gates()).encode())


@pytest.fixture
def failing(world):
    project = world(max_drop_points=1, max_failed_validation_rate=0.1)
    cases = changed(
        both(60), "candidate", "c001", score=0.0, findings=(claim(text="It runs 4 times [1]."),)
    )
    cases = changed(cases, "candidate", "c002", score=None)
    error = {"score": None, "status": Status.ERROR, "reason": Reason.TIMEOUT}
    project.judged(changed(cases, "candidate", "c003", **error))
    return project


def test_each_playbook_is_a_suite(tmp_path):
    project = make_world(tmp_path, HEAD)
    project.judged(both(60), prompt="v2")
    project.judged(both(60), playbook="answer_comparison")

    suites = [suite.get("name") for suite in junit(project)]

    assert suites == ["answer_comparison", "citation_faithfulness"]


def test_a_failed_metric_and_its_regressions_are_failures(failing):
    root = junit(failing)
    failures = {
        case.get("name"): case for case in root.iter("testcase") if case.find("failure") is not None
    }
    assert set(failures) == {"score", "c001 [candidate]"}
    assert "fell by 1.7 points" in failures["score"].find("failure").get("message")
    assert "4 times" in failures["c001 [candidate]"].find("failure").text
    assert (root.get("failures"), root.get("errors")) == ("2", "2")


def test_output_that_never_passed_is_an_error_and_no_failure(failing):
    errors = {
        case.get("name"): case.find("error").get("type")
        for case in junit(failing).iter("testcase")
        if case.find("error") is not None
    }
    assert errors == {"c002 [candidate]": "VALIDATION_FAILED", "c003 [candidate]": "error"}


def test_regressions_within_a_passing_gate_fail_nothing(world):
    project = world(max_drop_points=10)
    project.judged(changed(both(60), "candidate", "c001", score=0.0))

    root = junit(project)

    assert (root.get("failures"), root.get("errors")) == ("0", "0")
    assert any(case.get("name") == "c001 [candidate]" for case in root.iter("testcase"))


def test_an_inconclusive_gate_is_an_error_unless_it_counts_as_passed(world):
    project = world(min_pairs=50)
    project.judged(both(20))
    assert junit(project).get("errors") == "4"


def test_an_inconclusive_gate_that_counts_as_passed_is_skipped(world):
    project = world(min_pairs=50, inconclusive_passes="true")
    project.judged(both(20))
    root = junit(project)
    assert (root.get("errors"), root.get("skipped")) == ("0", "4")


def test_without_a_gate_ci_does_not_see_green(tmp_path):
    root = junit(make_world(tmp_path, HEAD.split("systems:")[0]))
    assert root.get("errors") == "1"


def test_markdown_shows_verdict_sides_reasons_and_new_failures(failing):
    text = gate_markdown(failing.gates())
    assert text.startswith("## ❌ citeval gate: fail")
    assert "fell by 1.7 points" in text
    assert "0.983" in text
    assert "58 of 60 (VALIDATION_FAILED: validation_failed 1, error: timeout 1)" in text
    assert "`c001` 1.00 → 0.00" in text


def test_hostile_text_stays_text(world):
    project = world(max_drop_points=1)
    cases = both(60)
    bad = claim(text=HOSTILE.replace("\ud800", ""), source_id="<x>")
    hostile = replace(cases[60], score=0.0, findings=(bad,))
    project.judged([*cases[:60], hostile, *cases[61:]])
    report = project.gates()

    root = Xml.fromstring(junit_xml(report).encode())
    assert "\\x00" in next(root.iter("failure")).text or any(
        "\\x00" in (f.text or "") for f in root.iter("failure")
    )
    for line in gate_markdown(report).splitlines():
        outside = "".join(line.split("`")[::2])
        assert "@maintainer" not in outside
        assert "](http" not in outside
        assert "<b>" not in outside
