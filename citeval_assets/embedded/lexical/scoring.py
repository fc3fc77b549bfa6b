"""From clues to a probability: the weights, and what local labels make of them."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from citeval_assets.embedded.calibration import UNCALIBRATED, Calibration
from citeval_assets.embedded.lexical.clues import Clues


@dataclass(frozen=True, slots=True)
class Weights:
    """The coefficients of the logistic regression, in the order of the clues."""

    coefficients: tuple[float, ...]
    intercept: float

    @classmethod
    def read(cls, text: str) -> "Weights":
        """Read them from JSON.

        Raises:
            ValueError: a clue has no weight, or a weight no clue.
        """
        document = json.loads(text)
        named = document["weights"]
        if set(named) != set(Clues._fields):
            odd = sorted(set(named) ^ set(Clues._fields))
            raise ValueError(f"weights.json: weights and clues differ in {', '.join(odd)}")
        return cls(tuple(float(named[n]) for n in Clues._fields), float(document["intercept"]))


@cache
def shipped_weights() -> Weights:
    """Return the weights that ship with citeval."""
    text = (
        resources.files("citeval_assets.embedded.lexical")
        .joinpath("data/weights.json")
        .read_text(encoding="utf-8")
    )
    return Weights.read(text)


def score(clues: Clues, weights: Weights | None = None) -> float:
    """Return the log odds that a claim is supported, before any calibration."""
    own = weights or shipped_weights()
    return own.intercept + math.fsum(
        weight * clue for weight, clue in zip(own.coefficients, clues, strict=True)
    )


def probability(log_odds: float, calibration: Calibration = UNCALIBRATED) -> float:
    """Return the probability that a claim is supported.

    With a calibration this is relative to its cut: 0.5 is where its labels are told apart
    best, whatever share of them is supported.
    """
    return _sigmoid(calibration.slope * log_odds + calibration.intercept)


def _sigmoid(value: float) -> float:
    if value >= 0:
        return 1 / (1 + math.exp(-value))
    grown = math.exp(value)
    return grown / (1 + grown)


def strongest(clues: Clues, count: int = 3) -> Sequence[tuple[str, float]]:
    """Return the clues that say most, as (name, share of the log odds), the largest first."""
    terms = [
        (name, weight * clue)
        for name, weight, clue in zip(
            Clues._fields, shipped_weights().coefficients, clues, strict=True
        )
    ]
    return sorted(terms, key=lambda term: -abs(term[1]))[:count]
