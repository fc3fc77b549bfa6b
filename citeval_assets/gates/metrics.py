"""The metrics that compare: mean score, share of passes, abstention and gap rates.

Each gives its own verdict by the mode of its rule. Shares are compared as whole numbers of
cases, so that no rounding decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import fsum

from citeval_assets.config.gate_rules import Direction, GateMode, Metric, MetricRule
from citeval_assets.config.gates import GateConfig
from citeval_assets.gates.blockers import exact
from citeval_assets.gates.loading import Comparison, has_judge
from citeval_assets.gates.model import GateCase, MetricResult, Pair, Verdict
from citeval_assets.statistics.bridged import Offset, without_offset
from citeval_assets.statistics.margins import Standing, non_inferiority
from citeval_assets.statistics.paired import PairedDifference, paired_difference
from citeval_assets.statistics.power import detectable_drop, false_alarm_rate
from citeval_assets.statistics.ratios import CasePart, paired_ratio_difference
from citeval_assets.warehouse.judge_tables import BridgeRow

PART_MIN_PAIRS = 10
"""Cases a rate over a part of the set needs, unless its rule says otherwise."""

_ROUNDING = 1e-9
"""Means of scores carry floating-point noise; a drop of exactly the margin passes."""

_DEFAULTS = {
    "answer_comparison": (Metric.SCORE, Metric.PASS_SHARE),
    "cite_or_abstain": (
        Metric.SCORE,
        Metric.FALSE_ABSTENTION,
        Metric.MISSED_ABSTENTION,
        Metric.SILENT_GAP,
    ),
}


def rules_of(gate: GateConfig) -> tuple[MetricRule, ...]:
    """Return the metrics of a gate; those of its playbook where it names none."""
    if gate.metrics:
        return gate.metrics
    names = _DEFAULTS.get(gate.playbook, (Metric.SCORE,))
    return tuple(MetricRule(name=name) for name in names)


@dataclass(frozen=True, slots=True)
class Measured:
    """One metric on both sides: the comparison, and how far it moved the worse way, exactly."""

    result: PairedDifference
    worsened: Fraction | float
    baseline_value: float
    candidate_value: float


def compare(comparison: Comparison, rule: MetricRule) -> MetricResult:
    """Return the verdict of one metric.

    With ``repeats: all`` every repetition of the judgements has to pass, and the worst decides.
    """
    found = _compared(comparison, rule, None)
    if comparison.gate.repeats != "all" or rule.name not in (Metric.SCORE, Metric.PASS_SHARE):
        return found
    numbers = sorted({n for c in _cases(comparison) for n in c.scores if len(c.scores) > 1})
    for number in numbers:
        single = _compared(comparison, rule, number)
        if _badness(single.verdict) > _badness(found.verdict):
            told = tuple(f"repetition {number}: {reason}" for reason in single.reasons)
            found = replace(found, verdict=single.verdict, reasons=(*found.reasons, *told))
    return found


def _badness(verdict: Verdict) -> int:
    return (Verdict.PASS, Verdict.INCONCLUSIVE, Verdict.FAIL).index(verdict)


def _cases(comparison: Comparison) -> Sequence[GateCase]:
    baseline = comparison.baseline.cases if comparison.baseline else ()
    return (*baseline, *comparison.candidate.cases)


def _compared(comparison: Comparison, rule: MetricRule, repeat: int | None) -> MetricResult:
    gate = comparison.gate
    mode = rule.mode or gate.mode
    margin = gate.max_drop_points if rule.max_drop_points is None else rule.max_drop_points
    limit = gate.min_score if rule.limit is None and rule.name is Metric.SCORE else rule.limit
    base = MetricResult(
        metric=rule.name,
        mode=mode,
        direction=rule.better,
        verdict=Verdict.INCONCLUSIVE,
        threshold=margin / 100,
        limit=limit,
        by_code=not has_judge(comparison),
    )
    alone = _candidate_value(comparison, rule, repeat)
    over_limit = _over_limit(rule, alone, limit)
    if gate.first_release and (comparison.baseline is None or not comparison.baseline.cases):
        return _first_release(base, comparison, alone, over_limit, repeat)
    if comparison.bridge is not None and rule.name is not Metric.SCORE:
        reason = (
            f"{rule.name}: the bridge between the epochs of the sides holds for the score alone"
        )
        return replace(base, reasons=(reason,))
    measured = _measure(comparison, rule, repeat)
    if measured is None:
        reason = f"{rule.name}: no case on both sides to compare it on"
        return replace(base, reasons=(reason,))
    found = _described(base, measured, margin / 100, rule.better)
    needed = rule.min_pairs or (1 if _over_all(rule.name) else PART_MIN_PAIRS)
    if found.pairs < needed:
        reason = f"{rule.name}: {found.pairs} cases to compare it on, at least {needed} are needed"
        return replace(found, reasons=(reason,))
    verdict, reasons = _by_mode(rule, mode, measured, margin)
    if over_limit is not None:
        verdict, reasons = Verdict.FAIL, (*reasons, over_limit)
    return replace(found, verdict=verdict, reasons=reasons)


def _first_release(
    base: MetricResult,
    comparison: Comparison,
    alone: float | None,
    over_limit: str | None,
    repeat: int | None,
) -> MetricResult:
    """Hold the candidate to the limits alone."""
    if alone is None:
        return replace(base, reasons=(f"{base.metric}: nothing scored",))
    scored = sum(_score(case, repeat) is not None for case in comparison.candidate.cases)
    found = replace(base, candidate_value=alone, pairs=scored, threshold=None)
    if over_limit is not None:
        return replace(found, verdict=Verdict.FAIL, reasons=(over_limit,))
    return replace(found, verdict=Verdict.PASS)


def _over_limit(rule: MetricRule, value: float | None, limit: float | None) -> str | None:
    if limit is None or value is None:
        return None
    higher = rule.better is Direction.HIGHER
    broken = value < limit - _ROUNDING if higher else value > limit + _ROUNDING
    if not broken:
        return None
    least = "least" if higher else "most"
    return f"{rule.name} of the candidate is {value:.3f}, at {least} {limit:g} is allowed"


def _described(
    base: MetricResult, measured: Measured, margin: float, better: Direction
) -> MetricResult:
    """Fill in the numbers; differences are candidate minus baseline, whichever way is better."""
    result = measured.result
    sign = 1 if better is Direction.HIGHER else -1
    bounds = [None if bound is None else sign * bound for bound in (result.low, result.high)]
    low, high = bounds if sign == 1 else bounds[::-1]
    alarms = None if base.mode is GateMode.NON_INFERIORITY else false_alarm_rate(result, margin)
    return replace(
        base,
        baseline_value=measured.baseline_value,
        candidate_value=measured.candidate_value,
        difference=sign * result.difference,
        low=low,
        high=high,
        pairs=result.pairs,
        questions=result.clusters,
        better=result.better,
        worse=result.worse,
        detectable_drop=detectable_drop(result),
        false_alarm_rate=alarms,
        design_effect=result.design_effect,
        p_value=result.p_value,
    )


def _by_mode(
    rule: MetricRule, mode: GateMode, measured: Measured, margin: float
) -> tuple[Verdict, tuple[str, ...]]:
    verdicts: list[tuple[Verdict, str]] = []
    if mode is not GateMode.NON_INFERIORITY:
        verdicts.append(_by_threshold(rule, measured, margin))
    if mode is not GateMode.THRESHOLD:
        verdicts.append(_by_interval(rule, measured.result, margin))
    worst = max((verdict for verdict, _ in verdicts), key=_badness)
    return worst, tuple(reason for _, reason in verdicts if reason)


def _by_threshold(rule: MetricRule, measured: Measured, margin: float) -> tuple[Verdict, str]:
    worsened = measured.worsened
    if isinstance(worsened, Fraction):
        broken = worsened * 100 > exact(margin)
    else:
        broken = worsened * 100 > margin + _ROUNDING
    if not broken:
        return Verdict.PASS, ""
    verb = "fell" if rule.better is Direction.HIGHER else "rose"
    points = float(worsened) * 100
    return Verdict.FAIL, f"{rule.name} {verb} by {points:.1f} points, at most {margin:g} may be"


def _by_interval(rule: MetricRule, result: PairedDifference, margin: float) -> tuple[Verdict, str]:
    standing = non_inferiority(result, margin / 100)
    if standing is Standing.ABOVE:
        return Verdict.PASS, ""
    if result.low is None or result.high is None:
        return Verdict.INCONCLUSIVE, f"{rule.name}: too few questions for an interval"
    if rule.better is Direction.HIGHER:
        bound, low, high = f"-{margin:g}", result.low, result.high
    else:
        bound, low, high = f"+{margin:g}", -result.high, -result.low
    shown = f"{100 * low:+.1f} to {100 * high:+.1f} points"
    if standing is Standing.BELOW:
        return Verdict.FAIL, f"{rule.name}: the interval {shown} lies beyond {bound}"
    return Verdict.INCONCLUSIVE, f"{rule.name}: the interval {shown} straddles {bound}"


def _over_all(metric: Metric) -> bool:
    """Whether a metric is over all cases, so that the pairs of the gate are its pairs."""
    return metric in (Metric.SCORE, Metric.PASS_SHARE)


def _score(case: GateCase, repeat: int | None) -> float | None:
    if repeat is None or case.overridden or case.effective is None:
        return case.effective
    return case.scores.get(repeat, case.effective)


def _measure(comparison: Comparison, rule: MetricRule, repeat: int | None) -> Measured | None:
    if rule.name is Metric.SCORE:
        return _scores(comparison, rule, repeat)
    if rule.name is Metric.SILENT_GAP:
        return _gaps(comparison, rule)
    return _share(comparison, rule, repeat)


def _scores(comparison: Comparison, rule: MetricRule, repeat: int | None) -> Measured | None:
    pairs = [pair for pair in comparison.pairs if pair.scored]
    if not pairs:
        return None
    before = [_score(pair.baseline, repeat) or 0.0 for pair in pairs]
    after = [_score(pair.candidate, repeat) or 0.0 for pair in pairs]
    sign = 1 if rule.better is Direction.HIGHER else -1
    result = paired_difference(
        [sign * (new - old) for old, new in zip(before, after, strict=True)],
        [pair.candidate.question for pair in pairs],
        confidence=comparison.gate.confidence,
        noise_variance=_noise_of_a_difference(comparison, pairs),
    )
    if comparison.bridge is not None:
        result = without_offset(result, offset_of(comparison.bridge, sign))
    count = len(pairs)
    return Measured(result, -result.difference, fsum(before) / count, fsum(after) / count)


def offset_of(bridge: BridgeRow, sign: int = 1) -> Offset:
    """Return what the newer epoch adds to a difference, whichever way is better."""
    bounds = [bridge.score_offset if b is None else b for b in (bridge.ci_low, bridge.ci_high)]
    low, high = sorted(sign * bound for bound in bounds)
    return Offset(sign * bridge.score_offset, low, high)


def _noise_of_a_difference(comparison: Comparison, pairs: Sequence[Pair]) -> float:
    """Return how much the judge's own noise makes one difference vary."""
    if comparison.noise is None:
        return 0.0
    asked = fsum(
        1 / max(1, len(side.scores)) for pair in pairs for side in (pair.baseline, pair.candidate)
    )
    return comparison.noise.variance * asked / len(pairs)


