"""Cases and judge answers for tests, in as few words as the rules they show."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from citeval_assets.playbooks.attempts import Ask, Attempt, Reply
from citeval_assets.playbooks.base import Prepared
from citeval_assets.playbooks.citation_accuracy import PLAYBOOK as ACCURACY
from citeval_assets.playbooks.citation_faithfulness import PLAYBOOK as FAITHFULNESS
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.settling import settle

SOURCES: Mapping[str, str] = {
    "1": "The dam was finished in 1956. It holds nine million cubic metres of water.",
    "2": "In 1960 the spillway cracked and was repaired within a year.",
    "3": "Boats are not allowed on the lake in winter.",
}
FULL, PARTIAL, NONE = "fully_supported", "partially_supported", "unsupported"


def prepare(playbook: Any, fields: Mapping[str, Any], **settings: Any) -> Prepared:
    row = {
        "test_case_id": "case",
        "system": "system",
        "question": "What is known about the lake?",
        "sources": [{"id": key, "text": text} for key, text in SOURCES.items()],
        **fields,
    }
    return playbook.prepare(
        playbook.case_type.model_validate(row), DomainRules.model_validate(settings)
    )


def trace(*steps: str, settings: Mapping[str, Any] | None = None, **fields: Any) -> Prepared:
    """A prepared citation_accuracy case over these steps."""
    return prepare(ACCURACY, {"reasoning_trace": list(steps), **fields}, **(settings or {}))


def answer(text: str, settings: Mapping[str, Any] | None = None, **fields: Any) -> Prepared:
    """A prepared citation_faithfulness case over this answer."""
    return prepare(FAITHFULNESS, {"answer": text, **fields}, **(settings or {}))


def evaluation(
    unit: int,
    support: str = FULL,
    *,
    cites: str = "1",
    fidelity: str = "accurate",
    quote: bool = True,
    exists: bool = True,
    flagged: bool = False,
    step: int = 0,
) -> dict[str, Any]:
    return {
        "unit": unit,
        "citation_id": cites,
        "reasoning_step_index": step,
        "reasoning_step_text": "",
        "citation_exists": exists,
        "quote_accurate": quote,
        "context_fidelity": fidelity,
        "claim_support_strength": support,
        "explanation": "",
        "flagged": flagged,
    }


def flag(
    kind: str, cites: str = "1", *, severity: str = "major", unit: int | None = None
) -> dict[str, Any]:
    named = {} if unit is None else {"unit": unit}
    return {
        "citation_id": cites,
        "flag_type": kind,
        "severity": severity,
        "detail": "so the judge says",
        **named,
    }


def evaluations(
    *rows: Mapping[str, Any], flags: Sequence[Mapping[str, Any]] = (), **fields: Any
) -> dict[str, Any]:
    return {
        "overall_citation_accuracy_score": 1.0,
        "total_citations_evaluated": len(rows),
        "citation_evaluations": list(rows),
        "misattribution_flags": list(flags),
        "summary": "",
        **fields,
    }


def claim(unit: int, text: str, cites: str | None, verdict: str) -> dict[str, Any]:
    return {
        "unit": unit,
        "claim_text": text,
        "cited_source_id": cites,
        "verdict": verdict,
        "explanation": "",
    }


def claims(*rows: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "citation_faithfulness_score": 1.0,
        "claims_analysis": list(rows),
        "overall_assessment": "",
        **fields,
    }


def judged(playbook: Any, prepared: Prepared, *replies: Any) -> Report:
    """Settle a case; the last reply is repeated whenever the project asks again."""
    attempts: list[Attempt] = []
    while True:
        settled = settle(playbook, prepared, attempts)
        if isinstance(settled, Report):
            return settled
        assert isinstance(settled, Ask)
        reply = replies[min(len(attempts), len(replies) - 1)]
        attempts.append(Reply(reply if isinstance(reply, str) else json.dumps(reply), "stop"))


def feedback(playbook: Any, prepared: Prepared, reply: Any) -> str:
    """Return what is said about a first reply; empty where nothing is asked again."""
    settled = settle(playbook, prepared, [Reply(json.dumps(reply), "stop")])
    return settled.feedback if isinstance(settled, Ask) else ""


def names(report: Report) -> list[str]:
    return sorted(str(escalation.name) for escalation in report.escalations)


def flag_types(report: Report) -> list[list[str]]:
    return [[one.type for one in finding.flags] for finding in report.findings]
