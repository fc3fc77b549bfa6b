"""``citeval compare``: two sides case by case, with the texts."""

from typing import TYPE_CHECKING

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import ExitCode
from citeval_assets.cli.wording import bounds_text, reasons_text

if TYPE_CHECKING:
    from citeval_assets.evaluation.comparing import CaseChange, CaseSide, PlaybookComparison

_TEXT_CHARS = 600
_MARKS = {"worse": "red", "better": "green", "unscored": "yellow"}


@command("compare", short_help="Show case by case what became better and worse, with the texts.")
@click.argument("base")
@click.argument("candidate")
@click.option(
    "--by",
    type=click.Choice(["systems", "judges", "prompts"]),
    default="systems",
    show_default=True,
    help="What BASE and CANDIDATE are.",
)
@click.option("--playbook", "playbooks", multiple=True, metavar="NAME", help="Only this playbook.")
@click.option("--judge", metavar="ID", help="Reports of this judge; by default of production.")
@click.option("--prompt", metavar="VERSION", help="Of this version; by default the newest.")
@click.option("--dataset", "datasets", multiple=True, metavar="NAME", help="Only this dataset.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Cases shown that became worse, and better, per playbook.",
)
def COMMAND(  # noqa: N802  (the name every verb's module has)
    cli: Cli,
    base: str,
    candidate: str,
    by: str,
    playbooks: tuple[str, ...],
    judge: str | None,
    prompt: str | None,
    datasets: tuple[str, ...],
    limit: int,
) -> ExitCode:
    """Show what the change from BASE to CANDIDATE did to each case.

    The deepest falls stand first: question, both texts, what was found wrong with each, and the
    failures that are new. Makes no model call and records nothing.
    """
    from citeval_assets.config.gates import Compared
    from citeval_assets.evaluation.comparing import CompareQuery
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.service import Service

    project = Project.load(cli.project, cli.environ)
    project.check_datasets(datasets)
    asked = CompareQuery(base, candidate, Compared(by), playbooks, judge, prompt, datasets, limit)
    report = Service(project).compare(asked)
    cli.out.result(report)
    for comparison in report.comparisons:
        _show(cli, comparison)
    for problem in report.problems:
        cli.out.error(problem)
    if not report.comparisons:
        cli.out.error(f"{base} and {candidate} have no case in common that was judged alike")
        return ExitCode.BAD_INPUT
    return ExitCode.DONE


def _show(cli: Cli, found: "PlaybookComparison") -> None:
    cli.out.line(
        f"{found.playbook} ({found.judge} | {found.prompt_version}): {found.base.label} -> "
        f"{found.candidate.label}",
        style="bold",
    )
    if found.difference is None:
        cli.out.line("  no case is scored on both sides")
    else:
        low, high = found.interval or (None, None)
        bounds = "" if low is None or high is None else f" [{100 * low:+.1f}, {100 * high:+.1f}]"
        drop = found.detectable_drop
        told = f"; smallest detectable drop {100 * drop:.1f} points" if drop is not None else ""
        cli.out.line(
            f"  mean {found.base.mean_of_pairs:.3f} -> {found.candidate.mean_of_pairs:.3f}, "
            f"{100 * found.difference:+.1f} points{bounds} over {found.pairs} pairs{told}"
        )
    for side in (found.base, found.candidate):
        applicable = side.cases - side.not_applicable
        why = reasons_text(side.unscored_reasons)
        missing = (
            f" ({why}; mean if all of these had failed or passed: "
            f"{bounds_text(side.worst_case_mean, side.best_case_mean)})"
            if why
            else ""
        )
        cli.out.line(f"  {side.label}: {side.scored} of {applicable} scored{missing}")
    cli.out.line(
        f"  worse {found.worse}, better {found.better}, same {found.same}, without a score on one "
        f"side {found.without_score}, only in {found.base.label} {len(found.only_in_base)}"
    )
    for case in found.cases:
        _show_case(cli, case)
    if found.cases_left_out:
        cli.out.line(f"  and {found.cases_left_out} more; --limit shows them")
    cli.out.line()


def _show_case(cli: Cli, case: "CaseChange") -> None:
    cli.out.line()
    before, after = (_score(side) for side in (case.base, case.candidate))
    cli.out.line(
        f"  {case.change}: {case.test_case_id}  {before} -> {after}", style=_MARKS[case.change]
    )
    cli.out.line(f"    question: {_short(case.question)}")
    for side in (case.base, case.candidate):
        cli.out.line(f"    {side.system}: {_short(side.text)}")
        for failure in side.failures:
            cli.out.line(f"      - {_short(failure)}")
    for fingerprint in case.new_failures:
        cli.out.line(f"    new failure: {fingerprint}")


def _score(side: "CaseSide") -> str:
    if side.score is None:
        return side.status
    return f"{side.score:.2f}{' (reviewer)' if side.overridden else ''}"


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= _TEXT_CHARS else f"{folded[: _TEXT_CHARS - 1]}…"
