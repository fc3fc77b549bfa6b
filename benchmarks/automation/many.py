"""200 models x 50 prompt versions: how long sensors, conditions, matrix and interface take.

    .venv/bin/python -m benchmarks.automation.many [--models 200] [--prompts 50] [--interface]

One playbook has all the prompt versions, so 200 x 50 = 10,000 cells of it (and 200 x 1 of the
others). Nothing is judged but a few cells: it is the looking that is measured. With ``--interface``
the queries that the pages of the asset send are timed against a running webserver.
"""

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dagster as dg

from benchmarks.automation.live import Live, live
from citeval_assets.defs.assembly import assemble
from citeval_assets.defs.instance import open_instance
from citeval_assets.defs.names import cases_key, outputs_key, reports_key, templates_key
from citeval_assets.defs.partitions import partition_of
from citeval_assets.defs.sensors import case_files, models, prompts, quality_notices, trace_inbox
from citeval_assets.evaluation.service import Service
from citeval_assets.playbooks.registry import get_playbook
from tests.defs.automated import Automated
from tests.small_project import SmallProject, make_project

PLAYBOOK = "citation_accuracy"


def timed(what: str, act: Callable[[], Any], times: int = 3) -> Any:
    """Say how long something takes: wall and CPU, the best of some tries."""
    walls, cpus, found = [], [], None
    for _ in range(times):
        wall, cpu = time.perf_counter(), time.process_time()
        found = act()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    print(f"{what:58} {min(walls):8.2f} s wall  {min(cpus):8.2f} s CPU", flush=True)
    return found


def make(folder: Path, n_models: int, n_prompts: int) -> SmallProject:
    """Write the project."""
    entries = "".join(
        f"  - {{id: 'vendor/judge-{n:03}', model: embedded/overlap-0, roles: [judge]}}\n"
        for n in range(n_models)
    )
    settings = f"models:\n{entries}systems:\n  - {{label: prod, stage: production}}\n"
    project = make_project(folder, settings)
    first = project.folder / "prompts" / PLAYBOOK / "v1.md"
    text = first.read_text(encoding="utf-8").replace("status: released", "status: draft", 1)
    for number in range(3, n_prompts + 1):
        version = f"v{number}"
        copy = text.replace("version: v1", f"version: {version}", 1)
        (first.parent / f"{version}.md").write_text(f"{copy}\nVersion {number}.\n", "utf-8")
    return project


def look(world: Automated) -> None:
    """Time the sensors, the conditions and the matrix."""
    load = timed("open the project", world.project.load)
    print(f"cells in the matrix: {len(load.cells())}")
    for sensor in (models, prompts, case_files, trace_inbox):
        timed(f"first tick of {sensor.name}", lambda s=sensor: world.tick(s), 1)
        timed(f"a tick of {sensor.name} without news", lambda s=sensor: world.tick(s))
    timed("a tick of quality_notices", lambda: tick_notices(world))
    world.add_model("{id: newcomer, model: embedded/overlap-0, roles: [judge]}")
    result = timed("a tick of models with one new model", lambda: world.tick(models), 1)
    asked = sum(
        len(r.run_config["ops"]["evaluate_each"]["config"]["cells"]) for r in result.run_requests
    )
    print(f"   asks for {len(result.run_requests)} run over {asked} cells")
    service = Service(world.project.load())
    service.register_cases(PLAYBOOK)
    timed("the evaluation matrix", service.matrix, 1)
    conditions(world)


def tick_notices(world: Automated) -> None:
    quality_notices(dg.build_sensor_context(resources={"citeval": world.factory}))


def conditions(world: Automated) -> None:
    """Time ticks of follow_upstream with half of the cells of the playbook judged."""
    definitions = assemble(world.factory)
    instance = world.instance
    outputs, reports = outputs_key(get_playbook(PLAYBOOK)), reports_key(PLAYBOOK)

    def event(key: dg.AssetKey, version: str, partition: str | None = None) -> None:
        instance.report_runless_asset_event(
            dg.AssetMaterialization(
                asset_key=key, partition=partition, tags={"dagster/data_version": version}
            )
        )

    event(cases_key(PLAYBOOK), "1")
    for key in templates_key(PLAYBOOK), outputs, reports:
        assert instance is not None, key
    cells = [c for c in world.project.load().cells([PLAYBOOK]) if c.prompt_version < "v3"]
    print(f"cells with a materialization: {len(cells)}")
    for cell in cells:
        event(outputs, "1", str(partition_of(cell)))
        event(reports, "1", str(partition_of(cell)))
    state: dict[str, Any] = {"cursor": None}

    def tick() -> int:
        result = dg.evaluate_automation_conditions(
            definitions, instance, cursor=state["cursor"], asset_selection=dg.AssetSelection.all()
        )
        state["cursor"] = result.cursor
        return result.total_requested

    timed("first tick of follow_upstream", tick, 1)
    timed("a tick of follow_upstream without news", tick, 2)
    event(cases_key(PLAYBOOK), "2")
    asked = timed("a tick of follow_upstream after the cases changed", tick, 1)
    print(f"   requests {asked} partitions")


def interface(running: Live) -> None:
    """Time what the pages ask for."""
    location = {"repositoryLocationName": "citeval", "repositoryName": "__repository__"}
    nodes = """query ($k: [AssetKeyInput!]) { assetNodes(assetKeys: $k) { id
        partitionKeysByDimension { name partitionKeys }
        assetPartitionStatuses { __typename ... on MultiPartitionStatuses { primaryDimensionName
        ranges { primaryDimStartKey primaryDimEndKey secondaryDim { __typename
        ... on DefaultPartitionStatuses { materializedPartitions unmaterializedPartitions } } } } }
        partitionStats { numMaterialized numPartitions } } }"""
    key = [{"path": [PLAYBOOK, "judge_outputs"]}]
    timed("interface: asset graph", lambda: running.ask(
        """{ assetNodes { id groupName partitionStats { numMaterialized numPartitions }
        staleStatus assetKey { path } } }"""))  # fmt: skip
    timed("interface: partitions page of judge_outputs", lambda: running.ask(nodes, k=key))
    timed("interface: sensors page", lambda: running.ask(
        """query ($s: RepositorySelector!) { sensorsOrError(repositorySelector: $s) {
        ... on Sensors { results { name sensorState { status } } } } }""", s=location))  # fmt: skip
    timed("interface: runs page", running.runs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=200)
    parser.add_argument("--prompts", type=int, default=50)
    parser.add_argument("--interface", action="store_true")
    chosen = parser.parse_args()
    scratch = Path(tempfile.mkdtemp())
    try:
        project = make(scratch, chosen.models, chosen.prompts)
        with open_instance(project.home) as instance:
            look(Automated(project, instance))
        if chosen.interface:
            with live(project.folder, project.home) as running:
                interface(running)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
