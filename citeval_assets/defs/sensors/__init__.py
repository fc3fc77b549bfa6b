"""Sensors: what looks at the world outside Dagster, and asks for what a change touches."""

from citeval_assets.defs.sensors.inbox_sensor import trace_inbox
from citeval_assets.defs.sensors.input_sensor import case_files
from citeval_assets.defs.sensors.model_sensor import models
from citeval_assets.defs.sensors.notice_sensors import failed_runs, quality_notices, recovered_runs
from citeval_assets.defs.sensors.prompt_sensor import prompts

SENSORS = [models, prompts, case_files, trace_inbox, failed_runs, recovered_runs, quality_notices]

__all__ = [
    "SENSORS",
    "case_files",
    "failed_runs",
    "models",
    "prompts",
    "quality_notices",
    "recovered_runs",
    "trace_inbox",
]
