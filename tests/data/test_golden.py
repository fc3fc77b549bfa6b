"""Every golden row loads; its labels number its sentences and give its score."""

import itertools
from collections import Counter

import pytest
from golden_rows import PLAYBOOKS, Row, key, prepared, read_rows, report, said, script, words

from citeval_assets.playbooks.vocabulary import Status

FAITHFULNESS = read_rows("citation_faithfulness")
COMPARISON = read_rows("answer_comparison")
faithfulness_rows = pytest.mark.parametrize("row", FAITHFULNESS, ids=key)
comparison_rows = pytest.mark.parametrize("row", COMPARISON, ids=key)


def claims_by_unit(row: Row) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for claim in row["labels"]["claims"]:
        found.setdefault(claim["unit"], []).append(claim)
    return found


@faithfulness_rows
def test_labels_number_the_asserting_sentences(row: Row) -> None:
    units = prepared("citation_faithfulness", row).units
    labels = claims_by_unit(row)
    assert sorted(labels) == [unit.number for unit in units], [unit.text for unit in units]
    for unit in units:
        cited = {claim["cited_source_id"] for claim in labels[unit.number]} - {None}
        assert cited == {*unit.cited, *unit.invented}, unit.text
        verdicts = {claim["verdict"] for claim in labels[unit.number]}
        assert ("hallucinated_source" in verdicts) == bool(unit.invented), unit.text


@faithfulness_rows
def test_faithfulness_labels_give_the_score(row: Row) -> None:
    units = {unit.number: unit.text for unit in prepared("citation_faithfulness", row).units}
    labels = row["labels"]
    reply = {
        "citation_faithfulness_score": labels["score"] or 0.0,
        "claims_analysis": [
            {**claim, "claim_text": units.get(claim["unit"], ""), "explanation": labels["why"]}
            for claim in labels["claims"]
        ],
        "overall_assessment": "As labelled.",
    }
    found = report("citation_faithfulness", row, reply)
    if not labels["claims"]:
        assert (found.status, found.score, labels["score"]) == (Status.NOT_APPLICABLE, None, None)
        return
    assert found.status is Status.VALID, found.validation_problems
    assert found.score == pytest.approx(labels["score"], abs=1e-6)
    assert found.judge_disagreements == ()
    given = Counter((c["unit"], c["cited_source_id"], c["verdict"]) for c in labels["claims"])
    assert given == Counter((f.unit_number, f.source_id, f.label) for f in found.findings)


@comparison_rows
def test_comparison_labels_give_score_and_verdict(row: Row) -> None:
    labels = row["labels"]
    if labels.get("status") == "not_applicable":
        found = report("answer_comparison", row, {})
        assert (found.status, str(found.reason)) == (Status.NOT_APPLICABLE, labels["reason"])
        return
    stand_in = {"citation_accuracy": "NO_CITATIONS", "source_faithfulness": "PASS"}
    criteria = {
        name: {"score": labels[name] if labels[name] != "not_judged" else stand_in[name]}
        for name in ("answer_correctness", *stand_in, "abstention_detection")
    }
    criteria["citation_accuracy"]["unsupported_claims"] = labels["unsupported_claims"]
    for criterion in criteria.values():
        criterion["explanation"] = labels["why"]
    found = report("answer_comparison", row, {"overall_score": labels["overall"], **criteria})
    assert found.status is Status.VALID, found.validation_problems
    assert (found.score, found.verdict) == (labels["score"], labels["overall"])
    assert {f.text: f.label for f in found.findings} == {name: labels[name] for name in criteria}
    assert found.judge_disagreements == ()


def test_golden_files_are_what_the_authoring_files_give() -> None:
    assert script("build").main(["--check"]) == 0


@pytest.mark.parametrize("playbook", PLAYBOOKS)
def test_each_question_was_answered_by_both_systems(playbook: str) -> None:
    systems: dict[str, list[str]] = {}
    for row in read_rows(playbook):
        systems.setdefault(row["test_case_id"], []).append(row["system"])
    assert len(systems) >= 42
    assert all(sorted(names) == ["candidate", "prod"] for names in systems.values())


def test_every_verdict_and_criterion_occurs() -> None:
    verdicts = Counter(c["verdict"] for row in FAITHFULNESS for c in row["labels"]["claims"])
    assert set(verdicts) == {
        "supported",
        "partially_supported",
        "contradicted",
        "no_citation",
        "hallucinated_source",
    }
    abstention = {row["labels"].get("abstention_detection") for row in COMPARISON}
    assert abstention >= {
        "CORRECT_ANSWER",
        "INCORRECT_ANSWER",
        "CORRECT_ABSTENTION",
        "INCORRECT_ABSTENTION",
    }
    assert {row["labels"].get("answer_correctness") for row in COMPARISON} >= {"PARTIAL", "FAIL"}


@pytest.mark.parametrize("playbook", PLAYBOOKS)
def test_a_tenth_of_the_rows_is_in_four_languages_other_than_english(playbook: str) -> None:
    rows = read_rows(playbook)
    others = [row["language"] for row in rows if row["language"] != "en"]
    assert len(others) >= len(rows) / 10
    assert len(set(others)) >= 4


def test_no_two_answers_share_more_than_three_tenths_of_their_five_grams() -> None:
    texts = [
        (row["test_case_id"], words(said(playbook, row)))
        for playbook in PLAYBOOKS
        for row in read_rows(playbook)
    ]
    grams = [(name, set(zip(*(text[i:] for i in range(5)), strict=False))) for name, text in texts]
    for (one, first), (other, second) in itertools.combinations([g for g in grams if g[1]], 2):
        if one != other:
            shared = len(first & second) / min(len(first), len(second))
            assert shared <= 0.3, (one, other)


def test_shared_words_do_not_tell_what_is_supported() -> None:
    overlaps: dict[bool, list[float]] = {True: [], False: []}
    for row in FAITHFULNESS:
        sources = {source["id"]: set(words(source["text"])) for source in row["sources"]}
        labels = claims_by_unit(row)
        for unit in prepared("citation_faithfulness", row).units:
            verdicts = {claim["verdict"] for claim in labels[unit.number]}
            if verdicts & {"no_citation", "hallucinated_source"}:
                continue
            passage = set().union(*(sources[source_id] for source_id in unit.cited))
            said = set(words(unit.text))
            supported = "supported" in verdicts and "contradicted" not in verdicts
            overlaps[supported].append(len(said & passage) / len(said))
    accuracies = [
        balanced_accuracy(overlaps, threshold / 20, high_is_supported)
        for threshold in range(21)
        for high_is_supported in (True, False)
    ]
    assert max(accuracies) <= 0.75


def balanced_accuracy(
    overlaps: dict[bool, list[float]], threshold: float, high_is_supported: bool
) -> float:
    right = {
        supported: sum(
            ((overlap >= threshold) == high_is_supported) == supported for overlap in values
        )
        / len(values)
        for supported, values in overlaps.items()
    }
    return (right[True] + right[False]) / 2


@pytest.mark.parametrize("playbook", PLAYBOOKS)
def test_a_judge_that_counts_shared_words_is_neither_good_nor_inverted(playbook: str) -> None:
    naive = script("measure").naive_judge(playbook, read_rows(playbook))
    assert 0.55 <= naive["balanced accuracy"] <= 0.75
    judged = naive["mean score by the judge"]
    labelled = naive["mean score by the labels"]
    assert judged["prod"] > judged["candidate"]
    assert labelled["prod"] > labelled["candidate"]
