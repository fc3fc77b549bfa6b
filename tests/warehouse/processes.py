"""Processes that write to a warehouse, and one that dies while it does."""

import multiprocessing
import os
import signal
from pathlib import Path

from citeval_assets.warehouse.connection import Warehouse
from citeval_assets.warehouse.writers import write_partition

from .builders import evaluation, report, rows_of

FORKS = multiprocessing.get_context("forkserver")
"""One server process imports pandas and DuckDB once; the workers are forked from it."""

FORKS.set_forkserver_preload(["citeval_assets.warehouse.writers"])


def die_while_writing(path: Path, turn: int, *, after_commit: bool) -> None:
    """Write one partition, then die in the middle of another piece of work."""
    warehouse = Warehouse(path)
    write_partition(
        warehouse, rows_of(report("a"), record=evaluation(f"e{turn}", model=f"m{turn}"))
    )
    with warehouse.writing() as connection:
        connection.begin()
        connection.execute("DELETE FROM reports")
        if after_commit:
            connection.commit()
        os.kill(os.getpid(), signal.SIGKILL)
