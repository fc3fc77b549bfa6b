"""Texts that can be edited: offsets count in the judged text, steps stay steps."""

import pytest

from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.qualification.subject import Edit, Subject
from tests.qualification.cases import ANSWER, BARE, clean_case, subject


def test_a_plain_answer_is_edited_in_place_and_says_where():
    found = subject("citation_faithfulness")
    start = ANSWER.index("1871")
    end = ANSWER.index("340")
    case, spans = found.edited([Edit(end, end + 3, "5"), Edit(start, start + 4, "188001")])
    text = case.model_dump()["answer"]
    assert "opened in 188001 [1]" in text
    assert "yields 5 kg" in text
    assert [span.of(text) for span in spans] == ["188001", "5"]


def test_a_trace_of_steps_stays_a_trace_of_steps():
    steps = ["The quarry was opened in 1871.", "It yields 340 kg each day.", "So much is known."]
    found = subject("cot_faithfulness", reasoning_trace=steps)
    place = found.text.index("340")
    case, (span,) = found.edited([Edit(place, place + 3, "3400")])
    assert list(case.model_dump()["reasoning_trace"]) == [
        steps[0], "It yields 3400 kg each day.", steps[2]
    ]  # fmt: skip
    assert span.of("\n".join(case.model_dump()["reasoning_trace"])) == "3400"


@pytest.mark.parametrize("edits", [[(0, 5), (3, 8)], [(25, 40)]])
def test_edits_may_neither_overlap_nor_cross_a_step(edits):
    steps = ["The quarry was opened in 1871.", "It yields 340 kg each day."]
    found = subject("cot_faithfulness", reasoning_trace=steps)
    with pytest.raises(ValueError, match="overlaps"):
        found.edited([Edit(start, end, "") for start, end in edits])


def test_judged_sentences_are_those_a_judge_decides_about():
    accuracy = subject("citation_accuracy", reasoning_trace=f"{ANSWER} Nothing more is known.")
    assert len(accuracy.sentences) == 5
    assert accuracy.sentences[0].cited == ("1",)
    assert [source.id for source in accuracy.evidence(accuracy.sentences[3])] == ["2"]
    bare = subject("citation_faithfulness", answer=BARE)
    assert len(bare.sentences) == 4
    assert [source.id for source in bare.evidence(bare.sentences[0])] == ["1", "2"]


def test_an_answer_that_declines_has_nothing_to_change():
    found = subject(
        "citation_faithfulness", answer="The sources do not contain an answer to this question."
    )
    assert found.sentences == ()


def test_cases_with_a_conversation_or_claims_of_their_own_are_left_alone():
    playbook = get_playbook("citation_faithfulness")
    turns = [{"role": "user", "content": "What is a quarry?"}]
    case = clean_case("citation_faithfulness", history=turns)
    assert Subject.of(playbook, case, DomainRules()) is None
