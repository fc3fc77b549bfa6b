"""Why a gate cannot tell: what is missing, what does not belong together, what is still open.

A gate never passes by absence. What is lacking makes every metric inconclusive; a doubt about
the judgements leaves standing what code alone decided.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from citeval_assets.config.gates import Compared, GateConfig
from citeval_assets.gates.loading import Comparison, LoadedSide, has_judge
from citeval_assets.gates.model import GateCase
from citeval_assets.playbooks.vocabulary import Status
from citeval_assets.warehouse.trends import unscored_reasons


@dataclass(frozen=True, slots=True)
class Blockers:
    """Reasons why there is no verdict.

    ``lacking``: nothing can be said. ``doubts``: no pass, and a fail only where code decided.
    """

    lacking: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def find_blockers(comparison: Comparison, qualified: bool | None) -> Blockers:
    """Look for everything that keeps a gate from deciding.

    Args:
        comparison: the two sides.
        qualified: whether the judge was qualified; ``None`` where it was never tried.
    """
    lacking = list(_missing_sides(comparison))
    if not lacking:
        lacking = [
            *_mixed(comparison),
            *_not_finite(comparison),
            *_coverage(comparison),
            *_too_few(comparison),
        ]
    return Blockers(tuple(lacking), tuple(_doubts(comparison, qualified)))


def exact(share: float) -> Fraction:
    """Return a share as it is written, so that 2 of 100 is 0.02 and not a little more."""
    return Fraction(str(share))


def _missing_sides(comparison: Comparison) -> Iterator[str]:
    gate, baseline, candidate = comparison.gate, comparison.baseline, comparison.candidate
    if baseline is None and not gate.first_release:
        yield "no baseline: the gate names none; set first_release where nothing runs today"
    elif baseline is not None and not baseline.cases and not gate.first_release:
        yield f"no baseline: {_nothing(baseline, gate)}"
    if not candidate.cases:
        yield f"no rows: {_nothing(candidate, gate)}"


def _nothing(side: LoadedSide, gate: GateConfig) -> str:
    """Say that a side has no reports here, and where it does have some."""
    of = f" of {', '.join(gate.datasets)}" if gate.datasets else ""
    text = f"{side.key} has no report{of}"
    if side.key.system is None:
        return text
    elsewhere = sorted({f"{cell.model}|{cell.prompt_version}" for cell in side.cells})
    here = f"{side.key.model}|{side.key.prompt_version}"
    others = [cell for cell in elsewhere if cell != here]
    if not others:
        return f"{text}; `citeval run` judges it"
    return f"{text}: judge or prompt differ, it was judged under {', '.join(others)}"


def _sides(comparison: Comparison) -> list[LoadedSide]:
    return [side for side in (comparison.baseline, comparison.candidate) if side is not None]


def _mixed(comparison: Comparison) -> Iterator[str]:
    """Name what differs between the sides although it must not."""
    for side in _sides(comparison):
        cells = {(case.model, case.prompt_version) for case in side.cases}
        if len(cells) > 1:
            listed = ", ".join(sorted(f"{model}|{prompt}" for model, prompt in cells))
            yield f"{side.label} was evaluated under several cells ({listed}): name one in the gate"
        if len({case.epoch for case in side.cases}) > len(cells):
            yield f"epochs differ within {side.label}: run it again as a whole"
        if side.stale:
            yield (
                f"{side.stale} of {len(side.cases)} cases of {side.label} have changed since they "
                "were judged: run it again"
            )
    if comparison.ambiguous:
        yield f"cases stand twice on one side (first: {comparison.ambiguous[0]})"
    if comparison.baseline is not None and comparison.baseline.cases:
        yield from _unlike(comparison, comparison.baseline, comparison.candidate)


def _unlike(comparison: Comparison, baseline: LoadedSide, candidate: LoadedSide) -> Iterator[str]:
    gate = comparison.gate
    versions = [{case.dataset_version for case in side.cases} for side in (baseline, candidate)]
    if versions[0] != versions[1]:
        told = " and ".join("+".join(sorted(v[:12] for v in found)) for found in versions)
        yield f"dataset version differs ({told}): run both sides on the same cases"
    if gate.compare is Compared.SYSTEMS and has_judge(comparison):
        epochs = {case.epoch for side in (baseline, candidate) for case in side.cases}
        if len(epochs) > 1 and comparison.bridge is None:
            yield (
                "epochs differ: the sides were judged under other conditions (judge snapshot, "
                "template, rules or scoring): run both again, or let `citeval calibrate --bridge` "
                "measure the offset of the score"
            )
    if gate.same_sources:
        unlike = [
            pair.test_case_id
            for pair in comparison.pairs
            if pair.baseline.subject_hash != pair.candidate.subject_hash
        ]
        if unlike:
            yield (
                f"{len(unlike)} of {len(comparison.pairs)} pairs differ in question, sources or "
                f"expectation (first: {unlike[0]}); same_sources: false compares them all the same"
            )


def _not_finite(comparison: Comparison) -> Iterator[str]:
    for side in _sides(comparison):
        bad = [case.test_case_id for case in side.cases if case.not_finite]
        if bad:
            yield f"non-finite score on {side.label} (case {bad[0]}): the warehouse was edited"


def _coverage(comparison: Comparison) -> Iterator[str]:
    floor = exact(comparison.gate.coverage_floor)
    for side in _sides(comparison):
        if not side.cases:
            continue
        unscored, applicable, causes = uncovered(side)
        if not applicable:
            yield f"nothing to score on {side.label}: every case is not applicable"
        elif Fraction(applicable - unscored, applicable) < floor or unscored == applicable:
            listed = ", ".join(f"{cause} {count}" for cause, count in causes.items())
            yield (
                f"{unscored} of {applicable} unscored on {side.label} ({listed}); coverage must be "
                f"{comparison.gate.coverage_floor:.0%}"
            )
    if comparison.baseline is not None and comparison.baseline.cases:
        total, left = len(comparison.baseline.cases), len(comparison.unpaired)
        if left and Fraction(total - left, total) < floor:
            yield (
                f"{left} of {total} cases of {comparison.baseline.label} are missing on "
                f"{comparison.candidate.label} (first: {comparison.unpaired[0]})"
            )


def uncovered(side: LoadedSide) -> tuple[int, int, dict[str, int]]:
    """Return how many cases have no score, of how many that could, and why."""
    statuses = Counter(case.validation_status for case in side.cases)
    scored = sum(case.effective is not None for case in side.cases)
    attempted = len(side.cases) - statuses[Status.NOT_APPLICABLE]
    missing = max(0, (side.expected or 0) - len(side.cases))
    causes = unscored_reasons([case for case in side.cases if case.effective is None])
    if missing:
        causes["not judged"] = missing
    applicable = attempted + missing
    return applicable - scored, applicable, causes


def _too_few(comparison: Comparison) -> Iterator[str]:
    needed = comparison.gate.min_pairs
    if comparison.baseline is None or not comparison.baseline.cases:
        found = sum(case.effective is not None for case in comparison.candidate.cases)
        what = "scored cases"
    else:
        found = sum(pair.scored for pair in comparison.pairs)
        what = "paired cases"
    if found < needed:
        yield f"{found} {what}, at least {needed} are needed"


def _doubts(comparison: Comparison, qualified: bool | None) -> Iterator[str]:
    gate = comparison.gate
    compared = compared_cases(comparison)
    waiting = sum(case.provisional for case in compared)
    if waiting and not gate.allow_provisional:
        yield f"review pending: {waiting} of {len(compared)} reports are provisional"
    for stranger in comparison.answered:
        yield (
            f"model differs: {stranger.asked} was asked and {stranger.answered} answered, on "
            f"{stranger.cases} cases; same_models lists pairs that are equal"
        )
    for detail in comparison.void:
        yield f"canary failed: {detail}; what this judge says is void"
    tried = qualified is not None
    if has_judge(comparison) and not qualified and (tried or gate.require_qualified):
        how = "failed its qualification" if tried else "was never qualified as it is now"
        yield f"judge not qualified: it {how}; `citeval qualify` tries it on injected faults"


def compared_cases(comparison: Comparison) -> Sequence[GateCase]:
    """Return the reports the scores rest on: both sides of each pair, or the candidate alone."""
    if comparison.baseline is None or not comparison.baseline.cases:
        return comparison.candidate.cases
    return [case for pair in comparison.pairs for case in (pair.baseline, pair.candidate)]
