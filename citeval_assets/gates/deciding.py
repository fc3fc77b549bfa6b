"""One gate decided: metrics, rules, what keeps them from counting, and what stands behind them."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from citeval_assets.config.gates import GateConfig
from citeval_assets.gates.blockers import Blockers, compared_cases, find_blockers
from citeval_assets.gates.by_code import settled_by_code
from citeval_assets.gates.loading import Comparison, LoadedSide, has_judge
from citeval_assets.gates.metrics import compare, rules_of
from citeval_assets.gates.model import (
    GateCase,
    GateReport,
    GateResult,
    MetricResult,
    NewFailure,
    SideSummary,
    UnscoredCase,
    Verdict,
)
from citeval_assets.gates.patterns import AllowList, failures_of, new_patterns
from citeval_assets.gates.rules import count_rules
from citeval_assets.playbooks.vocabulary import Status
from citeval_assets.statistics.holm import holm
from citeval_assets.statistics.mcnemar import exact_mcnemar
from citeval_assets.warehouse.trends import summarise

Qualified = Callable[[str, str, str], bool | None]
"""(playbook, judge, prompt version) -> whether the judge was qualified; ``None``: never tried."""


def never_tried(playbook: str, judge: str, prompt_version: str) -> bool | None:
    """Answer for every judge that nobody has tried to qualify it."""
    return None


def decide(comparison: Comparison, today: date, qualified: Qualified = never_tried) -> GateResult:
    """Return the verdict of one gate.

    Args:
        comparison: both sides, as they stand in the warehouse.
        today: the day on which entries of the allow-list are valid or not.
        qualified: what is known of the judge.
    """
    gate = comparison.gate
    judge, prompt = _cell(comparison)
    standing = qualified(gate.playbook, judge, prompt) if has_judge(comparison) else None
    blockers = find_blockers(comparison, standing)
    allow = AllowList(gate.allow, today)
    pairs = [pair for pair in comparison.pairs if pair.candidate.effective is not None]
    patterns = new_patterns(pairs, comparison.failures, gate.playbook, allow)
    found = [
        *(
            settled_by_code(comparison, rule, compare(comparison, rule))
            if blockers.doubts
            else compare(comparison, rule)
            for rule in rules_of(gate)
        ),
        *count_rules(comparison, patterns, allow),
    ]
    adjusted = holm([metric.p_value for metric in found])
    metrics = [
        _blocked(replace(metric, p_holm=p), blockers)
        for metric, p in zip(found, adjusted, strict=True)
    ]
    verdict = worst(metric.verdict for metric in metrics)
    worse, better = _changed_passes(comparison)
    return GateResult(
        gate=gate.name,
        playbook=gate.playbook,
        compare=gate.compare,
        baseline_label=gate.baseline or "",
        candidate_label=gate.candidate,
        judge=judge,
        prompt_version=prompt,
        scope="+".join(sorted(gate.datasets)) or "*",
        verdict=verdict,
        reasons=_reasons(metrics, verdict),
        notes=tuple(_notes(comparison, allow)),
        metrics=tuple(metrics),
        baseline=_summary(comparison.baseline) if comparison.baseline else None,
        candidate=_summary(comparison.candidate),
        pairs=sum(pair.scored for pair in comparison.pairs),
        mcnemar_worse=worse,
        mcnemar_better=better,
        mcnemar_p=exact_mcnemar(worse, better) if comparison.pairs else None,
        judge_noise=comparison.noise,
        qualified=standing,
        patterns=patterns,
        new_failures=tuple(_new_failures(comparison)),
        unscored=tuple(_unscored(comparison)),
        counts_as_passed=gate.inconclusive_passes and verdict is Verdict.INCONCLUSIVE,
        confidence=gate.confidence,
        pairs_digest=_digest(comparison),
        settings=gate.model_dump(mode="json", exclude_defaults=True),
    )


def undecided(gate: GateConfig, reason: str) -> GateResult:
    """Return the verdict of a gate whose sides cannot even be named."""
    metrics = tuple(
        MetricResult(
            metric=rule.name,
            mode=rule.mode or gate.mode,
            direction=rule.better,
            verdict=Verdict.INCONCLUSIVE,
            reasons=(reason,),
        )
        for rule in rules_of(gate)
    )
    return GateResult(
        gate=gate.name,
        playbook=gate.playbook,
        compare=gate.compare,
        baseline_label=gate.baseline or "",
        candidate_label=gate.candidate,
        judge=gate.judge or "",
        prompt_version=gate.prompt or "",
        scope="+".join(sorted(gate.datasets)) or "*",
        verdict=Verdict.INCONCLUSIVE,
        reasons=(reason,),
        metrics=metrics,
        counts_as_passed=gate.inconclusive_passes,
        confidence=gate.confidence,
        settings=gate.model_dump(mode="json", exclude_defaults=True),
    )


def report(gates: Sequence[GateResult]) -> GateReport:
    """Return the verdict over all gates. Without a gate there is none: it does not pass."""
    if not gates:
        reason = (
            "nothing to compare: no gate is declared, and no candidate system stands beside a "
            "production system in the cases"
        )
        return GateReport(Verdict.INCONCLUSIVE, (), (reason,))
    verdicts = [Verdict.PASS if gate.counts_as_passed else gate.verdict for gate in gates]
    reasons = tuple(
        f"{gate.gate}: {gate.reasons[0]}"
        for gate, verdict in zip(gates, verdicts, strict=True)
        if verdict is not Verdict.PASS and gate.reasons
    )
    return GateReport(worst(verdicts), tuple(gates), reasons)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return fail before inconclusive before pass; inconclusive where there is none."""
    found = set(verdicts)
    for verdict in (Verdict.FAIL, Verdict.INCONCLUSIVE):
        if verdict in found:
            return verdict
    return Verdict.PASS if found else Verdict.INCONCLUSIVE


