"""Processes that die at every point of a run, and what the next run makes of it."""

import os
import random
import signal
from pathlib import Path

import pytest

from citeval_assets.ledger.store import Ledger
from tests.crashes import child, scene
from tests.crashes.child import POINTS, Crash, SessionPlan
from tests.crashes.scene import CountingServer, kill_evaluation, kill_session, processes

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="signals and forks"),
]

IN_THE_SESSION = POINTS[:4]


@pytest.mark.parametrize("point", ["intent committed", "reply received", "reply committed"])
def test_a_session_killed_between_two_steps_is_resumed_without_loss(tmp_path: Path, point: str):
    found = kill_session(tmp_path, crash=Crash(point, at=11), cases=24)
    assert found.exit_code == -signal.SIGKILL
    found.check()


def test_a_session_killed_with_calls_in_flight_repeats_no_more_than_those(tmp_path: Path):
    found = kill_session(tmp_path, kill_at=13, cases=24)
    assert found.exit_code == -signal.SIGKILL
    found.check()
    assert found.repeats > 0


def test_a_session_asked_to_end_finishes_what_is_under_way(tmp_path: Path):
    found = kill_session(tmp_path, kill_at=13, cases=24, how=signal.SIGTERM)
    assert found.exit_code == 0
    found.check()
    assert found.repeats == 0, "every reply that was under way is on record"


def resume_together(url: str, processes_: int, cases: int) -> int:
    """Let several processes resume one run at once; return how many requests the server saw."""
    Ledger.open(url).close()
    with CountingServer(scene.YES) as server:
        plan = SessionPlan(url, server.url, cases)
        workers = [
            processes.Process(target=child.run_toy_session, args=(plan,)) for _ in range(processes_)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(120)
        assert [worker.exitcode for worker in workers] == [0] * processes_
        assert len(server.asked()) == cases
        return server.count


def test_two_processes_that_resume_one_run_pay_for_each_call_once(tmp_path: Path):
    assert resume_together(f"sqlite:///{tmp_path / 'ledger.db'}", 2, 30) == 30


def test_forty_kills_at_random_moments_of_sixty_calls(tmp_path: Path):
    chance = random.Random(4)
    for turn in range(40):
        folder = tmp_path / str(turn)
        folder.mkdir()
        kill_session(folder, kill_at=chance.randint(1, 60)).check()


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory):
    return scene.unbroken(scene.sixty_cases(tmp_path_factory.mktemp("unbroken")))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM], ids=lambda how: how.name)
@pytest.mark.parametrize("point", POINTS)
def test_an_evaluation_that_dies_anywhere_ends_as_if_it_had_not(tmp_path, reference, point, how):
    at = 23 if point in IN_THE_SESSION else 1
    found = kill_evaluation(scene.sixty_cases(tmp_path), Crash(point, at, how))
    found.check()
    assert found.results == reference
    orderly = how == signal.SIGTERM and point in IN_THE_SESSION
    assert found.exit_code == (0 if orderly else -how)
    if orderly:
        assert found.repeats == 0


def test_a_run_that_dies_again_and_again_comes_to_its_end(tmp_path: Path):
    """Each life judges a little more; nothing is paid twice but what was in flight."""
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    lives, chance = 0, random.Random(7)
    with CountingServer(scene.YES) as server:
        plan = SessionPlan(url, server.url)
        while lives < 40:
            lives += 1
            process = processes.Process(target=child.run_toy_session, args=(plan,))
            limit = server.count + chance.randint(1, 25)

            def kill(number: int, limit: int = limit, process=process) -> None:
                if number == limit:
                    os.kill(process.pid, signal.SIGKILL)

            server.on_request = kill
            process.start()
            process.join(60)
            if process.exitcode == 0:
                break
        asked = server.asked()
    assert process.exitcode == 0
    assert len(asked) == 60
    with Ledger.open(url) as ledger:
        answered, _, intents = scene.questions(ledger)
        assert len(answered) == 60
        assert intents - 60 <= scene.CONCURRENCY * (lives - 1)
