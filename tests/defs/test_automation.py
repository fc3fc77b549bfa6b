"""What follows what: conditions evaluated against a real event log, without running anything."""

from dataclasses import dataclass, field
from typing import Any

import dagster as dg
import pytest

from citeval_assets.defs.assembly import assemble
from citeval_assets.defs.names import cases_key, outputs_key, reports_key, templates_key
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.playbooks.registry import get_playbook
from tests.small_project import SETTINGS, make_project

PLAYBOOK = "citation_accuracy"
OUTPUTS, REPORTS = outputs_key(get_playbook(PLAYBOOK)), reports_key(PLAYBOOK)
TRENDS = dg.AssetKey("trends")
MORE = (
    "  - {id: second, model: embedded/overlap-0, roles: [judge]}\n"
    "  - {id: gone, model: embedded/overlap-0, roles: [judge], stage: retired}\nsystems:"
)
JUDGED = ("naive|v1", "naive|v2", "second|v1", "gone|v1")
"""All but second|v2, which was never judged."""


@dataclass
class World:
    """Events as runs and observations would leave them; conditions evaluated tick by tick."""

    definitions: dg.Definitions
    instance: dg.DagsterInstance
    cursor: Any = None
    count: dict[str, int] = field(default_factory=dict)

    def materialized(self, key: dg.AssetKey, version: str, *partitions: str) -> None:
        for partition in partitions or (None,):
            tags = {"dagster/data_version": version}
            event = dg.AssetMaterialization(asset_key=key, partition=partition, tags=tags)
            self.instance.report_runless_asset_event(event)

    def observed(self, version: str, partition: str) -> None:
        tags = {"dagster/data_version": version}
        key = templates_key(PLAYBOOK)
        event = dg.AssetObservation(asset_key=key, partition=partition, tags=tags)
        self.instance.report_runless_asset_event(event)

    def tick(self) -> dict[str, set[str]]:
        """Return the partitions requested, by asset (``{None}`` for an unpartitioned one)."""
        result = dg.evaluate_automation_conditions(
            self.definitions, self.instance, asset_selection=WATCHED, cursor=self.cursor
        )
        self.cursor = result.cursor
        found = {
            key: set(result.get_requested_partitions(key)) for key in (OUTPUTS, REPORTS, TRENDS)
        }
        return {key.to_user_string(): keys for key, keys in found.items() if keys}


WATCHED = dg.AssetSelection.assets(OUTPUTS, REPORTS, TRENDS)
OUTPUTS_NAME, REPORTS_NAME = OUTPUTS.to_user_string(), REPORTS.to_user_string()


@pytest.fixture(scope="module")
def definitions(tmp_path_factory) -> dg.Definitions:
    folder = tmp_path_factory.mktemp("project")
    project = make_project(folder, SETTINGS.replace("systems:", MORE, 1))
    return assemble(ServiceFactory(project.folder, environ=project.environ))


@pytest.fixture
def world(definitions) -> World:
    """All is judged but one cell, and the conditions have seen it."""
    instance = dg.DagsterInstance.ephemeral()
    instance.add_dynamic_partitions("judges", ["naive", "second", "gone"])
    instance.add_dynamic_partitions(f"{PLAYBOOK}_prompts", ["v1", "v2"])
    world = World(definitions, instance)
    world.tick()
    world.materialized(cases_key(PLAYBOOK), "cases-1")
    for version in ("v1", "v2"):
        world.observed("text-1", version)
    world.materialized(OUTPUTS, "outputs-1", *JUDGED)
    world.materialized(REPORTS, "reports-1", *JUDGED)
    world.tick()
    return world


def test_changed_cases_ask_every_judged_cell_in_service_again(world):
    world.materialized(cases_key(PLAYBOOK), "cases-1")
    assert OUTPUTS_NAME not in world.tick()  # the same content
    world.materialized(cases_key(PLAYBOOK), "cases-2")
    requested = world.tick()
    assert requested[OUTPUTS_NAME] == {"naive|v1", "naive|v2", "second|v1"}
    assert requested[REPORTS_NAME] == requested[OUTPUTS_NAME]
    assert OUTPUTS_NAME not in world.tick()


def test_an_edited_template_asks_its_own_column_alone(world):
    world.observed("text-2", "v1")
    assert world.tick()[OUTPUTS_NAME] == {"naive|v1", "second|v1"}
    world.observed("text-2", "v2")
    assert world.tick()[OUTPUTS_NAME] == {"naive|v2"}  # second|v2 was never judged


def test_reports_and_results_follow_every_update(world):
    world.materialized(OUTPUTS, "outputs-2", "naive|v2")
    requested = world.tick()
    assert requested[REPORTS_NAME] == {"naive|v2"}
    world.materialized(REPORTS, "reports-2", "naive|v2")
    assert set(world.tick()) == {"trends"}


def test_asking_and_reporting_in_one_run_is_not_reported_twice(world):
    world.materialized(OUTPUTS, "outputs-2", "naive|v2")
    world.materialized(REPORTS, "reports-2", "naive|v2")
    assert REPORTS_NAME not in world.tick()
