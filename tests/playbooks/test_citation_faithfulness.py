"""Citation faithfulness beside its rules: what is asked again, what is shown and recorded."""

import pytest

from citeval_assets.playbooks.citation_faithfulness import PLAYBOOK
from playbooks.builders import answer, claim, claims, feedback, judged, names, prepare

DAM = "The dam was finished in 1956"
CRACK = "In 1960 the spillway cracked"
TWO = f"{DAM} [1]. {CRACK} [2]."
GOOD = (claim(0, DAM, "1", "supported"), claim(1, CRACK, "2", "supported"))


def said(text, *rows, **fields):
    return feedback(PLAYBOOK, answer(text, **fields), claims(*rows))


# --- what is asked again -----------------------------------------------------------------


def test_an_uncovered_sentence_is_named():
    assert "no claim covers unit 1, which cites '2'" in said(TWO, GOOD[0])


def test_no_claims_at_all_is_no_answer():
    report = judged(PLAYBOOK, answer(TWO), claims())
    assert (report.status, report.score) == ("VALIDATION_FAILED", None)
    assert names(report) == ["unscored"]
    assert report.details.claim_count == 0


def test_a_citation_on_no_claim_is_named():
    text = said(f"{DAM} [1][2].", claim(0, DAM, "1", "supported"))
    assert "unit 0 cites '2', but no claim of it names that source" in text


@pytest.mark.parametrize("verdict", ["supported", "partially_supported", "contradicted"])
def test_null_goes_with_no_citation_only(verdict):
    assert "claims_analysis[1].cited_source_id: is null" in said(
        TWO, GOOD[0], claim(1, CRACK, None, verdict), GOOD[1]
    )


def test_no_citation_goes_with_null_only():
    text = said(TWO, GOOD[0], claim(1, CRACK, "2", "no_citation"))
    assert "claims_analysis[1].cited_source_id: must be null" in text


def test_a_source_that_exists_needs_a_verdict():
    text = said(TWO, GOOD[0], claim(1, CRACK, "2", "hallucinated_source"))
    assert "claims_analysis[1].verdict: the cited source is among the passages" in text


def test_a_cited_sentence_cannot_be_called_uncited():
    assert "unit 1 cites '2'" in said(TWO, GOOD[0], claim(1, CRACK, None, "no_citation"))


@pytest.mark.parametrize("unit", [2, -1, 10**30])
def test_a_claim_of_no_sentence_is_asked_again(unit):
    text = said(TWO, *GOOD, claim(unit, DAM, "1", "supported"))
    assert "claims_analysis[2].unit: names no unit; the units are 0 to 1" in text
    assert str(10**30) not in text


@pytest.mark.parametrize("words", [DAM, "It is so.", "Yes", ""])
def test_a_claim_about_another_sentence_covers_nothing(words):
    text = said(TWO, GOOD[0], claim(1, words, "2", "supported"))
    assert "claims_analysis[1].claim_text: is not about unit 1" in text


@pytest.mark.parametrize(
    "words",
    [
        "In 1960 the spillway cracked.",
        "The spillway of the dam cracked in 1960",
        "the spillway had cracks (1960)",
        "Spillway cracked",
    ],
)
def test_a_claim_may_use_its_own_words(words):
    assert said(TWO, GOOD[0], claim(1, words, "2", "supported")) == ""


def test_a_claim_that_leaves_most_of_its_sentence_out_covers_nothing():
    long = "In 1960 the spillway cracked, the valley flooded, and nine farms were abandoned"
    text = said(f"{long} [2].", claim(0, "In 1960 the spillway cracked", "2", "supported"))
    assert "leave out most of the sentence" in text


def test_a_sentence_cannot_be_split_without_end():
    pieces = ("The dam finished", "The dam, 1956", "Finished in 1956")
    rows = [claim(0, piece, "1", "supported") for piece in pieces]
    assert "split into too many claims" in said(TWO, *rows, GOOD[1])


def test_a_score_off_the_scale_is_a_fault_of_form():
    text = feedback(PLAYBOOK, answer(TWO), claims(*GOOD, citation_faithfulness_score=95))
    assert "citation_faithfulness_score: is out of range" in text


