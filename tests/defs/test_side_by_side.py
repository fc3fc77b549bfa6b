"""Many partitions at once, processes that die, one night after the other: as under the daemon."""

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from benchmarks.automation.backfill import as_one, measure
from citeval_assets.evaluation import partition
from citeval_assets.evaluation.project import Cell
from tests.crashes.plain_client import PlainClient
from tests.crashes.scene import CONCURRENCY, CountingServer, sixty_cases, valid_reply
from tests.small_project import SmallProject

SPAWN = multiprocessing.get_context("spawn")
CELLS = [Cell("citation_faithfulness", "paid", version) for version in ("v1", "v2")]


@pytest.mark.slow
def test_forty_partitions_eight_at_a_time_with_readers_get_along(tmp_path):
    found = measure("processes", tmp_path)
    assert found.failures == []
    assert found.bystander_failures == []
    assert (found.partitions, found.reads > 50, found.publications > 5) == (40, True, True)


def bulk_run(folder: Path, home: Path, url: str) -> None:
    """Judge both cells in one run, asking a server."""
    partition.client_for = lambda *_: PlainClient(url, lambda: None)  # type: ignore[assignment]
    assert as_one(SmallProject(folder, home), CELLS) == []


@pytest.mark.slow
@pytest.mark.parametrize("dies_at", [20, 75])
def test_a_bulk_run_that_dies_is_taken_up_by_the_next_without_paying_again(tmp_path, dies_at):
    project = sixty_cases(tmp_path)
    pids: list[int] = []

    def kill(number: int) -> None:
        if number == dies_at:
            os.kill(pids[0], signal.SIGKILL)

    with CountingServer(valid_reply(), kill) as server:
        for _ in range(2):
            child = SPAWN.Process(target=bulk_run, args=(project.folder, project.home, server.url))
            child.start()
            assert child.pid is not None
            pids.insert(0, child.pid)
            child.join()
            if len(pids) == 1:
                assert child.exitcode == -signal.SIGKILL
        assert child.exitcode == 0
        asked = server.asked()
    assert len(asked) == 120
    assert sum(asked.values()) - len(asked) <= CONCURRENCY
    assert {row[0] for row in project.table("current_reports", "validation_status")} == {"valid"}
