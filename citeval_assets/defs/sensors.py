"""Sensors: what makes new models and prompt versions known."""

import dagster as dg

from citeval_assets.defs.partitions import missing_keys
from citeval_assets.defs.resources import ServiceFactory


@dg.sensor(
    name="new_models_and_prompts",
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Adds a partition for each model and prompt version that the project gained.",
)
def new_models_and_prompts(
    context: dg.SensorEvaluationContext, citeval: dg.ResourceParam[ServiceFactory]
) -> dg.SensorResult | dg.SkipReason:
    """Add the keys the project has and the instance lacks; keys are never deleted."""
    missing = missing_keys(context.instance, citeval.project())
    if not missing:
        return dg.SkipReason("every model and prompt version of the project is known")
    requests = [
        dg.DynamicPartitionsDefinition(name=name).build_add_request(keys)
        for name, keys in missing.items()
    ]
    return dg.SensorResult(dynamic_partitions_requests=requests)
