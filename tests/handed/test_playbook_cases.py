"""Every worked example of the five playbooks: this case and these replies give this report."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from handed.adapter_playbooks import Outcome, matching, run_case
from handed.loader import load_cases

CASES = load_cases("playbooks")


def _scored(outcome: Outcome, score: float | None) -> None:
    if score is None:
        assert outcome.report is None or outcome.report.score is None
    else:
        assert outcome.report is not None
        assert outcome.report.score == pytest.approx(score, abs=1e-6)


def _findings(outcome: Outcome, rows: list[Mapping[str, Any]]) -> None:
    assert outcome.report is not None
    for wanted in rows:
        fits = [f for f in matching(outcome.report, wanted) if _fits(f, wanted)]
        assert fits, f"no finding fits {wanted}; there are {outcome.report.findings}"


def _fits(finding: Any, wanted: Mapping[str, Any]) -> bool:
    plain = {
        key: value for key, value in wanted.items() if key not in ("unit", "flags", "severity")
    }
    if any(getattr(finding, key) != value for key, value in plain.items()):
        return False
    if "flags" in wanted and {flag.type for flag in finding.flags} != set(wanted["flags"]):
        return False
    severities = {str(flag.severity) for flag in finding.flags}
    return "severity" not in wanted or wanted["severity"] in severities


def _names(outcome: Outcome) -> list[str]:
    assert outcome.report is not None
    return sorted(str(one.name) for one in outcome.report.escalations)


def _on_report(name: str) -> Callable[[Outcome, Any], None]:
    def check(outcome: Outcome, wanted: Any) -> None:
        assert outcome.report is not None
        assert getattr(outcome.report, name) == wanted

    return check


def _on_details(name: str) -> Callable[[Outcome, Any], None]:
    def check(outcome: Outcome, wanted: Any) -> None:
        found = outcome.detail(name)
        assert (list(found) if isinstance(wanted, list) else found) == wanted

    return check


def _status(outcome: Outcome, wanted: str) -> None:
    assert outcome.status == wanted, outcome.report or outcome.quarantined


def _includes(names: list[str], outcome: Outcome) -> None:
    assert set(names) <= set(_names(outcome))


def _counts(outcome: Outcome, wanted: Mapping[str, int]) -> None:
    assert {name: outcome.count(name) for name in wanted} == dict(wanted)


def _violations(outcome: Outcome, wanted: list[str]) -> None:
    assert sorted(one.category for one in outcome.detail("violations")) == sorted(wanted)


def _feedback(outcome: Outcome, wanted: list[str]) -> None:
    assert outcome.feedback, "nothing was asked again"
    for words in wanted:
        assert words in outcome.feedback[0]


def _prompt_includes(outcome: Outcome, wanted: list[str]) -> None:
    for words in wanted:
        assert words in outcome.prompt()


def _prompt_excludes(outcome: Outcome, wanted: list[str]) -> None:
    for words in wanted:
        assert words not in outcome.prompt()


def _at_least(name: str) -> Callable[[Outcome, int], None]:
    def check(outcome: Outcome, wanted: int) -> None:
        assert outcome.report is not None
        assert len(getattr(outcome.report, name)) >= wanted

    return check


def _first_attempt(outcome: Outcome, wanted: Mapping[str, int]) -> None:
    first = outcome.detail("first_attempt")
    found = {name: getattr(first, name) for name in wanted}
    assert {n: v if isinstance(v, int) else len(v) for n, v in found.items()} == dict(wanted)


def _criteria(outcome: Outcome, wanted: Mapping[str, str]) -> None:
    assert outcome.report is not None
    found = outcome.detail("criteria")
    assert {name: str(_of(found, name)) for name in wanted} == dict(wanted)


def _of(holder: Any, name: str) -> Any:
    return holder[name] if isinstance(holder, Mapping) else getattr(holder, name)


def _message(outcome: Outcome, wanted: list[str]) -> None:
    assert outcome.report is not None or outcome.quarantined
    text = outcome.quarantined or ""
    if outcome.report is not None:
        text = " ".join((outcome.report.message, *outcome.report.validation_problems))
    for words in wanted:
        assert words in text


CHECKS: dict[str, Callable[[Outcome, Any], None]] = {
    "status": _status,
    "status_in": lambda outcome, wanted: (
        _status(outcome, outcome.status)
        if outcome.status in wanted
        else pytest.fail(f"{outcome.status} is none of {wanted}")
    ),
    "reason": _on_report("reason"),
    "score": _scored,
    "calls_made": lambda outcome, wanted: _equal(outcome.calls, wanted),
    "attempts_kept": _on_report("attempts"),
    "verdict": _on_report("verdict"),
    "routing": _on_report("routing"),
    "routing_in": lambda outcome, wanted: _among(outcome, wanted),
    "provisional": _on_report("provisional"),
    "immediate": _on_report("immediate"),
    "closed_as": _on_report("closed_as"),
    "escalations": lambda outcome, wanted: _equal(_names(outcome), sorted(wanted)),
    "escalations_include": lambda outcome, wanted: _includes(wanted, outcome),
    "report_flags": lambda outcome, wanted: _flags(outcome, wanted),
    "counts": _counts,
    "findings": _findings,
    "findings_count": lambda outcome, wanted: _findings_count(outcome, wanted),
    "hallucinated_sources": _on_details("hallucinated_sources"),
    "faithfulness_label": _on_details("faithfulness_label"),
    "overall_abstention": _on_details("overall_abstention"),
    "conflict_handled": _on_details("conflict_handled"),
    "citation_accuracy": lambda outcome, wanted: _equal(
        outcome.detail("citation_accuracy"), pytest.approx(wanted)
    ),
    "violations": _violations,
    "criteria": _criteria,
    "first_attempt": _first_attempt,
    "judge_disagreements_at_least": _at_least("judge_disagreements"),
    "warnings_at_least": _at_least("warnings"),
    "feedback_mentions": _feedback,
    "prompt_includes": _prompt_includes,
    "prompt_excludes": _prompt_excludes,
    "message_mentions": _message,
}


def _equal(found: Any, wanted: Any) -> None:
    assert found == wanted


def _among(outcome: Outcome, wanted: list[str]) -> None:
    assert outcome.report is not None
    assert outcome.report.routing in wanted


def _flags(outcome: Outcome, wanted: list[str]) -> None:
    assert outcome.report is not None
    assert set(wanted) <= set(outcome.report.flags)


def _findings_count(outcome: Outcome, wanted: int) -> None:
    assert outcome.report is not None
    assert len(outcome.report.findings) == wanted


@pytest.mark.parametrize("row", CASES, ids=[row["id"] for row in CASES])
def test_case_gives_the_expected_report(row: dict[str, Any]) -> None:
    outcome = run_case(row)
    unknown = row["expect"].keys() - CHECKS.keys()
    assert not unknown, f"the adapter cannot check {unknown}"
    for name, wanted in row["expect"].items():
        CHECKS[name](outcome, wanted)


GOLD = {"labels": {"score": 0.123457, "why": "planted label"}, "label_source": "human"}


@pytest.mark.parametrize("row", CASES, ids=[row["id"] for row in CASES])
def test_gold_fields_reach_no_model(row: dict[str, Any]) -> None:
    case = {**row["case"], **GOLD}
    if row["playbook"] == "cite_or_abstain":
        case["reference_answer"] = "planted reference"
    outcome = run_case({**row, "case": case})
    if outcome.prepared is None:
        return
    shown = outcome.prompt() + repr(outcome.prepared.view)
    for planted in ("0.123457", "planted label", "planted reference", "expected_status"):
        assert planted not in shown
