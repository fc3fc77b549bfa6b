import pytest
from hypothesis import given, settings

from citeval_assets.embedded.extractive import Extractive0
from citeval_assets.embedded.model import CannotJudge
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import RiskLevel, Status

from .judged import judged, prepared
from .test_overlap import TEXT

MODEL = Extractive0()
CHUNKS = [
    {"id": "c1", "text": "The library opens at nine. Cards are free for residents."},
    {"id": "c2", "text": "Late fees for books are twenty cents a day."},
]


def answered(question, chunks=CHUNKS):
    row = {"question": question, "sources": chunks, "expected_status": "answered"}
    return MODEL.answer(prepared("cite_or_abstain", row).view)


def test_an_answer_is_made_of_sentences_of_the_chunks_word_for_word():
    output = answered("What are the late fees for books a day?")
    assert output["status"] == "answered"
    assert output["answer"] == "Late fees for books are twenty cents a day. [c2]"
    assert output["citations"] == [
        {
            "chunk_id": "c2",
            "excerpt": "Late fees for books are twenty cents a day.",
            "confidence": "high",
        }
    ]


def test_a_question_that_is_covered_in_part_gets_a_partial_answer():
    output = answered("When does the library open and who founded it?")
    assert output["status"] == "partial"
    assert "founded" in output["missing_evidence"][0]
    assert output["abstention_reason"]


def test_a_question_the_chunks_say_nothing_of_is_abstained_from():
    output = answered("Which composer wrote the opera Fidelio?")
    assert output["status"] == "abstained"
    assert output["answer"] is None
    assert output["citations"] == []
    assert output["abstention_reason"]


def test_without_chunks_it_abstains():
    view = ModelView("cite_or_abstain", "Why?", RiskLevel.STANDARD, ())
    assert MODEL.answer(view)["status"] == "abstained"


def test_sentences_with_citations_of_their_own_are_not_copied():
    output = answered("late fees", [{"id": "1", "text": "Late fees are high [7]."}])
    assert output["status"] == "abstained"


def test_its_answers_leave_no_gap():
    row = {
        "question": "What are the late fees for books a day?",
        "sources": CHUNKS,
        "expected_status": "answered",
        "supporting_chunk_ids": ["c2"],
    }
    report = judged(MODEL, "cite_or_abstain", row)
    assert (report.status, report.score) == (Status.VALID, 1.0)


def test_it_answers_and_does_not_judge():
    with pytest.raises(CannotJudge, match="citation_accuracy"):
        MODEL.answer(ModelView("citation_accuracy", "q", RiskLevel.STANDARD, ()))


@given(question=TEXT, chunk=TEXT)
@settings(max_examples=60, deadline=None)
def test_its_output_passes_at_once_whatever_the_chunks(question, chunk):
    row = {
        "question": f"{question} level",
        "sources": [*CHUNKS, {"id": "c 3", "text": chunk}],
        "expected_status": "answered",
    }
    assert judged(MODEL, "cite_or_abstain", row).status is Status.VALID
