import json

import pytest

from citeval_assets.playbooks.attempts import Reply
from citeval_assets.playbooks.registry import all_playbooks, get_playbook
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.settling import settle
from citeval_assets.playbooks.vocabulary import EscalationName, Routing, Status

ANSWER = "The lock was built in 1902 [1]. It is nine metres wide [1]. Its keeper was Odd Aune [7]."


def report(*, answer: str = ANSWER, **extra: object) -> Report:
    recipe = get_playbook("citation_faithfulness")
    row = {
        "test_case_id": "t", "system": "s", "question": "How old is the lock?", "answer": answer,
        "sources": [{"id": "1", "text": "The lock, nine metres wide, was built in 1902."}],
    }  # fmt: skip
    ready = recipe.prepare(recipe.case_type.model_validate(row), DomainRules())
    rows = [
        {"unit": unit.number, "claim_text": unit.text, "cited_source_id": "1",
         "verdict": "supported", "explanation": "", **(extra if unit.number == 1 else {})}
        for unit in ready.view.units if unit.asked
    ]  # fmt: skip
    reply = {
        "citation_faithfulness_score": 1.0, "claims_analysis": rows, "overall_assessment": ""
    }  # fmt: skip
    settled = settle(recipe, ready, [Reply(json.dumps(reply), "stop")])
    assert isinstance(settled, Report)
    return settled


def names(found: Report) -> list[str]:
    return [escalation.name for escalation in found.escalations]


def test_a_unit_the_judge_is_unsure_of_goes_to_review_and_keeps_its_score() -> None:
    sound = "The lock was built in 1902 [1]. It is nine metres wide [1]."
    sure, unsure = report(answer=sound), report(answer=sound, unsure=True, confidence=0.55)
    assert (sure.routing, unsure.routing) == (Routing.DELIVER, Routing.REVIEW)
    assert names(unsure) == [EscalationName.LOW_CONFIDENCE]
    assert unsure.escalations[0].detail == "the judge is unsure of unit 1"
    assert unsure.warnings == ("the judge is unsure of unit 1",)
    assert (unsure.score, unsure.status) == (sure.score, Status.VALID)
    assert not any("ignored field" in note for note in unsure.notes)


@pytest.mark.parametrize("odd", ["high", 95, -1, True, None, {"a": 1}])
def test_confidence_in_another_form_is_passed_over(odd: object) -> None:
    assert report(confidence=odd, unsure=odd if odd is not True else "true").status is Status.VALID
    assert EscalationName.LOW_CONFIDENCE not in names(report(confidence=odd))


def test_models_are_not_asked_for_it() -> None:
    for playbook in all_playbooks().values():
        assert '"unsure"' not in json.dumps(playbook.reply_type.model_json_schema())
