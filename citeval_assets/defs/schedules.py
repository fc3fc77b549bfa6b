"""What happens at a fixed time. All times are UTC; all schedules run from the start."""

from datetime import UTC, datetime

import dagster as dg

from citeval_assets.defs.bulk import RECONCILE_JOB
from citeval_assets.defs.digest import DIGEST_JOB
from citeval_assets.defs.drift import CANARY_JOB
from citeval_assets.defs.jobs import RESULTS_JOB
from citeval_assets.defs.production import SAMPLE_JOB, night_config

_RUNNING = dg.DefaultScheduleStatus.RUNNING


def _night(context: dg.ScheduleEvaluationContext) -> datetime:
    return (context.scheduled_execution_time or datetime.now(UTC)).astimezone(UTC)


@dg.schedule(
    name="nightly_sample",
    job_name=SAMPLE_JOB,
    cron_schedule="30 1 * * *",
    execution_timezone="UTC",
    default_status=_RUNNING,
    description="Every night: draw from the traces of the days before, judge what was drawn.",
)
def nightly_sample(context: dg.ScheduleEvaluationContext) -> dg.RunRequest:
    """Ask for the sample of this night."""
    night = _night(context).date()
    return dg.RunRequest(run_key=night.isoformat(), run_config=night_config(night))


@dg.schedule(
    name="weekly_canary",
    job_name=CANARY_JOB,
    cron_schedule="0 4 * * 0",
    execution_timezone="UTC",
    default_status=_RUNNING,
    description="Every Sunday: the pinned judges judge a fixed set anew.",
)
def weekly_canary(context: dg.ScheduleEvaluationContext) -> dg.RunRequest:
    """Ask for the canaries of this week."""
    day = _night(context).date().isoformat()
    config = {"ops": {"judge_drift": {"config": {"day": day}}}}
    return dg.RunRequest(run_key=day, run_config=config)


reconcile = dg.ScheduleDefinition(
    name="daily_reconcile",
    job_name=RECONCILE_JOB,
    cron_schedule="0 3 * * *",
    execution_timezone="UTC",
    default_status=_RUNNING,
    description=(
        "Every night: evaluate the cells that are missing, stale or incomplete all the same, "
        "within automation.reconcile and the budget of the day."
    ),
)

daily_publish = dg.ScheduleDefinition(
    name="daily_publish",
    job_name=RESULTS_JOB,
    cron_schedule="0 6 * * *",
    execution_timezone="UTC",
    default_status=_RUNNING,
    description="Every morning: refresh the results and publish the snapshot.",
)

weekly_digest = dg.ScheduleDefinition(
    name="weekly_digest",
    job_name=DIGEST_JOB,
    cron_schedule="0 7 * * 1",
    execution_timezone="UTC",
    default_status=_RUNNING,
    description="Every Monday: tell what is open for review and what is ageing.",
)

SCHEDULES = [nightly_sample, weekly_canary, reconcile, daily_publish, weekly_digest]
