import pytest
from hypothesis import given, settings

from citeval_assets.embedded.calibration import Calibration
from citeval_assets.embedded.lexical.judge import Lexical1
from citeval_assets.embedded.model import CannotJudge
from citeval_assets.embedded.overlap_answers import declines
from citeval_assets.embedded.registry import embedded_model
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import EscalationName, RiskLevel, Routing, Status

from .judged import judged, prepared
from .test_overlap import SOURCES, TEXT, labels

MODEL = Lexical1()


def names(report):
    return [escalation.name for escalation in report.escalations]


def test_citations_get_a_strength_and_the_unsure_ones_a_person():
    trace = [
        "The Larkin reservoir was filled in 1931 [1].",
        "In the dry summer of 2018 the level fell to 83 percent [2].",
        "Fish ladders bring salmon home every spring [2].",
    ]
    report = judged(MODEL, "citation_accuracy", {"sources": SOURCES, "reasoning_trace": trace})
    assert labels(report) == ["fully_supported", "unsupported", "unsupported"]
    unsure = [e for e in report.escalations if e.name is EscalationName.LOW_CONFIDENCE]
    assert [e.detail for e in unsure] == ["the judge is unsure of unit 2"]
    assert report.findings[1].flags[-1].severity == "critical"
    assert "Uncalibrated" in report.summary


def test_a_clean_trace_is_delivered_without_a_person():
    trace = ["The Larkin reservoir was filled in 1931 [1].", "It holds 4.2 million litres [1]."]
    report = judged(MODEL, "citation_accuracy", {"sources": SOURCES, "reasoning_trace": trace})
    assert (report.score, report.routing, names(report)) == (1.0, Routing.DELIVER, [])


def test_two_passages_may_support_a_claim_together():
    answer = "The Larkin reservoir was filled in 1931 and fell to 38 percent in summer 2018 [1][2]."
    report = judged(MODEL, "citation_faithfulness", {"sources": SOURCES, "answer": answer})
    assert "supported" in labels(report)
    assert report.score == 1.0


def test_only_a_number_contradicts():
    answer = (
        "In the dry summer of 2018 the level fell to 83 percent [2]. "
        "The Larkin reservoir was never filled in 1931 [1]."
    )
    report = judged(MODEL, "citation_faithfulness", {"sources": SOURCES, "answer": answer})
    assert labels(report)[0] == "contradicted"
    assert "contradicted" not in labels(report)[1:]


def test_steps_are_checked_for_numbers_names_and_quotations_only():
    trace = (
        "The Larkin reservoir was filled in 1931. In the dry summer of 2018 the level fell to 38 "
        'percent. The report says that "nobody had ever measured it before". So it was low.'
    )
    row = {"sources": SOURCES, "reasoning_trace": trace, "final_answer": "38 percent."}
    report = judged(MODEL, "cot_faithfulness", row)
    assert labels(report)[:3] == ["FAITHFUL", "FAITHFUL", "UNFAITHFUL_FABRICATION"]
    assert "stands nowhere in the evidence" in report.findings[2].explanation
    assert report.findings[3].explanation.startswith("Low confidence")
    assert EscalationName.LOW_CONFIDENCE in names(report)


@pytest.mark.parametrize(
    ("answer", "reference", "verdict"),
    [
        ("In the dry summer of 2018 the level fell to 38 percent [2].", "38 percent", "PASS"),
        ("The level rose to 71 percent [2].", "38 percent", "FAIL"),
        ("I cannot answer this from the sources.", "The notes do not say.", "PASS"),
    ],
)
def test_answers_are_compared_with_their_reference(answer, reference, verdict):
    row = {"answer": answer, "reference_answer": reference, "answerable": not declines(reference)}
    assert judged(MODEL, "answer_comparison", {"sources": SOURCES, **row}).verdict == verdict


def test_the_calibration_is_part_of_the_version():
    calibration = Calibration(0.8, 0.1, 60, 30, MODEL.version)
    calibrated = embedded_model("embedded/lexical-1", calibration)
    assert calibrated.version == f"1-cal.{calibration.sha256[:16]}"
    assert embedded_model("embedded/lexical-1").version == MODEL.version
    row = {"sources": SOURCES, "answer": "The Larkin reservoir was filled in 1931 [1]."}
    summary = judged(calibrated, "citation_faithfulness", row).summary
    assert "Calibrated on 60 human labels." in summary


def test_it_judges_and_does_not_answer():
    with pytest.raises(CannotJudge, match="cite_or_abstain"):
        MODEL.answer(ModelView("cite_or_abstain", "q", RiskLevel.STANDARD, ()))


def test_log_odds_are_given_for_what_cites_something():
    answer = "The Larkin reservoir was filled in 1931 [1]. The town welcomed it warmly."
    view = prepared("citation_faithfulness", {"sources": SOURCES, "answer": answer}).view
    assert list(MODEL.log_odds(view)) == [0]


@given(text=TEXT, source=TEXT)
@settings(max_examples=40, deadline=None)
@pytest.mark.parametrize(
    "playbook", ["citation_accuracy", "citation_faithfulness", "cot_faithfulness"]
)
def test_its_output_passes_at_once_whatever_the_text(playbook, text, source):
    field = "answer" if playbook == "citation_faithfulness" else "reasoning_trace"
    row = {"sources": [*SOURCES, {"id": "3", "text": source}], field: text}
    if not text.strip():
        return
    report = judged(MODEL, playbook, row)
    assert report.status in (Status.VALID, Status.NOT_APPLICABLE)


@given(answer=TEXT, reference=TEXT)
@settings(max_examples=40, deadline=None)
def test_its_comparisons_pass_at_once_whatever_the_answer(answer, reference):
    if not reference.strip():
        return
    known = f"{reference} zinc"
    row = {"answer": answer, "reference_answer": known, "answerable": not declines(known)}
    assert judged(MODEL, "answer_comparison", {"sources": SOURCES, **row}).status is Status.VALID


def test_a_calibrated_judge_still_answers_as_the_model_that_was_asked():
    from citeval_assets.judging.answered import answers_as

    calibrated = embedded_model("embedded/lexical-1", Calibration(0.8, 0.1, 60, 30, "1"))
    assert answers_as(calibrated.name, f"{calibrated.name}@{calibrated.version}")
