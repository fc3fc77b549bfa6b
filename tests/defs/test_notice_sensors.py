"""Failed runs and failed gates are told once for each cause."""

import dagster as dg
import pytest

from citeval_assets.defs.assembly import assemble
from citeval_assets.defs.jobs import GATES_JOB
from citeval_assets.defs.notifiers import SlackNotifier, notifiers_of
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.defs.sensors import failed_runs, quality_notices, recovered_runs
from citeval_assets.evaluation.notices import Notice, NotifierFailed
from citeval_assets.ledger.records import JudgeMeasurement
from tests.gates.builders import both, changed, gate_text, make_world
from tests.loopback import loopback
from tests.small_project import SETTINGS, make_project

HOOKED = "automation: {notify: [{kind: webhook, url_env: CITEVAL_HOOK}]}\n"


@pytest.fixture
def hook():
    with loopback() as server:
        yield server


class Trouble(Exception):
    pass


@dg.op(config_schema={"say": str})
def work(context) -> None:
    if context.op_config["say"]:
        raise Trouble(context.op_config["say"])


@dg.job(executor_def=dg.in_process_executor)
def some_job() -> None:
    work()


def run(instance, say: str) -> dg.ExecuteInProcessResult:
    config = {
        "ops": {"work": {"config": {"say": say}}},
        "loggers": {"console": {"config": {"log_level": "CRITICAL"}}},
    }
    return some_job.execute_in_process(instance=instance, run_config=config, raise_on_error=False)


def told_of(result, instance, factory) -> None:
    event = result.get_run_failure_event() if not result.success else result.get_run_success_event()
    context = dg.build_run_status_sensor_context(
        sensor_name="any",
        dagster_event=event,
        dagster_instance=instance,
        dagster_run=result.dagster_run,
        resources={"citeval": factory},
    )
    if result.success:
        recovered_runs(context)
    else:
        failed_runs(context.for_run_failure())


def test_a_failing_run_is_told_once_per_cause_until_it_runs_again(tmp_path, hook):
    project = make_project(tmp_path, SETTINGS + HOOKED)
    environ = {**project.environ, "CITEVAL_HOOK": hook.url}
    factory = ServiceFactory(project.folder, environ=environ)
    with dg.DagsterInstance.ephemeral() as instance:
        for say in ("no room on 4 of 9 disks", "no room on 5 of 9 disks", "no key", "", "no key"):
            told_of(run(instance, say), instance, factory)
    lines = [notice["text"].splitlines()[1] for notice in hook.received]
    assert [line.split(": ")[-1] for line in lines] == [
        "no room on 4 of 9 disks",
        "no key",
        "no key",
    ]
    assert hook.received[0]["title"] == "Run of some_job failed"


def tick(factory) -> None:
    quality_notices(dg.build_sensor_context(resources={"citeval": factory}))


@pytest.mark.slow
def test_a_gate_is_told_when_it_fails_and_again_only_after_it_passed(tmp_path, hook):
    world = make_world(tmp_path, gate_text() + HOOKED)
    environ = {"DAGSTER_HOME": str(world.home), "CITEVAL_HOOK": hook.url}
    factory = ServiceFactory(world.folder, environ=environ)
    bad = changed(both(60), "candidate", "c001", "c002", score=0.0)
    for cases in (both(60), bad, bad, both(60), bad):
        world.judged(cases)
        factory.service().gate()
        tick(factory)
    with dg.DagsterInstance.ephemeral() as instance:
        quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
        job = assemble(factory).resolve_job_def(GATES_JOB)
        held = job.execute_in_process(instance=instance, run_config=quiet, raise_on_error=False)
        told_of(held, instance, factory)  # it failed because of the gate, which is told already
    told = [notice["title"] for notice in hook.received]
    assert len(told) == 2 and all(title.startswith("Gate ") for title in told)


def test_drifts_and_falls_are_told_once_and_a_dead_hook_is_tried_again(tmp_path, hook):
    project = make_project(tmp_path, SETTINGS + HOOKED)
    environ = {**project.environ, "CITEVAL_HOOK": hook.url}
    factory = ServiceFactory(project.folder, environ=environ)
    with project.load().open_ledger() as ledger:
        for kind in ("drift", "fall", "noise"):
            ledger.record_measurement(
                JudgeMeasurement(kind, kind, "p", "m", "v1", "e", f'{{"words": "{kind} here"}}', "")
            )
    hook.status = 500
    with pytest.raises(Exception, match="HTTP 500"):
        tick(factory)
    hook.received.clear()
    hook.status = 200
    tick(factory)
    tick(factory)
    assert [notice["text"].splitlines()[-1] for notice in hook.received] == [
        "drift here",
        "fall here",
    ]


def test_slack_is_posted_through_dagster_slack(hook):
    hook.body = {"ok": True}
    notice = Notice("fall", "t", "c", "A trend fell suddenly", ("by 9 points",))
    SlackNotifier("xoxb-token", "#eval", f"{hook.url}/").send(notice)
    assert "A+trend+fell" in str(hook.received[0]) or "A trend fell" in str(hook.received[0])
    hook.body = {"ok": False, "error": "not_in_channel"}
    with pytest.raises(NotifierFailed, match="Slack refused the notice") as failed:
        SlackNotifier("xoxb-token", "#eval", f"{hook.url}/").send(notice)
    assert "xoxb" not in str(failed.value)


def test_a_notifier_whose_variable_is_not_set_says_so(tmp_path):
    (notifier,) = notifiers_of(make_project(tmp_path, SETTINGS + HOOKED).load())
    with pytest.raises(NotifierFailed, match="CITEVAL_HOOK is not set"):
        notifier.send(Notice("fall", "t", "c", "x"))
