"""The assets of one playbook: templates, cases, what the models said, validated reports."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import dagster as dg
from pydantic import Field

from citeval_assets.defs.automation import (
    asks_when_inputs_change,
    follows_any_cell,
    follows_updates,
)
from citeval_assets.defs.metadata import (
    cases_metadata,
    evaluation_metadata,
    report_metadata,
)
from citeval_assets.defs.names import (
    Citeval,
    case_inputs,
    cases_key,
    outputs_key,
    reports_key,
    templates_key,
)
from citeval_assets.defs.partitions import cell_of, cell_partitions, prompt_partitions
from citeval_assets.defs.progress import DagsterLogProgress
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.keys import encode_key
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.vocabulary import TemplateKind


class JudgingConfig(dg.Config):
    """What a person may choose when asking a model: nothing is paid twice unless asked for."""

    refresh: bool = False
    """Ask again although a reply is stored."""
    repeat: int = 0
    """Number of an independent repetition of the same questions; 0 is the ordinary one."""
    datasets: list[str] = Field(default_factory=list)
    """Names of the datasets to cover; empty covers all."""
    budget_usd: float | None = None
    """What this run may spend, instead of budget.per_run_usd of the configuration."""

    def changes(self) -> dict[str, Any]:
        """Return the options that differ from the ordinary ones."""
        chosen = {
            "refresh": self.refresh,
            "repeat": self.repeat,
            "datasets": tuple(self.datasets),
        }
        changed = {name: value for name, value in chosen.items() if value}
        if self.budget_usd is not None:
            changed["budget_usd"] = Decimal(str(self.budget_usd))
        return changed


def prompt_templates_of(playbook: AnyPlaybook) -> dg.SourceAsset:
    """Observe the template files: a changed draft makes exactly its own column stale."""

    @dg.observable_source_asset(
        key=templates_key(playbook.name),
        partitions_def=prompt_partitions(playbook),
        group_name=playbook.name,
        description=(
            f"Prompt templates of {playbook.title}, one partition per version. The data version "
            "is the hash of the template with its few-shot files."
        ),
    )
    def prompt_templates(citeval: Citeval) -> dg.DataVersionsByPartition:
        templates = citeval.project().templates
        return dg.DataVersionsByPartition(
            {
                encode_key(version): templates.get(playbook.name, version).sha256
                for version in templates.versions(playbook.name)
            }
        )

    return prompt_templates


def test_cases_of(playbook: AnyPlaybook) -> dg.AssetsDefinition:
    """Read, check and register the cases of a playbook."""

    @dg.asset(
        key=cases_key(playbook.name),
        deps=case_inputs(playbook),
        # Reading cases costs nothing: answers that were written become cases at once. What a
        # model is asked about them follows the content, not the update.
        automation_condition=follows_any_cell() if playbook.takes_answers else None,
        group_name=playbook.name,
        kinds={"json"},
        description=(
            f"Test cases of {playbook.title}: read from the configured files, checked row by row, "
            "registered by content. Refused rows are listed with file, line and reason."
        ),
    )
    def test_cases(context: dg.AssetExecutionContext, citeval: Citeval) -> dg.MaterializeResult:
        summary = citeval.service(context.run.run_id).register_cases(playbook.name)
        return dg.MaterializeResult(
            metadata=cases_metadata(summary),
            data_version=dg.DataVersion(summary.dataset_version),
        )

    return test_cases


def model_outputs_of(playbook: AnyPlaybook, factory: ServiceFactory) -> dg.AssetsDefinition:
    """Ask the model of a partition about every case that is not settled in the ledger."""
    judged = playbook.kind is TemplateKind.JUDGE
    what = "what the judge said about each case" if judged else "what the target model answered"

    @dg.asset(
        key=outputs_key(playbook),
        deps=[cases_key(playbook.name), templates_key(playbook.name)],
        partitions_def=cell_partitions(playbook),
        group_name=playbook.name,
        kinds={"llm"},
        code_version=str(playbook.scoring_version),
        automation_condition=asks_when_inputs_change(playbook.name, factory),
        description=(
            f"{playbook.title}: {what}, per model and prompt version. Stored replies are reused; "
            "every call is in the ledger before and after it is made."
        ),
    )
    def model_outputs(
        context: dg.AssetExecutionContext, config: JudgingConfig, citeval: Citeval
    ) -> dg.MaterializeResult:
        chosen = citeval.with_options(**config.changes())
        service = chosen.service(context.run.run_id, DagsterLogProgress(context.log))
        summary = service.judge(cell_of(playbook.name, context.partition_key))
        for warning in summary.warnings:
            context.log.warning(warning)
        if not summary.complete:
            context.log.error("not everything was judged: materialize again to judge the rest")
        return dg.MaterializeResult(
            metadata=evaluation_metadata(summary),
            data_version=dg.DataVersion(summary.evaluation_id),
        )

    return model_outputs


def validated_reports_of(playbook: AnyPlaybook) -> dg.AssetsDefinition:
    """Turn stored replies into reports: parse, check, recompute, write to the warehouse."""

    @dg.asset(
        key=reports_key(playbook.name),
        deps=[outputs_key(playbook)],
        partitions_def=cell_partitions(playbook),
        group_name=playbook.name,
        kinds={"duckdb"},
        code_version=str(playbook.scoring_version),
        automation_condition=follows_updates(),
        description=(
            f"Validated reports and findings of {playbook.title}, every number recomputed by code "
            "from the ledger alone."
        ),
    )
    def validated_reports(
        context: dg.AssetExecutionContext, citeval: Citeval
    ) -> dg.MaterializeResult:
        service = citeval.service(context.run.run_id)
        cell = cell_of(playbook.name, context.partition_key)
        evaluation_id = service.report(cell)
        return dg.MaterializeResult(
            metadata=report_metadata(service.scores(cell), service.worst_cases(cell)),
            data_version=dg.DataVersion(evaluation_id),
        )

    return validated_reports


def playbook_assets(
    factory: ServiceFactory,
) -> Iterator[dg.AssetsDefinition | dg.SourceAsset]:
    """Yield the assets of every playbook there is. The conditions of some ask ``factory``."""
    for playbook in all_playbooks().values():
        yield prompt_templates_of(playbook)
        yield test_cases_of(playbook)
        yield model_outputs_of(playbook, factory)
        yield validated_reports_of(playbook)
