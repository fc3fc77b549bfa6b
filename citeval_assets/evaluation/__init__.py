"""Run, rebuild and look up evaluations: the one service behind command line and Dagster."""

from citeval_assets.evaluation.run import evaluate

__all__ = ["evaluate"]
