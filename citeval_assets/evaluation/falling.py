"""Sudden falls of trends: which series fell, at which evaluation, and what it was held against."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import groupby

from citeval_assets.config.automation import TrendAlertConfig
from citeval_assets.evaluation.drifting import record_found
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.ledger.store import Ledger
from citeval_assets.statistics.falls import watch_trend
from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.sql import query

FALL = "fall"


@dataclass(frozen=True, slots=True)
class TrendFall:
    """One fall of one series. ``cases_changed``: the cases were others than the time before."""

    playbook: str
    model: str
    prompt_version: str
    system: str
    series: str
    epoch: str
    evaluation_id: str
    finished_at: datetime
    mean: float
    reference_mean: float
    bound: float
    cases_changed: bool
    newest: bool

    @property
    def words(self) -> str:
        """The fall in one line."""
        also = "; the cases changed, too" if self.cases_changed else ""
        return (
            f"{self.playbook} {self.model}|{self.prompt_version}, {self.system} ({self.series}): "
            f"{self.mean:.3f} against {self.reference_mean:.3f} before (no fall down to "
            f"{self.bound:.3f}){also}"
        )


@dataclass(frozen=True, slots=True)
class _Moment:
    playbook: str
    model: str
    prompt_version: str
    system: str
    epoch: str
    series: str
    evaluation_id: str
    dataset_version: str
    finished_at: datetime
    scores: list[float] | None

    @property
    def line(self) -> tuple[str, ...]:
        return (
            self.playbook, self.model, self.prompt_version, self.system, self.epoch, self.series,
        )  # fmt: skip


def find_falls(project: Project, ledger: Ledger, run_id: str) -> list[TrendFall]:
    """Watch every trend of the warehouse; record each fall once, and return them all."""
    with project.warehouse.reading() as connection:
        falls = list(_falls(connection, project.settings.automation.trend))
    for fall in falls:
        cell = Cell(fall.playbook, fall.model, fall.prompt_version)
        told = {**asdict(fall), "words": fall.words}
        del told["newest"]
        record_found(ledger, cell, fall.epoch, told, run_id, FALL)
    return falls


def _falls(connection: Connection, config: TrendAlertConfig) -> Iterator[TrendFall]:
    rows = connection.execute(query("trend_scores")).fetchall()
    for _, group in groupby((_Moment(*row) for row in rows), key=lambda moment: moment.line):
        moments = sorted(group, key=lambda moment: moment.finished_at)
        state = watch_trend(
            [moment.scores or [] for moment in moments],
            tolerance=config.tolerance_points / 100,
            between_false_alarms=config.evaluations_between_false_alarms,
        )
        for fall in state.falls:
            at, last = moments[fall.position], moments[max(0, fall.position - 1)]
            golden = at.series != "production"
            yield TrendFall(
                at.playbook, at.model, at.prompt_version, at.system, at.series, at.epoch,
                at.evaluation_id, at.finished_at, fall.mean, fall.reference_mean, fall.bound,
                cases_changed=golden and at.dataset_version != last.dataset_version,
                newest=fall.position == len(moments) - 1,
            )  # fmt: skip
