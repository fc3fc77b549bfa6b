import pytest
from hypothesis import given, settings

from citeval_assets.embedded.extractive_ranked import Extractive1
from citeval_assets.embedded.model import CannotJudge
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import RiskLevel, Status

from .judged import judged, prepared
from .test_overlap import TEXT

MODEL = Extractive1()
CHUNKS = [
    {"id": "c1", "text": "The Marlow library opens at nine. Library cards are free for residents."},
    {"id": "c2", "text": "Late fees for books are twenty cents a day. Films cost one euro a day."},
]


def answered(question, chunks=CHUNKS):
    row = {"question": question, "sources": chunks, "expected_status": "answered"}
    return MODEL.answer(prepared("cite_or_abstain", row).view)


def test_each_sentence_is_cited_and_quoted_word_for_word():
    output = answered("What are the late fees for books?")
    assert output["status"] == "answered"
    assert output["answer"] == "Late fees for books are twenty cents a day. [c2]"
    assert output["citations"][0]["excerpt"] == "Late fees for books are twenty cents a day."


@pytest.mark.parametrize(
    "question",
    ["Which composer wrote the opera Fidelio?", "What are the late fees in Trondheim harbour?"],
)
def test_without_the_key_words_of_the_question_it_abstains(question):
    output = answered(question)
    assert (output["status"], output["answer"], output["citations"]) == ("abstained", None, [])
    assert output["abstention_reason"]


def test_a_part_that_is_not_covered_makes_it_partial():
    output = answered("What are the late fees for books, and who founded the orchestra?")
    assert output["status"] == "partial"
    assert output["missing_evidence"] == ["The chunks do not answer: who founded the orchestra?"]


def test_a_question_for_a_number_needs_one():
    chunks = [{"id": "1", "text": "Parking permits are issued by the Marlow town hall."}]
    assert answered("How much do parking permits cost in Marlow?", chunks)["status"] != "answered"


def test_two_numbers_for_the_same_thing_are_named_as_a_conflict():
    chunks = [
        {"id": "web", "text": "A card with ten visits costs £46 and is valid for a year."},
        {"id": "sign", "text": "A card with ten visits is £48."},
    ]
    row = {
        "question": "What does a card with ten visits cost?", "sources": chunks,
        "expected_status": "partial", "supporting_chunk_ids": ["web", "sign"], "conflict": True,
    }  # fmt: skip
    report = judged(MODEL, "cite_or_abstain", row)
    assert (report.status, report.score) == (Status.VALID, 1.0)
    assert report.details.conflict_handled
    assert "46" in report.details.abstention_reason


def test_it_reads_other_languages_by_their_words():
    chunks = [{"id": "d", "text": "Der Aufzug wird jeden Monat von der Firma Kolbe gewartet."}]
    assert answered("Wer wartet den Aufzug jeden Monat?", chunks)["status"] == "answered"


def test_without_chunks_it_abstains_and_other_playbooks_it_refuses():
    view = ModelView("cite_or_abstain", "Why is it so?", RiskLevel.STANDARD, ())
    assert MODEL.answer(view)["status"] == "abstained"
    with pytest.raises(CannotJudge, match="citation_accuracy"):
        MODEL.answer(ModelView("citation_accuracy", "q", RiskLevel.STANDARD, ()))


@given(question=TEXT, chunk=TEXT)
@settings(max_examples=40, deadline=None)
def test_its_output_passes_at_once_whatever_the_chunks(question, chunk):
    row = {
        "question": f"{question} level",
        "sources": [*CHUNKS, {"id": "c 3", "text": chunk}],
        "expected_status": "answered",
    }
    assert judged(MODEL, "cite_or_abstain", row).status is Status.VALID
