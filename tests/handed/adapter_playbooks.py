"""From the neutral words of the playbook cases to this project's, and back.

One place knows both: a case row becomes a test case with its domain rules, the listed replies
are fed through ``settle`` as a judging session would, and what came of it is offered under the
names the cases use.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from citeval_assets.playbooks.attempts import Ask, Attempt, Failure, Reply
from citeval_assets.playbooks.base import AnyPlaybook, Prepared
from citeval_assets.playbooks.cases import CONSTRAINT_FIELDS, TestCase
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.report import Finding, Report
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.settling import settle
from citeval_assets.playbooks.vocabulary import Reason
from citeval_assets.retrieval import wanted_ids
from citeval_assets.templates.library import load_templates
from citeval_assets.templates.model import PromptTemplate
from citeval_assets.templates.render import render_messages

_BESIDE_THE_ROW = {"dataset_settings", "retriever"}


class NoReplyLeft(AssertionError):
    """The project asked more often than the case has replies for."""


@dataclass
class Outcome:
    """What became of one case."""

    playbook: AnyPlaybook
    prepared: Prepared | None = None
    report: Report | None = None
    quarantined: str | None = None
    calls: int = 0
    feedback: list[str] = field(default_factory=list)

    @property
    def status(self) -> str:
        if self.report is None:
            return "quarantined"
        return str(self.report.status)

    def prompt(self) -> str:
        """Everything a model is shown of the case, as one text: all values, and as rendered."""
        assert self.prepared is not None
        pieces: list[str] = [rendered(self.playbook, self.prepared)]
        for value in self.playbook.slot_values(self.prepared.view).values():
            pieces.append(value.text)
            for passage in value.passages or ():
                pieces.extend([passage.id, passage.text, passage.title or ""])
        return "\n".join([*pieces, *self.feedback])

    def detail(self, name: str) -> Any:
        assert self.report is not None
        return getattr(self.report.details, name)

    def count(self, name: str) -> int:
        value = self.detail(name)
        return value if isinstance(value, int) else len(value)


@cache
def template_of(playbook: str) -> PromptTemplate | None:
    """Return the first version of a playbook's template, where the project has one."""
    library = load_templates(Path(__file__).resolve().parents[2] / "prompts")
    return library.get(playbook, "v1") if "v1" in library.versions(playbook) else None


def rendered(playbook: AnyPlaybook, prepared: Prepared) -> str:
    """Return the messages of the first question as one text; empty without a template."""
    template = template_of(playbook.name)
    if template is None:
        return ""
    values = playbook.slot_values(prepared.view)
    messages = render_messages(template, values, feedback="", secret=b"secret of the tests")
    return "\n".join(message.content for message in messages)


def run_case(row: Mapping[str, Any]) -> Outcome:
    """Judge one row of the playbook cases with its scripted replies."""
    playbook = get_playbook(row["playbook"])
    outcome = Outcome(playbook)
    given = dict(row["case"])
    rules = DomainRules.model_validate(given.get("dataset_settings") or {})
    retriever = given.get("retriever")
    fields = {key: value for key, value in given.items() if key not in _BESIDE_THE_ROW}
    refused = CONSTRAINT_FIELDS & fields.keys()
    if refused:
        outcome.quarantined = f"constraints in the row: {sorted(refused)}"
        return outcome
    try:
        case = playbook.case_type.model_validate(fields)
    except ValidationError as error:
        outcome.quarantined = str(error)
        return outcome
    failure = None
    if not case.sources and retriever is not None:
        case, failure = _completed(case, rules, retriever)
    elif not case.sources and playbook.needs_sources:
        outcome.quarantined = "no sources"
        return outcome
    outcome.prepared = playbook.prepare(case, rules, failure)
    _judge(outcome, row["model_outputs"])
    return outcome


def _completed(
    case: TestCase, rules: DomainRules, retriever: Any
) -> tuple[TestCase, Failure | None]:
    if retriever == "unreachable" or retriever.get("unreachable"):
        return case, Failure(Reason.EVIDENCE_UNREACHABLE)
    known = retriever["fetch"]
    ids = wanted_ids(case, rules)
    sources = [{"id": one, "text": known[one]} for one in ids if one in known]
    return type(case).model_validate({**case.model_dump(), "sources": sources}), None


def _judge(outcome: Outcome, replies: Sequence[Mapping[str, Any]]) -> None:
    attempts: list[Attempt] = []
    while True:
        settled = settle(outcome.playbook, outcome.prepared, attempts)
        if isinstance(settled, Report):
            outcome.report = settled
            return
        assert isinstance(settled, Ask)
        if settled.feedback:
            outcome.feedback.append(settled.feedback)
        if outcome.calls >= len(replies):
            raise NoReplyLeft(f"call {outcome.calls + 1}: {settled.feedback}")
        scripted = replies[outcome.calls]
        outcome.calls += 1
        if "transport_error" in scripted and not scripted.get("always"):
            continue  # retried below the playbooks: the next entry is the reply to the retry
        attempts.append(_attempt(scripted))


def _attempt(scripted: Mapping[str, Any]) -> Attempt:
    if "transport_error" in scripted:
        return Failure(Reason.UNREACHABLE, str(scripted["transport_error"]))
    if "raw" in scripted:
        return Reply(scripted["raw"], scripted.get("finish_reason", "stop"))
    return Reply(as_json(scripted), "stop")


def as_json(value: Any) -> str:
    """Return a scripted object as plain JSON, as a model would write it."""
    return json.dumps(value, ensure_ascii=False)


def matching(report: Report, wanted: Mapping[str, Any]) -> list[Finding]:
    """Return the findings of the unit (and source, where one is named)."""
    found = [f for f in report.findings if f.unit_number == wanted["unit"]]
    if "source_id" in wanted:
        found = [f for f in found if f.source_id == wanted["source_id"]]
    return found
