"""All that Dagster loads, put together around one project resource."""

import dagster as dg

from citeval_assets.defs.automation import follow_upstream
from citeval_assets.defs.bulk import BULK_JOBS
from citeval_assets.defs.checks import all_checks
from citeval_assets.defs.digest import review_digest_job
from citeval_assets.defs.drift import CANARY, judge_drift
from citeval_assets.defs.gates import regression_gates
from citeval_assets.defs.jobs import all_jobs
from citeval_assets.defs.judge_assets import judge_assets, judge_checks
from citeval_assets.defs.playbook_assets import playbook_assets
from citeval_assets.defs.production import PRODUCTION_ASSETS, PRODUCTION_JOBS
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.defs.results import RESULT_ASSETS
from citeval_assets.defs.schedules import SCHEDULES
from citeval_assets.defs.sensors import SENSORS
from citeval_assets.defs.target_assets import TARGET_ASSETS


def assemble(citeval: dg.ResourceDefinition | ServiceFactory) -> dg.Definitions:
    """Return the assets of every playbook, the results, checks, jobs, sensors, schedules.

    Args:
        citeval: the project the assets work on: the configurable one in a code location,
            a factory where a command runs the assets in its own process.
    """
    factory = citeval if isinstance(citeval, ServiceFactory) else ServiceFactory()
    return dg.Definitions(
        assets=[
            *TARGET_ASSETS,
            *playbook_assets(factory),
            *judge_assets(),
            judge_drift,
            *PRODUCTION_ASSETS,
            regression_gates,
            *RESULT_ASSETS,
        ],
        asset_checks=[*all_checks(), *judge_checks()],
        jobs=[*all_jobs(), *PRODUCTION_JOBS, CANARY, *BULK_JOBS, review_digest_job],
        sensors=[*SENSORS, follow_upstream],
        schedules=SCHEDULES,
        resources={"citeval": citeval},
        # Starting a process costs seconds and a step of ours costs little: steps run in the
        # process of their run; parallelism comes from async inside a step and from several runs.
        executor=dg.in_process_executor,
    )
