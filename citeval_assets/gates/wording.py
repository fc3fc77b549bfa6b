"""How verdicts are put in words: points of 100 for shares, plain numbers for counts."""

from citeval_assets.gates.document import GateLine
from citeval_assets.gates.model import SideSummary


def points(share: float | None) -> str:
    """Write a difference of shares in points of 100."""
    return "-" if share is None else f"{100 * share:+.1f}"


def difference_text(line: GateLine) -> str:
    """Write the difference of a line with its interval, or its count."""
    if line.difference is None:
        return "-"
    if line.unit == "count":
        return f"{line.difference:+.0f}"
    if line.interval is None:
        return points(line.difference)
    low, high = line.interval
    return f"{points(line.difference)} [{points(low)}, {points(high)}]"


def value_text(line: GateLine, value: float | None) -> str:
    """Write the value one side has: a share in percent, or a count."""
    if value is None:
        return "-"
    return f"{value:.0f}" if line.unit == "count" else f"{100 * value:.1f} %"


def allowed_text(line: GateLine) -> str:
    """Write what the rule allows."""
    if line.threshold is None:
        return "-"
    return f"{line.threshold:.0f}" if line.unit == "count" else f"{100 * line.threshold:g}"


def drop_text(line: GateLine) -> str:
    """Write the smallest drop the set could have detected, in points of 100."""
    if line.unit == "count" or line.interval is None:
        return "-"
    return "none" if line.detectable_drop is None else f"{100 * line.detectable_drop:.1f}"


def alarm_text(line: GateLine) -> str:
    """Write how often the bare rule fires although nothing changed."""
    return "-" if line.false_alarm_rate is None else f"{line.false_alarm_rate:.0%}"


def mean_text(side: SideSummary) -> str:
    """Write the mean of a side with its interval."""
    scores = side.scores
    if scores.mean_score is None:
        return "nothing scored"
    if scores.ci_low is None or scores.ci_high is None:
        return f"{scores.mean_score:.3f}"
    return f"{scores.mean_score:.3f} [{scores.ci_low:.3f}, {scores.ci_high:.3f}]"


def bounds_text(side: SideSummary) -> str:
    """Write the mean if every unscored case had failed, and if every one had passed."""
    low, high = side.scores.worst_case_mean, side.scores.best_case_mean
    return "-" if low is None or high is None else f"{low:.3f} to {high:.3f}"


def coverage_text(side: SideSummary) -> str:
    """Write how many of the cases that could be scored were, and why the others were not."""
    scores = side.scores
    applicable = scores.n_cases - scores.n_not_applicable
    reasons = ", ".join(f"{why} {count}" for why, count in scores.unscored_reasons.items())
    missing = side.expected - scores.n_cases
    causes = ", ".join(filter(None, (reasons, f"not judged {missing}" if missing > 0 else "")))
    text = f"{scores.n_scored} of {max(applicable, applicable + max(0, missing))}"
    return f"{text} ({causes})" if causes else text