def _blocked(metric: MetricResult, blockers: Blockers) -> MetricResult:
    """Return a metric as it counts: what is lacking or doubtful comes first."""
    stands = not blockers.lacking and metric.verdict is Verdict.FAIL and metric.by_code
    reasons = (*blockers.lacking, *blockers.doubts)
    if not reasons or (stands and blockers.doubts):
        return metric
    seen = tuple(
        f"as far as can be seen: {reason}"
        for reason in metric.reasons
        if metric.verdict is Verdict.FAIL
    )
    own = metric.reasons if metric.verdict is Verdict.INCONCLUSIVE else ()
    return replace(metric, verdict=Verdict.INCONCLUSIVE, reasons=(*reasons, *own, *seen))


def _cell(comparison: Comparison) -> tuple[str, str]:
    """Return judge and prompt version of the candidate's reports."""
    key, cases = comparison.candidate.key, comparison.candidate.cases
    model = key.model or (cases[0].model if cases else "")
    return model, key.prompt_version or (cases[0].prompt_version if cases else "")


def _reasons(metrics: Sequence[MetricResult], verdict: Verdict) -> tuple[str, ...]:
    """Name why the gate does not pass: what decides its verdict first."""
    telling = sorted(
        (metric for metric in metrics if metric.verdict is not Verdict.PASS),
        key=lambda metric: metric.verdict is not verdict,
    )
    return tuple(dict.fromkeys(reason for metric in telling for reason in metric.reasons))


def _changed_passes(comparison: Comparison) -> tuple[int, int]:
    worse = better = 0
    for pair in comparison.pairs:
        before, after = _passes(comparison, pair.baseline), _passes(comparison, pair.candidate)
        if before is None or after is None:
            continue
        worse += before and not after
        better += after and not before
    return worse, better


def _passes(comparison: Comparison, case: GateCase) -> bool | None:
    if case.effective is None:
        return None
    return case.effective >= comparison.gate.pass_score - 1e-9


def _new_failures(comparison: Comparison) -> Iterable[NewFailure]:
    """Yield the pairs that passed before and do not now, the deepest fall first."""
    fallen = [
        pair
        for pair in comparison.pairs
        if _passes(comparison, pair.baseline) and _passes(comparison, pair.candidate) is False
    ]
    for pair in sorted(fallen, key=lambda p: (p.candidate.effective or 0, p.test_case_id)):
        failures = failures_of(comparison.gate.playbook, pair.candidate, comparison.failures)
        yield NewFailure(
            test_case_id=pair.test_case_id,
            system=pair.candidate.system,
            baseline_score=pair.baseline.effective,
            candidate_score=pair.candidate.effective,
            fingerprints=tuple(failure.fingerprint for failure in failures),
            texts=tuple(dict.fromkeys(failure.text for failure in failures if failure.text)),
        )


