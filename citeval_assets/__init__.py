"""citeval: citation and faithfulness evaluation for RAG systems, built as a Dagster project."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citeval_assets.evaluation import evaluate

__all__ = ["evaluate"]


def __getattr__(name: str) -> Any:
    """Load ``evaluate`` when it is asked for: importing a pure room loads nothing else."""
    if name == "evaluate":
        from citeval_assets.evaluation import evaluate

        return evaluate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
