"""The report: one HTML file that needs no server, no script and no outside address."""

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup

from citeval_assets.evaluation.project import Project
from citeval_assets.ledger.store import Ledger
from citeval_assets.warehouse.connection import open_snapshot
from citeval_assets.warehouse.report_reading import (
    Connection,
    ScoreShares,
    WorstReport,
    score_shares,
    worst_reports,
)
from citeval_assets.warehouse.review_reading import QueueFilter, facets, queue_page
from citeval_assets.web.case_shown import ShownCase, show_case
from citeval_assets.web.overview import JudgeBlock, PlaybookBlock, overview_values
from citeval_assets.web.rendering import environment

WORST_CASES = 3
"""Cases shown in full for each playbook."""

_SOURCE_CHARS = 1_200
_STYLES = ("citeval.css", "review.css", "report.css")
_WIDTH = 220.0


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a bar of shares, in pixels."""

    x: float
    width: float
    tone: str
    told: str


@dataclass(frozen=True, slots=True)
class WorstCase:
    """One bad case in full."""

    stored: WorstReport
    shown: ShownCase


@dataclass(frozen=True, slots=True)
class WorstOfPlaybook:
    """The worst cases of a playbook under the judge that counts most."""

    playbook: PlaybookBlock
    judge: JudgeBlock
    cases: tuple[WorstCase, ...]


def report_html(project: Project, *, worst: int = WORST_CASES) -> str:
    """Return the report over the published snapshot.

    Args:
        project: the opened project.
        worst: how many cases of each playbook are shown in full.

    Raises:
        WarehouseMissing: nothing has been published yet.
    """
    with open_snapshot(project.published_path) as connection, project.open_ledger() as ledger:
        values = overview_values(project, connection)
        playbooks: list[PlaybookBlock] = values["playbooks"]
        told = _worst(connection, ledger, playbooks, worst)
        shares = {
            (s.playbook, s.model, s.prompt_version, s.system): s for s in score_shares(connection)
        }
        queue = queue_page(connection, QueueFilter(), limit=1)
        severities = {f.name: f.items for f in facets(connection, ()) if f.facet == "severity"}
    published = datetime.fromtimestamp(project.published_path.stat().st_mtime, UTC)
    return (
        environment()
        .get_template("report.html")
        .render(
            **values,
            project_name=project.settings.project_dir.resolve().name,
            published=published,
            worst=told,
            shares={key: bar(one) for key, one in shares.items()},
            spread=shares,
            queue=queue.total,
            severities=severities,
            style=_style(),
            **_totals(playbooks),
        )
    )


def write_report(project: Project, path: Path, *, worst: int = WORST_CASES) -> Path:
    """Write the report to a file, in one step; return where it stands.

    Raises:
        WarehouseMissing: nothing has been published yet.
        OSError: the file cannot be written.
    """
    text = report_html(project, worst=worst)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as out:
            out.write(text)
        Path(aside).chmod(0o644)
        Path(aside).replace(path)
    finally:
        Path(aside).unlink(missing_ok=True)
    return path


def bar(shares: ScoreShares) -> tuple[Segment, ...]:
    """Return how scores spread as segments of one bar, the best first."""
    found: list[Segment] = []
    x = 0.0
    for tone, count, words in (
        ("good", shares.whole, "whole score"),
        ("part", shares.part, "part of the score"),
        ("bad", shares.nothing, "no score earned"),
        ("none", shares.unscored, "not scored"),
    ):
        if count:
            width = _WIDTH * count / shares.total
            found.append(Segment(round(x, 2), round(width, 2), tone, f"{count} {words}"))
            x += width
    return tuple(found)


def _worst(
    connection: Connection, ledger: Ledger, playbooks: Sequence[PlaybookBlock], worst: int
) -> list[WorstOfPlaybook]:
    found: list[WorstOfPlaybook] = []
    for block in playbooks:
        judge = _telling(block)
        if judge is None:
            continue
        rows = worst_reports(connection, block.name, judge.judge, judge.prompt, worst)
        cases = tuple(
            WorstCase(
                row,
                show_case(
                    ledger, block.name, row.case_hash, row.report, source_chars=_SOURCE_CHARS
                ),
            )
            for row in rows
        )
        if cases:
            found.append(WorstOfPlaybook(block, judge, cases))
    return found


def _telling(block: PlaybookBlock) -> JudgeBlock | None:
    """Return the judge whose verdicts count most: of production, with its newest prompt."""
    if not block.judges:
        return None
    first = block.judges[0].judge
    return [judge for judge in block.judges if judge.judge == first][-1]


def _totals(playbooks: Sequence[PlaybookBlock]) -> Mapping[str, Any]:
    lines = [line for block in playbooks for judge in block.judges for line in judge.lines]
    return {
        "n_reports": sum(line.n_cases for line in lines),
        "n_scored": sum(line.n_scored for line in lines),
        "n_overridden": sum(line.n_overridden for line in lines),
        "n_provisional": sum(line.n_provisional for line in lines),
    }


def _style() -> Markup:
    """Return the stylesheets of the pages, to stand in the file itself."""
    folder = files("citeval_assets.web").joinpath("static")
    return Markup("\n").join(Markup(folder.joinpath(n).read_text("utf-8")) for n in _STYLES)
