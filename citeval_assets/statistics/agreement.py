"""Agreement of a judge with labels: accuracy, kappa, confusion matrix, precision and recall."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import NormalDist

from citeval_assets.statistics.intervals import Interval


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often a judge said what where the label says what.

    ``counts`` leads from (label, judged) to the number of cases; ``classes`` are in order.
    """

    classes: tuple[str, ...]
    counts: Mapping[tuple[str, str], int]

    @classmethod
    def of(
        cls, labels: Sequence[str], judged: Sequence[str], classes: Sequence[str]
    ) -> "Confusion":
        """Count pairs of label and judgement.

        Raises:
            ValueError: the two differ in length, or hold a class that is not among ``classes``.
        """
        counts = Counter(zip(labels, judged, strict=True))
        strangers = {name for pair in counts for name in pair} - set(classes)
        if strangers:
            raise ValueError(f"unknown classes {sorted(strangers)}; there are {list(classes)}")
        return cls(tuple(classes), dict(counts))

    @property
    def n(self) -> int:
        """Number of cases."""
        return sum(self.counts.values())

    def count(self, label: str, judged: str) -> int:
        """Return how many cases of this label were judged so."""
        return self.counts.get((label, judged), 0)

    def labelled(self, name: str) -> int:
        """Return how many cases carry this label."""
        return sum(self.count(name, judged) for judged in self.classes)

    def judged(self, name: str) -> int:
        """Return how many cases were judged so."""
        return sum(self.count(label, name) for label in self.classes)

    @property
    def agreed(self) -> int:
        """Number of cases on which label and judge agree."""
        return sum(self.count(name, name) for name in self.classes)


@dataclass(frozen=True, slots=True)
class LabelQuality:
    """Precision and recall of one class; ``None`` where it was never judged, or never labelled."""

    label: str
    labelled: int
    judged: int
    precision: float | None
    recall: float | None


def accuracy(confusion: Confusion) -> float | None:
    """Return the share of cases judged as labelled; ``None`` without cases."""
    return confusion.agreed / confusion.n if confusion.n else None


def balanced_accuracy(confusion: Confusion) -> float | None:
    """Return the mean of the recalls of the labelled classes; ``None`` unless there are two.

    With one class only, a judge that always says it would look perfect.
    """
    recalls = [quality.recall for quality in label_qualities(confusion)]
    known = [recall for recall in recalls if recall is not None]
    return fsum(known) / len(known) if len(known) > 1 else None


def label_qualities(confusion: Confusion) -> tuple[LabelQuality, ...]:
    """Return precision and recall of every class."""
    found: list[LabelQuality] = []
    for name in confusion.classes:
        hits, labelled, judged = (
            confusion.count(name, name),
            confusion.labelled(name),
            confusion.judged(name),
        )
        precision = hits / judged if judged else None
        recall = hits / labelled if labelled else None
        found.append(LabelQuality(name, labelled, judged, precision, recall))
    return tuple(found)


def cohen_kappa(confusion: Confusion, confidence: float = 0.95) -> Interval:
    """Return Cohen's kappa with its large-sample interval, clipped to -1..1.

    Kappa after Cohen, "A coefficient of agreement for nominal scales", Educational and
    Psychological Measurement 20 (1960) 37-46; its standard error (not that under no agreement)
    after Fleiss, Cohen and Everitt, "Large sample standard errors of kappa and weighted kappa",
    Psychological Bulletin 72 (1969) 323-327, equation 13. No value where chance alone explains
    everything (one class on both sides).
    """
    n = confusion.n
    if n == 0:
        return Interval(None, None, None)
    rows = {name: confusion.labelled(name) / n for name in confusion.classes}
    columns = {name: confusion.judged(name) / n for name in confusion.classes}
    observed = confusion.agreed / n
    expected = fsum(rows[name] * columns[name] for name in confusion.classes)
    if math.isclose(expected, 1.0):
        return Interval(None, None, None)
    kappa = (observed - expected) / (1 - expected)
    agreeing = fsum(
        confusion.count(name, name)
        / n
        * ((1 - expected) - (rows[name] + columns[name]) * (1 - observed)) ** 2
        for name in confusion.classes
    )
    disagreeing = (1 - observed) ** 2 * fsum(
        confusion.count(label, judged) / n * (columns[label] + rows[judged]) ** 2
        for label in confusion.classes
        for judged in confusion.classes
        if label != judged
    )
    centre = (observed * expected - 2 * expected + observed) ** 2
    variance = max(0.0, agreeing + disagreeing - centre) / (n * (1 - expected) ** 4)
    half = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(variance)
    return Interval(kappa, max(-1.0, kappa - half), min(1.0, kappa + half))


def mean_absolute_deviation(labels: Sequence[float], judged: Sequence[float]) -> float | None:
    """Return the mean distance of judged scores from labels (both 0..1); ``None`` without any."""
    distances = [abs(a - b) for a, b in zip(labels, judged, strict=True)]
    return fsum(distances) / len(distances) if distances else None
