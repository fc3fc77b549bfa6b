"""Which mutants are made: clean cases only, each once an operator, the same for a seed."""

from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.qualification.operators import OPERATORS
from citeval_assets.qualification.planning import is_clean, plan_mutants
from tests.qualification.cases import clean_case, operator, two_clean

FAITHFULNESS = "citation_faithfulness"


def plan(seed: int = 1, per_operator: int = 20, names: list[str] | None = None):
    chosen = [operator(name) for name in names] if names else OPERATORS
    return plan_mutants(
        get_playbook(FAITHFULNESS), two_clean(FAITHFULNESS),
        seed=seed, per_operator=per_operator, operators=chosen,
    )  # fmt: skip


def test_only_a_label_that_says_all_is_right_makes_a_case_clean():
    assert is_clean(clean_case(FAITHFULNESS))
    assert is_clean(clean_case(FAITHFULNESS, label_source="human"))
    assert not is_clean(clean_case(FAITHFULNESS, labels={"score": 0.75}))
    assert not is_clean(clean_case(FAITHFULNESS, labels=None, label_source=None))


def test_the_same_seed_gives_the_same_plan():
    assert plan() == plan()
    assert plan(seed=2) != plan()


def test_each_operator_takes_each_case_once_up_to_its_number():
    made = plan(names=["negation", "unchanged"])
    ids = [planned.mutant.case.test_case_id for planned in made.mutants]
    assert len(set(ids)) == len(ids)
    assert made.clean_cases == 2
    assert len(plan(names=["unchanged"], per_operator=1).mutants) == 1


def test_what_could_not_be_made_is_counted_with_its_reason():
    # The mill has no number, the quarry has.
    made = plan(names=["number_changed"])
    assert len(made.mutants) == 1
    assert made.inapplicable == {
        "number_changed": {"no number of a judged sentence stands in its evidence": 1}
    }


def test_the_other_cases_lend_their_passages():
    made = plan(names=["passage_added"])
    for planned in made.mutants:
        assert len({source.document for source in planned.mutant.case.sources}) >= 2
