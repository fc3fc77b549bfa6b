"""Names of assets and partition sets: one spelling, used by all of this room."""

import dagster as dg

from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.vocabulary import TemplateKind

Citeval = dg.ResourceParam[ServiceFactory]
"""How an asset asks for the project it works on: a parameter ``citeval`` of this type."""


RETRIEVER_KEY = dg.AssetKey(["retriever"])
PASSAGES_KEY = dg.AssetKey(["retrieved_passages"])


def target_set(kind: TemplateKind) -> str:
    """Return the model partition set of a kind of playbook."""
    return "judges" if kind is TemplateKind.JUDGE else "target_models"


def prompt_set(playbook: str) -> str:
    """Return the prompt partition set of a playbook."""
    return f"{playbook}_prompts"


def templates_key(playbook: str) -> dg.AssetKey:
    """Return the key of the observed prompt templates of a playbook."""
    return dg.AssetKey([playbook, "prompt_templates"])


def cases_key(playbook: str) -> dg.AssetKey:
    """Return the key of the test cases of a playbook."""
    return dg.AssetKey([playbook, "test_cases"])


def case_inputs(playbook: AnyPlaybook) -> list[dg.AssetKey]:
    """Return what the test cases of a playbook are made from, beside its files.

    Questions are completed by the passages that were found for them, traces by those they cite;
    and what target models answered becomes cases of the playbooks that judge answers.
    """
    if playbook.kind is TemplateKind.GENERATE:
        return [PASSAGES_KEY]
    writers = [p for p in all_playbooks().values() if p.kind is TemplateKind.GENERATE]
    answers = [outputs_key(writer) for writer in writers] if playbook.takes_answers else []
    return [*([RETRIEVER_KEY] if playbook.needs_sources else []), *answers]


def registering_keys(playbook: str) -> list[dg.AssetKey]:
    """Return what is materialized to read the cases of a playbook anew."""
    generates = all_playbooks()[playbook].kind is TemplateKind.GENERATE
    return [*([PASSAGES_KEY] if generates else []), cases_key(playbook)]


def outputs_key(playbook: AnyPlaybook) -> dg.AssetKey:
    """Return the key of what the models said: judge outputs, or answers of target models."""
    name = "judge_outputs" if playbook.kind is TemplateKind.JUDGE else "answers"
    return dg.AssetKey([playbook.name, name])


def reports_key(playbook: str) -> dg.AssetKey:
    """Return the key of the validated reports of a playbook."""
    return dg.AssetKey([playbook, "validated_reports"])


def qualification_key(playbook: str) -> dg.AssetKey:
    """Return the key of the qualification of the judges of a playbook."""
    return dg.AssetKey([playbook, "judge_qualification"])
