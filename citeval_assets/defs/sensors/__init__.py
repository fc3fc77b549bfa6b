"""Sensors: what looks at the world outside Dagster, and asks for what a change touches."""

from citeval_assets.defs.sensors.inbox import inbox_sensor
from citeval_assets.defs.sensors.inputs import case_files
from citeval_assets.defs.sensors.models import models
from citeval_assets.defs.sensors.notices import failed_runs, quality_notices, recovered_runs
from citeval_assets.defs.sensors.prompts import prompts

SENSORS = [models, prompts, case_files, inbox_sensor, failed_runs, recovered_runs, quality_notices]

__all__ = [
    "SENSORS",
    "case_files",
    "failed_runs",
    "inbox_sensor",
    "models",
    "prompts",
    "quality_notices",
    "recovered_runs",
]
