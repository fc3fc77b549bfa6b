"""The assets about the judges themselves: qualification by injected faults, calibration."""

from collections.abc import Iterator

import dagster as dg

from citeval_assets.defs.judge_tables import (
    bridge_table,
    calibration_table,
    qualification_table,
    standing_table,
)
from citeval_assets.defs.names import (
    Citeval,
    cases_key,
    qualification_key,
    reports_key,
    templates_key,
)
from citeval_assets.defs.partitions import cell_of, cell_partitions
from citeval_assets.defs.progress import DagsterLogProgress
from citeval_assets.evaluation.judge_summaries import QualificationSummary
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.vocabulary import TemplateKind

GROUP = "results"
JUDGES_GROUP = "judges"
QUALIFICATION_SUMMARY = "qualification"
"""Under this name the whole summary stands in the metadata, as JSON."""


class QualifyingConfig(dg.Config):
    """What a person may choose when a judge is put to the test."""

    cases_per_fault: int = 0
    """Clean cases into which each kind of fault is injected; 0: as citeval.yaml says."""


def judge_playbooks() -> list[AnyPlaybook]:
    """Return the playbooks in which a judge grades."""
    return [p for p in all_playbooks().values() if p.kind is TemplateKind.JUDGE]


def qualification_of(playbook: AnyPlaybook) -> dg.AssetsDefinition:
    """Show the judge of a partition clean cases with injected faults."""

    @dg.asset(
        key=qualification_key(playbook.name),
        deps=[cases_key(playbook.name), templates_key(playbook.name)],
        partitions_def=cell_partitions(playbook),
        group_name=JUDGES_GROUP,
        kinds={"llm"},
        code_version=str(playbook.scoring_version),
        description=(
            f"{playbook.title}: what the judge sees of faults injected into clean cases, and what "
            "it faults that is harmless. A gate does not pass on the word of a judge that failed."
        ),
    )
    def judge_qualification(
        context: dg.AssetExecutionContext, config: QualifyingConfig, citeval: Citeval
    ) -> dg.MaterializeResult:
        service = citeval.service(context.run.run_id, DagsterLogProgress(context.log))
        chosen = service.project.settings.calibration.qualification
        if config.cases_per_fault:
            chosen = chosen.model_copy(update={"cases_per_fault": config.cases_per_fault})
        done = service.qualify(cell_of(playbook.name, context.partition_key), chosen)
        found = done.qualification
        return dg.MaterializeResult(
            metadata={
                "dagster/row_count": found.mutants,
                "qualified": dg.MetadataValue.bool(found.qualified),
                "why not": dg.MetadataValue.text("\n".join(found.reasons) or "-"),
                "calls made": done.calls,
                "replies reused": done.reused_calls,
                "faults": dg.MetadataValue.md(qualification_table(found)),
                QUALIFICATION_SUMMARY: dg.MetadataValue.json(
                    QualificationSummary.of(done).model_dump(mode="json")
                ),
            },
        )

    return judge_qualification


def qualification_check(playbook: AnyPlaybook) -> dg.AssetChecksDefinition:
    """Show in red that a judge did not qualify; it stops nobody, the gates do."""
    key = qualification_key(playbook.name)
    spec = dg.AssetCheckSpec(
        "judge_is_qualified",
        asset=key,
        description="The judge sees injected faults and leaves harmless changes alone.",
        partitions_def=cell_partitions(playbook),
    )

    @dg.multi_asset_check(name=f"{playbook.name}_judge_is_qualified", specs=[spec])
    def judge_is_qualified(
        context: dg.AssetCheckExecutionContext, citeval: Citeval
    ) -> Iterator[dg.AssetCheckResult]:
        standing = citeval.service().standing(cell_of(playbook.name, context.partition_key))
        yield dg.AssetCheckResult(
            check_name="judge_is_qualified",
            asset_key=key,
            passed=standing is not None and standing.qualified,
            severity=dg.AssetCheckSeverity.WARN,
            description="; ".join(standing.reasons) if standing else "never put to the test",
        )

    return judge_is_qualified


@dg.asset(
    key=dg.AssetKey(["judge_qualification"]),
    deps=[qualification_key(playbook.name) for playbook in judge_playbooks()],
    group_name=GROUP,
    kinds={"duckdb"},
    description="All judges with their qualification, and the bridges between epochs.",
)
def judge_qualification(
    context: dg.AssetExecutionContext, citeval: Citeval
) -> dg.MaterializeResult:
    """List what is known of the judges from injected faults and bridges."""
    service = citeval.service(context.run.run_id)
    standings = service.standings()
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": len(standings),
            "judges": dg.MetadataValue.md(standing_table(standings)),
            "bridges": dg.MetadataValue.md(bridge_table(service.bridges())),
        }
    )


@dg.asset(
    key=dg.AssetKey(["calibration"]),
    deps=[reports_key(playbook.name) for playbook in judge_playbooks()],
    group_name=GROUP,
    kinds={"duckdb"},
    description=(
        "Every judge against the labels of people (and, apart, constructed ones): agreement, "
        "kappa, conflicts, and its scores with its known error taken out."
    ),
)
def calibration(context: dg.AssetExecutionContext, citeval: Citeval) -> dg.MaterializeResult:
    """Hold the current scores against the labels. No judge is asked."""
    found = citeval.service(context.run.run_id).calibrate()
    conflicts = sum(len(one.agreement.conflicts) for one in found)
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": len(found),
            "conflicts": conflicts,
            "judges": dg.MetadataValue.md(calibration_table(found)),
        }
    )


def judge_assets() -> Iterator[dg.AssetsDefinition]:
    """Yield the qualification of every judge playbook, their list, and the calibration."""
    for playbook in judge_playbooks():
        yield qualification_of(playbook)
    yield judge_qualification
    yield calibration


def judge_checks() -> Iterator[dg.AssetChecksDefinition]:
    """Yield the check of every qualification."""
    for playbook in judge_playbooks():
        yield qualification_check(playbook)
