"""Fitting an embedded judge to labels: the part of ``citeval calibrate`` that changes a judge."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeval_assets.cli.exits import unknown_name

if TYPE_CHECKING:
    from citeval_assets.config.settings import Settings
    from citeval_assets.embedded.lexical.judge import Lexical1


@dataclass(frozen=True, slots=True)
class Fit:
    """What fitting came to: its place in the JSON document, the line for people, and whether."""

    document: dict[str, Any]
    line: str
    done: bool


def fittable(settings: "Settings", judge_id: str) -> "Lexical1 | None":
    """Return the judge of this id where it can be fitted to labels; ``None`` for all others.

    Raises:
        CliError: for an id that no model has.
    """
    from citeval_assets.embedded.lexical.judge import Lexical1
    from citeval_assets.embedded.registry import embedded_models

    known = [model for model in settings.models if model.id == judge_id]
    if not known:
        raise unknown_name("model", judge_id, (model.id for model in settings.models))
    judge = embedded_models().get(known[0].model)
    return judge if isinstance(judge, Lexical1) else None


def unfit(settings: "Settings", judge_id: str) -> Fit:
    """Drop the calibration of a judge."""
    _path(settings, judge_id).unlink(missing_ok=True)
    document = {"judge": judge_id, "state": "uncalibrated"}
    return Fit(document, f"{judge_id}: uncalibrated", done=True)


def fit_to_labels(
    settings: "Settings", judge_id: str, judge: "Lexical1", *, constructed: bool
) -> Fit:
    """Fit slope and intercept to the labels; with too few of them nothing is written."""
    from citeval_assets.embedded.calibration import fit, save_calibration
    from citeval_assets.evaluation.judge_labels import labelled_units

    units = labelled_units(settings, judge, constructed=constructed)
    positives = sum(unit.supported for unit in units)
    needed, each = settings.calibration.min_labels, settings.calibration.min_per_class
    counts = {"judge": judge_id, "labels": len(units), "supported": positives}
    if len(units) < needed or min(positives, len(units) - positives) < each:
        return Fit(
            {**counts, "state": "uncalibrated", "needed": needed, "per_class": each},
            f"{judge_id}: uncalibrated. Found {len(units)} labels ({positives} supported); it "
            f"takes {needed}, and {each} of either kind. Nothing was written.",
            done=False,
        )
    fitted = fit([u.log_odds for u in units], [u.supported for u in units], judge.version)
    path = _path(settings, judge_id)
    save_calibration(fitted, path)
    found = {
        "state": "calibrated",
        "slope": fitted.slope,
        "intercept": fitted.intercept,
        "sha256": fitted.sha256,
        "file": path,
    }
    return Fit(
        {**counts, **found},
        f"{judge_id}: calibrated on {len(units)} labels ({positives} supported): slope "
        f"{fitted.slope:.3f}, intercept {fitted.intercept:+.3f}. What it judged before is stale "
        "now; `citeval run` judges it again.",
        done=True,
    )


def _path(settings: "Settings", judge_id: str) -> Path:
    from citeval_assets.embedded.calibration import calibration_path

    return calibration_path(settings.state_dir, judge_id)
