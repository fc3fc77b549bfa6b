"""Several processes at one ledger, and processes that die."""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from sqlalchemy import text

from citeval_assets.ledger import owners
from citeval_assets.ledger.audit import verify
from citeval_assets.ledger.store import Ledger
from ledger.builders import intent, reply

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks and signals")
fork = multiprocessing.get_context("fork") if os.name == "posix" else multiprocessing


def write_calls(url: str, first: int, start: "multiprocessing.synchronize.Barrier") -> None:
    start.wait()
    with Ledger.open(url) as ledger:
        for number in range(first, first + 20, 2):
            ledger.add_intents([intent(number), intent(number + 1)])
            ledger.add_replies([reply(number), reply(number + 1)])


def test_eight_processes_open_a_new_ledger_and_write_at_once(ledger_url: str):
    start = fork.Barrier(8)
    workers = [
        fork.Process(target=write_calls, args=(ledger_url, first, start))
        for first in range(0, 800, 100)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0] * 8
    with Ledger.open(ledger_url) as ledger:
        assert verify(ledger).ok
        assert len(list(ledger.calls_of_run("run-1"))) == 160
        with ledger.reading() as connection:
            assert connection.execute(text("SELECT count(*) FROM installation")).scalar() == 1


def pay_for(url: str, keys: int, requests: Connection, start: object) -> None:
    """Resume a run as a session does: claim, look again, call, record."""
    start.wait()  # type: ignore[attr-defined]
    owner = owners.process_owner()
    with Ledger.open(url) as ledger:
        numbers = list(range(keys))
        random.Random(os.getpid()).shuffle(numbers)
        for begin in range(0, keys, 5):
            some = numbers[begin : begin + 5]
            for key in ledger.claim([f"key-{n}" for n in some], owner, 60):
                number = int(key.removeprefix("key-"))
                request = number + 1000 * os.getpid()
                ledger.add_intents([intent(request, call_key=key)])
                requests.send(key)
                ledger.add_replies([reply(request)])
    requests.close()


def test_four_processes_that_resume_one_run_pay_once_for_each_call(ledger_url: str):
    start = fork.Barrier(4)
    pipes, workers = [], []
    for _ in range(4):
        receiving, sending = fork.Pipe(duplex=False)
        worker = fork.Process(target=pay_for, args=(ledger_url, 100, sending, start))
        worker.start()
        sending.close()
        pipes.append(receiving)
        workers.append(worker)
    requests: Counter[str] = Counter()
    for pipe in pipes:
        while True:
            try:
                requests[pipe.recv()] += 1
            except EOFError:
                break
    for worker in workers:
        worker.join(60)
    assert requests == {f"key-{number}": 1 for number in range(100)}
    with Ledger.open(ledger_url) as ledger:
        assert len(ledger.replies_for(requests)) == 100
        assert verify(ledger).ok


ENDLESS_WRITER = """
import sys
from citeval_assets.ledger.owners import process_owner
from citeval_assets.ledger.store import Ledger
from ledger.builders import intent, reply

first, owner = int(sys.argv[2]), process_owner()
with Ledger.open(sys.argv[1]) as ledger:
    for number in range(first, first + 100_000, 3):
        batch = range(number, number + 3)
        ledger.claim([f"key-{n}" for n in batch], owner, 3600)
        ledger.add_intents([intent(n) for n in batch])
        print("asked", *batch, flush=True)
        ledger.add_replies([reply(n, text="t" * 2000) for n in batch])
        print("done", *batch, flush=True)
"""


def killed_writer(url: str, first: int, after_lines: int) -> dict[str, set[int]]:
    """Let a process write, kill it, and return the numbers it was told were on disk."""
    said: dict[str, set[int]] = {"asked": set(), "done": set()}
    paths = [str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    arguments = [sys.executable, "-c", ENDLESS_WRITER, url, str(first)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, env=environ) as child:
        assert child.stdout is not None
        for count, line in enumerate(child.stdout, start=1):
            word, *numbers = line.split()
            said[word].update(map(int, numbers))
            if count == after_lines:
                child.send_signal(signal.SIGKILL)
    return said


def check_nothing_acknowledged_is_lost(url: str, said: dict[str, set[int]]) -> None:
    with Ledger.open(url) as ledger:
        assert verify(ledger).ok
        stored = ledger.replies_for(f"key-{number}" for number in said["asked"])
        assert {f"key-{number}" for number in said["done"]} <= set(stored)
        maybe_paid = {call.call_key for call in ledger.maybe_paid()}
        open_calls = {f"key-{number}" for number in said["asked"]} - set(stored)
        assert open_calls <= maybe_paid
        mine = owners.process_owner()
        assert ledger.claim(maybe_paid, mine, 60) == maybe_paid, "a dead owner holds nothing"
        ledger.release(maybe_paid, mine)


def test_what_was_acknowledged_survives_kill_9(ledger_url: str):
    said = killed_writer(ledger_url, 0, after_lines=15)
    assert len(said["done"]) >= 21
    check_nothing_acknowledged_is_lost(ledger_url, said)


@pytest.mark.slow
def test_what_was_acknowledged_survives_twenty_kills(ledger_url: str):
    said: dict[str, set[int]] = {"asked": set(), "done": set()}
    choice = random.Random(9)
    for round_ in range(20):
        for word, numbers in killed_writer(
            ledger_url, round_ * 1000, choice.randint(1, 60)
        ).items():
            said[word] |= numbers
        check_nothing_acknowledged_is_lost(ledger_url, said)


@pytest.mark.slow
def test_a_killed_writer_does_not_stop_the_others(ledger_url: str):
    """One process is killed in the middle of writing while seven others go on."""
    with Ledger.open(ledger_url):
        pass
    start = fork.Barrier(7)
    workers = [
        fork.Process(target=write_calls, args=(ledger_url, first, start))
        for first in range(10_000, 17_000, 1000)
    ]
    for worker in workers:
        worker.start()
    said = killed_writer(ledger_url, 0, after_lines=25)
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0] * 7
    check_nothing_acknowledged_is_lost(ledger_url, said)


def test_a_ledger_opened_before_a_fork_can_be_opened_again_after(ledger_url: str):
    with Ledger.open(ledger_url) as parent:
        parent.add_intents([intent(1)])
        start = fork.Barrier(1)
        worker = fork.Process(target=write_calls, args=(ledger_url, 100, start))
        worker.start()
        worker.join(60)
        assert worker.exitcode == 0
        parent.add_replies([reply(1)])
        assert verify(parent).ok
