"""``citeval calibrate``: how far the judges err, measured against people, epochs, themselves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import CliError, ExitCode
from citeval_assets.cli.fitting import Fit, fit_to_labels, fittable, unfit
from citeval_assets.cli.terminal import TerminalProgress
from citeval_assets.cli.wording import score_with_interval

if TYPE_CHECKING:
    from citeval_assets.calibration.bridging import Bridge
    from citeval_assets.evaluation.calibrating import JudgeCalibration
    from citeval_assets.evaluation.project import Cell, Project
    from citeval_assets.statistics.repeats import JudgeNoise


@dataclass(frozen=True, slots=True)
class _Asked:
    """Which judges are meant."""

    judges: tuple[str, ...]
    playbooks: tuple[str, ...]
    prompts: tuple[str, ...]


@command("calibrate", short_help="Hold the judges against labels; fit an embedded one to them.")
@click.option("--judge", "judge_id", metavar="ID", help="Only this judge; fits it where it can be.")
@click.option("--playbook", "playbooks", multiple=True, metavar="NAME", help="Only this playbook.")
@click.option("--prompt", "prompts", multiple=True, metavar="VERSION", help="Only this version.")
@click.option(
    "--constructed", is_flag=True, help="Fit to labels by construction as well (to try it out)."
)
@click.option("--reset", is_flag=True, help="Drop the calibration of this judge.")
@click.option("--bridge", is_flag=True, help="Measure the offset between two epochs (asks).")
@click.option("--from", "from_judge", metavar="ID", help="Bridge from this judge.")
@click.option("--from-prompt", metavar="VERSION", help="Bridge from this prompt version.")
@click.option(
    "--repeat", type=click.IntRange(min=2), metavar="N", help="Ask the same N times over (asks)."
)
@click.option(
    "--cases",
    type=click.IntRange(min=10),
    default=100,
    show_default=True,
    metavar="N",
    help="Cases for --bridge and --repeat, always the same ones.",
)
def COMMAND(  # noqa: N802  (the name every verb's module has)
    cli: Cli,
    judge_id: str | None,
    playbooks: tuple[str, ...],
    prompts: tuple[str, ...],
    from_judge: str | None,
    from_prompt: str | None,
    repeat: int | None,
    cases: int,
    *,
    constructed: bool,
    reset: bool,
    bridge: bool,
) -> ExitCode:
    """Hold what the judges said against what people said. Asks nobody, unless told to.

    For each judge, prompt version and playbook: agreement, kappa, bias, conflicts, and the mean
    score with the known error of the judge taken out. Labels of people and labels by construction
    are told apart. With fewer than 50 labels, or 10 of either class, a judge is `uncalibrated`.

    An embedded judge that is named is fitted to the labels (slope and intercept); that is part of
    its version, so what it judged before is shown as stale.

    `--bridge` judges a fixed set of cases under two epochs and keeps the offset of the scores: the
    judge's own epoch before, or another judge or prompt version (`--from`, `--from-prompt`).
    `--repeat` asks a judge the same questions N times and keeps how far it strays from itself;
    gates widen their intervals by it.
    """
    asked = _Asked((judge_id,) if judge_id else (), playbooks, prompts)
    if reset and not judge_id:
        raise CliError("--reset needs the judge: --judge ID", code=ExitCode.BAD_INPUT)
    if bridge or repeat:
        return _ask_again(cli, asked, from_judge, from_prompt, repeat, cases, bridge=bridge)
    settings = cli.settings()
    found: Fit | None = None
    if judge_id:
        judge = fittable(settings, judge_id)
        if judge is not None:
            found = (
                unfit(settings, judge_id)
                if reset
                else fit_to_labels(settings, judge_id, judge, constructed=constructed)
            )
        elif reset:
            raise CliError(f"{judge_id!r} has no calibration of its own", code=ExitCode.BAD_INPUT)
    return _measure(cli, asked, found)


def _measure(cli: Cli, asked: _Asked, fit: Fit | None) -> ExitCode:
    from citeval_assets.evaluation.judge_summaries import calibration_document
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.service import Service

    project = Project.load(cli.project, cli.environ)
    # A project without templates has no cells, and nothing to be held against anything.
    cells = _cells(project, asked) if project.cells() else ()
    judges = Service(project).calibrate(cells) if cells else []
    document: dict[str, Any] = dict(fit.document) if fit else {}
    document["judges"] = [calibration_document(judge) for judge in judges]
    cli.out.result(document)
    if fit:
        cli.out.line(fit.line)
    show_calibrations(cli, judges)
    return ExitCode.INCOMPLETE if fit and not fit.done else ExitCode.DONE


def show_calibrations(cli: Cli, found: "Sequence[JudgeCalibration]") -> None:
    """Print one line for each judge and source of labels that has any."""
    shown = [one for one in found if one.agreement.n]
    if not shown:
        cli.out.line("No judged case has a label: nothing to hold the judges against.")
        return
    cli.out.table(
        ("playbook", "judge", "prompt", "labels", "state", "balanced accuracy", "kappa [95 %]",
         "bias", "conflicts", "raw mean", "corrected mean [95 %]"),
        [_row(one) for one in shown],
        right=("balanced accuracy", "bias", "conflicts", "raw mean"),
    )  # fmt: skip


def _row(found: "JudgeCalibration") -> Sequence[object]:
    agreed = found.agreement
    whole = found.corrected[0].score if found.corrected else None
    kappa = agreed.kappa
    if whole is None:
        corrected = None
    elif whole.method == "raw":
        corrected = whole.note
    else:
        corrected = score_with_interval(whole.mean, whole.low, whole.high)
    return (
        found.playbook,
        found.model,
        found.prompt_version,
        f"{agreed.n} {agreed.label_source}",
        agreed.state,
        agreed.balanced_accuracy,
        None if kappa.mean is None else score_with_interval(kappa.mean, kappa.low, kappa.high),
        None if agreed.bias is None else f"{agreed.bias:+.3f}",
        len(agreed.conflicts),
        whole.raw if whole else None,
        corrected,
    )


def _ask_again(
    cli: Cli,
    asked: _Asked,
    from_judge: str | None,
    from_prompt: str | None,
    repeat: int | None,
    cases: int,
    *,
    bridge: bool,
) -> ExitCode:
    from citeval_assets.calibration.bridging import NoBridge
    from citeval_assets.evaluation.bridging import NothingToBridge
    from citeval_assets.evaluation.cases import NothingRegistered
    from citeval_assets.evaluation.judge_summaries import noise_document, plain
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.service import Service

    project = Project.load(cli.project, cli.environ)
    progress = TerminalProgress(cli.out)
    service = Service(project, progress=progress)
    bridges: list[Bridge] = []
    noise: list[tuple[Cell, JudgeNoise]] = []
    problems: list[str] = []
    cells = _cells(project, asked)
    for number, cell in enumerate(cells, start=1):
        progress.on_cell(cell, number, len(cells))
        try:
            if bridge:
                old = _origin(project, cell, from_judge, from_prompt)
                bridges.append(service.bridge(cell, old, cases))
            if repeat:
                found = service.measure_noise(cell, repeat, cases)
                if found is None:
                    problems.append(f"{cell}: no case was scored twice")
                else:
                    noise.append((cell, found))
        except (NothingToBridge, NoBridge, NothingRegistered) as error:
            problems.append(f"{cell}: {error}")
    progress.end()
    cli.out.result(
        {
            "bridges": [plain(one) for one in bridges],
            "noise": [noise_document(cell, one) for cell, one in noise],
            "problems": problems,
        }
    )
    _show_bridges(cli, bridges)
    _show_noise(cli, noise)
    for problem in problems:
        cli.out.error(problem)
    return ExitCode.DONE if (bridges or noise) and not problems else ExitCode.INCOMPLETE


def _show_bridges(cli: Cli, bridges: "Sequence[Bridge]") -> None:
    if bridges:
        cli.out.table(
            ("playbook", "from", "to", "cases", "changed", "old mean", "new mean", "offset [95 %]"),
            [
                (
                    one.playbook,
                    f"{one.old.model}|{one.old.prompt_version} {one.old.epoch[:8]}",
                    f"{one.new.model}|{one.new.prompt_version} {one.new.epoch[:8]}",
                    one.anchors,
                    one.changed,
                    one.old_mean,
                    one.new_mean,
                    score_with_interval(one.offset, one.low, one.high),
                )
                for one in bridges
            ],
            right=("cases", "changed", "old mean", "new mean"),
        )


def _show_noise(cli: Cli, noise: "Sequence[tuple[Cell, JudgeNoise]]") -> None:
    if noise:
        cli.out.table(
            ("playbook", "judge", "prompt", "cases", "measurements", "strays by (sd)", "at most"),
            [
                (
                    cell.playbook, cell.model, cell.prompt_version, one.cases, one.measurements,
                    one.deviation, one.largest_spread,
                )
                for cell, one in noise
            ],
            right=("cases", "measurements", "strays by (sd)", "at most"),
        )  # fmt: skip


def _cells(project: "Project", asked: _Asked) -> "tuple[Cell, ...]":
    from citeval_assets.evaluation.qualifying import judge_cells

    return judge_cells(project.cells(asked.playbooks, asked.judges, asked.prompts))


def _origin(
    project: "Project", cell: "Cell", judge: str | None, prompt: str | None
) -> "Cell | None":
    """Return the cell to bridge from; ``None``: the past of the cell itself."""
    from citeval_assets.evaluation.bridging import cell_named

    if judge is None and prompt is None:
        return None
    every = project.cells()
    return cell_named(every, cell.playbook, judge or cell.model, prompt or cell.prompt_version)
