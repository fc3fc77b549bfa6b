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

_REASONS = 3


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
    from citeval_assets.evaluation.qualifying import gated_cells, judge_cells
    from citeval_assets.evaluation.service import RunOptions, Service
    from citeval_assets.evaluation.story import tell
    from citeval_assets.gates.document import document_of

    home = _fresh_folder(folder)
    project = Project.load(_project_folder(cli), {**cli.environ, "DAGSTER_HOME": str(home)})
    offline = [m.id for m in project.settings.models if m.model.startswith(_EMBEDDED)]
    cells = project.cells(models=offline)
    # The offline judges read no prompt: with a second version they would say the same again.
    judged = gated_cells(project, cells)
    cells = tuple(c for c in cells if c in judged or c not in judge_cells(cells))
    progress = TerminalProgress(cli.out)
    judges: list[QualificationSummary] = []
    problems: list[str] = []
    with open_run(project, RunOptions(), progress) as run:

        def put_to_the_test() -> None:
            found, wrong = run.qualify(judged, _FAULTS_EACH, progress.on_cell)
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
    _show_scores(cli, story.scores)
    _heading(
        cli,
        "The candidate beside production, on the same cases",
        "As the judge in production sees it. A pair is one question answered by both.",
    )
    out.table(
        ("playbook", "judge or model", "systems", "production", "candidate", "pairs", "worse",
         "better"),
        [
            (
                c.playbook, c.judge, f"{c.baseline}, {c.candidate}", c.baseline_mean,
                c.candidate_mean, c.pairs, c.worse, c.better,
            )
            for c in story.comparisons
        ],
        right=("production", "candidate", "pairs", "worse", "better"),
    )  # fmt: skip
    for case in story.worst:
        change = f"score {case.before:.2f} -> {case.after:.2f}"
        _show_case(cli, case, f"Lost: {case.test_case_id}", change)
    _show_errors(cli, story)
    _show_judges(cli, judges)
    _show_gates(cli, gates)
    _heading(cli, "Where to look next")
    for line in _next_steps(cli, home):
        out.line(f"  {line}")


def _heading(cli: Cli, title: str, *explained: str) -> None:
    cli.out.line(f"\n{title}", style="bold")
    for line in explained:
        cli.out.line(line)


def _show_scores(cli: Cli, scores: "Sequence[ScoreLine]") -> None:
    cli.out.line("Scores", style="bold")
    cli.out.line("Mean of all cases that could be scored, with the interval a 95 % chance leaves.")
    unscored = any(line.unscored_reasons for line in scores)
    further = ("unscored as 0 / 1", "failed or unscored") if unscored else ()
    cli.out.table(
        ("playbook", "judge or model", "prompt", "system", "mean [95 %]", "scored", *further),
        [(*_score_row(line), *(_unscored_row(line) if unscored else ())) for line in scores],
        right=("scored",),
    )


def _score_row(line: "ScoreLine") -> Sequence[object]:
    applicable = line.n_cases - line.n_not_applicable
    return (
        line.playbook,
        line.model,
        line.prompt_version,
        line.system,
        score_with_interval(line.mean_score, line.ci_low, line.ci_high),
        f"{line.n_scored} of {applicable} ({share_text(line.coverage)})",
    )


def _unscored_row(line: "ScoreLine") -> Sequence[object]:
    return (
        bounds_text(line.worst_case_mean, line.best_case_mean),
        reasons_text(line.unscored_reasons) or None,
    )


