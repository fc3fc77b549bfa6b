"""The assets over all playbooks: trends, review queue, evaluation matrix, published snapshot."""

from collections import Counter

import dagster as dg

from citeval_assets.defs.automation import follows_any_cell
from citeval_assets.defs.metadata import matrix_table, trend_table
from citeval_assets.defs.names import Citeval, cases_key, reports_key
from citeval_assets.defs.production import JUDGED_KEY
from citeval_assets.evaluation.project import Project
from citeval_assets.playbooks.registry import all_playbooks

GROUP = "results"
NO_FALL = "no_sudden_fall"


def _all_reports() -> list[dg.AssetKey]:
    return [reports_key(name) for name in all_playbooks()]


@dg.asset(
    deps=[*_all_reports(), JUDGED_KEY],
    group_name=GROUP,
    kinds={"duckdb"},
    automation_condition=follows_any_cell(),
    check_specs=[
        dg.AssetCheckSpec(
            NO_FALL,
            asset=dg.AssetKey(["trends"]),
            description=(
                "No trend fell suddenly at its newest evaluation: a sequential test, with one "
                "false alarm in automation.trend.evaluations_between_false_alarms evaluations."
            ),
        )
    ],
    description="The score of every system in every evaluation: score_trend, faithfulness_trend.",
)
def trends(context: dg.AssetExecutionContext, citeval: Citeval) -> dg.MaterializeResult:
    """Report the trend tables, which each validated report extends; look for sudden falls."""
    service = citeval.service(context.run.run_id)
    rows, falls = service.trends(), service.falls()
    fresh = [fall for fall in falls if fall.newest]
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": len(rows),
            "falls so far": len(falls),
            "latest": dg.MetadataValue.md(trend_table(rows)),
        },
        check_results=[
            dg.AssetCheckResult(
                check_name=NO_FALL,
                passed=not fresh,
                severity=dg.AssetCheckSeverity.WARN,
                description="\n".join(fall.words for fall in fresh) or None,
                metadata={"falls now": len(fresh)},
            )
        ],
    )


@dg.asset(
    deps=_all_reports(),
    group_name=GROUP,
    kinds={"duckdb"},
    automation_condition=follows_any_cell(),
    description="One row per (test case, judge, prompt) that a person must look at, with reasons.",
)
def review_queue(context: dg.AssetExecutionContext, citeval: Citeval) -> dg.MaterializeResult:
    """Queue what escalated, minus what is decided."""
    count = citeval.service(context.run.run_id).refresh_review_queue()
    return dg.MaterializeResult(metadata={"dagster/row_count": count})


@dg.asset(
    deps=[*_all_reports(), *map(cases_key, all_playbooks())],
    group_name=GROUP,
    automation_condition=follows_any_cell(),
    description="Every (playbook, model, prompt): done, missing, stale or incomplete, and why.",
)
def evaluation_matrix(context: dg.AssetExecutionContext, citeval: Citeval) -> dg.MaterializeResult:
    """Compare what was evaluated with the files as they are now."""
    cells = citeval.service(context.run.run_id).matrix()
    counts = Counter(str(cell.state) for cell in cells)
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": len(cells),
            **dict(sorted(counts.items())),
            "matrix": dg.MetadataValue.md(matrix_table(cells)),
        }
    )


@dg.asset(
    deps=[trends, review_queue, dg.AssetKey(["calibration"]), dg.AssetKey(["judge_qualification"])],
    group_name=GROUP,
    kinds={"duckdb"},
    description="A checked, read-only snapshot of the warehouse, replaced in one step.",
)
def published_warehouse(
    context: dg.AssetExecutionContext, citeval: Citeval
) -> dg.MaterializeResult:
    """Publish the warehouse for pages, notebooks and gates; write the report over it."""
    service = citeval.service(context.run.run_id)
    published = service.publish()
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": published.rows,
            "file": dg.MetadataValue.path(str(published.path)),
            **_report(context, service.project),
            "tables": dg.MetadataValue.json(published.row_counts),
        }
    )


def _report(context: dg.AssetExecutionContext, project: Project) -> dict[str, dg.MetadataValue]:
    """Write the report. What is published stands, whatever becomes of the report.

    Browsers open no file from a web page: the path is there to be copied.
    """
    from citeval_assets.web.report import write_report  # loading the definitions needs no pages

    try:
        path = write_report(project, project.report_path)
    except Exception as error:  # noqa: BLE001  (told in the metadata)
        context.log.warning(f"the report could not be written: {error}")
        why = f"could not be written: {type(error).__name__}: {error}"
        return {"report": dg.MetadataValue.text(why)}
    link = dg.MetadataValue.url(path.resolve().as_uri())
    return {"report": link, "report file": dg.MetadataValue.path(str(path))}


RESULT_ASSETS = [trends, review_queue, evaluation_matrix, published_warehouse]
