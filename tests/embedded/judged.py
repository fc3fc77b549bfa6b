"""Asks an embedded model about one row, through the playbook, and returns the report."""

from typing import Any

from citeval_assets.embedded.model import EmbeddedModel
from citeval_assets.playbooks.attempts import Ask, Reply
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.settling import settle


def prepared(playbook: str, row: dict[str, Any]) -> Any:
    recipe = get_playbook(playbook)
    whole = {"test_case_id": "t", "system": "s", "question": "How full was it?", **row}
    return recipe.prepare(recipe.case_type.model_validate(whole), DomainRules())


def judged(model: EmbeddedModel, playbook: str, row: dict[str, Any]) -> Report:
    """Return the report; a reply that does not pass at once fails the test."""
    recipe, ready = get_playbook(playbook), prepared(playbook, row)
    first = settle(recipe, ready, [])
    if isinstance(first, Report):
        return first
    settled = settle(recipe, ready, [Reply(model.reply(ready.view), "stop")])
    assert not isinstance(settled, Ask), settled.feedback
    return settled
