"""Short ways to say: this case and these outputs give this report."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from citeval_assets.playbooks.attempts import Ask, Attempt, Reply
from citeval_assets.playbooks.base import AnyPlaybook, Prepared
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.settling import read_and_check, settle


def prepared(name: str, case: Mapping[str, Any], **settings: Any) -> tuple[AnyPlaybook, Prepared]:
    """Read a row and make it ready to be judged."""
    playbook = get_playbook(name)
    row = {"test_case_id": "t-1", "system": "s", "question": "What is asked?", **case}
    rules = DomainRules.model_validate(settings)
    return playbook, playbook.prepare(playbook.case_type.model_validate(row), rules)


def as_reply(output: Any) -> Reply:
    """An output as a model sends it; text as it stands."""
    return Reply(output if isinstance(output, str) else json.dumps(output), "stop")


def report_of(
    name: str, case: Mapping[str, Any], outputs: Sequence[Any], **settings: Any
) -> Report:
    """Settle a case with the listed outputs; the last one stands for all further tries."""
    playbook, ready = prepared(name, case, **settings)
    attempts: list[Attempt] = []
    while True:
        settled = settle(playbook, ready, attempts)
        if isinstance(settled, Report):
            return settled
        assert isinstance(settled, Ask)
        attempts.append(as_reply(outputs[min(len(attempts), len(outputs) - 1)]))


def problems_with(name: str, case: Mapping[str, Any], output: Any, **settings: Any) -> list[str]:
    """What a first output is asked again for."""
    playbook, ready = prepared(name, case, **settings)
    return [str(problem) for problem in read_and_check(playbook, ready, as_reply(output)).problems]


def escalation_names(report: Report) -> list[str]:
    """The names of the report's escalations, in alphabetical order."""
    return sorted(str(one.name) for one in report.escalations)
