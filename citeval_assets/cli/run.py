"""``citeval run``: judge what is not settled yet."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING
from uuid import uuid4

import click

from citeval_assets.cli.amounts import USD
from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import ExitCode
from citeval_assets.cli.terminal import TerminalProgress
from citeval_assets.cli.wording import (
    bounds_text,
    cost_text,
    interval_free_score,
    range_text,
    reasons_text,
    share_text,
)

if TYPE_CHECKING:
    from citeval_assets.evaluation.forecast import Range, RunForecast
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
@click.option(
    "--budget",
    type=USD,
    metavar="USD",
    help="What this run may spend, instead of budget.per_run_usd.",
)
@click.option(
    "--dry-run", is_flag=True, help="Say what would be asked and what it would cost; ask nobody."
)
@click.option("--verbose", "-v", is_flag=True, help="List now and then what is in flight.")
def COMMAND(  # noqa: N802  (the name every verb's module has)
    cli: Cli,
    playbooks: tuple[str, ...],
    models: tuple[str, ...],
    prompts: tuple[str, ...],
    datasets: tuple[str, ...],
    refresh: bool,
    repeat: int,
    concurrency: int | None,
    budget: Decimal | None,
    dry_run: bool,
    verbose: bool,
) -> ExitCode:
    """Judge what is not settled yet, and write reports, trends, queue and snapshot.

    Each option may be given several times. Without any, every cell (playbook x model x prompt
    version) that is not retired is evaluated. A target model answers first; its answers are then
    judged as far as the gates need it, also where only the target model is named. Replies that
    are in the ledger are used, never paid again. Ctrl-C loses nothing: what is under way is
    listed, finished and kept, and the next run does the rest. Under a budget cases are judged in
    a random order with a fixed seed, so that what the money lasted for is a fair sample.
    """
    from citeval_assets.evaluation.following import with_followers
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.service import RunOptions, Service

    project = Project.load(cli.project, cli.environ)
    cells = project.cells(playbooks, models, prompts, datasets)
    cells = with_followers(project, cells, playbooks)
    options = RunOptions(
        datasets,
        refresh=refresh,
        repeat=repeat,
        max_concurrency=concurrency,
        budget_usd=budget,
        spending_scope=uuid4().hex,
    )
    if dry_run:
        show_forecast(cli, Service(project, options).forecast(cells))
        return ExitCode.DONE
    progress = TerminalProgress(cli.out, verbose=verbose or cli.verbose)
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
    for model, counts, examples in unscored_by_model(summary):
        cli.out.warning(f"{model}: unscored: {reasons_text(counts)}")
        for reason, example in examples.items():
            cli.out.note(f"  {reason}: {example}")
    for evaluation in summary.evaluations:
        for warning in evaluation.warnings:
            cli.out.warning(warning)
    for problem in summary.problems:
        cli.out.error(problem)
    cli.out.line(
        f"{summary.calls} calls made, {summary.reused_calls} replies reused, "
        f"{cost_text(summary.cost_usd)}, {summary.seconds:.1f} s"
    )
    if summary.maybe_paid:
        cli.out.warning(
            f"{summary.maybe_paid} calls may have been paid for though no reply is recorded (the "
            "process or the connection broke): `citeval audit maybe-paid` lists them"
        )
    if summary.anchor:
        cli.out.line(f"ledger anchor {summary.anchor}")
    if not summary.complete:
        cli.out.error("not everything was judged: run again to judge what is missing")


def unscored_by_model(
    summary: "RunSummary",
) -> Iterator[tuple[str, dict[str, int], dict[str, str]]]:
    """Yield for each model why its cases are unscored, how often, and what was first said."""
    models = dict.fromkeys(evaluation.model for evaluation in summary.evaluations)
    for model in models:
        counts: Counter[str] = Counter()
        examples: dict[str, str] = {}
        for evaluation in summary.evaluations:
            if evaluation.model == model:
                counts.update(evaluation.unscored_reasons)
                examples = {**evaluation.unscored_examples, **examples}
        if counts:
            yield model, dict(counts), examples


def show_forecast(cli: Cli, forecast: "RunForecast") -> None:
    """Print what a run would take: one line per cell, then the totals and the limits."""
    cli.out.result(forecast)
    cli.out.table(
        ("playbook", "model", "prompt", "cases", "decided", "stored", "to ask", "to come",
         "prompt tokens", "USD", "from past calls"),
        (
            (
                c.playbook, c.model, c.prompt_version, c.cases, c.decided, c.stored, c.to_ask,
                c.to_come, round(c.prompt_tokens.expected or c.prompt_tokens.high),
                _usd_text(c.cost_usd), c.past_calls,
            )
            for c in forecast.cells
        ),
        right=("cases", "decided", "stored", "to ask", "to come", "prompt tokens",
               "from past calls"),
    )  # fmt: skip
    most = round(forecast.calls.high)
    cli.out.line(
        f"{forecast.to_ask} questions to ask, at most {most} calls with re-asks (retries of failed "
        f"calls apart), {_usd_text(forecast.cost_usd)} USD"
    )
    cli.out.line(
        f"tokens: {_count_text(forecast.prompt_tokens)} in prompts, "
        f"{_count_text(forecast.completion_tokens)} in replies"
    )
    if forecast.to_come:
        cli.out.line(
            f"among the calls are up to {forecast.to_come} judgements of answers that this run has "
            "written first (column 'to come')"
        )
    for refused in dict.fromkeys(c.model for c in forecast.cells if c.refused):
        cli.out.warning(
            f"{refused}: no price is known and spending is limited, so nothing is asked: set "
            "price of the model (0 where it costs nothing), or take the limits off"
        )
    _show_limits(cli, forecast)


def _show_limits(cli: Cli, forecast: "RunForecast") -> None:
    for name, limit in (("run", forecast.per_run_usd), ("day", forecast.per_day_usd)):
        if limit is not None:
            cli.out.line(f"limit per {name}: {limit} USD")
    if forecast.spent_today_usd:
        cli.out.line(f"spent today so far: {forecast.spent_today_usd:.4f} USD")
    if forecast.may_stop:
        cli.out.warning(
            f"the limits leave {forecast.left_usd:.4f} USD: what is not judged by then is "
            "indeterminate: budget, what is judged a random sample of each system and dataset"
        )


def _count_text(amount: "Range") -> str:
    expected = "" if amount.expected is None else f"about {round(amount.expected)}, "
    return f"{expected}{round(amount.low)} to {round(amount.high)}"


def _usd_text(amount: "Range | None") -> str:
    if amount is None:
        return "unknown (no price)"
    return range_text(amount.low, amount.expected, amount.high)
