"""The gates as an asset: verdicts beside it, checks that stop what is downstream."""

import dagster as dg
import pytest

from citeval_assets.defs.assembly import assemble
from citeval_assets.defs.gates import GATES_KEY, SOMETHING_COMPARED, gate_check_name
from citeval_assets.defs.instance import open_instance
from citeval_assets.defs.jobs import GATES_JOB
from citeval_assets.defs.resources import ServiceFactory
from tests.gates.builders import HEAD, World, both, changed, gate_text, make_world

CHECK = gate_check_name("citation_faithfulness")


@dg.asset(deps=[GATES_KEY])
def deployed() -> None:
    """Something a team hangs behind the gates."""


def decide(project: World, *, downstream: bool = False) -> dg.ExecuteInProcessResult:
    factory = ServiceFactory(project.folder, environ={"DAGSTER_HOME": str(project.home)})
    definitions = assemble(factory)
    name = GATES_JOB
    if downstream:
        job = dg.define_asset_job("release", dg.AssetSelection.assets(GATES_KEY, deployed))
        definitions = dg.Definitions.merge(definitions, dg.Definitions([deployed], jobs=[job]))
        name = "release"
    quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    with open_instance(project.home) as instance:
        return definitions.resolve_job_def(name).execute_in_process(
            instance=instance, run_config=quiet, raise_on_error=False
        )


def checks(result: dg.ExecuteInProcessResult) -> dict[str, dg.AssetCheckEvaluation]:
    return {check.check_name: check for check in result.get_asset_check_evaluations()}


def test_a_passing_gate_lets_what_is_downstream_run(tmp_path):
    project = make_world(tmp_path, gate_text())
    project.judged(both(60))

    result = decide(project, downstream=True)

    assert result.success
    assert all(check.passed for check in checks(result).values())
    assert result.asset_materializations_for_node("deployed")


@pytest.mark.parametrize(
    "cases", [changed(both(60), "candidate", "c001", "c002", score=0.0), both(5)]
)
def test_a_gate_that_does_not_pass_stops_what_is_downstream(tmp_path, cases):
    project = make_world(tmp_path, gate_text())
    project.judged(cases)

    result = decide(project, downstream=True)

    assert not result.success
    found = checks(result)
    assert not found[CHECK].passed
    assert found[CHECK].blocking
    assert found[CHECK].description.startswith("release (")
    assert [e.asset_key for e in result.get_asset_materialization_events()] == [GATES_KEY]


def test_without_a_gate_the_release_stops(tmp_path):
    result = decide(make_world(tmp_path, HEAD.split("systems:")[0]))
    assert not result.success
    assert not checks(result)[SOMETHING_COMPARED].passed


def test_an_inconclusive_gate_that_counts_as_passed_stops_nothing(tmp_path):
    project = make_world(tmp_path, gate_text(inconclusive_passes="true"))
    project.judged(both(5))
    assert decide(project).success


def test_the_asset_shows_verdicts_sides_and_a_version_of_them(tmp_path):
    project = make_world(tmp_path, gate_text())
    project.judged(both(60))

    (event,) = decide(project).get_asset_materialization_events()

    metadata = event.materialization.metadata
    assert metadata["verdict"].value == "pass"
    assert "| pass | release | score | +0.0" in metadata["verdicts"].value
    assert "60 of 60" in metadata["sides"].value
    assert event.materialization.tags["dagster/data_version"]
