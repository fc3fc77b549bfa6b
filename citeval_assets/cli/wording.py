"""How numbers are put in words on the terminal: what is unknown is said, never shown as 0."""

from collections.abc import Mapping


def cost_text(cost: float | None) -> str:
    """Write what was spent."""
    return "cost unknown (a model has no price)" if cost is None else f"{cost:.4f} USD"


def interval_free_score(score: float | None) -> str:
    """Write a score in 0..1."""
    return "none" if score is None else f"{score:.3f}"


def score_with_interval(score: float | None, low: float | None, high: float | None) -> str:
    """Write a mean with its 95 % interval, where there are enough scores for one."""
    if score is None:
        return "none"
    if low is None or high is None:
        return f"{score:.3f}"
    return f"{score:.3f} [{low:.3f}, {high:.3f}]"


def bounds_text(low: float | None, high: float | None) -> str:
    """Write the mean if every unscored case had failed, and if every one had passed."""
    return "-" if low is None or high is None else f"{low:.3f} to {high:.3f}"


def share_text(share: float | None) -> str:
    """Write a share as a percentage."""
    return "-" if share is None else f"{share:.0%}"


def reasons_text(reasons: Mapping[str, int]) -> str:
    """Write reasons with their counts, the most frequent first."""
    ordered = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{reason} {count}" for reason, count in ordered)