def _unscored(comparison: Comparison) -> Iterable[UnscoredCase]:
    for case in comparison.candidate.cases:
        if case.effective is None and case.validation_status != Status.NOT_APPLICABLE:
            yield UnscoredCase(case.test_case_id, case.system, case.validation_status, case.reason)


@dataclass(frozen=True, slots=True)
class _Counted:
    """A case as a mean of effective scores sees it."""

    validation_status: str
    reason: str | None
    counted_score: float | None


def _summary(side: LoadedSide) -> SideSummary:
    cases = side.cases
    scores = summarise([_Counted(c.validation_status, c.reason, c.effective) for c in cases])
    claims = sum(case.counts.claims or 0 for case in cases)
    supported = sum(case.counts.supported_claims or 0 for case in cases)
    return SideSummary(
        label=side.label,
        model=side.key.model or (cases[0].model if cases else ""),
        prompt_version=side.key.prompt_version or (cases[0].prompt_version if cases else ""),
        expected=len(cases) if side.expected is None else side.expected,
        scores=scores,
        overridden=sum(case.overridden for case in cases),
        provisional=sum(case.provisional for case in cases),
        evaluation_ids=tuple(sorted({case.evaluation_id for case in cases})),
        dataset_versions=tuple(sorted({case.dataset_version for case in cases})),
        epochs=tuple(sorted({case.epoch for case in cases})),
        labels=side.labels,
        claim_accuracy=supported / claims if claims else None,
        invented_sources=sum(case.counts.invented or 0 for case in cases),
    )


def _notes(comparison: Comparison, allow: AllowList) -> Iterable[str]:
    overridden = sum(case.overridden for case in compared_cases(comparison))
    if overridden:
        yield f"{overridden} scores are a reviewer's, not the judge's"
    for entry in allow.expired:
        yield f"allow-list: {entry.pattern} expired on {entry.until.isoformat()} and counts again"
    moved = Counter(
        "candidate" if pair.candidate.validation_status == Status.NOT_APPLICABLE else "baseline"
        for pair in comparison.pairs
        if (pair.candidate.validation_status == Status.NOT_APPLICABLE)
        != (pair.baseline.validation_status == Status.NOT_APPLICABLE)
    )
    for side, count in sorted(moved.items()):
        yield f"{count} cases are not applicable on the {side} alone, and are not compared"
    for fingerprints in comparison.fingerprints:
        yield f"the provider's fingerprint changed within one evaluation: {', '.join(fingerprints)}"
    if not comparison.gate.same_sources:
        unlike = sum(p.baseline.subject_hash != p.candidate.subject_hash for p in comparison.pairs)
        if unlike:
            yield f"{unlike} pairs have different questions or sources, as the gate allows"
    if comparison.bridge is not None:
        bridge = comparison.bridge
        low, high = bridge.ci_low or bridge.score_offset, bridge.ci_high or bridge.score_offset
        yield (
            f"the sides are of two epochs: the newer one scores {100 * bridge.score_offset:+.1f} "
            f"points [{100 * low:+.1f}, {100 * high:+.1f}] on the same {bridge.anchors} cases, "
            "which is taken out of the difference"
        )
    if comparison.noise is not None:
        noise = comparison.noise
        yield (
            f"{noise.cases} cases were judged repeatedly ({noise.measurements} measurements, "
            f"policy {comparison.gate.repeats}): the judge differs from itself by "
            f"{100 * noise.deviation:.1f} points (sd), by {noise.largest_spread:.2f} at most"
        )


def _digest(comparison: Comparison) -> str:
    """Hash everything the verdict was drawn from, case by case."""
    rows = [
        [case.evaluation_id, case.case_hash, case.effective, case.provisional, case.overridden]
        for side in (comparison.baseline, comparison.candidate)
        if side is not None
        for case in side.cases
    ]
    # A score that is not finite must not break the record that says so.
    text = json.dumps(rows, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