# --- without a call ----------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "   ", None, "I could not find this in the documents."])
def test_an_empty_answer_or_an_abstention_has_no_claims(text):
    report = judged(PLAYBOOK, answer(text))
    assert (report.status, report.reason, report.score) == ("not_applicable", "no_claims", None)
    assert report.details.hallucinated_sources == ()
    assert not report.escalations


def test_an_answer_of_invented_citations_only_is_scored_without_a_call():
    report = judged(PLAYBOOK, answer(f"{DAM} [8]. {CRACK} [9]."))
    assert (report.status, report.score, report.attempts) == ("valid", 0.0, 0)
    assert names(report) == ["hallucinated_source"]
    assert not report.judge_disagreements


def test_a_restated_question_is_no_claim():
    question = "When was the dam finished?"
    prepared = answer(f"You asked when the dam was finished. {DAM} [1].", question=question)
    assert [unit.text for unit in prepared.view.units] == [f"{DAM}."]


# --- rows that bring their claims --------------------------------------------------------


def test_claims_of_a_row_take_the_place_of_markers():
    given = [{"text": DAM, "cited_ids": [1, "2"]}, {"text": CRACK, "cited_ids": ["9"]}]
    prepared = answer(f"{DAM}. {CRACK}.", claims=given)
    assert [unit.cited_ids for unit in prepared.view.units] == [("1", "2"), ()]
    reply = claims(claim(0, DAM, "1", "supported"), claim(0, DAM, "2", "partially_supported"))
    report = judged(PLAYBOOK, prepared, reply)
    assert report.score == 0.5
    assert report.details.hallucinated_sources == ("9",)


def test_a_quotation_in_a_given_claim_is_checked():
    given = [{"text": 'It says "the dam was finished in 1965"', "cited_ids": ["1", "2"]}]
    reply = claims(*(claim(0, given[0]["text"], one, "supported") for one in ("1", "2")))
    report = judged(PLAYBOOK, answer("See the claims.", claims=given), reply)
    assert report.score == 0.0
    assert {f.label for f in report.findings} == {"partially_supported"}


def test_sentences_that_no_given_claim_covers_are_warned_about():
    prepared = answer(f"{DAM}. {CRACK}.", claims=[{"text": DAM, "cited_ids": ["1"]}])
    assert any("1 asserting sentences" in warning for warning in prepared.warnings)


# --- what is shown and recorded ----------------------------------------------------------


def test_the_list_of_sentences_comes_before_the_answer():
    prepared = answer(f"Hello! {TWO} {DAM} [9].")
    values = PLAYBOOK.slot_values(prepared.view)
    assert values["GENERATED_ANSWER"].text.splitlines()[:3] == [
        "2 sentences to evaluate, numbered by the evaluation:",
        f"unit 0 (cites '1'): {DAM}.",
        f"unit 1 (cites '2'): {CRACK}.",
    ]
    assert values["RISK_LEVEL"].text == "standard"
    filled = {slot.name for slot in PLAYBOOK.slots} - {"FEW_SHOT_EXAMPLES", "CORRECTION_FEEDBACK"}
    assert values.keys() == filled


def test_offsets_point_into_the_answer():
    prepared = answer(TWO)
    for finding in judged(PLAYBOOK, prepared, claims(*GOOD)).findings:
        assert prepared.view.answer[finding.char_start : finding.char_end] == finding.text


def test_the_judges_own_score_is_recorded_where_it_differs():
    report = judged(PLAYBOOK, answer(TWO), claims(*GOOD, citation_faithfulness_score=0.4))
    assert report.score == 1.0
    assert [d.field for d in report.judge_disagreements] == ["citation_faithfulness_score"]


def test_numbers_may_be_positions():
    sources = [{"id": "alpha", "text": "The dam was finished."}, {"id": "beta", "text": "Cracks."}]
    prepared = prepare(PLAYBOOK, {"answer": TWO, "sources": sources})
    assert [unit.cited_ids for unit in prepared.view.units] == [("alpha",), ("beta",)]
    for ids in (("1", "2"), ("alpha", "beta"), ("[1]", "Source 2")):
        rows = claims(claim(0, DAM, ids[0], "supported"), claim(1, CRACK, ids[1], "supported"))
        assert judged(PLAYBOOK, prepared, rows).score == 1.0
