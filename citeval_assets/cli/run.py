"""``citeval run``: judge what is not settled yet."""

from typing import TYPE_CHECKING

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import ExitCode
from citeval_assets.cli.terminal import TerminalProgress
from citeval_assets.cli.wording import (
    bounds_text,
    cost_text,
    interval_free_score,
    reasons_text,
    share_text,
)

if TYPE_CHECKING:
    from citeval_assets.evaluation.summaries import RunSummary


@command("run", short_help="Judge what is not settled yet.")
@click.option("--playbook", "playbooks", multiple=True, metavar="NAME", help="Only this playbook.")
@click.option("--model", "models", multiple=True, metavar="ID", help="Only this model.")
@click.option("--prompt", "prompts", multiple=True, metavar="VERSION", help="Only this version.")
@click.option("--dataset", "datasets", multiple=True, metavar="NAME", help="Only this dataset.")
@click.option("--refresh", is_flag=True, help="Ask again although replies are stored (costs).")
@click.option(
    "--repeat",
    type=click.IntRange(min=0),
    default=0,
    help="Number of an independent repetition of the same questions; 0 is the ordinary one.",
)
@click.option(
    "--concurrency", type=click.IntRange(min=1), help="Cases asked about at the same time."
)
def COMMAND(  # noqa: N802  (the name every verb's module has)
    cli: Cli,
    playbooks: tuple[str, ...],
    models: tuple[str, ...],
    prompts: tuple[str, ...],
    datasets: tuple[str, ...],
    refresh: bool,
    repeat: int,
    concurrency: int | None,
) -> ExitCode:
    """Judge what is not settled yet, and write reports, trends, queue and snapshot.

    Each option may be given several times. Without any, every cell (playbook x model x prompt
    version) that is not retired is evaluated. Replies that are in the ledger are used, never
    paid again. Ctrl-C loses nothing: what was asked is finished and kept, and the next run does
    the rest.
    """
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.service import RunOptions

    project = Project.load(cli.project, cli.environ)
    cells = project.cells(playbooks, models, prompts)
    project.check_datasets(datasets)
    options = RunOptions(datasets, refresh=refresh, repeat=repeat, max_concurrency=concurrency)
    progress = TerminalProgress(cli.out)
    from citeval_assets.defs.running import open_run

    with open_run(project, options, progress) as run:
        summary = run.run(cells, progress.on_cell)
    progress.end()
    show_run(cli, summary)
    if any(evaluation.interrupted for evaluation in summary.evaluations):
        return ExitCode.INTERRUPTED
    return ExitCode.DONE if summary.complete else ExitCode.INCOMPLETE


def show_run(cli: Cli, summary: "RunSummary") -> None:
    """Print what a run came to: one line per cell, then the totals and what went wrong."""
    cli.out.result(summary)
    cli.out.table(
        ("playbook", "model", "prompt", "mean", "coverage", "unscored as 0 / 1", "valid", "failed",
         "indet.", "errors", "n/a", "calls", "reused"),
        (
            (
                e.playbook, e.model, e.prompt_version, interval_free_score(e.mean_score),
                share_text(e.coverage), bounds_text(e.worst_case_mean, e.best_case_mean), e.valid,
                e.failed, e.indeterminate, e.errors, e.not_applicable, e.calls, e.reused_calls,
            )
            for e in summary.evaluations
        ),
        right=("mean", "coverage", "valid", "failed", "indet.", "errors", "n/a", "calls", "reused"),
    )  # fmt: skip
    for inputs in summary.inputs:
        if inputs.quarantined:
            cli.out.warning(
                f"{inputs.playbook}: {inputs.quarantined} rows were refused "
                f"(first: {inputs.quarantine_reasons[0]}); `citeval validate` lists them"
            )
    for evaluation in summary.evaluations:
        if evaluation.unscored_reasons:
            reasons = reasons_text(evaluation.unscored_reasons)
            cli.out.warning(f"{evaluation.cell}: unscored: {reasons}")
    for problem in summary.problems:
        cli.out.error(problem)
    cli.out.line(
        f"{summary.calls} calls made, {summary.reused_calls} replies reused, "
        f"{cost_text(summary.cost_usd)}, {summary.seconds:.1f} s"
    )
    if summary.anchor:
        cli.out.line(f"ledger anchor {summary.anchor}")
    if not summary.complete:
        cli.out.error("not everything was judged: run again to judge what is missing")
