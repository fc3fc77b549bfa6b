"""Medians over the rounds of a benchmark, with ratios taken within each round."""

import statistics
from collections.abc import Callable, Iterable
from typing import Any

Round = dict[str, dict[str, Any]]
YARDSTICKS = ("litellm", "citeval-lean")


def summary(rounds: list[Round], cases: int, latency_ms: float, open_at_once: int) -> Any:
    """Return for every tool what a case takes, and how often that of the yardsticks."""
    ideal = cases * latency_ms / 1000 / open_at_once
    return {tool: _told(rounds, tool, cases, ideal) for tool in rounds[0]}


def _told(rounds: list[Round], tool: str, cases: int, ideal: float) -> dict[str, Any]:
    runs = [one[tool] for one in rounds]
    told: dict[str, Any] = {
        "cpu_ms_per_case": _median(map(_cpu, runs)),
        "loop_wall_s": _median(map(_wall, runs)),
        "x_ideal_wall": _median(_wall(run) / ideal for run in runs) if ideal else None,
        "peak_mb": _median(map(_memory, runs)),
        "start_cpu_s": _median(run["start"]["cpu_s"] for run in runs if "start" in run),
        "requests_at_server": [run["requests_at_server"] for run in runs],
        "as_asked": all(run.get("as_asked", False) for run in runs),
    }
    for yardstick in YARDSTICKS:
        if yardstick in rounds[0] and yardstick != tool:
            told[f"x_{yardstick}"] = {
                "cpu": _ratio(rounds, tool, yardstick, _cpu),
                "wall": _ratio(rounds, tool, yardstick, _wall),
                "memory": _ratio(rounds, tool, yardstick, _memory),
            }
    if "rerun" in runs[0]:
        told["rerun_wall_s"] = _median(run["rerun"]["wall_s"] for run in runs)
        told["rerun_calls"] = [run["rerun"]["calls"] for run in runs]
        told["report_cpu_ms_per_case"] = _median(
            1000 * run["report"]["cpu_s"] / cases for run in runs
        )
    return told


def _cpu(run: dict[str, Any]) -> float:
    return run["cpu_ms_per_case"]


def _wall(run: dict[str, Any]) -> float:
    return run["loop"]["wall_s"]


def _memory(run: dict[str, Any]) -> float:
    return run.get("peak_mb", 0.0)


def _ratio(
    rounds: list[Round], tool: str, yardstick: str, figure: Callable[[dict[str, Any]], float]
) -> float | None:
    return _median(figure(one[tool]) / figure(one[yardstick]) for one in rounds)


def _median(values: Iterable[float]) -> float | None:
    found = list(values)
    return round(statistics.median(found), 4) if found else None


def table(latency_ms: float, told: dict[str, Any]) -> str:
    """Return the figures of one latency for a person."""
    head = "tool             CPU ms  x litellm  wall s  x ideal  peak MB  start CPU s  requests"
    lines = [f"{latency_ms:g} ms", head]
    for tool, row in told.items():
        beside = row.get("x_litellm", {}).get("cpu", 1.0 if tool == "litellm" else None)
        cells = (row["cpu_ms_per_case"], beside, row["loop_wall_s"], row["x_ideal_wall"])
        cells += (row["peak_mb"], row["start_cpu_s"])
        shown = [f"{'-' if cell is None else format(cell, '.2f'):>9}" for cell in cells]
        note = "" if row["as_asked"] else "  NOT AS ASKED (a call or a reply too many or too few)"
        lines.append(f"{tool:14}{''.join(shown)}  {row['requests_at_server']}{note}")
    return "\n".join(lines)
