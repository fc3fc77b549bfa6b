"""Asset checks: the quality rules a person sees in red or green beside the assets."""

from collections.abc import Iterator

import dagster as dg

from citeval_assets.defs.names import Citeval, cases_key, reports_key
from citeval_assets.defs.partitions import cell_of, cell_partitions
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.registry import all_playbooks

MAX_FAILED_VALIDATION_RATE = 0.02
"""More judge output than this that never passed makes the scores beside it doubtful."""

MIN_COVERAGE = 0.9
"""Under this share of scored cases a mean says little about the whole."""

MIN_SCORE = 0.5
"""A mean under this is worth a look, whatever the gates say."""


def quarantine_check(playbook: AnyPlaybook) -> dg.AssetChecksDefinition:
    """Warn where rows of the data files were refused."""

    @dg.asset_check(
        asset=cases_key(playbook.name),
        name="no_rows_refused",
        description="Every row of the data files could be read; refused rows are listed.",
    )
    def no_rows_refused(citeval: Citeval) -> dg.AssetCheckResult:
        refused = citeval.service().quarantined(playbook.name)
        return dg.AssetCheckResult(
            passed=refused == 0,
            severity=dg.AssetCheckSeverity.WARN,
            metadata={"refused rows": refused},
        )

    return no_rows_refused


def report_checks(playbook: AnyPlaybook) -> dg.AssetChecksDefinition:
    """Check each evaluation: failed validation, coverage, score floor."""
    key = reports_key(playbook.name)
    partitions = cell_partitions(playbook)
    specs = [
        dg.AssetCheckSpec(
            name,
            asset=key,
            description=description,
            partitions_def=partitions,
        )
        for name, description in (
            ("failed_validation_rate", "Judge output that never passed is rare."),
            ("coverage", "Most cases that could be scored were scored."),
            ("score_floor", "No system's mean score is very low."),
        )
    ]

    @dg.multi_asset_check(name=f"{playbook.name}_report_checks", specs=specs)
    def checks(
        context: dg.AssetCheckExecutionContext, citeval: Citeval
    ) -> Iterator[dg.AssetCheckResult]:
        lines = citeval.service().scores(cell_of(playbook.name, context.partition_key))
        applicable = sum(line.n_cases - line.n_not_applicable for line in lines)
        failed = sum(line.n_failed_validation for line in lines)
        scored = sum(line.n_scored for line in lines)
        means = [line.mean_score for line in lines if line.mean_score is not None]
        failed_rate = failed / applicable if applicable else 0.0
        coverage = scored / applicable if applicable else 1.0
        lowest = min(means, default=1.0)
        yield dg.AssetCheckResult(
            check_name="failed_validation_rate",
            asset_key=key,
            passed=failed_rate <= MAX_FAILED_VALIDATION_RATE,
            severity=dg.AssetCheckSeverity.ERROR,
            metadata={"rate": failed_rate, "failed": failed, "allowed": MAX_FAILED_VALIDATION_RATE},
        )
        yield dg.AssetCheckResult(
            check_name="coverage",
            asset_key=key,
            passed=coverage >= MIN_COVERAGE,
            severity=dg.AssetCheckSeverity.ERROR,
            metadata={"coverage": coverage, "scored": scored, "floor": MIN_COVERAGE},
        )
        yield dg.AssetCheckResult(
            check_name="score_floor",
            asset_key=key,
            passed=lowest >= MIN_SCORE,
            severity=dg.AssetCheckSeverity.WARN,
            metadata={"lowest mean": lowest, "floor": MIN_SCORE},
        )

    return checks


def all_checks() -> Iterator[dg.AssetChecksDefinition]:
    """Yield the checks of every playbook."""
    for playbook in all_playbooks().values():
        yield quarantine_check(playbook)
        yield report_checks(playbook)
