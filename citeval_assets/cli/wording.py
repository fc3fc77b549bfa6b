"""How numbers are put in words on the terminal: what is unknown is said, never shown as 0."""

from collections.abc import Mapping
from decimal import Decimal


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


def spend_text(known: Decimal, unpriced_calls: int) -> str:
    """Write what is known to be spent, and that it is more where calls have no price."""
    if not unpriced_calls:
        return f"{known:.4f} USD"
    return f"at least {known:.4f} USD ({unpriced_calls} calls unpriced)"


def duration_text(seconds: float) -> str:
    """Write a duration as 45 s, 12:05 or 1:02:05."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def range_text(low: float | None, expected: float | None, high: float | None) -> str:
    """Write an amount in US dollars with its range."""
    if high is None:
        return "unknown"
    if expected is None:
        return f"up to {high:.4f}"
    return f"{expected:.4f} ({low or 0.0:.4f} to {high:.4f})"
