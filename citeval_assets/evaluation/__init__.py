"""Run, rebuild and look up evaluations: the one service behind command line and Dagster."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citeval_assets.evaluation.run import evaluate

__all__ = ["evaluate"]


def __getattr__(name: str) -> Any:
    """Load ``evaluate`` when it is asked for: who only gates or reads needs no judging."""
    if name == "evaluate":
        from citeval_assets.evaluation.run import evaluate

        return evaluate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
