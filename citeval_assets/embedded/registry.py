"""The embedded models by name."""

from functools import cache

from citeval_assets.embedded.calibration import UNCALIBRATED, Calibration
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


__all__ = ["CannotJudge", "EmbeddedModel", "embedded_model", "embedded_models"]
