"""``citeval demo``: judge the golden data offline, and show what a release manager would see."""

import shlex
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import CliError, ExitCode
from citeval_assets.cli.gate import show_verdicts
from citeval_assets.cli.qualify import rate_text
from citeval_assets.cli.terminal import TerminalProgress
from citeval_assets.cli.wording import bounds_text, reasons_text, score_with_interval, share_text

if TYPE_CHECKING:
    from citeval_assets.evaluation.judge_summaries import QualificationSummary
    from citeval_assets.evaluation.story import Story, ToldCase
    from citeval_assets.gates.model import GateReport
    from citeval_assets.warehouse.reading import ScoreLine

_EMBEDDED = "embedded/"
_FAULTS_EACH = 5
"""Clean cases for each kind of fault: enough to catch a naive judge, and done in seconds."""


@command("demo", short_help="Judge the golden data offline in a fresh folder.")
@click.argument(
    "folder", required=False, type=click.Path(file_okay=False, path_type=Path), metavar="[DIR]"
)
def COMMAND(cli: Cli, folder: Path | None) -> ExitCode:  # noqa: N802
    """Judge the golden data of all playbooks with the offline models, and tell the story.

    State goes to DIR, which must be empty or absent, or to a temporary folder: nothing of the
    project is touched. No key and no network are needed.
    """
    from citeval_assets.defs.running import open_run
    from citeval_assets.evaluation.judge_summaries import QualificationSummary
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.qualifying import gated_cells
    from citeval_assets.evaluation.service import RunOptions, Service
    from citeval_assets.evaluation.story import tell
    from citeval_assets.gates.document import document_of

    home = _fresh_folder(folder)
    project = Project.load(_project_folder(cli), {**cli.environ, "DAGSTER_HOME": str(home)})
    offline = [m.id for m in project.settings.models if m.model.startswith(_EMBEDDED)]
    cells = project.cells(models=offline)
    progress = TerminalProgress(cli.out)
    judges: list[QualificationSummary] = []
    problems: list[str] = []
    with open_run(project, RunOptions(), progress) as run:

        def put_to_the_test() -> None:
            found, wrong = run.qualify(gated_cells(project, cells), _FAULTS_EACH, progress.on_cell)
            judges.extend(found)
            problems.extend(wrong)

        summary = run.run(cells, progress.on_cell, put_to_the_test)
    progress.end()
    story = tell(project, Service(project).scores())
    gates = Service(project).gate()
    document = {
        "home": home,
        "run": summary,
        "story": story,
        "judges": [judge.as_document() for judge in judges],
        "gates": document_of(gates),
    }
    cli.out.result(document)
    _show(cli, home, story, judges, gates)
    for problem in (*summary.problems, *problems):
        cli.out.error(problem)
    cli.out.line(
        f"\n{summary.calls} judgements by offline models in {summary.seconds:.0f} s. "
        "A second run over the same folder makes none."
    )
    return ExitCode.DONE if summary.complete else ExitCode.INCOMPLETE


def _fresh_folder(folder: Path | None) -> Path:
    if folder is None:
        return Path(tempfile.mkdtemp(prefix="citeval-demo-"))
    if folder.exists() and any(folder.iterdir()):
        raise CliError(
            f"{folder} is not empty; the demo wants a fresh folder: name another, or none",
            code=ExitCode.BAD_INPUT,
        )
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()


def _project_folder(cli: Cli) -> Path:
    """Return this folder where it is a project, else the one the package was installed from."""
    if (cli.project / "citeval.yaml").exists():
        return cli.project
    return Path(__file__).resolve().parents[2]


