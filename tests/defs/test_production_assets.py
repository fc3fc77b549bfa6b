"""Production as assets: traces, sample and judgement; the jobs of the schedules; bulk runs."""

import json
from datetime import UTC, datetime, timedelta

import dagster as dg
import pytest

from citeval_assets.defs.assembly import assemble
from citeval_assets.defs.bulk import bulk_config
from citeval_assets.defs.drift import CANARY_JOB
from citeval_assets.defs.instance import open_instance
from citeval_assets.defs.partitions import sync_partitions
from citeval_assets.defs.production import SAMPLE_JOB, TRACES_JOB, night_config
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.defs.schedules import SCHEDULES, nightly_sample
from citeval_assets.evaluation.project import Cell
from tests.defs.automated import drop
from tests.small_project import SETTINGS, SmallProject, make_project

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
MORE = """\
sampling: {playbooks: [cot_faithfulness], per_system_per_day: 2}
automation: {canary: {cases: 5}}
"""


class World:
    def __init__(self, project: SmallProject, instance: dg.DagsterInstance) -> None:
        self.project = project
        self.instance = instance
        sync_partitions(instance, project.load())
        self.definitions = assemble(ServiceFactory(project.folder, environ=project.environ))

    def run(self, job: str, config: dict | None = None) -> dg.ExecuteInProcessResult:
        return self.definitions.resolve_job_def(job).execute_in_process(
            instance=self.instance, run_config={**QUIET, **(config or {})}, raise_on_error=False
        )


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("world")
    with open_instance(folder / "dagster") as instance:
        yield World(make_project(folder, SETTINGS + MORE), instance)


def metadata(result: dg.ExecuteInProcessResult, node: str) -> dict[str, dg.MetadataValue]:
    (event,) = result.asset_materializations_for_node(node)
    return dict(event.metadata)


def traces() -> list[dict]:
    yesterday = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    return [
        {
            "test_case_id": f"t{number}",
            "system": "prod",
            "produced_at": yesterday,
            "question": "How heavy is the bell?",
            "sources": [{"id": "1", "text": "The bell weighs 912 kilograms."}],
            "reasoning_trace": f"The bell weighs 912 kilograms. It is number {number}.",
            "final_answer": "912 kilograms.",
        }
        for number in range(5)
    ]


@pytest.mark.slow
def test_a_night_from_the_inbox_to_a_weighted_mean(world):
    drop(world.project, "a.jsonl", [*traces(), {"test_case_id": "broken"}])
    taken = world.run(TRACES_JOB)
    assert metadata(taken, "production__traces")["dagster/row_count"].value == 5
    (check,) = taken.get_asset_check_evaluations()
    assert not check.passed and check.severity is dg.AssetCheckSeverity.WARN

    night = world.run(SAMPLE_JOB, night_config(datetime.now(UTC).date()))
    assert night.success
    strata = metadata(night, "production__sample")["strata"].value
    assert "| cot_faithfulness | prod |" in strata and strata.endswith("| 5 | 2 |")
    told = metadata(night, "production__judged_sample")["production"].value
    assert "| cot_faithfulness | prod |" in told and "| 5 | 2 |" in told


@pytest.mark.slow
def test_one_run_for_many_cells_hides_no_failure(world, monkeypatch):
    cells = [Cell("cot_faithfulness", "naive", "v1"), Cell("answer_comparison", "naive", "v1")]
    cells.append(Cell("answer_comparison", "naive", "v77"))
    broken = "citeval_assets.evaluation.service.Service.report"

    def report(self, cell: Cell) -> str:
        raise RuntimeError("the disk is full") if cell.playbook == "cot_faithfulness" else KeyError

    before = world.run("evaluate_cells", bulk_config(cells[1:], "a test"))
    assert before.success
    monkeypatch.setattr(broken, report)
    result = world.run("evaluate_cells", bulk_config(cells[:1], "a test"))

    (failure,) = result.get_step_failure_events()
    assert "cot_faithfulness naive|v1" in str(failure) and "the disk is full" in str(failure)
    children = world.instance.get_runs(dg.RunsFilter(tags={"citeval/bulk_run": result.run_id}))
    assert [run.status for run in children] == [dg.DagsterRunStatus.FAILURE]
    partitions = world.instance.get_materialized_partitions(
        dg.AssetKey(["answer_comparison", "validated_reports"])
    )
    assert set(partitions) == {"naive|v1"}


@pytest.mark.slow
def test_the_digest_of_a_week_is_a_file_and_a_notice(world, caplog):
    assert world.run("review_digest").success
    (file,) = (world.project.home / "citeval" / "reports").glob("review-digest-*.md")
    assert file.read_text(encoding="utf-8").startswith("## Review queue")
    assert caplog.text.count("Review digest") == 1
    assert world.run("review_digest").success
    assert caplog.text.count("Review digest") == 1


@pytest.mark.slow
def test_the_canaries_of_a_week_are_judged_once_and_held_against_the_first(world):
    first = world.run(CANARY_JOB, canary_day("2026-11-22"))
    second = world.run(CANARY_JOB, canary_day("2026-11-29"))
    assert first.success and second.success
    assert "first look" in metadata(first, "judge_drift")["canaries"].value
    table = metadata(second, "judge_drift")["canaries"].value
    assert "| 2026-W48 |" in table and "+0.000" in table and "first look" not in table
    (check,) = second.get_asset_check_evaluations()
    assert check.passed


def canary_day(day: str) -> dict:
    return {"ops": {"judge_drift": {"config": {"day": day}}}}


@pytest.mark.slow
def test_schedules_run_from_the_start_in_utc_and_name_jobs_there_are(world):
    names = {job.name for job in world.definitions.resolve_all_job_defs()}
    for schedule in SCHEDULES:
        assert schedule.default_status is dg.DefaultScheduleStatus.RUNNING
        assert schedule.execution_timezone == "UTC"
        assert schedule.job_name in names


def test_the_night_of_a_sample_is_that_of_its_tick():
    at = datetime(2026, 11, 30, 1, 30, tzinfo=UTC)
    request = nightly_sample(dg.build_schedule_context(scheduled_execution_time=at))
    assert isinstance(request, dg.RunRequest)
    assert json.loads(json.dumps(request.run_config)) == night_config(at.date())
