"""The embedded models by name."""

from functools import cache
from pathlib import Path

from citeval_assets.embedded.calibration import (
    UNCALIBRATED,
    Calibration,
    calibration_path,
    load_calibration,
)
from citeval_assets.embedded.extractive import Extractive0
from citeval_assets.embedded.extractive_ranked import Extractive1
from citeval_assets.embedded.lexical.judge import Lexical1
from citeval_assets.embedded.model import CannotJudge, EmbeddedModel
from citeval_assets.embedded.overlap import Overlap0
from citeval_assets.embedded.recorded import Recorded0


@cache
def embedded_models() -> dict[str, EmbeddedModel]:
    """Return every embedded model by its name."""
    models: tuple[EmbeddedModel, ...] = (
        Extractive0(),
        Extractive1(),
        Lexical1(),
        Overlap0(),
        Recorded0(),
    )
    return {model.name: model for model in models}


def embedded_model(name: str, calibration: Calibration = UNCALIBRATED) -> EmbeddedModel:
    """Return the model of this name, such as ``embedded/overlap-0``, under a calibration.

    Raises:
        KeyError: where there is none; the text names those there are.
    """
    known = embedded_models()
    if name not in known:
        raise KeyError(f"unknown embedded model {name!r}: there are {', '.join(known)}")
    return known[name].calibrated(calibration) if calibration.is_fitted else known[name]


def calibration_of(name: str, model_id: str, state_dir: Path) -> Calibration:
    """Return the calibration of a configured model; none where it has none or is no such judge.

    Args:
        name: as in ``embedded_model``; names of other models have no calibration.
        model_id: the id of the model in the configuration.
        state_dir: where the project keeps its state.

    Raises:
        CalibrationError: there is a file and it cannot be used.
    """
    model = embedded_models().get(name)
    if model is None or not model.calibratable:
        return UNCALIBRATED
    return load_calibration(calibration_path(state_dir, model_id), model.version)


__all__ = [
    "CannotJudge",
    "EmbeddedModel",
    "calibration_of",
    "embedded_model",
    "embedded_models",
]
