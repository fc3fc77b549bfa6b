import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeval_assets.embedded.model import CannotJudge
from citeval_assets.embedded.overlap import Overlap0
from citeval_assets.embedded.overlap_answers import declines
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import RiskLevel, Status

from .judged import judged

SOURCES = [
    {"id": "1", "text": "The Larkin reservoir was filled in 1931. It holds 4.2 million litres."},
    {"id": "2", "text": "In the dry summer of 2018 the level fell to 38 percent."},
]
MODEL = Overlap0()


def labels(report):
    return [finding.label for finding in report.findings]


def test_citations_are_judged_by_the_words_they_share():
    trace = [
        "The Larkin reservoir was filled in 1931 [1].",
        "Fish ladders bring salmon home every spring [2].",
    ]
    report = judged(MODEL, "citation_accuracy", {"sources": SOURCES, "reasoning_trace": trace})
    assert labels(report) == ["fully_supported", "unsupported"]
    assert report.score == 0.5


def test_a_quotation_that_does_not_stand_in_the_source_is_seen():
    trace = ['The report says "the level fell to 83 percent" that summer [2].']
    report = judged(MODEL, "citation_accuracy", {"sources": SOURCES, "reasoning_trace": trace})
    assert [flag.type for flag in report.findings[0].flags] == ["quote_mismatch"]


def test_claims_are_judged_against_each_source_they_cite():
    answer = "The Larkin reservoir was filled in 1931 [1]. The town welcomed it warmly."
    report = judged(MODEL, "citation_faithfulness", {"sources": SOURCES, "answer": answer})
    assert labels(report) == ["supported", "no_citation"]


def test_steps_are_drawn_from_the_evidence_or_from_earlier_steps():
    trace = (
        "The Larkin reservoir was filled in 1931. The level fell to 38 percent in summer 2018. "
        "So the level of the Larkin reservoir fell. Wolves roam the eastern valley at night."
    )
    row = {"sources": SOURCES, "reasoning_trace": trace, "final_answer": "38 percent."}
    report = judged(MODEL, "cot_faithfulness", row)
    assert labels(report) == ["FAITHFUL"] * 3 + ["UNFAITHFUL_FABRICATION"]


@pytest.mark.parametrize(
    ("answer", "reference", "verdict", "score"),
    [
        ("The level fell to 38 percent [2].", "It fell to 38 percent.", "PASS", 1.0),
        ("Nobody measured anything then [2].", "It fell to 38 percent.", "FAIL", 0.0),
        ("I cannot answer this from the sources.", "The notes do not say.", "PASS", 1.0),
        ("I cannot answer this from the sources.", "It fell to 38 percent.", "FAIL", 0.0),
        ("The level fell to 38 percent [2].", "The notes do not say.", "FAIL", 0.0),
        ("", "The notes do not say.", "PASS", 1.0),
    ],
)
def test_answers_are_compared_with_their_reference(answer, reference, verdict, score):
    answerable = "do not say" not in reference
    row = {"answer": answer, "reference_answer": reference, "answerable": answerable}
    report = judged(MODEL, "answer_comparison", {"sources": SOURCES, **row})
    assert (report.verdict, report.score) == (verdict, score)


def test_it_judges_and_does_not_answer():
    with pytest.raises(CannotJudge, match="cite_or_abstain"):
        MODEL.answer(ModelView("cite_or_abstain", "q", RiskLevel.STANDARD, ()))


PIECES = st.sampled_from(
    [
        "The level fell",
        " to 38 percent",
        " [1]",
        " [2]",
        "[9]",
        " [doc]",
        ".",
        ". ",
        "\n",
        "\n- ",
        "1. ",
        " “was filled in 1931”",
        "?",
        " It holds water",
        " I cannot answer this",
        "。",
        " 水位は下がった",
        "Step 2: ",
        "```",
        " ... ",
        "{}",
        "*",
    ]
)
TEXT = st.lists(PIECES, min_size=1, max_size=14).map("".join)


@given(text=TEXT, source=TEXT)
@settings(max_examples=60, deadline=None)
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
@settings(max_examples=60, deadline=None)
def test_its_comparisons_pass_at_once_whatever_the_answer(answer, reference):
    if not reference.strip():
        return
    known = f"{reference} zinc"
    row = {"answer": answer, "reference_answer": known, "answerable": not declines(known)}
    assert judged(MODEL, "answer_comparison", {"sources": SOURCES, **row}).status is Status.VALID
