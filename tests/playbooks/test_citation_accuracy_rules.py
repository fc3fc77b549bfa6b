"""The rules of citation accuracy, one row each: rule, trace, judge's answer, what comes of it."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from citeval_assets.playbooks.citation_accuracy import PLAYBOOK
from playbooks.builders import (
    FULL,
    NONE,
    PARTIAL,
    evaluation,
    evaluations,
    flag,
    flag_types,
    judged,
    names,
    trace,
)

ONE = "The dam was finished in 1956 [1]."
TWO = "In 1960 the spillway cracked [2]."
THREE = "Boats are not allowed in winter [3]."


@dataclass(frozen=True)
class Rule:
    """``labels`` and ``flags`` have one entry for each citation of the trace."""

    words: str
    steps: tuple[str, ...]
    reply: dict[str, Any]
    score: float
    labels: tuple[str, ...] = ()
    flags: tuple[list[str], ...] = ()
    escalations: tuple[str, ...] = ()
    risk: str = "standard"
    settings: dict[str, Any] = field(default_factory=dict)


def both(first: dict[str, Any], second: dict[str, Any], *flags: dict[str, Any]) -> dict[str, Any]:
    return evaluations(first, {**second, "unit": 1, "citation_id": "2"}, flags=flags)


RULES = (
    Rule(
        "a fully supported, unflagged citation counts 1",
        (ONE, TWO),
        both(evaluation(0), evaluation(1)),
        1.0,
        (FULL, FULL),
        ([], []),
    ),
    Rule(
        "a partially supported one counts a half",
        (ONE, TWO),
        both(evaluation(0), evaluation(1, PARTIAL)),
        0.75,
        (FULL, PARTIAL),
        ([], []),
        ("low_score",),
    ),
    Rule(
        "the operator may weigh partial support otherwise",
        (ONE, TWO),
        both(evaluation(0), evaluation(1, PARTIAL)),
        0.9,
        settings={"partial_weight": 0.8},
    ),
    Rule(
        "an unsupported one counts 0 and is flagged, major",
        (ONE, TWO),
        both(evaluation(0), evaluation(1, NONE, flagged=True), flag("unsupported", "2")),
        0.5,
        (FULL, NONE),
        ([], ["unsupported"]),
        ("low_score",),
    ),
    Rule(
        "the flag is raised by code where the judge forgot it",
        (ONE, TWO),
        both(evaluation(0), evaluation(1, NONE)),
        0.5,
        (FULL, NONE),
        ([], ["unsupported"]),
        ("low_score",),
    ),
    Rule(
        "unsupported is critical where the judge says the source contradicts",
        (ONE, TWO),
        both(
            evaluation(0),
            evaluation(1, NONE, flagged=True),
            flag("unsupported", "2", severity="critical"),
        ),
        0.5,
        (FULL, NONE),
        ([], ["unsupported"]),
        ("flag", "low_score"),
    ),
    Rule(
        "a context mismatch is a flag: weight 0 however strong the support is said to be",
        (ONE, TWO),
        both(evaluation(0), evaluation(1, FULL, fidelity="mismatch")),
        0.5,
        (FULL, PARTIAL),
        ([], ["context_mismatch"]),
        ("low_score",),
    ),
    Rule(
        "a partial mismatch caps at partially supported, without a flag",
        (ONE, TWO),
        both(evaluation(0), evaluation(1, FULL, fidelity="partial_mismatch")),
        0.75,
        (FULL, PARTIAL),
        ([], []),
        ("low_score",),
    ),
    Rule(
        "a quotation that does not stand in the source is a flag, against the judge",
        ('It says "the dam was finished in 1965" [1].', TWO),
        both(evaluation(0), evaluation(1)),
        0.5,
        (PARTIAL, FULL),
        (["quote_mismatch"], []),
        ("low_score",),
    ),
    Rule(
        "a quotation the judge finds inaccurate stays so, though code finds it",
        ('It says "the dam was finished in 1956" [1].', TWO),
        both(evaluation(0, quote=False), evaluation(1)),
        0.5,
        (PARTIAL, FULL),
        (["quote_mismatch"], []),
        ("low_score",),
    ),
    Rule(
        "two quoted words are no quotation",
        ('It speaks of "the canal" [1].', TWO),
        both(evaluation(0), evaluation(1)),
        1.0,
        (FULL, FULL),
        ([], []),
    ),
    Rule(
        "an id without a source is settled by code, counts 0 and is critical",
        (ONE, "It was sold in 1999 [9]."),
        evaluations(evaluation(0)),
        0.5,
        (FULL, "citation_not_found"),
        ([], ["citation_not_found"]),
        ("flag", "low_score"),
    ),
    Rule(
        "a judge that says an invented source exists changes nothing",
        (ONE, "It was sold in 1999 [9]."),
        evaluations(evaluation(0), evaluation(1, FULL, cites="9")),
        0.5,
        (FULL, "citation_not_found"),
        ([], ["citation_not_found"]),
        ("flag", "low_score"),
    ),
    Rule(
        "a citation word without an id is counted too",
        (ONE, "It was sold in 1999 [citation needed]."),
        evaluations(evaluation(0)),
        0.5,
        (FULL, "citation_not_found"),
        ([], ["citation_not_found"]),
        ("flag", "low_score"),
    ),
    Rule(
        "that a source exists is not the judge's to deny",
        (ONE, TWO),
        both(
            evaluation(0),
            evaluation(1, exists=False, flagged=True),
            flag("citation_not_found", "2"),
        ),
        1.0,
        (FULL, FULL),
        ([], []),
    ),
    Rule(
        "each occurrence of an id is a citation of its own",
        (ONE, "It holds nine million cubic metres [1]."),
        evaluations(evaluation(0), evaluation(1, PARTIAL)),
        0.75,
        (FULL, PARTIAL),
        ([], []),
        ("low_score",),
    ),
    Rule(
        "a flag by unit number touches only that occurrence of the id",
        (ONE, "It holds nine million cubic metres [1]."),
        evaluations(
            evaluation(0),
            evaluation(1, FULL, flagged=True),
            flags=[flag("context_mismatch", "1", unit=1)],
        ),
        0.5,
        (FULL, PARTIAL),
        ([], ["context_mismatch"]),
        ("low_score",),
    ),
    Rule(
        "claims without a citation cost nothing",
        (ONE, "It was sold later."),
        evaluations(evaluation(0)),
        1.0,
        (FULL,),
        ([],),
    ),
    Rule(
        "at standard risk 0.8 is enough, and a major flag alone does not escalate",
        (ONE, TWO, THREE, "The dam holds water [1].", "Nine million [1]."),
        evaluations(
            evaluation(0),
            evaluation(1, cites="2"),
            evaluation(2, cites="3"),
            evaluation(3),
            evaluation(4, NONE),
        ),
        0.8,
        escalations=(),
    ),
    Rule(
        "the dataset may ask for a higher score",
        (ONE, TWO, THREE, "The dam holds water [1].", "Nine million [1]."),
        evaluations(
            evaluation(0),
            evaluation(1, cites="2"),
            evaluation(2, cites="3"),
            evaluation(3),
            evaluation(4, NONE),
        ),
        0.8,
        escalations=("low_score",),
        settings={"score_threshold": 0.9},
    ),
    Rule(
        "at high risk any flag escalates, and any citation under 0.8",
        (ONE, TWO, THREE, "The dam holds water [1].", "Nine million [1]."),
        evaluations(
            evaluation(0),
            evaluation(1, cites="2"),
            evaluation(2, cites="3"),
            evaluation(3),
            evaluation(4, NONE),
        ),
        0.8,
        escalations=("flag", "low_score"),
        risk="high",
    ),
    Rule(
        "at high risk one partly supported citation escalates",
        (ONE, TWO, THREE),
        evaluations(evaluation(0), evaluation(1, PARTIAL, cites="2"), evaluation(2, cites="3")),
        2.5 / 3,
        escalations=("low_score",),
        risk="high",
    ),
    Rule(
        "evidence_threshold: partial support may be made to count for nothing",
        (ONE, TWO),
        both(evaluation(0), evaluation(1, PARTIAL)),
        0.5,
        (FULL, PARTIAL),
        ([], []),
        ("low_score",),
        settings={"evidence_threshold": "fully_supported"},
    ),
)


@pytest.mark.parametrize("rule", RULES, ids=[rule.words for rule in RULES])
def test_rule(rule: Rule) -> None:
    prepared = trace(*rule.steps, settings=rule.settings, risk_level=rule.risk)
    report = judged(PLAYBOOK, prepared, rule.reply)
    assert report.status == "valid", report.validation_problems
    assert report.score == pytest.approx(rule.score)
    if rule.labels:
        assert tuple(finding.label for finding in report.findings) == rule.labels
    if rule.flags:
        assert tuple(flag_types(report)) == rule.flags
    assert names(report) == sorted(rule.escalations)
    assert report.routing == ("review" if rule.escalations else "deliver")
    assert report.provisional == (rule.risk == "high" and bool(rule.escalations))


@pytest.mark.parametrize(
    ("words", "severity"),
    [
        ("citation_not_found", "critical"),
        ("quote_mismatch", "major"),
        ("context_mismatch", "major"),
        ("unsupported", "major"),
    ],
)
def test_severity_is_set_by_code(words: str, severity: str) -> None:
    second = "It was sold in 1999 [9]." if words == "citation_not_found" else TWO
    said = flag(words, "2", severity="minor")
    rows = [evaluation(0)]
    if words != "citation_not_found":
        rows.append(evaluation(1, cites="2", flagged=True))
    flags = [said] if len(rows) == 2 else []
    report = judged(PLAYBOOK, trace(ONE, second), evaluations(*rows, flags=flags))
    assert [one.severity for one in report.findings[1].flags] == [severity]
