"""What a person does in the Dagster interface: materialize chosen partitions, look, check."""

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg
import pytest

from citeval_assets.defs.assembly import assemble
from citeval_assets.defs.instance import open_instance
from citeval_assets.defs.jobs import INPUTS_JOB, RESULTS_JOB, evaluation_job_name
from citeval_assets.defs.partitions import partition_of, sync_partitions
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.defs.running import open_run
from citeval_assets.evaluation.project import Cell
from citeval_assets.evaluation.service import RunOptions
from tests.small_project import SmallProject, make_project

CELL = Cell("citation_faithfulness", "naive", "v1")


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> SmallProject:
    """The project all tests look at; those that change one make their own."""
    return make_project(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="module")
def instance(project):
    with opened(project) as instance:
        yield instance


@pytest.fixture(scope="module")
def definitions(project) -> dg.Definitions:
    return definitions_of(project)


@contextmanager
def opened(project: SmallProject) -> Iterator[dg.DagsterInstance]:
    with open_instance(project.home) as instance:
        sync_partitions(instance, project.load())
        yield instance


def definitions_of(project: SmallProject) -> dg.Definitions:
    return assemble(ServiceFactory(project.folder, environ=project.environ))


def execute(definitions, instance, job: str, **chosen) -> dg.ExecuteInProcessResult:
    quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    return definitions.resolve_job_def(job).execute_in_process(
        instance=instance, run_config=quiet, raise_on_error=False, **chosen
    )


@pytest.fixture(scope="module")
def evaluated(definitions, instance) -> dg.ExecuteInProcessResult:
    assert execute(definitions, instance, INPUTS_JOB).success
    job = evaluation_job_name(CELL.playbook)
    return execute(definitions, instance, job, partition_key=partition_of(CELL))


def metadata_of(result: dg.ExecuteInProcessResult, name: str) -> dict[str, dg.MetadataValue]:
    (event,) = result.asset_materializations_for_node(f"citation_faithfulness__{name}")
    return dict(event.metadata)


def test_one_partition_is_judged_and_reported(evaluated, project):
    assert evaluated.success
    assert {row[0] for row in project.table("current_reports", "model")} == {"naive"}


def test_reports_show_scores_chart_and_worst_cases(evaluated):
    metadata = metadata_of(evaluated, "validated_reports")
    assert metadata["dagster/row_count"].value == 4
    assert "| prod | 0." in metadata["scores"].value
    assert "data:image/svg+xml" in metadata["chart"].value
    assert "toll" in metadata["worst cases"].value


def test_judge_outputs_show_calls_cost_coverage_and_statuses(evaluated):
    metadata = metadata_of(evaluated, "judge_outputs")
    assert metadata["calls made"].value == 2
    assert metadata["coverage"].value == "100.0%"
    assert "4 valid" in metadata["statuses"].value


def test_checks_are_evaluated_for_the_partition(evaluated):
    names = {check.check_name for check in evaluated.get_asset_check_evaluations()}
    assert names == {"failed_validation_rate", "coverage", "score_floor"}


def test_the_same_evaluation_has_the_same_data_version(definitions, instance, evaluated):
    job = evaluation_job_name(CELL.playbook)
    again = execute(definitions, instance, job, partition_key=partition_of(CELL))

    def versions(result: dg.ExecuteInProcessResult) -> list[str]:
        events = result.get_asset_materialization_events()
        return [e.materialization.tags["dagster/data_version"] for e in events]

    assert versions(again) == versions(evaluated)


def test_judging_before_cases_are_registered_says_what_to_do(tmp_path):
    project = make_project(tmp_path)
    job = evaluation_job_name(CELL.playbook)
    with opened(project) as instance:
        result = execute(definitions_of(project), instance, job, partition_key=partition_of(CELL))
    (failure,) = result.get_step_failure_events()
    assert "materialize citation_faithfulness/test_cases first" in str(failure)


def test_results_refresh_queue_matrix_and_snapshot(definitions, instance, evaluated, project):
    result = execute(definitions, instance, RESULTS_JOB)

    assert result.success
    assert project.load().published_path.exists()
    reasons = project.table("review_queue", "test_case_id, reasons")
    assert ("toll", '["hallucinated_source"]') in reasons
    (published,) = result.asset_materializations_for_node("published_warehouse")
    report = project.load().report_path
    assert published.metadata["report"].value == report.resolve().as_uri()
    assert "toll" in report.read_text(encoding="utf-8")


def test_a_report_that_cannot_be_written_leaves_what_is_published(
    definitions, instance, evaluated, project, monkeypatch
):
    def fail(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("citeval_assets.web.report.write_report", fail)
    result = execute(definitions, instance, RESULTS_JOB)

    assert result.success
    (published,) = result.asset_materializations_for_node("published_warehouse")
    assert "no space left" in str(published.metadata["report"].value)


def test_a_refused_row_turns_its_check_into_a_warning(tmp_path):
    project = make_project(tmp_path)
    path = project.cases_file("citation_faithfulness")
    path.write_text(path.read_text(encoding="utf-8") + "{broken\n", encoding="utf-8")

    with opened(project) as instance:
        result = execute(definitions_of(project), instance, INPUTS_JOB)

    failed = [c for c in result.get_asset_check_evaluations() if not c.passed]
    assert [check.asset_key.path[0] for check in failed] == ["citation_faithfulness"]
    assert failed[0].severity is dg.AssetCheckSeverity.WARN


def test_run_evaluates_the_cells_asked_for_through_dagster(tmp_path):
    project = make_project(tmp_path).load()
    cells = project.cells(["citation_faithfulness"])
    with open_run(project, RunOptions()) as run:
        summary = run.run(cells)
        materialized = run.instance.get_materialized_partitions(
            dg.AssetKey(["citation_faithfulness", "validated_reports"])
        )

    assert summary.complete
    assert [evaluation.cell for evaluation in summary.evaluations] == list(cells)
    assert {str(key) for key in materialized} == {"naive|v1", "naive|v2"}


def test_new_models_and_prompts_become_partitions(tmp_path):
    project = make_project(tmp_path)
    settings = project.folder / "citeval.yaml"
    more = "  - {id: 'openai/next', model: openai/next, roles: [judge]}\nsystems:"
    with opened(project) as instance:
        settings.write_text(settings.read_text(encoding="utf-8").replace("systems:", more, 1))

        added = sync_partitions(instance, project.load())

        assert added == {"judges": ["openai/next"]}
        assert sync_partitions(instance, project.load()) == {}
