from citeval_assets.playbooks.citation_accuracy.case import CitationAccuracyCase
from citeval_assets.playbooks.citation_faithfulness.case import CitationFaithfulnessCase
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.retrieval import wanted_ids


def wanted(trace: str) -> tuple[str, ...]:
    case = CitationAccuracyCase(
        test_case_id="t", system="s", question="Who signs?", reasoning_trace=trace
    )
    return wanted_ids(case, DomainRules())


def test_ids_of_every_form_are_wanted_in_text_order_and_once():
    trace = "Signed [doc_11]. Paid [kb-9; kb-2]. Filed (Source 3). Kept [kb-9], see [here](#a1)."
    assert wanted(trace) == ("doc_11", "kb-9", "kb-2", "3", "a1")


def test_an_id_without_a_digit_is_wanted_too():
    assert "travel-policy" in wanted("Paid within a week [travel-policy].")


def test_nothing_is_wanted_from_code():
    assert wanted("Run `x = a[kb-9]` and stop.") == ()


def test_ids_beside_the_text_are_wanted():
    case = CitationFaithfulnessCase.model_validate(
        {
            "test_case_id": "t",
            "system": "s",
            "question": "Who signs?",
            "answer": "The head signs.",
            "claims": [{"text": "The head signs.", "cited_ids": ["kb-7"]}],
        }
    )
    assert wanted_ids(case, DomainRules()) == ("kb-7",)
