"""A small project beside a Dagster instance; its sensors are called as the daemon calls them."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg
from dagster._core.definitions.sensor_definition import SensorExecutionData as Tick

from citeval_assets.definitions import defs as definitions
from citeval_assets.defs.resources import ServiceFactory
from tests.small_project import SETTINGS, SmallProject, make_project


@dataclass
class Automated:
    """A project whose sensors can be ticked; each remembers its cursor, as under the daemon."""

    project: SmallProject
    instance: dg.DagsterInstance
    cursors: dict[str, str | None] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def factory(self) -> ServiceFactory:
        return ServiceFactory(
            self.project.folder, environ={**self.project.environ, **self.variables}
        )

    def tick(self, sensor: dg.SensorDefinition) -> Tick:
        """Evaluate a sensor as the daemon does, and do what the daemon does with the result."""
        context = dg.build_sensor_context(
            instance=self.instance,
            cursor=self.cursors.get(sensor.name),
            resources={"citeval": self.factory},
            definitions=definitions,
            sensor_name=sensor.name,
        )
        result = sensor.evaluate_tick(context)
        self.cursors[sensor.name] = result.cursor
        for request in result.dynamic_partitions_requests or ():
            name = request.partitions_def_name
            self.instance.add_dynamic_partitions(name, list(request.partition_keys))
        for event in result.asset_events:
            assert isinstance(event, dg.AssetObservation)
            self.instance.report_runless_asset_event(event)
        return result

    def add_model(self, entry: str) -> None:
        """Add an entry under ``models:``."""
        self.settings(lambda text: text.replace("systems:", f"  - {entry}\nsystems:", 1))

    def settings(self, change: Callable[[str], str]) -> None:
        """Rewrite citeval.yaml."""
        file = self.project.folder / "citeval.yaml"
        file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")

    def template(self, playbook: str, version: str) -> Path:
        return self.project.folder / "prompts" / playbook / f"{version}.md"

    def add_template(self, playbook: str, version: str, source: str = "v1") -> Path:
        """Add a draft template made from another."""
        text = self.template(playbook, source).read_text(encoding="utf-8")
        text = text.replace(f"version: {source}", f"version: {version}", 1)
        text = text.replace("status: released", "status: draft", 1)
        file = self.template(playbook, version)
        file.write_text(text, encoding="utf-8")
        return file


def automated(folder: Path, instance: dg.DagsterInstance, settings: str = SETTINGS) -> Automated:
    return Automated(make_project(folder, settings), instance)


def cells_of(result: Tick) -> list[str]:
    """Return the cells that the runs of a tick evaluate, as ``playbook model|prompt``."""
    found: list[str] = []
    for request in result.run_requests:
        config: dict[str, Any] = dict(request.run_config)
        for cell in config["ops"]["evaluate_each"]["config"]["cells"]:
            found.append(f"{cell['playbook']} {cell['model']}|{cell['prompt']}")
    return sorted(found)


def drop(project: SmallProject, name: str, rows: list[dict[str, Any]]) -> Path:
    """Put a file into the trace inbox."""
    file = project.folder / "data" / "traces" / "inbox" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


__all__ = ["Automated", "Tick", "automated", "cells_of", "drop"]