def _show(
    cli: Cli,
    home: Path,
    story: "Story",
    judges: "Sequence[QualificationSummary]",
    gates: "GateReport",
) -> None:
    out = cli.out
    out.line("Scores", style="bold")
    out.table(
        ("playbook", "judge or model", "prompt", "system", "mean [95 %]", "coverage",
         "unscored as 0 / 1", "scored", "not applicable", "unscored"),
        [_score_row(line) for line in story.scores],
        right=("coverage", "scored", "not applicable"),
    )  # fmt: skip
    out.line("\nThe candidate beside production, on the same cases", style="bold")
    out.table(
        ("playbook", "judge or model", "production", "candidate", "pairs", "worse", "better"),
        [
            (c.playbook, c.judge, c.baseline_mean, c.candidate_mean, c.pairs, c.worse, c.better)
            for c in story.comparisons
        ],
        right=("production", "candidate", "pairs", "worse", "better"),
    )
    for case in story.worst:
        _show_case(cli, case)
    out.line("\nThe judges against the labels the cases were written with", style="bold")
    out.table(
        ("playbook", "judge", "faulty answers missed", "good answers faulted", "sent to a person"),
        [
            (j.playbook, j.judge, f"{j.missed} of {j.faulty}", f"{j.faulted} of {j.good}", j.unsure)
            for j in story.judges
        ],
        right=("faulty answers missed", "good answers faulted", "sent to a person"),
    )
    _show_judges(cli, judges)
    out.line("\nMay the candidate ship?", style="bold")
    show_verdicts(cli, gates)
    for reason in gates.reasons:
        out.line(f"  {reason}")
    out.line("\nWhere to look next", style="bold")
    for line in _next_steps(cli, home):
        out.line(f"  {line}")


def _show_judges(cli: Cli, judges: "Sequence[QualificationSummary]") -> None:
    cli.out.line("\nCan the judges see faults that were put in on purpose?", style="bold")
    cli.out.table(
        ("playbook", "judge", "qualified", "faults seen", "harmless changes faulted",
         "least seen"),
        [
            (
                judge.qualification.playbook,
                judge.qualification.model,
                judge.qualification.qualified,
                rate_text(judge.qualification.detection),
                rate_text(judge.qualification.false_alarms),
                _least_seen(judge),
            )
            for judge in judges
        ],
        right=("faults seen", "harmless changes faulted"),
    )  # fmt: skip


def _least_seen(judge: "QualificationSummary") -> str:
    """Name the kinds of fault a judge saw least of, with a fault it missed."""
    known = [fault for fault in judge.qualification.faults if fault.judge.n]
    known.sort(key=lambda fault: fault.judge.hits / fault.judge.n)
    return ", ".join(
        f"{fault.fault} {fault.judge.hits} of {fault.judge.n}"
        for fault in known[:3]
        if fault.judge.hits < fault.judge.n
    )


def _score_row(line: "ScoreLine") -> Sequence[object]:
    return (
        line.playbook,
        line.model,
        line.prompt_version,
        line.system,
        score_with_interval(line.mean_score, line.ci_low, line.ci_high),
        share_text(line.coverage),
        bounds_text(line.worst_case_mean, line.best_case_mean),
        f"{line.n_scored} of {line.n_cases}",
        line.n_not_applicable,
        reasons_text(line.unscored_reasons) or None,
    )


def _show_case(cli: Cli, case: "ToldCase") -> None:
    change = f"{case.before:.2f} -> {case.after:.2f}"
    cli.out.line(f"\nLost: {case.test_case_id} ({case.playbook}, {change})", style="bold")
    cli.out.line(f"  question  {case.question}")
    for finding in case.findings:
        cli.out.line(f"  {finding.kind:<9} {finding.text}")
        if finding.passage is not None:
            source = f"[{finding.passage_id}] " if finding.passage_id else ""
            cli.out.line(f"  passage   {source}{finding.passage}")
        elif finding.passage_id is not None:
            cli.out.line(f"  passage   [{finding.passage_id}] is no source of this case")
        cli.out.line(f"  why       {finding.verdict}. {finding.why}")


def _next_steps(cli: Cli, home: Path) -> list[str]:
    """Return commands that can be pasted as they stand, with what each shows."""
    citeval = f"DAGSTER_HOME={shlex.quote(str(home))} {_as_started()}"
    where = "" if cli.project == Path() else f" --project {shlex.quote(str(cli.project))}"
    return [
        f"DAGSTER_HOME={shlex.quote(str(home))} make ui      the asset graph, reports and charts",
        f"{citeval} gate{where}      the verdicts, with interval and reasons",
        f"{citeval} compare prod candidate{where}      case by case, with the texts",
        f"{citeval} serve{where}      the pages: the evidence behind each number",
        f"{citeval} status{where}      what is done, missing or stale, and why",
        f"{citeval} audit verify{where}      the hash chain over everything recorded",
    ]


def _as_started() -> str:
    """Return how this program is called: by its path where the shell does not know its name."""
    started = sys.argv[0]
    known = shutil.which("citeval") is not None
    return "citeval" if known or Path(started).name != "citeval" else shlex.quote(started)
