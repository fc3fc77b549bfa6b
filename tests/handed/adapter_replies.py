"""From the neutral words of the reply cases to this project's.

Cases that are about reading alone go through a tiny playbook whose reply has the one field the
case names. Cases about verdicts by claim become a citation_accuracy case with one citation for
each claim; "verdicts" by claim id become evaluations by unit number.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pydantic import Field, create_model

from citeval_assets.playbooks.attempts import Ask, Failure, Problem, Reply
from citeval_assets.playbooks.base import (
    Assessment,
    ModelReply,
    Playbook,
    Prepared,
    ReadReply,
)
from citeval_assets.playbooks.cases import TestCase
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.report import Details, Report
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.settling import settle
from citeval_assets.playbooks.view import ModelView, SlotValue
from citeval_assets.playbooks.vocabulary import FindingUnit, RiskLevel, TemplateKind

LABELS = ("fully_supported", "partially_supported", "unsupported")
NO_SUCH_UNIT = 999


@dataclass
class Outcome:
    """What became of a reply that is given again whenever the project asks again."""

    report: Report
    prepared: Prepared
    feedback: list[str] = field(default_factory=list)

    @property
    def status(self) -> str:
        if self.report.status.scored:
            return "scored"
        return "not_applicable" if self.report.status == "not_applicable" else "unscored"

    @property
    def retried(self) -> bool:
        return self.report.attempts > 1

    @property
    def flags(self) -> set[str]:
        """Every flag of the report and its findings, in the words of the cases."""
        words = {flag.type for finding in self.report.findings for flag in finding.flags}
        words.update(self.report.flags)
        words.update(str(one.name) for one in self.report.escalations)
        return words | ({"quote_not_found"} if "quote_mismatch" in words else set())

    @property
    def problems(self) -> str:
        return " ".join(self.report.validation_problems)


def repeated(playbook: Any, prepared: Prepared, *replies: Reply) -> Outcome:
    """Settle a case whose model answers with ``replies`` and then repeats the last."""
    attempts: list[Reply | Failure] = []
    feedback: list[str] = []
    while True:
        settled = settle(playbook, prepared, attempts)
        if isinstance(settled, Report):
            return Outcome(settled, prepared, feedback)
        assert isinstance(settled, Ask)
        if settled.feedback:
            feedback.append(settled.feedback)
        attempts.append(replies[min(len(attempts), len(replies) - 1)])


# --- reading alone -----------------------------------------------------------------------


class Tiny(Playbook[TestCase, Prepared, Any]):
    """A playbook that accepts whatever can be read."""

    name = "tiny"
    title = "Tiny"
    kind = TemplateKind.JUDGE
    unit = FindingUnit.CRITERION
    scoring_version = 1
    max_reasks = 1
    case_type = TestCase
    slots = ()

    def prepare(
        self, case: TestCase, rules: DomainRules, failure: Failure | None = None
    ) -> Prepared:
        view = ModelView("tiny", case.question, RiskLevel.STANDARD, ())
        return Prepared(case, rules, RiskLevel.STANDARD, view)

    def slot_values(self, view: ModelView) -> Mapping[str, SlotValue]:
        return {}

    def problems(self, prepared: Prepared, reply: Any) -> Sequence[Problem]:
        return ()

    def assess(
        self, prepared: Prepared, reply: Any, readings: Sequence[ReadReply[Any]]
    ) -> Assessment:
        verdict = getattr(reply, "verdict", None)
        scale = getattr(reply, "score", None)
        return Assessment(
            score=scale / 10 if scale is not None else 0.0,
            findings=(),
            details=Details(),
            verdict=None if verdict is None else str(verdict),
        )


def read(
    text: str | None,
    *,
    labels: Sequence[str] = LABELS,
    score_field: bool = False,
    finish_reason: str | None = "stop",
) -> Outcome:
    """Read one reply as ``{verdict}`` with these labels, or as ``{score}`` from 0 to 10."""
    case = TestCase(test_case_id="tiny", system="s", question="q")
    playbook = _tiny(tuple(labels), score_field)
    return repeated(playbook, playbook.prepare(case, DomainRules()), Reply(text, finish_reason))


def _tiny(labels: tuple[str, ...], score_field: bool) -> Tiny:
    if score_field:
        fields: dict[str, Any] = {"score": (int, Field(ge=0, le=10))}
    else:
        enum = StrEnum("Verdict", {f"L{n}": label for n, label in enumerate(labels)})
        fields = {
            "verdict": (enum, ...),
            "reason": (str, ""),
            "quotes": (tuple[str, ...], ()),
        }
    reply = create_model("TinyReply", __base__=ModelReply, **fields)
    return type("TinyOf", (Tiny,), {"reply_type": reply})()


# --- verdicts by claim -------------------------------------------------------------------


def judged_claims(
    claims: Mapping[str, str], sources: Sequence[Mapping[str, str]], *replies: str, **reply: Any
) -> Outcome:
    """Judge a trace of one cited sentence for each claim; ``claims`` maps ids to sentences."""
    playbook = get_playbook("citation_accuracy")
    case = playbook.case_type.model_validate(
        {
            "test_case_id": "verdicts",
            "system": "s",
            "question": "What do the sources say?",
            "sources": sources,
            "reasoning_trace": list(claims.values()),
        }
    )
    prepared = playbook.prepare(case, DomainRules())
    units = {claim_id: number for number, claim_id in enumerate(claims)}
    texts = [
        Reply(evaluations(text, units, prepared), reply.get("finish_reason", "stop"))
        for text in replies
    ]
    return repeated(playbook, prepared, *texts)


def plain_claims(ids: Sequence[str]) -> dict[str, str]:
    """Return one cited sentence for each claim id."""
    return {claim_id: f"Statement {claim_id} is made here [1]." for claim_id in ids}


def evaluations(text: str, units: Mapping[str, int], prepared: Prepared) -> str:
    """Return a reply of verdicts by claim id in our fields; anything else unchanged."""
    try:
        verdicts = json.loads(text)["verdicts"]
    except (ValueError, KeyError, TypeError):
        return text
    rows: list[dict[str, Any]] = []
    flags: list[dict[str, Any]] = []
    for verdict in verdicts:
        unit = units.get(verdict["id"], NO_SUCH_UNIT)
        unsupported = verdict["verdict"] == "unsupported"
        cited = prepared.view.units[unit].cited_ids if unit < len(prepared.view.units) else ()
        source = verdict.get("source_id") or (cited[0] if cited else "1")
        rows.append(
            {
                "unit": unit,
                "citation_id": source,
                "reasoning_step_index": unit,
                "reasoning_step_text": "",
                "citation_exists": True,
                "quote_accurate": True,
                "context_fidelity": "accurate",
                "claim_support_strength": verdict["verdict"],
                "explanation": "",
                "flagged": unsupported,
            }
        )
        if unsupported:
            flags.append(
                {
                    "unit": unit,
                    "citation_id": source,
                    "flag_type": "unsupported",
                    "severity": "major",
                    "detail": "",
                }
            )
    return json.dumps(
        {
            "overall_citation_accuracy_score": 1.0,
            "total_citations_evaluated": len(rows),
            "citation_evaluations": rows,
            "misattribution_flags": flags,
            "summary": "",
        }
    )


# --- large texts -------------------------------------------------------------------------


def generated(value: Any) -> str:
    """Return the text a ``generate`` object stands for; a text unchanged."""
    if isinstance(value, str):
        return value
    kind = value.get("generate", "repeat")
    if kind == "concat":
        return "".join(generated(part) for part in value["parts"])
    if kind == "repeat":
        return (value.get("text") or value["repeat"]) * value["times"]
    if kind == "nested":
        return value["open"] * value["depth"] + value["close"] * value["depth"]
    if kind == "keys":
        count = value["count"]
        return "{" + ",".join(f'"key number {n:>14}": {n}' for n in range(count)) + "}"
    raise ValueError(f"no way to generate {kind!r}")
