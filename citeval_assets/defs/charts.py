"""Small charts for asset metadata.

Dagster's Markdown strips raw HTML and SVG but shows images from data URIs, and it shows a value
in place only while it is shorter than 1,000 characters: so a chart is a terse SVG inside an
image. Colours are from a colour-blind-safe palette, and every bar carries its number.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

SHOWN_IN_PLACE = 1_000
"""Markdown shorter than this is shown where it stands, longer text behind a link."""

_LEFT, _WIDTH, _BAR, _STEP = 210, 250, 14, 24


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: a score in 0..1 (``None``: nothing scored) with its interval."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None


def bar_chart(title: str, bars: Sequence[Bar]) -> str:
    """Return a horizontal bar chart as a Markdown image.

    The grid lines stand at 0, 0.5 and 1; the thin line over a bar is its interval.
    """
    height = len(bars) * _STEP + 6
    lengths, ranges, texts = "", "", ""
    for row, bar in enumerate(bars):
        top = row * _STEP + 6
        texts += f"<text y='{top + 11}'>{escape(_caption(bar))}</text>"
        if bar.value is not None:
            lengths += f"M{_LEFT} {top}h{bar.value * _WIDTH:.0f}v{_BAR}H{_LEFT}z"
        if bar.low is not None and bar.high is not None:
            ranges += f"M{_x(bar.low)} {top + 7}H{_x(bar.high)}"
    grid = "".join(f"M{_x(value)} 0v{height}" for value in (0, 0.5, 1))
    svg = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{_LEFT + _WIDTH + 8}' height='{height}' "
        "font-family='sans-serif' font-size='12'><rect width='100%' height='100%' fill='#fff'/>"
        f"<path stroke='#ccc' d='{grid}'/><path fill='#0072b2' d='{lengths}'/>"
        f"<path stroke='#d55e00' stroke-width='3' d='{ranges}'/>{texts}</svg>"
    )
    return f"![{title}](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"


def _caption(bar: Bar) -> str:
    value = "nothing scored" if bar.value is None else f"{bar.value:.3f}"
    return f"{bar.label[:24]} {value}"


def _x(value: float) -> str:
    return f"{_LEFT + value * _WIDTH:.0f}"
