"""The two cases nobody can get wrong."""

from dataclasses import dataclass

import pytest

from citeval_assets.embedded.registry import embedded_model
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.vocabulary import CANARY_SYSTEM
from citeval_assets.qualification.canaries import (
    MUST_FAIL,
    MUST_PASS,
    Canaries,
    canary_result,
    canary_tasks,
    has_canaries,
    is_canary,
)
from citeval_assets.qualification.operators import JUDGED


@dataclass(frozen=True)
class Item:
    test_case_id: str
    score: float | None
    system: str = CANARY_SYSTEM


@pytest.mark.parametrize("playbook", JUDGED)
def test_every_judged_playbook_has_one_that_is_right_and_one_that_is_wrong(playbook):
    right, wrong = canary_tasks(get_playbook(playbook), "dataset")
    assert right.case_hash != wrong.case_hash
    assert right.prepared.failure is None
    assert wrong.prepared.failure is None
    assert right.prepared.case.test_case_id == MUST_PASS
    assert is_canary(Item(MUST_FAIL, 0.0))
    for judge in ("embedded/overlap-0", "embedded/lexical-1"):
        replies = [embedded_model(judge).reply(task.prepared.view) for task in (right, wrong)]
        assert replies[0] != replies[1]


def test_a_playbook_without_a_judge_has_none():
    assert canary_tasks(get_playbook("cite_or_abstain"), "dataset") == ()
    assert not has_canaries("cite_or_abstain")


@pytest.mark.parametrize(
    ("right", "wrong", "state", "said"),
    [
        (1.0, 0.0, Canaries.PASSED, ""),
        (0.75, 0.5, Canaries.PASSED, ""),
        (1.0, 1.0, Canaries.FAILED, "plainly wrong scored 1.00"),
        (0.0, 0.0, Canaries.FAILED, "plainly right scored 0.00"),
        (None, 1.0, Canaries.FAILED, "plainly wrong"),
        (1.0, None, Canaries.UNSCORED, "could not be scored"),
    ],
)
def test_what_became_of_them(right, wrong, state, said):
    others = [Item("case", 0.2, "prod")]
    found = canary_result([*others, Item(MUST_PASS, right), Item(MUST_FAIL, wrong)])
    assert found.state is state
    assert said in found.detail


def test_without_canaries_there_is_nothing_to_say():
    assert canary_result([Item("case", 0.2, "prod")]).state is Canaries.NONE
    assert canary_result([Item(MUST_PASS, 1.0)]).state is Canaries.UNSCORED
