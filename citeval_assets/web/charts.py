"""Charts as plain geometry; ``charts.html`` draws them as SVG, without script or inline style.

Every chart has its numbers in text besides: in the table it stands in, in its labels, or in its
title.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, pairwise

from citeval_assets.warehouse.tables import ScoreTrendRow

ALL_SCOPE = "*"
_MOST_SHOWN = 24
"""Evaluations a trend shows, the newest; earlier ones are counted."""


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """One system in one evaluation, in pixels, with its numbers."""

    x: float
    y: float
    y_low: float | None
    y_high: float | None
    mean: float
    told: str


@dataclass(frozen=True, slots=True)
class TrendLine:
    """One system: its points, joined within one epoch. ``number`` chooses colour and mark."""

    system: str
    number: int
    points: tuple[TrendPoint, ...]
    paths: tuple[str, ...]
    label_y: float


@dataclass(frozen=True, slots=True)
class TrendChart:
    """The scores of the systems under one judge and prompt version, over its evaluations."""

    title: str
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    lines: tuple[TrendLine, ...]
    grid: tuple[tuple[float, str], ...]
    breaks: tuple[float, ...]
    moments: tuple[tuple[float, str, str], ...]
    left_out: int


def trend_charts(rows: Iterable[ScoreTrendRow]) -> list[TrendChart]:
    """Return a chart for each judge and prompt version that has two evaluations or more."""
    whole = [row for row in rows if row.scope == ALL_SCOPE]
    whole.sort(key=lambda row: (row.model, row.prompt_version, row.finished_at, row.system))
    groups = groupby(whole, key=lambda row: (row.model, row.prompt_version))
    charts = (_chart(f"{judge} · {prompt}", list(members)) for (judge, prompt), members in groups)
    return [chart for chart in charts if chart is not None]


def _chart(title: str, rows: Sequence[ScoreTrendRow]) -> TrendChart | None:
    evaluations: dict[str, ScoreTrendRow] = {row.evaluation_id: row for row in rows}
    if len(evaluations) < 2:
        return None
    shown = list(evaluations.values())[-_MOST_SHOWN:]
    width, height, left, right, top, bottom = 560, 200, 34, 150, 26, 28
    step = (width - left - right) / max(1, len(shown) - 1)
    at = {row.evaluation_id: left + number * step for number, row in enumerate(shown)}
    low = _floor(rows)

    def y(value: float) -> float:
        return round(top + (1 - (value - low) / (1 - low)) * (height - top - bottom), 1)

    lines: list[TrendLine] = []
    for number, system in enumerate(sorted({row.system for row in rows})):
        mine = [row for row in rows if row.system == system and row.evaluation_id in at]
        scored = [row for row in mine if row.mean_score is not None]
        if scored:
            lines.append(_line(system, number, scored, at, y))
    breaks = tuple(
        round((at[a.evaluation_id] + at[b.evaluation_id]) / 2, 1)
        for a, b in pairwise(shown)
        if a.epoch != b.epoch
    )
    return TrendChart(
        title, width, height, left, right, top, bottom, _apart(lines, top, height - bottom),
        tuple((y(value), f"{value:g}") for value in _ticks(low)), breaks,
        _moments(shown, at), len(evaluations) - len(shown),
    )  # fmt: skip


def _line(
    system: str,
    number: int,
    rows: Sequence[ScoreTrendRow],
    at: Mapping[str, float],
    y: Callable[[float], float],
) -> TrendLine:
    points = tuple(
        TrendPoint(
            round(at[row.evaluation_id], 1),
            y(row.mean_score or 0.0),
            None if row.ci_low is None else y(row.ci_low),
            None if row.ci_high is None else y(row.ci_high),
            row.mean_score or 0.0,
            _told(row),
        )
        for row in rows
    )
    paths: list[str] = []
    members = zip(rows, points, strict=True)
    for _, group in groupby(members, key=lambda pair: pair[0].epoch):
        places = [point for _, point in group]
        if len(places) > 1:
            paths.append("M" + " L".join(f"{p.x} {p.y}" for p in places))
    return TrendLine(system, number % 4, points, tuple(paths), points[-1].y)


def _told(row: ScoreTrendRow) -> str:
    bounds = "" if row.ci_low is None else f" [{row.ci_low:.3f}, {row.ci_high:.3f}]"
    return (
        f"{row.system}: {row.mean_score:.3f}{bounds}, {row.n_scored} scored, "
        f"{row.finished_at:%Y-%m-%d %H:%M} UTC"
    )


def _floor(rows: Sequence[ScoreTrendRow]) -> float:
    """Return where the axis begins: 0, or a half where everything is above it."""
    lowest = min(
        (row.ci_low if row.ci_low is not None else row.mean_score or 0.0 for row in rows),
        default=0.0,
    )
    return 0.5 if lowest >= 0.55 else 0.0


def _ticks(low: float) -> Sequence[float]:
    return (0.5, 0.75, 1.0) if low else (0.0, 0.5, 1.0)


def _moments(
    shown: Sequence[ScoreTrendRow], at: dict[str, float]
) -> tuple[tuple[float, str, str], ...]:
    """Return the dates under the axis: the first, the last, and some between."""
    wanted = {0, len(shown) - 1, (len(shown) - 1) // 2}
    anchors = {0: "start", len(shown) - 1: "end"}
    return tuple(
        (round(at[row.evaluation_id], 1), _day(row.finished_at), anchors.get(number, "middle"))
        for number, row in enumerate(shown)
        if number in wanted
    )


def _day(moment: datetime) -> str:
    return f"{moment:%d %b}"


def _apart(lines: Sequence[TrendLine], top: float, bottom: float) -> tuple[TrendLine, ...]:
    """Move the labels at the ends of lines apart, so that none covers another."""
    step, placed = 13.0, []
    for line in sorted(lines, key=lambda line: line.label_y):
        y = line.label_y if not placed else max(line.label_y, placed[-1].label_y + step)
        placed.append(
            TrendLine(line.system, line.number, line.points, line.paths, min(max(y, top), bottom))
        )
    return tuple(placed)


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar of a histogram, in pixels, with what it counts."""

    x: float
    y: float
    width: float
    height: float
    count: int
    tone: str
    told: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """How the differences of paired cases spread, from -1 to 1."""

    width: int
    height: int
    middle: float
    bins: tuple[Bin, ...]


