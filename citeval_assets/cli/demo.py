"""``citeval demo``: judge the golden data offline, and show what a release manager would see."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import CliError, ExitCode
from citeval_assets.cli.terminal import TerminalProgress
from citeval_assets.cli.wording import reasons_text, score_with_interval, share_text

if TYPE_CHECKING:
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.story import Loss, Story
    from citeval_assets.warehouse.reading import ScoreLine

_EMBEDDED = "embedded/"
_SHOWN_LOSSES = 3


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
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.service import RunOptions, Service
    from citeval_assets.evaluation.story import tell

    home = _fresh_folder(folder)
    project = Project.load(_project_folder(cli), {**cli.environ, "DAGSTER_HOME": str(home)})
    offline = [m.id for m in project.settings.models if m.model.startswith(_EMBEDDED)]
    cells = project.cells(models=offline)
    progress = TerminalProgress(cli.out)
    with open_run(project, RunOptions(), progress) as run:
        summary = run.run(cells, progress.on_cell)
    progress.end()
    story = tell(project, Service(project).scores())
    cli.out.result({"home": home, "run": summary, "scores": story.scores, "losses": story.losses})
    _show(cli, project, home, story)
    for problem in summary.problems:
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


def _show(cli: Cli, project: "Project", home: Path, story: "Story") -> None:
    cli.out.line("Scores", style="bold")
    cli.out.table(
        ("playbook", "judge or model", "prompt", "system", "mean [95 %]", "coverage", "scored",
         "not applicable", "unscored"),
        [_score_row(line) for line in story.scores],
        right=("coverage", "scored", "not applicable"),
    )  # fmt: skip
    cli.out.line()
    cli.out.line("Where the candidate lost to production", style="bold")
    if not story.losses:
        cli.out.line("nowhere")
    for loss in story.losses:
        _show_loss(cli, loss)
    cli.out.line()
    cli.out.line("Where to look next", style="bold")
    for line in _next_steps(home):
        cli.out.line(f"  {line}")


def _score_row(line: "ScoreLine") -> Sequence[object]:
    return (
        line.playbook,
        line.model,
        line.prompt_version,
        line.system,
        score_with_interval(line.mean_score, line.ci_low, line.ci_high),
        share_text(line.coverage),
        f"{line.n_scored} of {line.n_cases}",
        line.n_not_applicable,
        reasons_text(line.unscored_reasons) or None,
    )


def _show_loss(cli: Cli, loss: "Loss") -> None:
    cli.out.line()
    cli.out.line(
        f"{loss.playbook} ({loss.judge} | {loss.prompt_version}): {loss.baseline} "
        f"{loss.baseline_mean:.3f} -> {loss.candidate} {loss.candidate_mean:.3f} over "
        f"{loss.pairs} pairs; worse {loss.worse}, better {loss.better}, same {loss.same}"
    )
    for case in loss.cases[:_SHOWN_LOSSES]:
        cli.out.line(
            f"  {case.test_case_id}: {case.before:.2f} -> {case.after:.2f}  {case.question}"
        )
        for reason in case.reasons[:2]:
            cli.out.line(f"      {reason}")


def _next_steps(home: Path) -> list[str]:
    return [
        f"DAGSTER_HOME={home} make ui      the asset graph, reports and charts in Dagster",
        f"DAGSTER_HOME={home} citeval status      what is done, missing or stale, and why",
        f"DAGSTER_HOME={home} citeval audit verify      the hash chain over everything recorded",
    ]
