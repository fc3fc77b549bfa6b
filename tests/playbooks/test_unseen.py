"""Text that was cut away: what a judge was not shown it cannot hold against an answer."""

import json

import pytest

from citeval_assets.playbooks.attempts import Failure, Reply
from citeval_assets.playbooks.base import Unprepared, with_cuts
from citeval_assets.playbooks.citation_accuracy import PLAYBOOK as ACCURACY
from citeval_assets.playbooks.citation_faithfulness import PLAYBOOK as FAITHFULNESS
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.report import ContextCut, Details, Report
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.settling import settle
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import Reason, RiskLevel
from playbooks import cite_outputs as cite
from playbooks import comparison_outputs as comparison
from playbooks import cot_outputs as cot
from playbooks.builders import (
    FULL,
    NONE,
    PARTIAL,
    answer,
    claim,
    claims,
    evaluation,
    evaluations,
    flag,
    names,
    trace,
)
from playbooks.settled import prepared

TRACE = "The dam was finished in 1956 [1]. Then the spillway cracked in 1960 [2]."


def cut(ready, *ids):
    events = tuple(ContextCut(source_id=i, tokens_before=900, tokens_after=300) for i in ids)
    return with_cuts(ready, ready.view, events)


def settled(playbook, ready, output) -> Report:
    report = settle(playbook, ready, [Reply(json.dumps(output), "stop")])
    assert isinstance(report, Report)
    return report


def outcome(report: Report):
    return report.status, report.reason, report.score


TRUNCATED = ("indeterminate", "truncated", None)

# --- citation_accuracy ---------------------------------------------------------------------


def accuracy(ids, *rows, **more) -> Report:
    return settled(ACCURACY, cut(trace(TRACE), *ids), evaluations(*rows, **more))


def test_a_citation_unsupported_by_a_passage_that_was_cut_is_not_judged():
    rows = (evaluation(0), evaluation(1, NONE, cites="2", flagged=True))
    report = accuracy(["2"], *rows, flags=[flag("unsupported", "2", unit=1)])
    assert outcome(report) == TRUNCATED
    assert "unit 1 (source '2')" in report.message
    assert (names(report), report.routing) == (["unscored"], "review")
    assert report.truncated


@pytest.mark.parametrize(
    ("row", "flagged"),
    [
        (evaluation(1, PARTIAL, cites="2"), None),
        (evaluation(1, cites="2", fidelity="partial_mismatch"), None),
        (evaluation(1, cites="2", fidelity="mismatch", flagged=True), "context_mismatch"),
        (evaluation(1, cites="2", quote=False, flagged=True), "quote_mismatch"),
    ],
    ids=["partly supported", "partly out of context", "out of context", "quote not seen"],
)
def test_every_credit_withheld_for_a_passage_that_was_cut_is_not_judged(row, flagged):
    flags = [flag(flagged, "2", unit=1)] if flagged else []
    assert outcome(accuracy(["2"], evaluation(0), row, flags=flags)) == TRUNCATED


def test_a_citation_of_another_passage_is_judged_as_ever():
    rows = (evaluation(0), evaluation(1, NONE, cites="2", flagged=True))
    report = accuracy(["1", "3"], *rows, flags=[flag("unsupported", "2", unit=1)])
    assert outcome(report) == ("valid", None, 0.5)
    assert report.truncated


def test_full_support_found_in_what_was_left_stands():
    report = accuracy(["1", "2"], evaluation(0, FULL), evaluation(1, FULL, cites="2"))
    assert outcome(report) == ("valid", None, 1.0)


def test_what_the_text_shown_contradicts_stands():
    rows = (evaluation(0), evaluation(1, NONE, cites="2", flagged=True))
    flags = [flag("unsupported", "2", severity="critical", unit=1)]
    assert outcome(accuracy(["2"], *rows, flags=flags)) == ("valid", None, 0.5)


def test_what_code_finds_in_the_whole_text_stands():
    ready = cut(trace('The notice says "boats are welcome all year" [3].'), "3")
    report = settled(ACCURACY, ready, evaluations(evaluation(0, cites="3")))
    assert outcome(report) == ("valid", None, 0.0)
    invented = cut(trace("The dam was finished in 1956 [1] [9]."), "1")
    report = settled(ACCURACY, invented, evaluations(evaluation(0)))
    assert outcome(report) == ("valid", None, 0.5)


# --- citation_faithfulness -----------------------------------------------------------------

DAM, CRACK = "The dam was finished in 1956", "The spillway cracked in 1960"


def faithfulness(ids, *rows, text=f"{DAM} [1]. {CRACK} [2].") -> Report:
    return settled(FAITHFULNESS, cut(answer(text), *ids), claims(*rows))


def test_a_claim_a_cut_passage_carries_only_in_part_is_not_judged():
    rows = (claim(0, DAM, "1", "supported"), claim(1, CRACK, "2", "partially_supported"))
    report = faithfulness(["2"], *rows)
    assert outcome(report) == TRUNCATED
    assert CRACK in report.message
    assert outcome(faithfulness(["1"], *rows)) == ("valid", None, 0.5)