def difference_histogram(differences: Sequence[float]) -> Histogram:
    """Count differences of scores in steps of a tenth; no difference has a bar of its own."""
    width, height, base = 420, 92, 76
    edges = range(-10, 11)
    counts = dict.fromkeys(edges, 0)
    for difference in differences:
        counts[_bin(difference)] += 1
    highest = max(counts.values(), default=0) or 1
    slot = width / len(edges)
    bins = tuple(
        Bin(
            round(position * slot + 1, 1),
            round(base - 60 * counts[edge] / highest, 1),
            round(slot - 2, 1),
            round(60 * counts[edge] / highest, 1),
            counts[edge],
            "bad" if edge < 0 else "good" if edge > 0 else "none",
            f"{counts[edge]} cases {_range(edge)}",
        )
        for position, edge in enumerate(edges)
    )
    return Histogram(width, height, round(width / 2, 1), bins)


def _bin(difference: float) -> int:
    """Return the step of a difference: away from zero, so that 0 holds equal scores alone."""
    tenths = difference * 10
    if abs(tenths) < 1e-9:
        return 0
    step = int(abs(tenths) + 1 - 1e-9)
    return max(-10, min(10, step if tenths > 0 else -step))


def _range(edge: int) -> str:
    if edge == 0:
        return "equal"
    low, high = (abs(edge) - 1) * 10, abs(edge) * 10
    way = "better" if edge > 0 else "worse"
    return f"{way} by {low} to {high} points"
