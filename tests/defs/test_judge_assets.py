"""Judges in the asset graph: put to the test per judge and prompt, held against labels."""

import dagster as dg
import pytest

from citeval_assets.defs.instance import open_instance
from citeval_assets.defs.jobs import INPUTS_JOB, RESULTS_JOB
from citeval_assets.defs.partitions import partition_of, sync_partitions
from citeval_assets.evaluation.project import Cell
from tests.defs.test_materializing import definitions_of, execute
from tests.evaluation.judged_project import labelled_rows
from tests.small_project import make_project

CELL = Cell("citation_faithfulness", "naive", "v1")
QUALIFICATION = dg.AssetKey(["citation_faithfulness", "judge_qualification"])


@pytest.fixture(scope="module")
def qualified(tmp_path_factory):
    """The job that puts one judge to the test, and the one that shows all results."""
    project = make_project(tmp_path_factory.mktemp("judges"))
    project.write_rows(CELL.playbook, labelled_rows(12))
    definitions = definitions_of(project)
    with open_instance(project.home) as instance:
        sync_partitions(instance, project.load())
        assert execute(definitions, instance, INPUTS_JOB).success
        one = execute(
            definitions, instance, f"qualify_{CELL.playbook}", partition_key=partition_of(CELL)
        )
        results = execute(definitions, instance, RESULTS_JOB)
    return one, results


def metadata(result: dg.ExecuteInProcessResult, key: dg.AssetKey):
    (found,) = [
        event.materialization.metadata for event in result.get_asset_materialization_events_for(key)
    ]
    return found
