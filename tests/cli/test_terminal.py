"""What people see of a run while it goes on."""

import io
from dataclasses import replace
from decimal import Decimal

import pytest

from citeval_assets.cli.output import Output
from citeval_assets.cli.terminal import TerminalProgress, progress_text
from citeval_assets.evaluation.project import Cell
from citeval_assets.judging.inflight import CallBoard
from citeval_assets.judging.progress import Notice, Progress
from citeval_assets.playbooks.vocabulary import Reason, Status

CELL = Cell("citation_accuracy", "gpt", "v1")


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def board(clock) -> CallBoard:
    board = CallBoard(clock)
    board.put("1", "case-a", "prod", 1, 1)
    board.put("2", "case-b", "prod", 2, 3)
    return board


def progress(board: CallBoard | None = None, **changes) -> Progress:
    plain = Progress(
        model="gpt",
        cases=120,
        by_status={Status.VALID: 120},
        calls=118,
        failed_calls=0,
        reused_calls=2,
        cost_usd=Decimal("0.4512"),
        unpriced_calls=0,
        seconds=10.0,
        total=1000,
        cases_per_second=10.0,
        allowed_calls=8,
        board=board,
    )
    return replace(plain, **changes)


class Screen:
    def __init__(self, clock: Clock, **options):
        self.stderr = io.StringIO()
        self.progress = TerminalProgress(
            Output(io.StringIO(), self.stderr, as_json=False), clock=clock, **options
        )
        self.progress.on_cell(CELL, 1, 4)

    def shown(self) -> str:
        return self.stderr.getvalue()


def test_one_line_tells_counts_rate_spend_time_left_and_what_is_in_flight(board, clock):
    clock.now += 34
    assert progress_text(progress(board)) == (
        "120/1000 cases, 118 calls, 2 reused, 10.0/s, 0.4512 USD, 1:28 left, "
        "2 in flight, the oldest 34 s"
    )


def test_what_is_not_known_is_not_shown():
    told = progress_text(progress(total=None, cases_per_second=None, cost_usd=Decimal(0)))
    assert told == "120 cases, 118 calls, 2 reused"


def test_spend_of_calls_without_a_price_is_a_lower_bound():
    told = progress_text(progress(unpriced_calls=3))
    assert "at least 0.4512 USD (3 calls unpriced)" in told


def test_without_a_screen_a_line_comes_every_half_minute(clock):
    screen = Screen(clock)
    for _ in range(61):
        clock.now += 1
        screen.progress(progress())
    assert screen.shown().count("120/1000 cases") == 2


def test_a_reason_is_told_once_for_each_model(clock):
    screen = Screen(clock)
    notice = {Reason.NO_CREDIT: Notice(Reason.NO_CREDIT, 5, "you exceeded your quota")}
    for _ in range(5):
        screen.progress(progress(notices=notice))
    screen.progress(progress(model="claude", notices=notice))
    assert screen.shown().count("gpt: no_credit: you exceeded your quota") == 1
    assert screen.shown().count("claude: no_credit: you exceeded your quota") == 1


def test_the_first_interrupt_lists_what_is_finished_before_the_end(board, clock):
    screen = Screen(clock)
    clock.now += 7
    for _ in range(3):
        screen.progress(progress(board, stopping=True))
    assert screen.shown().count("stopping: 2 calls are under way") == 1
    assert "gpt: case-a (prod), attempt 1: 7 s" in screen.shown()
    assert "gpt: case-b (prod), attempt 2, try 3: 7 s" in screen.shown()


def test_verbose_lists_what_is_in_flight_every_ten_seconds(board, clock):
    screen = Screen(clock, verbose=True)
    for _ in range(21):
        clock.now += 1
        screen.progress(progress(board))
    assert screen.shown().count("2 calls in flight, 8 allowed") == 2
