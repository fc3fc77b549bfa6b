"""The corpus and its questions: what they name exists, and the retriever finds it."""

import json
from collections import Counter

from citeval_assets.retrieval.bm25 import Bm25Retriever
from citeval_assets.retrieval.store import PassageStore
from tests.data.golden_rows import DATA

QUESTIONS = [
    json.loads(line)
    for line in (DATA / "questions" / "library.jsonl").read_text(encoding="utf-8").splitlines()
]


def corpus() -> PassageStore:
    return PassageStore.read(DATA / "corpus")


def test_the_corpus_has_documents_enough_that_a_question_can_miss():
    documents = {source.document for source in corpus().passages.values()}
    assert len(documents) == 93


def test_questions_are_answered_by_passages_that_exist_or_by_none():
    known = corpus().passages
    expected = Counter(row["expected_status"] for row in QUESTIONS)
    assert expected == {"answered": 56, "partial": 4, "abstained": 10}
    for row in QUESTIONS:
        supporting = row["supporting_chunk_ids"]
        assert set(supporting) <= known.keys(), row["test_case_id"]
        assert bool(supporting) == (row["expected_status"] != "abstained")
        assert row.get("conflict", False) == (row["expected_status"] == "partial")
        assert row["reference_answer"]
    assert len({row["test_case_id"] for row in QUESTIONS}) == len(QUESTIONS)


def test_numbers_of_a_reference_answer_stand_in_its_passages():
    known = corpus().passages
    for row in QUESTIONS:
        text = " ".join(known[name].text for name in row["supporting_chunk_ids"])
        if row["expected_status"] == "answered" and row["language"] == "en":
            numbers = {word for word in row["reference_answer"].split() if word[0].isdigit()}
            assert all(number.strip(".,;%") in text for number in numbers), row["test_case_id"]


def test_bm25_finds_the_support_of_every_question():
    index = Bm25Retriever(corpus())
    missed = [
        row["test_case_id"]
        for row in QUESTIONS
        if not set(row["supporting_chunk_ids"])
        <= {source.id for source in index.search(row["question"], 4)}
    ]
    assert missed == []
