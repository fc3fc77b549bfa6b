"""The first page: how every system stands, under which judge, and how far to trust it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from citeval_assets.config import Settings
from citeval_assets.evaluation.project import Project
from citeval_assets.evaluation.standings import known_standings
from citeval_assets.gates.deciding import Qualified
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.vocabulary import TemplateKind
from citeval_assets.warehouse.judge_reading import calibration_rows
from citeval_assets.warehouse.judge_tables import CalibrationRow
from citeval_assets.warehouse.page_reading import Connection, gate_rows
from citeval_assets.warehouse.page_tables import page_scores
from citeval_assets.warehouse.reading import ScoreLine, current_evaluations, score_history
from citeval_assets.warehouse.tables import (
    EvaluationRow,
    ScoreTrendRow,
)
from citeval_assets.web.charts import TrendChart, trend_charts
from citeval_assets.web.gates_shown import shown_gates
from citeval_assets.web.pages import NavEntry, PageModule
from citeval_assets.web.rendering import render
from citeval_assets.web.site import site_of
from citeval_assets.web.tones import Tone

_Cell = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Badge:
    """What is known of a judge in two words, and the whole of it as a title."""

    text: str
    tone: Tone
    detail: str


@dataclass(frozen=True, slots=True)
class JudgeBlock:
    """One judge and prompt version with the systems it scored."""

    judge: str
    judge_stage: str
    prompt: str
    badges: tuple[Badge, ...]
    void: str
    lines: tuple[ScoreLine, ...]


@dataclass(frozen=True, slots=True)
class PlaybookBlock:
    """One playbook on the overview."""

    name: str
    title: str
    judges: tuple[JudgeBlock, ...]
    charts: tuple[TrendChart, ...]
    cases: int


def overview(request: Request) -> Response:
    """Show all playbooks."""
    site = site_of(request)
    with site.snapshot.reading() as connection:
        values = overview_values(site.project, connection)
    return render(request, "overview.html", **values)


def overview_values(project: Project, connection: Connection) -> dict[str, Any]:
    """Return what the overview is made of: playbooks, gates, and the stages of the systems."""
    lines = page_scores(connection)
    trends = score_history(connection)
    badges = _Badges(known_standings(connection, project), calibration_rows(connection), project)
    evaluations = current_evaluations(connection)
    return {
        "playbooks": _playbooks(project.settings, lines, trends, badges, evaluations),
        "gates": shown_gates(gate_rows(connection)),
        "stages": _stages(project.settings),
    }


def _playbooks(
    settings: Settings,
    lines: Sequence[ScoreLine],
    trends: Sequence[ScoreTrendRow],
    badges: "_Badges",
    evaluations: Sequence[EvaluationRow],
) -> list[PlaybookBlock]:
    known = all_playbooks()
    void = {
        (e.playbook, e.model, e.prompt_version): e.canary_detail
        for e in evaluations
        if e.canaries == "failed"
    }
    blocks: list[PlaybookBlock] = []
    for name, members in groupby(lines, key=lambda line: line.playbook):
        mine = list(members)
        charts = trend_charts(row for row in trends if row.playbook == name)
        title = known[name].title if name in known else name
        judges = tuple(_judges(settings, mine, badges, void))
        blocks.append(
            PlaybookBlock(name, title, judges, tuple(charts), max(x.n_cases for x in mine))
        )
    return blocks


def _judges(
    settings: Settings, lines: Sequence[ScoreLine], badges: "_Badges", void: dict[_Cell, str]
) -> list[JudgeBlock]:
    models = {model.id: str(model.stage) for model in settings.models if model.stage}
    blocks: list[JudgeBlock] = []
    for (judge, prompt), members in groupby(lines, key=lambda x: (x.model, x.prompt_version)):
        mine = tuple(members)
        cell = (mine[0].playbook, judge, prompt)
        blocks.append(
            JudgeBlock(
                judge, models.get(judge, ""), prompt, badges.of(cell), void.get(cell, ""), mine
            )
        )
    return sorted(blocks, key=lambda block: (block.judge_stage != "production", block.judge))


def _stages(settings: Settings) -> dict[str, str]:
    return {system.label: str(system.stage) for system in settings.systems}


class _Badges:
    """What is known of the judges, as badges."""

    def __init__(
        self, qualified: Qualified, calibration: Sequence[CalibrationRow], project: Project
    ) -> None:
        self._qualified = qualified
        self._playbooks = all_playbooks()
        self._project = project
        self._calibration = {
            (row.playbook, row.model, row.prompt_version): row
            for row in calibration
            if row.label_source == "human"
        }

    def of(self, cell: _Cell) -> tuple[Badge, ...]:
        """Return the badges of one judge and prompt version."""
        playbook = self._playbooks.get(cell[0])
        if playbook is not None and playbook.kind is not TemplateKind.JUDGE:
            return (
                Badge("scored by code", Tone.GOOD, "Outputs are held against golden data by code."),
            )
        return (self._qualification(cell), self._calibrated(cell))

    def _qualification(self, cell: _Cell) -> Badge:
        found = self._qualified(*cell)
        if found is None:
            return Badge(
                "not tried",
                Tone.NONE,
                "Nobody has put this judge to the test by injected faults: citeval qualify.",
            )
        if found:
            return Badge("qualified", Tone.GOOD, "It saw the faults that were injected on purpose.")
        return Badge(
            "not qualified", Tone.BAD, "It missed too many injected faults, or faulted sound text."
        )

    def _calibrated(self, cell: _Cell) -> Badge:
        row = self._calibration.get(cell)
        if row is None:
            return Badge("uncalibrated", Tone.PART, "No human labels to hold it against.")
        if not row.calibrated:
            return Badge("uncalibrated", Tone.PART, row.state)
        kappa = "" if row.kappa is None else f"kappa {row.kappa:.2f}, "
        return Badge("calibrated", Tone.GOOD, f"{kappa}{row.n_labelled} human labels")


PAGE = PageModule(routes=(Route("/", overview),), nav=(NavEntry("/", "Overview"),))