def _hit(case: GateCase, metric: Metric, pass_score: float, repeat: int | None) -> bool | None:
    """Whether a case counts for a share; ``None`` where it is no part of it."""
    counts = case.counts
    if metric is Metric.PASS_SHARE:
        score = _score(case, repeat)
        return None if score is None else score >= pass_score - _ROUNDING
    if counts.abstained is None or counts.expects_abstention is None:
        return None
    if metric is Metric.FALSE_ABSTENTION:
        return None if counts.expects_abstention else counts.abstained
    return not counts.abstained if counts.expects_abstention else None


def _share(comparison: Comparison, rule: MetricRule, repeat: int | None) -> Measured | None:
    hits: list[tuple[bool, bool]] = []
    questions: list[str] = []
    for pair in comparison.pairs:
        limit = comparison.gate.pass_score
        before = _hit(pair.baseline, rule.name, limit, repeat)
        after = _hit(pair.candidate, rule.name, limit, repeat)
        if before is not None and after is not None:
            hits.append((before, after))
            questions.append(pair.candidate.question)
    if not hits:
        return None
    sign = 1 if rule.better is Direction.HIGHER else -1
    result = paired_difference(
        [sign * (after - before) for before, after in hits],
        questions,
        confidence=comparison.gate.confidence,
    )
    count = len(hits)
    return Measured(
        result,
        Fraction(result.worse - result.better, count),
        sum(before for before, _ in hits) / count,
        sum(after for _, after in hits) / count,
    )