def test_a_contradiction_and_a_missing_citation_stand():
    contradicted = (claim(0, DAM, "1", "supported"), claim(1, CRACK, "2", "contradicted"))
    assert outcome(faithfulness(["2"], *contradicted)) == ("valid", None, 0.5)
    report = faithfulness(
        ["1"],
        claim(0, DAM, "1", "supported"),
        claim(1, CRACK, None, "no_citation"),
        text=f"{DAM} [1]. {CRACK}.",
    )
    assert outcome(report) == ("valid", None, 0.5)


def test_a_claim_that_another_passage_supports_stands():
    rows = (claim(0, DAM, "1", "supported"), claim(0, DAM, "3", "partially_supported"))
    report = faithfulness(["3"], *rows, text=f"{DAM} [1][3].")
    assert outcome(report) == ("valid", None, 1.0)


def test_a_claim_that_is_lost_by_another_of_its_citations_stands():
    rows = (claim(0, DAM, "1", "partially_supported"),)
    report = faithfulness(["1"], *rows, text=f"{DAM} [1][9].")
    assert outcome(report) == ("valid", None, 0.0)


# --- cot_faithfulness ----------------------------------------------------------------------


def reasoning(ids, *steps, verdict="UNFAITHFUL") -> Report:
    playbook, ready = prepared(cot.NAME, cot.CASE)
    return settled(playbook, cut(ready, *ids), cot.output(*steps, verdict=verdict))


@pytest.mark.parametrize("category", ["fabrication", "unsupported", "oversimplification"])
def test_a_step_that_lacks_evidence_is_not_judged_where_evidence_was_cut(category):
    report = reasoning(["rule"], *cot.GOOD, cot.bad(3, category))
    assert outcome(report) == TRUNCATED
    assert "step 3" in report.message


@pytest.mark.parametrize("category", ["contradiction", "ignored_evidence", "rationalization"])
def test_a_step_against_the_evidence_shown_stands(category):
    report = reasoning(["rule"], *cot.GOOD, cot.bad(3, category))
    assert outcome(report) == ("valid", None, pytest.approx(2 / 3))


def test_a_faithful_trace_stands():
    report = reasoning(["rule", "log"], *cot.GOOD, cot.END, verdict="FAITHFUL")
    assert outcome(report) == ("valid", None, 1.0)


# --- answer_comparison ---------------------------------------------------------------------


def compared(ids, **said) -> Report:
    playbook, ready = prepared(comparison.NAME, comparison.CASE)
    return settled(playbook, cut(ready, *ids), comparison.says(**said))


@pytest.mark.parametrize(
    "said",
    [
        {"faithfulness": "FAIL"},
        {"citations": "FAIL", "listed": ("About 140 live along the river [2].",)},
    ],
)
def test_an_answer_that_fails_on_sources_that_were_cut_is_not_judged(said):
    assert outcome(compared(["1"], overall="FAIL", **said)) == TRUNCATED


def test_an_answer_that_is_wrong_by_its_reference_stands():
    said = {"correctness": "FAIL", "faithfulness": "FAIL", "overall": "FAIL"}
    report = compared(["1"], abstention="INCORRECT_ANSWER", **said)
    assert outcome(report) == ("valid", None, 0.0)
    assert outcome(compared(["1"])) == ("valid", None, 1.0)


# --- cite_or_abstain -----------------------------------------------------------------------


def answered(ids, output) -> Report:
    playbook, ready = prepared(cite.NAME, cite.CASE)
    return settled(playbook, cut(ready, *ids), output)


def test_a_model_that_abstains_for_want_of_a_chunk_that_was_cut_is_not_blamed():
    report = answered(["c1"], cite.abstained())
    assert outcome(report) == TRUNCATED
    assert "chunk 'c1'" in report.message


def test_an_abstention_that_no_cut_explains_counts():
    assert outcome(answered(["c3"], cite.abstained()))[2] == 0.0


def test_a_silent_gap_counts_whatever_was_cut():
    report = answered(["c2"], cite.answered(cite.BOTH, cite.SEATS))
    assert outcome(report)[0] != "indeterminate"


# --- a preparation that failed -------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(all_playbooks()))
def test_a_case_that_could_not_be_prepared_has_a_report_all_the_same(name):
    _, ready = prepared(cite.NAME, cite.CASE)
    view = ModelView(name, "q", RiskLevel.STANDARD, ())
    failure = Failure(Reason.INTERNAL_ERROR, "ValueError in prepare")
    broken = Unprepared(ready.case, DomainRules(), RiskLevel.STANDARD, view, failure=failure)
    report = settle(all_playbooks()[name], broken, [])
    assert isinstance(report, Report)
    assert outcome(report) == ("error", "internal_error", None)
    assert report.details == Details()
