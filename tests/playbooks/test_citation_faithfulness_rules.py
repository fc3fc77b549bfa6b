"""The rules of citation faithfulness, one row each: rule, answer, judge's rows, the report."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from citeval_assets.playbooks.citation_faithfulness import PLAYBOOK
from playbooks.builders import answer, claim, claims, judged, names

DAM = "The dam was finished in 1956"
CRACK = "In 1960 the spillway cracked"
BOATS = "Boats are not allowed in winter"

SUP, PART, CONTRA, NONE, INVENTED = (
    "supported",
    "partially_supported",
    "contradicted",
    "no_citation",
    "hallucinated_source",
)


@dataclass(frozen=True)
class Rule:
    """``rows`` are (unit, source, verdict) of the findings; ``counts`` in the order of the trend:
    claims, supported, unsupported, missing, hallucinated."""

    words: str
    answer: str
    reply: tuple[dict[str, Any], ...]
    score: float
    rows: tuple[tuple[int, str | None, str], ...]
    counts: tuple[int, int, int, int, int]
    escalations: tuple[str, ...] = ()
    risk: str = "standard"
    settings: dict[str, Any] = field(default_factory=dict)


RULES = (
    Rule(
        "the score is the supported claims over all claims",
        f"{DAM} [1]. {CRACK} [2].",
        (claim(0, DAM, "1", SUP), claim(1, CRACK, "2", PART)),
        0.5,
        ((0, "1", SUP), (1, "2", PART)),
        (2, 1, 1, 0, 0),
    ),
    Rule(
        "partial support earns nothing, and escalates at high risk only",
        f"{DAM} [1]. {CRACK} [2].",
        (claim(0, DAM, "1", SUP), claim(1, CRACK, "2", PART)),
        0.5,
        ((0, "1", SUP), (1, "2", PART)),
        (2, 1, 1, 0, 0),
        ("partially_supported",),
        risk="high",
    ),
    Rule(
        "evidence_threshold: the operator may let partial support count",
        f"{DAM} [1]. {CRACK} [2].",
        (claim(0, DAM, "1", SUP), claim(1, CRACK, "2", PART)),
        1.0,
        ((0, "1", SUP), (1, "2", PART)),
        (2, 2, 0, 0, 0),
        settings={"evidence_threshold": "partially_supported"},
    ),
    Rule(
        "a contradicted claim escalates at every risk",
        f"{DAM} [1]. {CRACK} [2].",
        (claim(0, DAM, "1", SUP), claim(1, CRACK, "2", CONTRA)),
        0.5,
        ((0, "1", SUP), (1, "2", CONTRA)),
        (2, 1, 1, 0, 0),
        ("contradicted",),
    ),
    Rule(
        "a sentence without a citation is a missing citation and escalates nowhere",
        f"{DAM} [1]. {CRACK}.",
        (claim(0, DAM, "1", SUP), claim(1, CRACK, None, NONE)),
        0.5,
        ((0, "1", SUP), (1, None, NONE)),
        (2, 1, 0, 1, 0),
        risk="high",
    ),
    Rule(
        "an invented id is hallucinated by code, whatever the judge says",
        f"{DAM} [1]. {CRACK} [8].",
        (claim(0, DAM, "1", SUP), claim(1, CRACK, "8", SUP)),
        0.5,
        ((0, "1", SUP), (1, "8", INVENTED)),
        (2, 1, 0, 0, 1),
        ("hallucinated_source",),
    ),
    Rule(
        "a sentence that cites only invented ids is not asked about",
        f"{DAM} [1]. {CRACK} [8].",
        (claim(0, DAM, "1", SUP),),
        0.5,
        ((0, "1", SUP), (1, "8", INVENTED)),
        (2, 1, 0, 0, 1),
        ("hallucinated_source",),
    ),
    Rule(
        "two citations behind one claim: one claim, one row for each source",
        f"{DAM} [1][2].",
        (claim(0, DAM, "1", SUP), claim(0, DAM, "2", SUP)),
        1.0,
        ((0, "1", SUP), (0, "2", SUP)),
        (1, 1, 0, 0, 0),
    ),
    Rule(
        "one passage supports and the other only partly: supported",
        f"{DAM} [1][2].",
        (claim(0, DAM, "1", SUP), claim(0, DAM, "2", PART)),
        1.0,
        ((0, "1", SUP), (0, "2", PART)),
        (1, 1, 0, 0, 0),
    ),
    Rule(
        "one passage contradicts: not supported",
        f"{DAM} [1][2].",
        (claim(0, DAM, "1", SUP), claim(0, DAM, "2", CONTRA)),
        0.0,
        ((0, "1", SUP), (0, "2", CONTRA)),
        (1, 0, 1, 0, 0),
        ("contradicted",),
    ),
    Rule(
        "one of the ids is invented: not supported, though no row names it",
        f"{DAM} [1][8].",
        (claim(0, DAM, "1", SUP),),
        0.0,
        ((0, "1", SUP), (0, "8", INVENTED)),
        (1, 0, 0, 0, 1),
        ("hallucinated_source",),
    ),
    Rule(
        "a direct quotation that is not verbatim lowers supported to partially supported",
        'It says "the dam was finished in 1965" [1].',
        (claim(0, 'It says "the dam was finished in 1965"', "1", SUP),),
        0.0,
        ((0, "1", PART),),
        (1, 0, 1, 0, 0),
    ),
    Rule(
        "a judge that corrects the quotation in its claim does not save it",
        'It says "the dam was finished in 1965" [1].',
        (claim(0, "It says the dam was finished in 1956", "1", SUP),),
        0.0,
        ((0, "1", PART),),
        (1, 0, 1, 0, 0),
    ),
    Rule(
        "a verbatim quotation may be supported",
        'It says "the dam was finished in 1956" [1].',
        (claim(0, 'It says "the dam was finished in 1956"', "1", SUP),),
        1.0,
        ((0, "1", SUP),),
        (1, 1, 0, 0, 0),
    ),
    Rule(
        "one sentence may be split into several claims",
        f"{DAM} and boats are not allowed in winter [1].",
        (
            claim(0, DAM, "1", SUP),
            claim(0, "Boats are not allowed in winter", "1", PART),
        ),
        0.5,
        ((0, "1", SUP), (0, "1", PART)),
        (2, 1, 1, 0, 0),
    ),
    Rule(
        "the same claim in other words of the same sentence counts once, at its worst",
        f"{DAM} [1]. {CRACK} [2].",
        (
            claim(0, DAM, "1", SUP),
            claim(0, "The dam: finished in 1956!", "1", SUP),
            claim(0, "The dam was finished", "1", SUP),
            claim(1, CRACK, "2", PART),
        ),
        0.5,
        ((0, "1", SUP), (1, "2", PART)),
        (2, 1, 1, 0, 0),
    ),
    Rule(
        "two verdicts on one claim and source: the worse stands",
        f"{DAM} [1].",
        (claim(0, DAM, "1", SUP), claim(0, DAM, "1", CONTRA)),
        0.0,
        ((0, "1", CONTRA),),
        (1, 0, 1, 0, 0),
        ("contradicted",),
    ),
    Rule(
        "a passage the sentence does not cite supports nothing",
        f"{DAM} [1]. {CRACK}.",
        (claim(0, DAM, "1", SUP), claim(1, CRACK, "2", SUP)),
        0.5,
        ((0, "1", SUP), (1, None, NONE)),
        (2, 1, 0, 1, 0),
    ),
    Rule(
        "nor does it help beside a cited one",
        f"{CRACK} [1].",
        (claim(0, CRACK, "1", PART), claim(0, CRACK, "2", SUP)),
        0.0,
        ((0, "1", PART),),
        (1, 0, 1, 0, 0),
    ),
    Rule(
        "but a contradiction in it stands",
        f"{DAM} [1]. {CRACK}.",
        (claim(0, DAM, "1", SUP), claim(1, CRACK, "2", CONTRA)),
        0.5,
        ((0, "1", SUP), (1, "2", CONTRA)),
        (2, 1, 1, 0, 0),
        ("contradicted",),
    ),
    Rule(
        "an id only the judge invented is no hallucination of the answer",
        f"{DAM} [1]. {CRACK}.",
        (claim(0, DAM, "1", SUP), claim(1, CRACK, "77", INVENTED)),
        0.5,
        ((0, "1", SUP), (1, None, NONE)),
        (2, 1, 0, 1, 0),
    ),
    Rule(
        "a citation word without an id is a missing citation",
        f"{DAM} [1]. {CRACK} [citation needed].",
        (claim(0, DAM, "1", SUP),),
        0.5,
        ((0, "1", SUP), (1, None, NONE)),
        (2, 1, 0, 1, 0),
    ),
    Rule(
        "greetings, questions and what the sources do not say are no claims",
        f"Hello! {DAM} [1]. The documents do not say who built it. Anything else?",
        (claim(0, DAM, "1", SUP),),
        1.0,
        ((0, "1", SUP),),
        (1, 1, 0, 0, 0),
    ),
)


@pytest.mark.parametrize("rule", RULES, ids=[rule.words for rule in RULES])
def test_rule(rule: Rule) -> None:
    prepared = answer(rule.answer, settings=rule.settings, risk_level=rule.risk)
    report = judged(PLAYBOOK, prepared, claims(*rule.reply))
    assert report.status == "valid", report.validation_problems
    assert report.score == pytest.approx(rule.score)
    found = tuple((f.unit_number, f.source_id, str(f.label)) for f in report.findings)
    assert found == rule.rows
    told = report.details
    assert (
        told.claim_count,
        told.supported_claim_count,
        told.unsupported_claim_count,
        told.missing_citation_count,
        told.hallucinated_source_count,
    ) == rule.counts
    assert names(report) == sorted(rule.escalations)
    assert report.routing == ("review" if rule.escalations else "deliver")
    assert report.provisional == (rule.risk == "high" and bool(rule.escalations))


ERROR_TYPES = {
    SUP: "correct_citation",
    PART: "unsupported_attribution",
    CONTRA: "unsupported_attribution",
    NONE: "missing_citation",
    INVENTED: "hallucinated_source",
}


def test_each_finding_names_its_error_type() -> None:
    text = f"{DAM} [1]. {CRACK} [2]. {BOATS} [3]. Fish live in it. It is deep [9]."
    rows = (
        claim(0, DAM, "1", SUP),
        claim(1, CRACK, "2", PART),
        claim(2, BOATS, "3", CONTRA),
        claim(3, "Fish live in it", None, NONE),
    )
    report = judged(PLAYBOOK, answer(text), claims(*rows))
    assert {f.label: f.category for f in report.findings} == ERROR_TYPES


def test_the_two_arrays_are_always_there() -> None:
    clean = judged(PLAYBOOK, answer(f"{DAM} [1]."), claims(claim(0, DAM, "1", SUP)))
    assert clean.details.unsupported_claims == ()
    assert clean.details.hallucinated_sources == ()
    text = f"{DAM} [1]. {CRACK} [8][9]. {BOATS} [8]."
    found = judged(PLAYBOOK, answer(text), claims(claim(0, DAM, "1", PART))).details
    assert found.unsupported_claims == (DAM,)
    assert found.hallucinated_sources == ("8", "9")
    assert found.hallucinated_source_count == 3
