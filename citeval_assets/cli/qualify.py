"""``citeval qualify``: can the judges see faults that were put in on purpose?"""

from typing import TYPE_CHECKING

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import ExitCode
from citeval_assets.cli.terminal import TerminalProgress

if TYPE_CHECKING:
    from citeval_assets.evaluation.judge_summaries import QualificationSummary
    from citeval_assets.qualification.standards import Qualification, Rate


@command("qualify", short_help="Put the judges to the test by injected faults.")
@click.option("--judge", "judges", multiple=True, metavar="ID", help="Only this judge.")
@click.option("--playbook", "playbooks", multiple=True, metavar="NAME", help="Only this playbook.")
@click.option("--prompt", "prompts", multiple=True, metavar="VERSION", help="Only this version.")
@click.option(
    "--cases",
    type=click.IntRange(min=1),
    metavar="N",
    help="Clean cases for each kind of fault, instead of what citeval.yaml says.",
)
@click.option("--strict", is_flag=True, help="Exit with 3 where a judge does not qualify.")
def COMMAND(  # noqa: N802  (the name every verb's module has)
    cli: Cli,
    judges: tuple[str, ...],
    playbooks: tuple[str, ...],
    prompts: tuple[str, ...],
    cases: int | None,
    *,
    strict: bool,
) -> ExitCode:
    """Inject faults with known truth into clean cases, and see which the judges notice.

    Clean are the cases whose label says that all of them is right. Harmless changes beside the
    faults show what a judge faults without reason. The result is held to the floors under
    `calibration: qualification:` of citeval.yaml and kept in the ledger; a gate does not pass on
    the word of a judge that failed. Replies that are stored are used, never paid again.
    """
    from citeval_assets.defs.running import open_run
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.qualifying import judge_cells
    from citeval_assets.evaluation.service import RunOptions

    project = Project.load(cli.project, cli.environ)
    cells = judge_cells(project.cells(playbooks, judges, prompts))
    progress = TerminalProgress(cli.out)
    with open_run(project, RunOptions(), progress) as run:
        found, problems = run.qualify(cells, cases or 0, progress.on_cell)
        problems += run.refresh()
    progress.end()
    cli.out.result({"judges": [one.as_document() for one in found], "problems": problems})
    show_judges(cli, found)
    for problem in problems:
        cli.out.error(problem)
    if problems or not all(one.complete for one in found):
        return ExitCode.INCOMPLETE
    failed = any(not one.qualification.qualified for one in found)
    return ExitCode.GATE_FAILED if strict and failed else ExitCode.DONE


def show_judges(cli: Cli, found: "list[QualificationSummary]") -> None:
    """Print one line a judge, then what each missed and what it faulted without reason."""
    cli.out.table(
        ("playbook", "judge", "prompt", "qualified", "faults seen", "false alarms", "calls",
         "reused"),
        [
            (
                one.qualification.playbook,
                one.qualification.model,
                one.qualification.prompt_version,
                one.qualification.qualified,
                rate_text(one.qualification.detection),
                rate_text(one.qualification.false_alarms),
                one.calls,
                one.reused_calls,
            )
            for one in found
        ],
        right=("faults seen", "false alarms", "calls", "reused"),
    )  # fmt: skip
    for one in found:
        _show_faults(cli, one.qualification)


def _show_faults(cli: Cli, found: "Qualification") -> None:
    cli.out.line()
    cli.out.line(
        f"{found.playbook}, {found.model} with {found.prompt_version} "
        f"({found.clean_cases} clean cases, {found.mutants} changed ones)",
        style="bold",
    )
    rows: list[tuple[object, ...]] = [
        (
            fault.fault,
            rate_text(fault.judge),
            f"{fault.by_code} of {fault.n}",
            f"{fault.floor:.0%}",
            {True: "pass", False: "FAIL", None: "-"}[fault.passed],
            fault.missed[0].change if fault.missed else None,
        )
        for fault in found.faults
    ]
    cli.out.table(
        ("fault", "seen by the judge", "settled by code", "floor", "", "missed, for example"),
        rows,
        right=("seen by the judge", "settled by code", "floor"),
    )
    cli.out.table(
        ("harmless change", "faulted all the same", "for example"),
        [
            (one.change, rate_text(one.rate), one.faulted[0].test_case_id if one.faulted else None)
            for one in found.harmless
        ],
        right=("faulted all the same",),
    )
    for reason in found.reasons:
        cli.out.line(f"  not qualified: {reason}")


def rate_text(rate: "Rate") -> str:
    """Write a rate with its interval in per cent, or a dash where there was nothing to count."""
    if rate.rate is None or rate.low is None or rate.high is None:
        return "-"
    return f"{rate.hits} of {rate.n} [{rate.low:.0%}, {rate.high:.0%}]"
