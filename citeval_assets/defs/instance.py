"""The Dagster instance of a project: where its runs, partitions and lineage are kept."""

from pathlib import Path

import dagster as dg

_DEFAULT_YAML = """\
telemetry:
  enabled: false
nux:
  enabled: false
concurrency:
  runs:
    max_concurrent_runs: 4
run_monitoring:
  enabled: true
  free_slots_after_run_end_seconds: 60
"""


def open_instance(home: Path) -> dg.DagsterInstance:
    """Open the instance in ``home``; a folder without ``dagster.yaml`` gets one.

    The file turns Dagster's telemetry off, so no folder of ours ever runs without it.
    """
    home.mkdir(parents=True, exist_ok=True)
    config = home / "dagster.yaml"
    if not config.exists():
        config.write_text(_DEFAULT_YAML, encoding="utf-8")
    return dg.DagsterInstance.from_config(str(home))
