"""The case_files sensor: golden data, corpora and rules changed on disk, playbook by playbook."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
from pydantic import BaseModel, Field, ValidationError

from citeval_assets.defs.jobs import INPUTS_JOB
from citeval_assets.defs.names import registering_keys
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.evaluation.project import Project
from citeval_assets.playbooks.registry import all_playbooks


class _Cursor(BaseModel):
    """How everything looked, by playbook, and how often something was asked for."""

    looks: dict[str, str] = Field(default_factory=dict)
    asked: int = 0


@dg.sensor(
    name="case_files",
    minimum_interval_seconds=30,
    job_name=INPUTS_JOB,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description=(
        "Golden data, corpora of retrievers, rules of datasets: where one of them changed on "
        "disk, the cases of the playbooks it belongs to are read anew. Where their content is "
        "another than before, what was judged follows by its automation condition."
    ),
)
def case_files(
    context: dg.SensorEvaluationContext, citeval: dg.ResourceParam[ServiceFactory]
) -> dg.SensorResult:
    """Compare how the files look with how they looked; reading them is the business of a run."""
    project = citeval.project()
    before = _read(context.cursor)
    now = {playbook: looks_of(project, playbook) for playbook in all_playbooks()}
    changed = [name for name, looks in now.items() if before.looks.get(name) != looks]
    if not changed:
        return dg.SensorResult(skip_reason="no file changed", cursor=context.cursor)
    cursor = _Cursor(looks=now, asked=before.asked + 1).model_dump_json()
    request = dg.RunRequest(
        # Files may come back as they were, and are read again: the cursor counts.
        run_key=hashlib.sha256(cursor.encode()).hexdigest()[:32],
        asset_selection=[key for name in changed for key in registering_keys(name)],
        tags={"citeval/why": "files changed"},
    )
    return dg.SensorResult(run_requests=[request], cursor=cursor)


def _read(text: str | None) -> _Cursor:
    try:
        return _Cursor.model_validate_json(text) if text else _Cursor()
    except ValidationError:
        return _Cursor()


def looks_of(project: Project, playbook: str) -> str:
    """Return a digest of how everything looks that the cases of a playbook are made from."""
    digest = hashlib.sha256()
    retrievers: set[str] = set()
    for dataset in project.settings.datasets_of(playbook):
        digest.update(dataset.model_dump_json().encode())
        for line in _looks(project.settings.project_dir / dataset.path):
            digest.update(line.encode())
        if dataset.retriever is not None:
            retrievers.add(dataset.retriever)
    for name in sorted(retrievers):
        config = project.settings.retriever(name)
        if config is None:
            continue
        digest.update(config.model_dump_json().encode())
        corpus = config.options.get("corpus")
        if isinstance(corpus, str):
            for line in _looks(project.settings.project_dir / corpus):
                digest.update(line.encode())
    return digest.hexdigest()[:24]


def _looks(path: Path) -> Iterator[str]:
    """Yield one line per file below a path: name, size, time of the last change."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    for file in files:
        try:
            looked = file.stat()
        except OSError:
            yield f"{file.name} missing\n"
        else:
            if not file.is_dir():
                yield f"{file} {looked.st_size} {looked.st_mtime_ns}\n"
