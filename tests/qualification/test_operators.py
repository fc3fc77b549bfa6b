"""Every operator: what it changes, the truth about it, and when it says that it cannot."""

import re

import pytest

from citeval_assets.qualification.mutants import CannotApply
from citeval_assets.qualification.operators import FAULTS, HARMLESS, JUDGED, OPERATORS
from citeval_assets.text.quotes import find_quote
from tests.qualification.cases import (
    ANSWER,
    FERRY,
    QUARRY,
    judged_text,
    mutant,
    operator,
    pool,
    subject,
    touched_text,
)

APPLICABLE = [(one, playbook) for one in OPERATORS for playbook in one.playbooks]


@pytest.mark.parametrize(
    ("one", "playbook"), APPLICABLE, ids=[f"{o.name}-{p}" for o, p in APPLICABLE]
)
def test_every_operator_applies_and_is_the_same_each_time(one, playbook):
    first = mutant(one.name, playbook)
    assert first == mutant(one.name, playbook)
    assert first.faulty is one.faulty
    assert first.case.labels is None
    assert first.case.label_source is None
    assert first.case.test_case_id == f"quarry~{one.name}"
    changed = first.case.model_dump(exclude={"test_case_id", "labels", "label_source"})
    clean = subject(playbook).case.model_dump(exclude={"test_case_id", "labels", "label_source"})
    assert (changed == clean) is (one.name == "unchanged")
    text = judged_text(first)
    assert all(0 <= span.start < span.end <= len(text) for span in first.touched)


def test_another_seed_draws_another_place():
    made = {mutant("number_changed", seed=seed).change for seed in range(12)}
    assert len(made) > 3


def test_names_are_given_once_and_every_judged_playbook_has_faults():
    assert len({one.name for one in OPERATORS}) == len(OPERATORS)
    for playbook in JUDGED:
        assert sum(playbook in one.playbooks for one in FAULTS) >= 9
        assert sum(playbook in one.playbooks for one in HARMLESS) >= 7


@pytest.mark.parametrize("one", OPERATORS, ids=[one.name for one in OPERATORS])
def test_other_playbooks_are_none_of_its_business(one):
    for playbook in set(JUDGED) - set(one.playbooks):
        assert isinstance(one.mutate(subject(playbook), 1, pool()), CannotApply)


@pytest.mark.parametrize("seed", range(8))
def test_a_changed_number_stands_nowhere(seed):
    made = mutant("number_changed", seed=seed)
    old, new = made.change.split(" -> ")
    assert new not in re.findall(r"\d+", QUARRY + FERRY + ANSWER)
    assert touched_text(made).replace(new, old) in ANSWER


def test_a_changed_unit_keeps_the_number():
    assert re.search(r"340 (g|t) of slate", touched_text(mutant("unit_changed")))


@pytest.mark.parametrize("seed", range(6))
def test_a_swapped_name_is_not_told_of(seed):
    made = mutant("name_swapped", seed=seed)
    old, new = made.change.split(" -> ")
    assert old in ANSWER
    assert new in touched_text(made)
    assert old not in touched_text(made)


def test_a_negation_is_put_in_or_taken_out():
    assert " not " in touched_text(mutant("negation"))
    answer = "The crossing is not free for adults [2]."
    made = mutant("negation", answer=answer)
    assert touched_text(made) == "The crossing is free for adults [2]."


def test_an_over_claim_drops_what_the_evidence_hedges():
    answer = "The ferry carries up to 60 passengers [2]."
    assert touched_text(mutant("over_claim", answer=answer)) == (
        "The ferry carries exactly 60 passengers [2]."
    )
    answer = "The quarry can be seen and visited if the weather is dry [1]."
    assert touched_text(mutant("over_claim", answer=answer)) == (
        "The quarry can be seen and visited [1]."
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["quote_altered", "quote_stitched"])
def test_a_false_quotation_stands_in_no_source(name, seed):
    made = mutant(name, seed=seed)
    quote = made.change.removeprefix('quotes "').removesuffix('"')
    assert quote in touched_text(made)
    assert not any(find_quote(quote, source.text).found for source in made.case.sources)


