"""The nightly samples of production: how they are named, and what they say about the whole."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from citeval_assets.playbooks.vocabulary import Status
from citeval_assets.statistics.intervals import Interval
from citeval_assets.statistics.sampling import Stratum, stratified_mean
from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.sql import query

PRODUCTION_PREFIX = "production@"
"""Begins the name of every nightly sample. No dataset of citeval.yaml can be named so."""


def is_production(dataset: str) -> bool:
    """Whether a dataset (or the scope of an evaluation) is a nightly sample."""
    return dataset.startswith(PRODUCTION_PREFIX)


@dataclass(frozen=True, slots=True)
class ProductionEstimate:
    """The mean score of everything a system produced, estimated from what was drawn of it.

    ``offered`` traces were there to be drawn, ``judged`` were, ``scored`` have a score.
    """

    playbook: str
    model: str
    prompt_version: str
    system: str
    first_day: str
    last_day: str
    offered: int
    judged: int
    scored: int
    mean: Interval


@dataclass(frozen=True, slots=True)
class _Row:
    playbook: str
    model: str
    prompt_version: str
    system: str
    dataset: str
    day: str
    offered: int
    taken: int
    score: float | None
    status: str

    @property
    def line(self) -> tuple[str, str, str, str]:
        return (self.playbook, self.model, self.prompt_version, self.system)

    @property
    def stratum(self) -> tuple[str, str, int]:
        return (self.dataset, self.day, self.offered)


def production_estimates(
    connection: Connection, since: str | None = None
) -> list[ProductionEstimate]:
    """Estimate the mean score of each system's production, by the days (ISO) from ``since`` on."""
    found = connection.execute(query("production_scores"), {"since": since}).fetchall()
    rows = [_Row(*row) for row in found]
    return [_estimate(list(group)) for _, group in groupby(rows, key=lambda row: row.line)]


def _estimate(rows: list[_Row]) -> ProductionEstimate:
    strata = list(_strata(rows))
    return ProductionEstimate(
        *rows[0].line,
        first_day=min(row.day for row in rows),
        last_day=max(row.day for row in rows),
        offered=sum(stratum.offered for stratum in strata),
        judged=len(rows),
        scored=sum(len(stratum.scores) for stratum in strata),
        mean=stratified_mean(strata),
    )


def _strata(rows: Iterable[_Row]) -> Iterator[Stratum]:
    for (_, _, offered), group in groupby(rows, key=lambda row: row.stratum):
        members = list(group)
        scores = tuple(row.score for row in members if row.score is not None)
        # What does not apply (no claims, no citations) thins the stratum it was drawn from.
        inapplicable = sum(row.status == Status.NOT_APPLICABLE for row in members)
        share = 1 - inapplicable / len(members)
        yield Stratum(max(len(scores), round(offered * share)), scores)
