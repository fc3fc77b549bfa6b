"""Small charts for asset metadata.

Dagster's Markdown strips raw HTML and SVG but shows images from data URIs, so a chart is an
SVG inside an image. Colours are from a colour-blind-safe palette and every bar is labelled.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_BAR, _GAP, _LEFT, _WIDTH, _RIGHT = 22, 10, 190, 380, 130
_INK, _SOFT, _SCORE, _RANGE = "#1f2933", "#d9dee4", "#0072b2", "#d55e00"


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: a score in 0..1 (``None``: nothing scored), its interval and a note."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""


def bar_chart(title: str, bars: Sequence[Bar]) -> str:
    """Return a horizontal bar chart as a Markdown image."""
    height = 34 + len(bars) * (_BAR + _GAP) + 20
    width = _LEFT + _WIDTH + _RIGHT
    rows = "".join(_bar(bar, 34 + row * (_BAR + _GAP)) for row, bar in enumerate(bars))
    ticks = "".join(_tick(step / 4, height - 18) for step in range(5))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
        f'<text x="8" y="20" font-size="14" font-weight="bold" fill="{_INK}">{escape(title)}</text>'
        f"{ticks}{rows}</svg>"
    )
    encoded = base64.b64encode(svg.encode()).decode()
    return f"![{escape(title)}](data:image/svg+xml;base64,{encoded})"


def _tick(value: float, bottom: int) -> str:
    x = _LEFT + value * _WIDTH
    return (
        f'<line x1="{x}" y1="30" x2="{x}" y2="{bottom}" stroke="{_SOFT}"/>'
        f'<text x="{x}" y="{bottom + 14}" text-anchor="middle" fill="{_INK}">{value:g}</text>'
    )


def _bar(bar: Bar, top: int) -> str:
    middle = top + _BAR / 2
    label = _text(_LEFT - 8, middle, bar.label[:28], anchor="end")
    if bar.value is None:
        return label + _text(_LEFT + 6, middle, "nothing scored") + _note(bar, middle)
    length = f"{bar.value * _WIDTH:.1f}"
    shape = f'<rect x="{_LEFT}" y="{top}" width="{length}" height="{_BAR}" fill="{_SCORE}"/>'
    if bar.low is not None and bar.high is not None:
        left, right = (f"{_LEFT + end * _WIDTH:.1f}" for end in (bar.low, bar.high))
        ends = f'x1="{left}" x2="{right}" y1="{middle}" y2="{middle}"'
        shape += f'<line {ends} stroke="{_RANGE}" stroke-width="3"/>'
    return label + shape + _note(bar, middle)


def _note(bar: Bar, middle: float) -> str:
    text = bar.note if bar.value is None else f"{bar.value:.3f} {bar.note}".strip()
    return _text(_LEFT + _WIDTH + 8, middle, text)


def _text(x: float, middle: float, text: str, anchor: str = "start") -> str:
    where = f'x="{x}" y="{middle + 4}" text-anchor="{anchor}"'
    return f'<text {where} fill="{_INK}">{escape(text)}</text>'