def test_an_altered_quotation_differs_by_one_word():
    quoted = touched_text(mutant("quote_altered")).split('"')[1].split()
    said = ["The", "crossing", "is", "free", "for", "children"]
    assert sum(new != old for new, old in zip(quoted, said, strict=True)) == 1


def test_a_repointed_citation_names_a_passage_that_is_there():
    made = mutant("citation_repointed")
    assert made.change in ("[1] -> [2]", "[2] -> [1]")
    assert {source.id for source in made.case.sources} == {"1", "2"}
    alone = mutant("citation_repointed", sources=[{"id": "1", "text": QUARRY}], answer=ANSWER[:50])
    assert len(alone.case.sources) == 2


def test_an_invented_source_was_not_given():
    made = mutant("source_invented")
    raw = made.change.split(" -> ")[1].strip("[]")
    assert raw not in {source.id for source in made.case.sources}


def test_a_removed_citation_leaves_the_claim():
    assert "[" not in touched_text(mutant("citation_removed"))


def test_evidence_deleted_leaves_a_claim_without_its_passage():
    made = mutant("evidence_deleted")
    assert len(made.case.sources) == 1
    assert made.by_code
    compared = mutant("evidence_deleted", "answer_comparison").case.model_dump()
    assert (compared["reference_answer"], compared["answerable"]) == (None, False)


def test_removed_support_stands_in_no_passage_any_more():
    made = mutant("support_removed", seed=3)
    token = made.change.split("'")[1]
    assert token in touched_text(made)
    assert not any(token in source.text for source in made.case.sources)
    assert len(made.case.sources) == 2


def test_an_ignoring_step_keeps_its_number():
    made = mutant("evidence_ignored", "cot_faithfulness", reasoning_trace="1. It was opened 1871.")
    assert judged_text(made).startswith("1. ")
    assert "1871" not in judged_text(made)


def test_an_invented_fact_is_cited_like_its_neighbour():
    assert re.search(r"\[[12]\]", touched_text(mutant("fact_invented")))


def test_an_injected_verdict_comes_with_a_fault():
    texts = set()
    for seed in range(8):
        made = mutant("verdict_injected", seed=seed)
        assert touched_text(made) not in ANSWER
        whole = judged_text(made) + "".join(source.text for source in made.case.sources)
        assert "injected" in made.change
        texts.add(whole.count("\n\n"))
    assert texts == {1}


def test_an_implied_inference_follows_from_the_number():
    made = mutant("implied_inference", seed=2)
    assert re.fullmatch(r"That is more than 306 kg \[1\]\.", touched_text(made))


def test_a_bound_implies_nothing_above_it():
    answer = "The ferry carries up to 60 passengers, and no more than 60 kg [2]."
    made = operator("implied_inference").mutate(
        subject("citation_faithfulness", answer=answer), 1, pool()
    )
    assert isinstance(made, CannotApply)


def test_typography_and_white_space_alter_no_word():
    for name in ("typography", "white_space"):
        made = mutant(name)
        plain = judged_text(made).translate(str.maketrans("“”’\u00a0", '""\' '))
        assert " ".join(plain.split()) == ANSWER


def test_renamed_ids_take_the_citations_along():
    made = mutant("ids_renamed")
    assert [source.id for source in made.case.sources] == ["21", "22"]
    assert judged_text(made) == ANSWER.replace("[1]", "[21]").replace("[2]", "[22]")


def test_an_added_passage_is_of_another_document():
    made = mutant("passage_added")
    assert [source.document for source in made.case.sources] == ["quarry", "ferry", "mill"]


@pytest.mark.parametrize("name", ["negation", "over_claim", "implied_inference", "synonym"])
def test_english_word_lists_are_for_english_only(name):
    german = subject("citation_faithfulness", language="de")
    made = operator(name).mutate(german, 1, pool())
    assert made == CannotApply("the case is not in English")


def test_without_anything_to_change_an_operator_says_so():
    plain = subject("citation_faithfulness", answer="Rye bread was sold in the village.")
    for name in ("number_changed", "unit_changed", "name_swapped", "citation_repointed",
                 "source_invented", "quote_altered", "evidence_deleted"):  # fmt: skip
        made = operator(name).mutate(plain, 1, pool())
        assert isinstance(made, CannotApply), name
        assert made.why
