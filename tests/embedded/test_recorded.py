import pytest

from citeval_assets.embedded.model import CannotJudge
from citeval_assets.embedded.recorded import Recorded0
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import RiskLevel


def view(recorded: str | None) -> ModelView:
    return ModelView("cite_or_abstain", "q", RiskLevel.STANDARD, (), recorded_output=recorded)


def test_the_recorded_output_comes_back_to_the_letter():
    assert Recorded0().reply(view('{"status" : "answered"} ')) == '{"status" : "answered"} '
    assert Recorded0().answer(view('{"a": 1}')) == {"a": 1}


def test_a_broken_record_is_replayed_as_it_is():
    assert Recorded0().reply(view("not json")) == "not json"


def test_without_a_record_it_says_so():
    with pytest.raises(CannotJudge, match="recorded_output"):
        Recorded0().reply(view(None))
