"""The inbox sensor: files of production traces, taken in when they are whole."""

import hashlib
import json

import dagster as dg
from pydantic import TypeAdapter, ValidationError

from citeval_assets.defs.production import TRACES_JOB, traces_config
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.evaluation.inbox import waiting_files

_CURSOR: TypeAdapter[dict[str, str]] = TypeAdapter(dict[str, str])


@dg.sensor(
    name="trace_inbox",
    minimum_interval_seconds=30,
    job_name=TRACES_JOB,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description=(
        "The trace inbox: a file that did not change since the last tick is whole; it is taken "
        "in, each trace once by its content, and moved aside."
    ),
)
def trace_inbox(
    context: dg.SensorEvaluationContext, citeval: dg.ResourceParam[ServiceFactory]
) -> dg.SensorResult:
    """Ask for the files that look as they did at the last tick."""
    looked = {file.name: file.looks for file in waiting_files(citeval.project())}
    before = _read(context.cursor)
    whole = {name: looks for name, looks in looked.items() if before.get(name) == looks}
    cursor = json.dumps(looked)
    if not whole:
        told = f"{len(looked)} files are still arriving" if looked else "the inbox is empty"
        return dg.SensorResult(skip_reason=told, cursor=cursor)
    request = dg.RunRequest(
        run_key=hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:32],
        run_config=traces_config(whole),
        tags={"citeval/why": f"{len(whole)} files in the inbox"},
    )
    return dg.SensorResult(run_requests=[request], cursor=cursor)


def _read(text: str | None) -> dict[str, str]:
    try:
        return _CURSOR.validate_json(text) if text else {}
    except ValidationError:
        return {}
