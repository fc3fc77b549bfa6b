"""Jobs: one run holds one playbook and one key, so that no failure hides behind another."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import dagster as dg

from citeval_assets.defs.gates import GATES_KEY
from citeval_assets.defs.names import (
    PASSAGES_KEY,
    cases_key,
    outputs_key,
    qualification_key,
    reports_key,
)
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.vocabulary import TemplateKind

if TYPE_CHECKING:
    from dagster._core.definitions.unresolved_asset_job_definition import (
        UnresolvedAssetJobDefinition,
    )

INPUTS_JOB = "register_cases"
GATES_JOB = "decide_gates"
RESULTS_JOB = "publish_results"


def evaluation_job_name(playbook: str) -> str:
    """Return the name of the job that evaluates one cell of a playbook."""
    return f"evaluate_{playbook}"


def qualification_job_name(playbook: str) -> str:
    """Return the name of the job that puts one judge of a playbook to the test."""
    return f"qualify_{playbook}"


def all_jobs() -> "Iterator[UnresolvedAssetJobDefinition]":
    """Yield the jobs: register all cases, evaluate one cell, refresh and publish the results."""
    playbooks = all_playbooks().values()
    yield dg.define_asset_job(
        INPUTS_JOB,
        selection=dg.AssetSelection.assets(PASSAGES_KEY, *(cases_key(p.name) for p in playbooks)),
        description=(
            "Find passages for the questions that bring none; read, check and register the test "
            "cases of all playbooks."
        ),
    )
    for playbook in playbooks:
        yield dg.define_asset_job(
            evaluation_job_name(playbook.name),
            selection=dg.AssetSelection.assets(outputs_key(playbook), reports_key(playbook.name)),
            description=f"Evaluate one (model, prompt version) of {playbook.title}.",
        )
        if playbook.kind is TemplateKind.JUDGE:
            yield dg.define_asset_job(
                qualification_job_name(playbook.name),
                selection=dg.AssetSelection.assets(qualification_key(playbook.name)),
                description=f"Put one judge of {playbook.title} to the test by injected faults.",
            )
    yield dg.define_asset_job(
        GATES_JOB,
        selection=dg.AssetSelection.assets(GATES_KEY),
        description="Decide the release gates; the run fails where one does not pass.",
    )
    yield dg.define_asset_job(
        RESULTS_JOB,
        selection=dg.AssetSelection.groups("results"),
        description="Refresh trends, review queue and matrix, and publish the snapshot.",
    )
