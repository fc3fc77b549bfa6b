"""What the assets are given: the evaluation service, and the warehouse as a Dagster resource."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import dagster as dg
from dagster_duckdb import DuckDBResource

from citeval_assets.defs.progress import Everyone
from citeval_assets.evaluation.project import Project
from citeval_assets.evaluation.service import RunOptions, Service
from citeval_assets.judging.progress import ProgressCallback
from citeval_assets.warehouse.connection import Warehouse

PROJECT_VARIABLE = "CITEVAL_PROJECT"


@dataclass(frozen=True)
class ServiceFactory:
    """Opens the project when a step starts, so that edits are seen without a reload."""

    folder: Path | None = None
    options: RunOptions = field(default_factory=RunOptions)
    progress: ProgressCallback | None = None
    environ: Mapping[str, str] | None = None

    def project(self) -> Project:
        """Open the project: the given folder, else ``CITEVAL_PROJECT``, else this folder."""
        environ = os.environ if self.environ is None else self.environ
        folder = self.folder or Path(environ.get(PROJECT_VARIABLE) or Path.cwd())
        return Project.load(folder, environ)

    def service(
        self, run_id: str | None = None, progress: ProgressCallback | None = None
    ) -> Service:
        """Return the service of one run. The factory's progress callback is told, too.

        ``run_id`` names the run in the ledger; steps that make no call need none.
        """
        listeners = tuple(one for one in (self.progress, progress) if one is not None)
        told = Everyone(listeners) if listeners else None
        service = Service(self.project(), self.options, progress=told)
        return service if run_id is None else replace(service, run_id=run_id)

    def with_options(self, **changes: Any) -> "ServiceFactory":
        """Return a factory whose runs differ in these options."""
        return replace(self, options=replace(self.options, **changes))


@dg.resource(
    config_schema={
        "project_dir": dg.Field(
            str, default_value="", description="The project folder; empty: see the description."
        )
    },
    description=(
        "The project the assets work on: project_dir, else the folder in CITEVAL_PROJECT, else the "
        "folder Dagster was started in."
    ),
)
def citeval_resource(context: dg.InitResourceContext) -> ServiceFactory:
    """Hand assets and sensors a factory: opening a project is the step's business."""
    folder = context.resource_config["project_dir"]
    return ServiceFactory(Path(folder) if folder else None)


class WarehouseResource(DuckDBResource):
    """The dagster-duckdb resource around our own locking.

    The stock resource opens read-write always, does not close after an exception and backs off
    for up to 51 seconds; ours takes an operating system lock and closes in ``finally``.
    """

    read_only: bool = True

    @contextmanager
    def get_connection(self) -> Iterator[Any]:
        """Yield a DuckDB connection under the file lock."""
        warehouse = Warehouse(Path(self.database))
        opened = warehouse.reading() if self.read_only else warehouse.writing()
        with opened as connection:
            yield connection
