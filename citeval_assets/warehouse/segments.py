"""Where a trend line breaks: scores of two epochs are not one line."""

from collections.abc import Sequence

from citeval_assets.warehouse.tables import ScoreTrendRow

Line = tuple[str, str, str, str, str]
"""Playbook, judge, prompt version, system and scope: what one trend line is about."""


def line_of(row: ScoreTrendRow) -> Line:
    """Return the trend line a row belongs to."""
    return (row.playbook, row.model, row.prompt_version, row.system, row.scope)


def epoch_breaks(rows: Sequence[ScoreTrendRow]) -> tuple[bool, ...]:
    """Tell of each row, the oldest first, whether its line breaks before it.

    It does where the epoch is another than in the row before; never before its first row.
    """
    last: dict[Line, str] = {}
    found: list[bool] = []
    for row in rows:
        line = line_of(row)
        found.append(last.get(line, row.epoch) != row.epoch)
        last[line] = row.epoch
    return tuple(found)


def segments(rows: Sequence[ScoreTrendRow]) -> list[list[ScoreTrendRow]]:
    """Return the stretches to be drawn as one line each, in the order in which they begin."""
    found: list[list[ScoreTrendRow]] = []
    current: dict[Line, list[ScoreTrendRow]] = {}
    for row, broken in zip(rows, epoch_breaks(rows), strict=True):
        line = line_of(row)
        if broken or line not in current:
            current[line] = []
            found.append(current[line])
        current[line].append(row)
    return found
