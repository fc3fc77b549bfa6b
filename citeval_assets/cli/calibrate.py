"""``citeval calibrate``: fit the embedded judge to the labels of people."""

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import CliError, ExitCode, unknown_name


@command("calibrate", short_help="Fit an embedded judge to your human labels.")
@click.option("--judge", "judge_id", required=True, metavar="ID", help="The judge to calibrate.")
@click.option(
    "--constructed", is_flag=True, help="Count labels by construction as well (to try it out)."
)
@click.option("--reset", is_flag=True, help="Drop the calibration of this judge.")
def COMMAND(cli: Cli, judge_id: str, constructed: bool, reset: bool) -> ExitCode:  # noqa: N802
    """Fit slope and intercept of an embedded judge to the human labels of the datasets.

    Labels count by claim or citation (`labels.claims`, `labels.citations`), or by row where a
    row has one claim and `labels.score`. The result is kept in the state folder and is part of
    the judge's version: what it judged before is shown as stale. With too few labels nothing is
    written and the judge stays `uncalibrated`.
    """
    from citeval_assets.embedded.calibration import calibration_path, fit, save_calibration
    from citeval_assets.embedded.lexical.judge import Lexical1
    from citeval_assets.embedded.registry import embedded_models
    from citeval_assets.evaluation.judge_labels import labelled_units

    settings = cli.settings()
    known = [model for model in settings.models if model.id == judge_id]
    if not known:
        raise unknown_name("model", judge_id, (model.id for model in settings.models))
    judge = embedded_models().get(known[0].model)
    if not isinstance(judge, Lexical1):
        raise CliError(
            f"{judge_id!r} is {known[0].model}, which cannot be calibrated; this is for "
            f"{Lexical1.name}",
            code=ExitCode.BAD_INPUT,
        )
    path = calibration_path(settings.state_dir, judge_id)
    if reset:
        path.unlink(missing_ok=True)
        cli.out.result({"judge": judge_id, "state": "uncalibrated"})
        cli.out.line(f"{judge_id}: uncalibrated")
        return ExitCode.DONE
    units = labelled_units(settings, judge, constructed=constructed)
    positives = sum(unit.supported for unit in units)
    needed, each = settings.calibration.min_labels, settings.calibration.min_per_class
    counts = {"judge": judge_id, "labels": len(units), "supported": positives}
    if len(units) < needed or min(positives, len(units) - positives) < each:
        cli.out.result({**counts, "state": "uncalibrated", "needed": needed, "per_class": each})
        cli.out.line(
            f"{judge_id}: uncalibrated. Found {len(units)} labels ({positives} supported); it "
            f"takes {needed}, and {each} of either kind. Nothing was written."
        )
        return ExitCode.INCOMPLETE
    fitted = fit([u.log_odds for u in units], [u.supported for u in units], judge.version)
    save_calibration(fitted, path)
    cli.out.result(
        {
            **counts,
            "state": "calibrated",
            "slope": fitted.slope,
            "intercept": fitted.intercept,
            "sha256": fitted.sha256,
            "file": path,
        }
    )
    cli.out.line(
        f"{judge_id}: calibrated on {len(units)} labels ({positives} supported): slope "
        f"{fitted.slope:.3f}, intercept {fitted.intercept:+.3f}. What it judged before is stale "
        "now; `citeval run` judges it again."
    )
    return ExitCode.DONE