def _gaps(comparison: Comparison, rule: MetricRule) -> Measured | None:
    parts: list[CasePart] = []
    questions: list[str] = []
    for pair in comparison.pairs:
        part = _gap_part(pair)
        if part is not None:
            parts.append(part)
            questions.append(pair.candidate.question)
    before_of = sum(part.baseline_of for part in parts)
    after_of = sum(part.candidate_of for part in parts)
    if not before_of or not after_of:
        return None
    before = Fraction(sum(part.baseline_hits for part in parts), before_of)
    after = Fraction(sum(part.candidate_hits for part in parts), after_of)
    result = paired_ratio_difference(parts, questions, confidence=comparison.gate.confidence)
    sign = 1 if rule.better is Direction.HIGHER else -1
    if sign == -1:
        result = _mirrored(result)
    return Measured(result, -sign * (after - before), float(before), float(after))


def _gap_part(pair: Pair) -> CasePart | None:
    counts = [side.counts for side in (pair.baseline, pair.candidate)]
    numbers = [number for c in counts for number in (c.gaps, c.statements)]
    known = [number for number in numbers if number is not None]
    return CasePart(*known) if len(known) == len(numbers) else None


def _mirrored(result: PairedDifference) -> PairedDifference:
    """Return the comparison with worse and better changed over."""
    low = None if result.high is None else -result.high
    high = None if result.low is None else -result.low
    return replace(
        result,
        better=result.worse,
        worse=result.better,
        difference=-result.difference,
        low=low,
        high=high,
        changes=replace(result.changes, losses=result.changes.wins, wins=result.changes.losses),
    )


def _candidate_value(comparison: Comparison, rule: MetricRule, repeat: int | None) -> float | None:
    """Return the metric over all cases of the candidate, paired or not."""
    cases = comparison.candidate.cases
    if rule.name is Metric.SCORE:
        scores = [score for case in cases if (score := _score(case, repeat)) is not None]
        return fsum(scores) / len(scores) if scores else None
    if rule.name is Metric.SILENT_GAP:
        of = sum(case.counts.statements or 0 for case in cases)
        return sum(case.counts.gaps or 0 for case in cases) / of if of else None
    limit = comparison.gate.pass_score
    hits = [hit for c in cases if (hit := _hit(c, rule.name, limit, repeat)) is not None]
    return sum(hits) / len(hits) if hits else None
