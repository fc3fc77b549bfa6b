import pytest

from citeval_assets.embedded.calibration import UNCALIBRATED, Calibration
from citeval_assets.embedded.lexical.measuring import Claim, measure
from citeval_assets.embedded.lexical.passages import EvidenceCache, evidence_of
from citeval_assets.embedded.lexical.scoring import Weights, probability, score
from citeval_assets.embedded.lexical.verdicts import Judgement, Support, judge_claim
from citeval_assets.embedded.lexical.wording import LOW_CONFIDENCE, explanation

PASSAGE = (
    "The Larkin reservoir was filled in 1931 by the Nordal company. It holds 4.2 million litres. "
    "In the dry summer of 2018 the level of the reservoir fell to 38 percent. "
    "The tenant pays the landlord a deposit of 900 euros before the keys are handed over."
)


def judged(
    claim: str, passage: str = PASSAGE, calibration: Calibration = UNCALIBRATED
) -> Judgement:
    return judge_claim(claim, evidence_of((("1", passage),)), calibration=calibration)


def test_what_a_sentence_says_is_supported_and_decided_alone() -> None:
    found = judged("The Larkin reservoir was filled in 1931.")
    assert (found.support, found.unsure) == (Support.FULL, False)
    assert found.confidence > 0.8


def test_another_number_in_the_same_statement_contradicts() -> None:
    found = judged("In the dry summer of 2018 the level of the reservoir fell to 83 percent.")
    assert found.support is Support.NONE
    assert found.conflict is not None
    assert (found.conflict.claimed, found.conflict.found) == ("83", "38")
    assert "It says 83 where the passage says 38." in explanation(found)


def test_a_missing_number_and_name_are_told_with_the_nearest_number() -> None:
    found = judged("Engineers of Halvorsen drained the basin of 7.5 million litres.")
    said = explanation(found)
    assert found.support is not Support.FULL
    assert "Missing number: 7.5 million (nearest there: 4.2 million)." in said
    assert "Missing names: halvorsen." in said


def test_the_best_sentence_is_given_with_its_offsets() -> None:
    found = judged("The level of the reservoir fell in the summer of 2018.")
    best = found.measured.best
    assert best is not None
    assert PASSAGE[best.start : best.end] == best.text
    assert f"characters {best.start}-{best.end} of passage 1" in explanation(found)


def test_a_role_swap_goes_to_a_person() -> None:
    found = judged(
        "The landlord pays the tenant a deposit of 900 euros before the keys are handed over."
    )
    assert any("another order" in doubt for doubt in found.doubts)
    assert explanation(found).startswith(LOW_CONFIDENCE)


def test_one_changed_word_in_a_copy_goes_to_a_person() -> None:
    found = judged("The Larkin reservoir was drained in 1931 by the Nordal company.")
    assert any("“drained”" in doubt and "“filled”" in doubt for doubt in found.doubts)


def test_a_dropped_condition_in_a_copy_goes_to_a_person() -> None:
    passage = "The permit may be renewed once a year if the roof has been inspected by the council."
    found = judged("The permit may be renewed once a year.", passage)
    assert any("leaves out “if”" in doubt for doubt in found.doubts)


@pytest.mark.parametrize(
    "claim",
    [
        "The Larkin reservoir was not filled in 1931 by the Nordal company.",
        "In the dry summer of 2018 the level of the reservoir never fell to 38 percent.",
    ],
)
def test_a_one_sided_negation_alone_neither_rejects_nor_contradicts(claim: str) -> None:
    found = judged(claim)
    assert found.conflict is None
    assert found.support is not Support.NONE
    assert "only one side is negated" in found.doubts


def test_other_units_are_not_called_a_contradiction() -> None:
    passage = "The tunnel under the Brask ridge is 12 kilometres long and has two tracks."
    found = judged(
        "The tunnel under the Brask ridge is 7.5 miles long and has two tracks.", passage
    )
    assert found.conflict is None
    assert "the numbers may be in other units" in found.doubts


def test_a_number_that_may_be_calculated_goes_to_a_person() -> None:
    passage = "The first shift loads 140 crates. The second shift loads 95 crates."
    assert "a missing number may be calculated" in judged("Both load 235 crates.", passage).doubts


@pytest.mark.parametrize(
    ("claim", "doubt"),
    [
        ("Water was scarce back then.", "it may be a paraphrase"),
        ("Der Larkin-Stausee wurde im Jahr 1931 von der Firma Nordal gefüllt.", "not in English"),
        ("Was the Larkin reservoir filled in 1931?", "a question or an opinion"),
        ("The reservoir holds more than twice the town's yearly need.", "compares or calculates"),
        ("Yes.", "too few words"),
    ],
)  # fmt: skip
def test_what_words_cannot_tell_goes_to_a_person(claim: str, doubt: str) -> None:
    assert any(doubt in told for told in judged(claim).doubts)


def test_parts_far_apart_go_to_a_person() -> None:
    filler = " ".join(f"Paragraph {n} deals with the upkeep of footpaths." for n in range(40))
    passage = f"Odd Aune kept the lock at Brevik. {filler} The Brevik lock received steel gates."
    found = judged("Odd Aune was keeper when the Brevik lock received its steel gates.", passage)
    assert found.unsure


def test_a_claim_of_which_only_a_part_stands_is_partly_supported_and_unsure() -> None:
    found = judged("The Larkin reservoir was filled in 1931, and 6,200 salmon were released there.")
    assert found.support is Support.PARTIAL
    assert found.lacking == ("6,200 salmon were released there.",)
    assert found.unsure


def test_an_empty_passage_supports_nothing() -> None:
    found = judged("The Larkin reservoir was filled in 1931.", "")
    assert (found.support, found.unsure) == (Support.NONE, True)
    assert "The passage is empty." in explanation(found)


def test_a_calibration_moves_the_cut_and_not_the_ranking() -> None:
    claim = "The level of the reservoir fell by the dry summer."
    strict = judged(claim, calibration=Calibration(1.0, -6.0, 60, 30))
    assert judged(claim).log_odds == strict.log_odds
    assert strict.probability < judged(claim).probability


def test_weights_and_clues_must_be_the_same() -> None:
    with pytest.raises(ValueError, match="rec"):
        Weights.read('{"weights": {"odd": 1}, "intercept": 0}')


def test_more_of_the_claim_in_the_passage_never_scores_less() -> None:
    claim = Claim.of("The Larkin reservoir holds water for the Nordal mills")
    passages = ["Boats sail.", "The Larkin boats sail.", "The Larkin reservoir holds water.",
                "The Larkin reservoir holds water for the Nordal mills."]  # fmt: skip
    scores = [score(measure(claim, evidence_of((("1", p),))).clues) for p in passages]
    assert scores == sorted(scores)
    assert 0 < probability(scores[0]) < probability(scores[-1]) < 1


def test_passages_are_prepared_once_and_forgotten_by_size() -> None:
    cache = EvidenceCache(limit=40)
    first = cache.of((("1", "A short passage here."),))
    assert cache.of((("1", "A short passage here."),)) is first
    cache.of((("2", "Another passage that is somewhat longer."),))
    assert cache.of((("1", "A short passage here."),)) is not first