def _show_errors(cli: Cli, story: "Story") -> None:
    _heading(
        cli,
        "How far can the judges be trusted? Their verdicts beside the labels of the cases",
        "A judge that knows its limits leaves to a person what it cannot tell.",
    )
    cli.out.table(
        ("playbook", "judge", "settled alone", "wrong of these", "sent to a person",
         "faulty missed", "good faulted"),
        [
            (
                j.playbook, j.judge, j.alone, j.alone_wrong, j.unsure,
                f"{j.missed} of {j.faulty}", f"{j.faulted} of {j.good}",
            )
            for j in story.judges
        ],
        right=("settled alone", "wrong of these", "sent to a person", "faulty missed",
               "good faulted"),
    )  # fmt: skip
    for case in story.fooled:
        judge = case.findings[0].said[0].judge if case.findings[0].said else "the judge"
        scores = f"its score is {case.after:.2f}, its label {case.before:.2f}"
        _show_case(cli, case, f"{judge} was fooled: {case.test_case_id}", scores)


def _show_judges(cli: Cli, judges: "Sequence[QualificationSummary]") -> None:
    _heading(
        cli,
        "Can the judges see faults that were put in on purpose?",
        "A judge that cannot is not qualified, and no gate passes on its word.",
    )
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


def _show_gates(cli: Cli, gates: "GateReport") -> None:
    _heading(cli, "May the candidate ship?")
    show_verdicts(cli, gates)
    for gate in gates.gates:
        cli.out.line(f"{gate.gate}: {gate.verdict}", style="bold")
        for reason in gate.reasons[:_REASONS]:
            cli.out.line(f"  {reason}")
        if len(gate.reasons) > _REASONS:
            cli.out.line(f"  and {len(gate.reasons) - _REASONS} more; `citeval gate` tells them")
    for reason in gates.reasons if not gates.gates else ():
        cli.out.line(f"  {reason}")
    cli.out.line(f"verdict: {gates.verdict}", style="bold")


def _least_seen(judge: "QualificationSummary") -> str:
    """Name the kinds of fault a judge saw least of, with a fault it missed."""
    known = [fault for fault in judge.qualification.faults if fault.judge.n]
    known.sort(key=lambda fault: fault.judge.hits / fault.judge.n)
    return ", ".join(
        f"{fault.fault} {fault.judge.hits} of {fault.judge.n}"
        for fault in known[:3]
        if fault.judge.hits < fault.judge.n
    )


def _show_case(cli: Cli, case: "ToldCase", title: str, change: str) -> None:
    cli.out.line(f"\n{title} ({case.playbook}, {change})", style="bold")
    cli.out.line(f"  question  {case.question}")
    shown: set[str] = set()
    for finding in case.findings:
        cli.out.line(f"  {finding.kind:<9} {finding.text}")
        if finding.passage is None and finding.passage_id is not None:
            cli.out.line(f"  passage   [{finding.passage_id}] is no source of this case")
        elif finding.passage is not None and finding.passage_id in shown:
            cli.out.line(f"  passage   [{finding.passage_id}] as above")
        elif finding.passage is not None:
            source = f"[{finding.passage_id}] " if finding.passage_id else ""
            cli.out.line(f"  passage   {source}{finding.passage}")
            shown.add(finding.passage_id or "")
        if finding.passage is None and not finding.said:
            cli.out.line(f"  why       {finding.verdict}. {finding.why}")
        for said in finding.said:
            cli.out.line(f"  why       {said.judge}: {said.verdict}. {said.why}")
    if case.truth:
        cli.out.line(f"  truth     {case.truth}")


def _next_steps(cli: Cli, home: Path) -> list[str]:
    """Return commands that can be pasted as they stand, with what each shows."""
    citeval = f"DAGSTER_HOME={shlex.quote(str(home))} {_as_started()}"
    where = "" if cli.project == Path() else f" --project {shlex.quote(str(cli.project))}"
    return [
        f"{citeval} serve{where}      the pages: results, cases with their evidence, review",
        f"{citeval} compare prod candidate{where}      case by case, with the texts",
        f"DAGSTER_HOME={shlex.quote(str(home))} make ui      the asset graph, reports and charts",
    ]


def _as_started() -> str:
    """Return how this program is called: by its path where the shell does not know its name."""
    started = sys.argv[0]
    known = shutil.which("citeval") is not None
    return "citeval" if known or Path(started).name != "citeval" else shlex.quote(started)
