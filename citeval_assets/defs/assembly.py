"""All that Dagster loads, put together around one project resource."""

import dagster as dg

from citeval_assets.defs.checks import all_checks
from citeval_assets.defs.gates import regression_gates
from citeval_assets.defs.jobs import all_jobs
from citeval_assets.defs.judge_assets import judge_assets, judge_checks
from citeval_assets.defs.playbook_assets import playbook_assets
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.defs.results import RESULT_ASSETS
from citeval_assets.defs.sensors import new_models_and_prompts
from citeval_assets.defs.target_assets import TARGET_ASSETS


def assemble(citeval: dg.ResourceDefinition | ServiceFactory) -> dg.Definitions:
    """Return the assets of every playbook, the results, checks, jobs and sensors.

    Args:
        citeval: the project the assets work on: the configurable one in a code location,
            a factory where a command runs the assets in its own process.
    """
    return dg.Definitions(
        assets=[
            *TARGET_ASSETS,
            *playbook_assets(),
            *judge_assets(),
            regression_gates,
            *RESULT_ASSETS,
        ],
        asset_checks=[*all_checks(), *judge_checks()],
        jobs=[*all_jobs()],
        sensors=[new_models_and_prompts],
        resources={"citeval": citeval},
        # Starting a process costs seconds and a step of ours costs little: steps run in the
        # process of their run; parallelism comes from async inside a step and from several runs.
        executor=dg.in_process_executor,
    )
