"""How much of a fall code alone decided, so that it stands with any judge.

A judge that cannot be trusted may have made up a fall. What it had no say in, it has not.
"""

from collections.abc import Iterator
from dataclasses import replace

from citeval_assets.config.gate_rules import MetricRule
from citeval_assets.gates.loading import Comparison
from citeval_assets.gates.metrics import compare
from citeval_assets.gates.model import MetricResult, Pair, Verdict
from citeval_assets.gates.patterns import failures_of


def settled_by_code(comparison: Comparison, rule: MetricRule, found: MetricResult) -> MetricResult:
    """Return a failed metric, marked as decided by code where it fails on that part alone.

    Cases count as fallen only where code decided everything that is wrong with them now: ids
    nobody gave, words that do not stand in the source. All other falls are taken back; what the
    judge calls better still counts. Limits on the candidate alone are left out.
    """
    if found.verdict is not Verdict.FAIL or found.by_code:
        return found
    doubted = replace(
        comparison,
        gate=comparison.gate.model_copy(update={"min_score": None, "repeats": "median"}),
        pairs=tuple(_without_the_judges_falls(comparison)),
    )
    alone = compare(doubted, rule.model_copy(update={"limit": None}))
    return replace(found, by_code=True) if alone.verdict is Verdict.FAIL else found


def _without_the_judges_falls(comparison: Comparison) -> Iterator[Pair]:
    for pair in comparison.pairs:
        before, after = pair.baseline.effective, pair.candidate.effective
        if before is None or after is None or after >= before or _by_code(comparison, pair):
            yield pair
        else:
            yield Pair(pair.baseline, replace(pair.candidate, effective=before, scores={}))


def _by_code(comparison: Comparison, pair: Pair) -> bool:
    """Whether code decided everything that is wrong with the candidate's side of a pair."""
    failures = failures_of(comparison.gate.playbook, pair.candidate, comparison.failures)
    return not pair.candidate.overridden and bool(failures) and all(f.by_code for f in failures)
