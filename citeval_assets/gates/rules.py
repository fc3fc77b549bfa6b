"""The rules that count: invented sources, output that never passed, new failure patterns.

Counts are compared as counts. Code decided each of them, so no doubt about a judge undoes them.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from citeval_assets.config.gate_rules import Direction
from citeval_assets.gates.blockers import exact
from citeval_assets.gates.loading import Comparison, LoadedSide
from citeval_assets.gates.model import MetricResult, NewPattern, Pair, Verdict
from citeval_assets.gates.patterns import INVENTED, AllowList, failures_of
from citeval_assets.playbooks.vocabulary import Status
from citeval_assets.warehouse.trends import failed_validation

_LISTED = 3


def count_rules(
    comparison: Comparison, patterns: Sequence[NewPattern], allow: AllowList
) -> Iterator[MetricResult]:
    """Yield the verdicts of the rules that apply to the playbook."""
    if _counts_sources(comparison):
        yield from _invented_sources(comparison, allow)
    yield _failed_validation(comparison)
    if comparison.gate.max_new_patterns is not None:
        yield _new_patterns(comparison, patterns, comparison.gate.max_new_patterns)


def _counts_sources(comparison: Comparison) -> bool:
    """Whether the playbook counts invented sources at all."""
    return any(case.counts.invented is not None for case in comparison.candidate.cases)


def _invented_sources(comparison: Comparison, allow: AllowList) -> Iterator[MetricResult]:
    gate = comparison.gate
    counted = [pair for pair in comparison.pairs if _both_counted(pair)]
    if comparison.baseline is None or not counted:
        return
    held = [pair for pair in counted if not _allowed(comparison, pair, allow)]
    fresh = [p for p in held if not p.baseline.counts.invented and p.candidate.counts.invented]
    names = tuple(pair.test_case_id for pair in fresh)
    over = len(fresh) > gate.max_new_hallucinated
    yield MetricResult(
        metric="new_hallucinated_cases",
        direction=Direction.LOWER,
        verdict=Verdict.FAIL if over else Verdict.PASS,
        reasons=(
            f"{len(fresh)} cases that were clean have an invented source now "
            f"({_some(names)}), at most {gate.max_new_hallucinated} may",
        )
        if over
        else (),
        difference=float(len(fresh)),
        threshold=float(gate.max_new_hallucinated),
        pairs=len(counted),
        by_code=True,
        cases=names,
    )
    before = sum(pair.baseline.counts.invented or 0 for pair in held)
    after = sum(pair.candidate.counts.invented or 0 for pair in held)
    over = after - before > gate.max_hallucinated_rise
    yield MetricResult(
        metric="hallucinated_sources",
        direction=Direction.LOWER,
        verdict=Verdict.FAIL if over else Verdict.PASS,
        reasons=(
            f"invented sources rose from {before} to {after} over {len(counted)} pairs, by at "
            f"most {gate.max_hallucinated_rise} they may",
        )
        if over
        else (),
        baseline_value=float(before),
        candidate_value=float(after),
        difference=float(after - before),
        threshold=float(gate.max_hallucinated_rise),
        pairs=len(counted),
        by_code=True,
    )


def _both_counted(pair: Pair) -> bool:
    return pair.baseline.counts.invented is not None and pair.candidate.counts.invented is not None


def _allowed(comparison: Comparison, pair: Pair, allow: AllowList) -> bool:
    """Whether every invented source of the candidate on this case is a known one."""
    if not pair.candidate.counts.invented or not allow.entries:
        return False
    found = failures_of(comparison.gate.playbook, pair.candidate, comparison.failures)
    invented = [f.fingerprint for f in found if f.fingerprint.split("/")[1] in INVENTED]
    return bool(invented) and all(allow.allows(f, pair.test_case_id) for f in invented)


def _failed_validation(comparison: Comparison) -> MetricResult:
    """Hold the share of judgements whose output never passed to its limit, on both sides."""
    limit = comparison.gate.max_failed_validation_rate
    failed, attempted = _failures(comparison.candidate)
    rate = failed / attempted if attempted else None
    reasons: list[str] = []
    verdict = Verdict.PASS
    before: float | None = None
    if comparison.baseline is not None and comparison.baseline.cases:
        old_failed, old_attempted = _failures(comparison.baseline)
        before = old_failed / old_attempted if old_attempted else None
        if old_attempted and Fraction(old_failed, old_attempted) > exact(limit):
            verdict = Verdict.INCONCLUSIVE
            reasons.append(_too_many(comparison.baseline.label, old_failed, old_attempted, limit))
    if not attempted:
        verdict = Verdict.INCONCLUSIVE
        reasons.append("nothing was judged on the candidate")
    elif Fraction(failed, attempted) > exact(limit):
        verdict = Verdict.FAIL
        reasons.append(_too_many(comparison.candidate.label, failed, attempted, limit))
    return MetricResult(
        metric="failed_validation_rate",
        direction=Direction.LOWER,
        verdict=verdict,
        reasons=tuple(reasons),
        baseline_value=before,
        candidate_value=rate,
        difference=None if rate is None or before is None else rate - before,
        threshold=limit,
        limit=limit,
        pairs=attempted,
        by_code=True,
    )


def _failures(side: LoadedSide) -> tuple[int, int]:
    attempted = [c for c in side.cases if c.validation_status != Status.NOT_APPLICABLE]
    return sum(map(failed_validation, attempted)), len(attempted)


def _too_many(label: str, failed: int, attempted: int, limit: float) -> str:
    return (
        f"output of {failed} of {attempted} cases of {label} never passed validation, at most "
        f"{limit:.1%} may"
    )


def _new_patterns(
    comparison: Comparison, patterns: Sequence[NewPattern], allowed: int
) -> MetricResult:
    found = [pattern for pattern in patterns if pattern.cases]
    over = len(found) > allowed
    named = _some([f"{p.fingerprint} on {_some(p.cases)}" for p in found])
    return MetricResult(
        metric="new_patterns",
        direction=Direction.LOWER,
        verdict=Verdict.FAIL if over else Verdict.PASS,
        reasons=(
            f"{len(found)} failure patterns on cases that were clean ({named}), at most "
            f"{allowed} may be",
        )
        if over
        else (),
        difference=float(len(found)),
        threshold=float(allowed),
        pairs=len(comparison.pairs),
        by_code=sum(pattern.by_code for pattern in found) > allowed,
        cases=tuple(dict.fromkeys(case for pattern in found for case in pattern.cases)),
    )


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{', '.join(names[:_LISTED])}{more}"
