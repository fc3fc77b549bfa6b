"""What local human labels make of a judge's scores: slope and intercept (Platt scaling).

The fit is the logistic regression of labels on log odds with both classes weighing the same
(so that 0.5 is the cut that tells them apart best, whatever their share among the labels) and a
Gaussian prior at slope 1 and intercept 0: a handful of labels moves a judge little.
(J. Platt, "Probabilistic outputs for support vector machines", 1999.)
"""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MIN_LABELS = 50
"""With fewer human labels a judge is uncalibrated."""

MIN_PER_CLASS = 10

SLOPE_PRIOR = 3.0
INTERCEPT_PRIOR = 3.0
"""How many labels' worth of resistance there is to leaving slope 1 and intercept 0."""

_SMALLEST_SLOPE = 0.05
_MAX_STEPS = 100


class CalibrationError(ValueError):
    """A calibration file that cannot be used; the text names file, fault and remedy."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Slope and intercept that local labels give to the log odds of a judge.

    ``labels`` counts what they were fitted on, ``positives`` those that say "supported".
    """

    slope: float = 1.0
    intercept: float = 0.0
    labels: int = 0
    positives: int = 0
    judge_version: str = ""

    @property
    def is_fitted(self) -> bool:
        """Whether it rests on labels at all."""
        return self.labels > 0

    @property
    def sha256(self) -> str:
        """The hash that goes into the version, and so into the epoch, of the judge."""
        return hashlib.sha256(self.as_json().encode()).hexdigest()

    def as_json(self) -> str:
        """Return it as the text of its file."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return json.dumps(fields, indent=1, sort_keys=True) + "\n"


UNCALIBRATED = Calibration()


def fit(
    log_odds: Sequence[float], supported: Sequence[bool], judge_version: str = ""
) -> Calibration:
    """Fit slope and intercept to labels, by Newton steps.

    Raises:
        ValueError: there are no labels, or all are of one class.
    """
    positives = sum(supported)
    negatives = len(supported) - positives
    if not positives or not negatives:
        raise ValueError(
            f"labels of both classes are needed: found {positives} supported, {negatives} not"
        )
    half = len(supported) / 2
    weights = [half / positives if label else half / negatives for label in supported]
    slope, intercept = 1.0, 0.0
    for _ in range(_MAX_STEPS):
        step = _newton_step(log_odds, supported, weights, slope, intercept)
        slope = max(_SMALLEST_SLOPE, slope - step[0])
        intercept -= step[1]
        if max(abs(step[0]), abs(step[1])) < 1e-9:
            break
    return Calibration(
        round(slope, 6), round(intercept, 6), len(supported), positives, judge_version
    )


def _newton_step(
    log_odds: Sequence[float],
    supported: Sequence[bool],
    weights: Sequence[float],
    slope: float,
    intercept: float,
) -> tuple[float, float]:
    """Return the step of slope and intercept towards the minimum."""
    slope_gradient = 2 * SLOPE_PRIOR * (slope - 1)
    gradient = 2 * INTERCEPT_PRIOR * intercept
    a, b, c = 2 * SLOPE_PRIOR, 0.0, 2 * INTERCEPT_PRIOR
    for x, label, weight in zip(log_odds, supported, weights, strict=True):
        p = 1 / (1 + math.exp(-max(-500.0, min(500.0, slope * x + intercept))))
        error, curve = weight * (p - label), weight * p * (1 - p)
        slope_gradient += error * x
        gradient += error
        a += curve * x * x
        b += curve * x
        c += curve
    determinant = a * c - b * b
    return (
        (c * slope_gradient - b * gradient) / determinant,
        (a * gradient - b * slope_gradient) / determinant,
    )


def calibration_path(state_dir: Path, model_id: str) -> Path:
    """Return where the calibration of a judge is kept."""
    name = hashlib.sha256(model_id.encode()).hexdigest()[:12]
    plain = "".join(c if c.isalnum() or c in "._-" else "-" for c in model_id)[:60]
    return state_dir / "calibration" / f"{plain}-{name}.json"


def save_calibration(calibration: Calibration, path: Path) -> None:
    """Write a calibration; a reader sees the old file or the new one whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.write_text(calibration.as_json(), encoding="utf-8")
    draft.replace(path)


def load_calibration(path: Path, judge_version: str) -> Calibration:
    """Read a calibration; there being none, or one for another version, means uncalibrated.

    Raises:
        CalibrationError: the file is damaged.
    """
    if not path.exists():
        return UNCALIBRATED
    remedy = "delete it, or run `citeval calibrate` again"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        calibration = Calibration(**found)
        numbers = (calibration.slope, calibration.intercept)
        sound = all(isinstance(n, int | float) and math.isfinite(n) for n in numbers)
    except (ValueError, TypeError) as error:
        raise CalibrationError(f"{path}: no calibration can be read ({error}); {remedy}") from None
    if not sound or calibration.slope <= 0:
        raise CalibrationError(
            f"{path}: slope and intercept must be finite and the slope positive; {remedy}"
        )
    return calibration if calibration.judge_version == judge_version else UNCALIBRATED
