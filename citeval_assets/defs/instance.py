"""The Dagster instance of a project: where its runs, partitions and lineage are kept."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg
from sqlalchemy.exc import OperationalError

_DEFAULT_YAML = """\
telemetry:
  enabled: false
nux:
  enabled: false
concurrency:
  runs:
    max_concurrent_runs: 4
run_retries:
  enabled: true
  max_retries: 2
  retry_on_asset_or_op_failure: false
run_monitoring:
  enabled: true
  start_timeout_seconds: 300
  free_slots_after_run_end_seconds: 60
"""


class InstanceUnusable(RuntimeError):
    """Dagster's own database cannot be used: a full disk, a folder without rights, a lock."""

    def __init__(self, home: Path, error: OperationalError) -> None:
        super().__init__(
            f"{home}: Dagster's database there cannot be used ({error.orig}). Is the disk full, is "
            "the folder writable, is another process busy with it? What was judged is in the "
            "ledger: run again when it is mended."
        )


@contextmanager
def usable(home: Path) -> Iterator[None]:
    """Say in words that the database of the instance in ``home`` failed.

    Raises:
        InstanceUnusable: instead of the error of the database.
    """
    try:
        yield
    except OperationalError as error:
        raise InstanceUnusable(home, error) from error


def open_instance(home: Path) -> dg.DagsterInstance:
    """Open the instance in ``home``; a folder without ``dagster.yaml`` gets one.

    The file turns Dagster's telemetry off, so no folder of ours ever runs without it.
    """
    home.mkdir(parents=True, exist_ok=True)
    config = home / "dagster.yaml"
    if not config.exists():
        config.write_text(_DEFAULT_YAML, encoding="utf-8")
    return dg.DagsterInstance.from_config(str(home))
