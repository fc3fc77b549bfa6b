"""``citeval gate``: may the candidate be released?"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import CliError, ExitCode

if TYPE_CHECKING:
    from citeval_assets.gates.model import GateReport, GateResult

_SHOWN = 5
_FILE = click.Path(dir_okay=False, writable=True, path_type=Path)
_STYLES = {"pass": "bold green", "fail": "bold red", "inconclusive": "bold yellow"}


@command("gate", short_help="Say whether the candidate may be released, and why.")
@click.option("--gate", "gates", multiple=True, metavar="NAME", help="Only this gate.")
@click.option("--playbook", "playbooks", multiple=True, metavar="NAME", help="Only this playbook.")
@click.option("--junit", type=_FILE, metavar="FILE", help="Write JUnit XML, a suite per playbook.")
@click.option("--markdown", type=_FILE, metavar="FILE", help="Write a pull-request comment.")
@click.option(
    "--published",
    is_flag=True,
    help="Read the published snapshot, without waiting for a run that is writing.",
)
def COMMAND(  # noqa: N802  (the name every verb's module has)
    cli: Cli,
    gates: tuple[str, ...],
    playbooks: tuple[str, ...],
    junit: Path | None,
    markdown: Path | None,
    *,
    published: bool,
) -> ExitCode:
    """Compare candidates with what runs today, as the gates of citeval.yaml say.

    Without a gate there, every candidate system is compared with every production system, in
    each playbook whose cases name them, under each production judge. Makes no model call. The
    verdicts are recorded in the ledger with what they were drawn from.

    Exit code 0 where every gate passes, 3 where one fails, 4 where data is lacking.
    """
    from citeval_assets.evaluation.gating import GateQuery, decide_gates
    from citeval_assets.evaluation.project import Project
    from citeval_assets.gates.document import document_of

    project = Project.load(cli.project, cli.environ)
    asked = GateQuery(names=gates, playbooks=playbooks, published=published)
    report = decide_gates(project, asked)
    if junit is not None:
        from citeval_assets.gates.junit import junit_xml

        _write(junit, junit_xml(report))
    if markdown is not None:
        from citeval_assets.gates.markdown import gate_markdown

        _write(markdown, gate_markdown(report))
    cli.out.result(document_of(report))
    show_gates(cli, report)
    return exit_code(report)


def exit_code(report: "GateReport") -> ExitCode:
    """Return what the shell is told of the verdict."""
    return {
        "pass": ExitCode.DONE,
        "fail": ExitCode.GATE_FAILED,
        "inconclusive": ExitCode.GATE_INCONCLUSIVE,
    }[report.verdict]


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CliError(f"{path} cannot be written: {error.strerror}") from None


def show_gates(cli: Cli, report: "GateReport") -> None:
    """Print sides, verdicts, reasons and new failures for people."""
    from citeval_assets.gates.wording import bounds_text, coverage_text, mean_text

    cli.out.table(
        ("gate", "side", "judge | prompt", "mean [95 %]", "unscored as 0 / 1", "scored",
         "overridden"),
        [
            (
                gate.gate, side.label, f"{side.model} | {side.prompt_version}", mean_text(side),
                bounds_text(side), coverage_text(side), side.overridden or None,
            )
            for gate in report.gates
            for side in (gate.baseline, gate.candidate)
            if side is not None
        ],
    )  # fmt: skip
    cli.out.line()
    show_verdicts(cli, report)
    for gate in report.gates:
        _show_gate(cli, gate)
    for reason in report.reasons if not report.gates else ():
        cli.out.line(reason)
    cli.out.line()
    cli.out.line(f"verdict: {report.verdict}", style=_STYLES[report.verdict])


def show_verdicts(cli: Cli, report: "GateReport") -> None:
    """Print one line per gate and metric."""
    from citeval_assets.gates.document import gate_lines
    from citeval_assets.gates.wording import (
        alarm_text,
        allowed_text,
        difference_text,
        drop_text,
    )

    cli.out.table(
        ("gate", "metric", "mode", "difference, points", "allowed", "pairs", "detectable drop",
         "false alarm", "verdict"),
        [
            (
                line.gate, line.metric, line.mode, difference_text(line), allowed_text(line),
                line.pairs, drop_text(line), alarm_text(line), line.verdict,
            )
            for gate in report.gates
            for line in gate_lines(gate)
        ],
        right=("difference, points", "allowed", "pairs", "detectable drop", "false alarm"),
    )  # fmt: skip


def _show_gate(cli: Cli, gate: "GateResult") -> None:
    if not (gate.reasons or gate.notes or gate.new_failures or gate.patterns):
        return
    cli.out.line()
    passed = " (counts as passed)" if gate.counts_as_passed else ""
    cli.out.line(f"{gate.gate}: {gate.verdict}{passed}", style=_STYLES[gate.verdict])
    for reason in gate.reasons:
        cli.out.line(f"  {reason}")
    for note in gate.notes:
        cli.out.line(f"  note: {note}")
    if gate.mcnemar_p is not None and (gate.mcnemar_worse or gate.mcnemar_better):
        cli.out.line(
            f"  cases that passed and fail now: {gate.mcnemar_worse}, the reverse: "
            f"{gate.mcnemar_better} (exact McNemar p = {gate.mcnemar_p:.3f})"
        )
    for failure in gate.new_failures[:_SHOWN]:
        cli.out.line(
            f"  {failure.test_case_id}: {failure.baseline_score:.2f} -> "
            f"{failure.candidate_score:.2f}  {'; '.join(failure.texts[:1])}"
        )
    if len(gate.new_failures) > _SHOWN:
        cli.out.line(f"  and {len(gate.new_failures) - _SHOWN} more; `citeval compare` shows them")
    for pattern in gate.patterns[:_SHOWN]:
        new = "not seen before" if pattern.unseen else "new on clean cases"
        allowed = (
            f", {len(pattern.allowed_cases)} allowed until {pattern.allowed_until}"
            if pattern.allowed_cases
            else ""
        )
        cli.out.line(f"  pattern {pattern.fingerprint}: {new}, {pattern.count} cases{allowed}")
