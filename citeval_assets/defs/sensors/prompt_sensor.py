"""The prompts sensor: new template files are new partitions, edited drafts new data versions."""

import dagster as dg
from pydantic import BaseModel, ValidationError

from citeval_assets.defs.bulk import BULK_JOB
from citeval_assets.defs.names import templates_key
from citeval_assets.defs.partitions import missing_keys
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.defs.sensors.asking import additions, runs_for
from citeval_assets.evaluation.project import Project
from citeval_assets.keys import encode_key


class _Cursor(BaseModel):
    """By ``playbook/version``, the hash of each template seen; ``None`` before the first tick."""

    templates: dict[str, str] | None = None


@dg.sensor(
    name="prompts",
    job_name=BULK_JOB,
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description=(
        "Prompt templates: a new file adds its partition and is judged with, once, by every model "
        "that is not retired. An edited draft is observed, and its own column follows. A released "
        "one that was edited is reported by name."
    ),
)
def prompts(
    context: dg.SensorEvaluationContext, citeval: dg.ResourceParam[ServiceFactory]
) -> dg.SensorResult:
    """Compare the template files with those of the last tick."""
    project = citeval.project()
    known = _read(context.cursor).templates
    present = {
        f"{playbook}/{version}": template.sha256
        for (playbook, version), template in project.templates.templates.items()
    }
    new = [] if known is None else [name for name in present if name not in known]
    cells = [c for c in project.cells() if f"{c.playbook}/{c.prompt_version}" in new]
    requests = list(runs_for(project, cells, f"new prompt version {', '.join(new)}", "prompts"))
    for problem in project.templates.problems:
        context.log.warning(str(problem))
    return dg.SensorResult(
        run_requests=requests,
        skip_reason=None if requests else _nothing(project, known),
        dynamic_partitions_requests=additions(
            missing_keys(context.instance, project), models=False
        ),
        asset_events=[
            _observed(name, sha) for name, sha in present.items() if (known or {}).get(name) != sha
        ],
        cursor=_Cursor(templates={**(known or {}), **present}).model_dump_json(),
    )


def _read(text: str | None) -> _Cursor:
    try:
        return _Cursor.model_validate_json(text) if text else _Cursor()
    except ValidationError:
        return _Cursor()


def _nothing(project: Project, known: dict[str, str] | None) -> str:
    problems = [str(problem) for problem in project.templates.problems]
    if problems:
        return "; ".join(problems)
    return "first look: what is there is no news" if known is None else "no new prompt version"


def _observed(name: str, sha256: str) -> dg.AssetObservation:
    playbook, _, version = name.partition("/")
    return dg.AssetObservation(
        asset_key=templates_key(playbook),
        partition=encode_key(version),
        tags={"dagster/data_version": sha256},
    )
