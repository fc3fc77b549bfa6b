"""Trend lines break where the epoch changes: scores of two epochs are not one line."""

from dataclasses import replace

from citeval_assets.warehouse.segments import epoch_breaks, segments

from .builders import report, rows_of

(FIRST,) = rows_of(report("a", 1.0)).score_trend


def test_a_line_breaks_at_another_epoch_and_only_there() -> None:
    second = replace(FIRST, epoch="new")
    rows = [FIRST, FIRST, second, second]
    assert epoch_breaks(rows) == (False, False, True, False)
    assert [len(part) for part in segments(rows)] == [2, 2]


def test_each_system_has_a_line_of_its_own() -> None:
    other = replace(FIRST, system="candidate", epoch="new")
    rows = [FIRST, other, FIRST, other]
    assert epoch_breaks(rows) == (False,) * 4
    assert [len(part) for part in segments(rows)] == [2, 2]


def test_a_return_to_an_old_epoch_is_a_break_too() -> None:
    rows = [FIRST, replace(FIRST, epoch="new"), FIRST]
    assert epoch_breaks(rows) == (False, True, True)
