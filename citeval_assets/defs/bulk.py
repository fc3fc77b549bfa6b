"""One run for many cells: what sensors and the daily reconcile ask for.

Starting a process costs seconds and a cell of ours may cost less, so one run evaluates many cells,
one after the other, each in a Dagster run of its own inside the same process: each partition has
its own run, log, materialization and failure. Calls inside a cell go out side by side all the
same. The run as a whole fails, naming the cells, where any of them did.
"""

from collections.abc import Sequence

import dagster as dg

from citeval_assets.defs.names import Citeval
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.evaluation.following import with_followers
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.evaluation.reconciling import Reconciliation, reconcile
from citeval_assets.evaluation.summaries import RunSummary

BULK_JOB = "evaluate_cells"
BULK_OP = "evaluate_each"
RECONCILE_JOB = "reconcile"
_SHOWN = 50


class CellsFailed(RuntimeError):
    """Some cells of a bulk run failed, or were not judged to the end."""


class CellConfig(dg.Config):
    """One cell to evaluate."""

    playbook: str
    model: str
    prompt: str

    def cell(self) -> Cell:
        """Return it as the rest of citeval names it."""
        return Cell(self.playbook, self.model, self.prompt)


class BulkConfig(dg.Config):
    """Which cells one run evaluates, and why."""

    cells: list[CellConfig]
    why: str = ""


def bulk_config(cells: Sequence[Cell], why: str) -> dict[str, object]:
    """Return the run config that evaluates these cells."""
    wanted = [{"playbook": c.playbook, "model": c.model, "prompt": c.prompt_version} for c in cells]
    return {"ops": {BULK_OP: {"config": {"cells": wanted, "why": why}}}}


@dg.op(name=BULK_OP)
def evaluate_cells(context: dg.OpExecutionContext, config: BulkConfig, citeval: Citeval) -> None:
    """Evaluate the cells of the configuration, then refresh gates and results."""
    if config.why:
        context.log.info(config.why)
    project = citeval.project()
    known = set(project.cells())
    cells = [cell for wanted in config.cells if (cell := wanted.cell()) in known]
    gone = len(config.cells) - len(cells)
    if gone:
        context.log.warning(f"{gone} cells are left out: retired, or no longer in the project")
    # A new target model is judged and held to production in the run that asks it.
    _evaluate(context, citeval, with_followers(project, cells))


@dg.op(name="evaluate_missed")
def reconcile_op(context: dg.OpExecutionContext, citeval: Citeval) -> None:
    """Evaluate what sensors and conditions missed, as far as the day's limits allow."""
    service = citeval.service(context.run.run_id)
    found = reconcile(service)
    context.add_output_metadata(_shown(found))
    for line in found.lines:
        context.log.info(line)
    _evaluate(context, citeval, [c.cell for c in found.chosen])


@dg.job(
    name=BULK_JOB,
    executor_def=dg.in_process_executor,
    description="Evaluate many cells in one run, each in a run of its own inside it.",
)
def evaluate_cells_job() -> None:
    """Evaluate many cells in one run."""
    evaluate_cells()


@dg.job(
    name=RECONCILE_JOB,
    executor_def=dg.in_process_executor,
    description="Look for cells that are missing, stale or incomplete, and evaluate them.",
)
def reconcile_job() -> None:
    """Evaluate what was missed."""
    reconcile_op()


def _evaluate(
    context: dg.OpExecutionContext, citeval: ServiceFactory, cells: Sequence[Cell]
) -> None:
    if not cells:
        context.log.info("nothing to evaluate")
        return
    # Late: the definitions hold this job, and this job runs them.
    from citeval_assets.defs.assembly import assemble
    from citeval_assets.defs.running import DagsterRun

    project: Project = citeval.project()
    chosen = citeval.with_options(spending_scope=context.run.run_id)
    run = DagsterRun(assemble(chosen), context.instance, project, bulk_run=context.run.run_id)

    def told(cell: Cell, number: int, total: int) -> None:
        context.log.info(f"cell {number} of {total}: {cell}")

    _conclude(context, run.run(cells, told))


def _conclude(context: dg.OpExecutionContext, summary: RunSummary) -> None:
    for evaluation in summary.evaluations:
        context.log.info(
            f"{evaluation.cell}: {evaluation.valid} of {evaluation.cases} scored, "
            f"{evaluation.calls} calls made, {evaluation.reused_calls} replies reused"
        )
    open_cells = [
        f"{e.cell}: {e.waiting} cases not judged ({', '.join(e.unscored_reasons)})"
        for e in summary.evaluations
        if not e.complete
    ]
    failed = [*summary.problems, *open_cells]
    if failed:
        listed = "\n".join(failed[:_SHOWN])
        more = f"\nand {len(failed) - _SHOWN} more" if len(failed) > _SHOWN else ""
        raise CellsFailed(f"{len(failed)} things went wrong; the rest is done:\n{listed}{more}")


def _shown(found: Reconciliation) -> dict[str, dg.MetadataValue]:
    head = "| cell | state | why | expected USD |\n| --- | --- | --- | --- |"
    rows = [
        f"| {c.cell} | {c.state} | {'; '.join(c.why)} | {c.usd_text} |"
        for c in found.chosen[:_SHOWN]
    ]
    return {
        "asked for": dg.MetadataValue.int(len(found.chosen)),
        "left for another day": dg.MetadataValue.int(found.left),
        "cells": dg.MetadataValue.md("\n".join([head, *rows])),
    }


BULK_JOBS = [evaluate_cells_job, reconcile_job]
