"""The models sensor: new entries, new versions of watched models, silent changes."""

from time import time

import dagster as dg
from pydantic import BaseModel, Field, ValidationError

from citeval_assets.config import ModelConfig
from citeval_assets.config.discovered import add_discovered
from citeval_assets.defs.bulk import BULK_JOB
from citeval_assets.defs.partitions import missing_keys
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.defs.sensors.asking import additions, runs_for
from citeval_assets.evaluation.drifting import record_found
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.evaluation.watching import (
    Listed,
    SilentChange,
    WatchMemory,
    list_models,
    look,
    watched_models,
)

SECONDS_BETWEEN_LOOKS = 600
"""How often endpoints are asked what they serve."""

EVERYWHERE = "*"
"""In the place of playbook and prompt version: what was found out concerns the model itself."""


class _Cursor(BaseModel):
    """What the sensor knew at its last tick. ``models`` is ``None`` before the first."""

    models: list[str] | None = None
    watch: WatchMemory = Field(default_factory=WatchMemory)
    looked_at: float = 0.0


@dg.sensor(
    name="models",
    job_name=BULK_JOB,
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description=(
        "Models: adds the partition of each new entry of citeval.yaml, and of each new version "
        "that the endpoint of a watched model lists, and has exactly its cells judged, once. "
        "Reports where another model runs under the same name."
    ),
)
def models(
    context: dg.SensorEvaluationContext, citeval: dg.ResourceParam[ServiceFactory]
) -> dg.SensorResult:
    """Look for new models; retired ones keep their keys and are asked for no more."""
    project = citeval.project()
    cursor = _read(context.cursor)
    told, found = _watch(context, project, cursor)
    if found:
        project = citeval.project()  # with what was found
    known = cursor.models
    present = [model.id for model in project.settings.models]
    new = [] if known is None else [model for model in present if model not in known]
    cells = [cell for cell in project.cells() if cell.model in new]
    requests = list(runs_for(project, cells, f"new model {', '.join(new)}", "models"))
    # Names only ever join: a model that is taken out and comes back is not new again.
    cursor.models = list(dict.fromkeys([*(known or []), *present]))
    return dg.SensorResult(
        run_requests=requests,
        skip_reason=None if requests else _nothing(new, known, told),
        dynamic_partitions_requests=additions(missing_keys(context.instance, project), models=True),
        cursor=cursor.model_dump_json(),
    )


def _read(text: str | None) -> _Cursor:
    try:
        return _Cursor.model_validate_json(text) if text else _Cursor()
    except ValidationError:
        return _Cursor()


def _nothing(new: list[str], known: list[str] | None, told: list[str]) -> str:
    if told:
        return "; ".join(told)
    if known is None:
        return "first look: what is there is no news; the reconcile schedule judges what is missing"
    return f"{', '.join(new)}: judged already" if new else "no new model"


def _watch(
    context: dg.SensorEvaluationContext, project: Project, cursor: _Cursor
) -> tuple[list[str], bool]:
    """Look at watched endpoints and replies; return what to say, and whether a model is new."""
    watched = watched_models(project.settings.models)
    if not watched or time() - cursor.looked_at < SECONDS_BETWEEN_LOOKS:
        return [], False
    cursor.looked_at = time()

    def lister(model: ModelConfig) -> list[Listed]:
        return list_models(model, project.api_key(model))

    with project.open_ledger() as ledger:
        found = look(watched, cursor.watch, lister, ledger)
        for change in found.changes:
            cell = Cell(EVERYWHERE, change.model_id, EVERYWHERE)
            record_found(ledger, cell, "", _told(change), context.cursor or "sensor")
    new = add_discovered(project.settings.state_dir, found.versions)
    for line in (*found.silent, *map(str, found.changes)):
        context.log.warning(line)
    return [*found.silent, *map(str, found.changes)], bool(new)


def _told(change: SilentChange) -> dict[str, str]:
    return {
        "model": change.model_id,
        "before": change.before,
        "now": change.now,
        "seen": change.seen,
        "words": f"another model runs under the same name; {change}",
    }
