"""From the warehouse to the two sides of one gate, paired."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from statistics import median

from citeval_assets.config.gates import Compared, GateConfig
from citeval_assets.config.settings import Settings, UnknownModel
from citeval_assets.gates.counts import read_counts
from citeval_assets.gates.model import Answered, Failure, GateCase, Pair, SideKey
from citeval_assets.gates.patterns import Place, failures_by_place
from citeval_assets.gates.sides import Sides, judged_by_model
from citeval_assets.judging.answered import answers_as
from citeval_assets.statistics.repeats import JudgeNoise, judge_noise
from citeval_assets.warehouse.gate_reading import (
    AnsweredRow,
    CaseRow,
    CellRow,
    Cells,
    Connection,
    PresentRow,
    RepeatRow,
    gate_answered,
    gate_cases,
    gate_cells,
    gate_findings,
    gate_labels,
    gate_present,
    gate_repeats,
)
from citeval_assets.warehouse.judge_reading import bridge_rows, noise_rows, void_evaluations
from citeval_assets.warehouse.judge_tables import BridgeRow


@dataclass(frozen=True, slots=True)
class LoadedSide:
    """The cases of one side.

    ``expected`` counts the registered cases, judged or not (``None``: none are registered);
    ``stale`` those judged as they no longer are; ``cells`` where else the side was judged.
    """

    key: SideKey
    label: str
    cases: tuple[GateCase, ...]
    expected: int | None
    stale: int
    cells: tuple[CellRow, ...]
    labels: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything one gate is decided from."""

    gate: GateConfig
    baseline: LoadedSide | None
    candidate: LoadedSide
    pairs: tuple[Pair, ...]
    unpaired: tuple[str, ...]
    ambiguous: tuple[str, ...]
    failures: Mapping[Place, tuple[Failure, ...]]
    answered: tuple[Answered, ...]
    fingerprints: tuple[tuple[str, ...], ...]
    noise: JudgeNoise | None
    void: tuple[str, ...] = ()
    """Why evaluations of the two sides are void: a canary failed."""

    bridge: BridgeRow | None = None
    """The known offset between the epochs of the two sides, where they differ."""


def load(connection: Connection, gate: GateConfig, sides: Sides, settings: Settings) -> Comparison:
    """Read both sides of a gate and pair their cases."""
    cells = _cells(gate, sides)
    rows = gate_cases(connection, cells)
    repeats = _by_case(gate_repeats(connection, cells))
    cases = [_case(row, repeats) for row in rows]
    places = gate_cells(connection)
    present = gate_present(connection, cells)
    loaded = [_side(gate, key, cases, present, places) for key in sides.keys]
    evaluations = sorted({case.evaluation_id for side in loaded for case in side.cases})
    findings = gate_findings(connection, evaluations, cells.systems)
    labels = gate_labels(connection, evaluations, cells.systems)
    answered = gate_answered(connection, evaluations, cells.systems)
    loaded = [
        _with_labels(side, [(r.evaluation_id, r.system, r.label, r.findings) for r in labels])
        for side in loaded
    ]
    baseline = loaded[0] if sides.baseline is not None else None
    candidate = loaded[-1]
    pairs, unpaired, ambiguous = _pair(gate, baseline, candidate)
    return Comparison(
        gate=gate,
        baseline=baseline,
        candidate=candidate,
        pairs=pairs,
        unpaired=unpaired,
        ambiguous=ambiguous,
        failures=failures_by_place(gate.playbook, findings),
        answered=tuple(_strangers(gate, answered, settings)),
        fingerprints=tuple(_changed_fingerprints(answered)),
        noise=judge_noise(tuple(case.scores.values()) for case in cases)
        or _stored_noise(connection, gate, candidate),
        void=tuple(void_evaluations(connection, evaluations)),
        bridge=_bridge(connection, gate, baseline, candidate),
    )


def _stored_noise(connection: Connection, gate: GateConfig, side: LoadedSide) -> JudgeNoise | None:
    """Return the judge's noise as it was measured on a part of the cases, under this epoch."""
    judged = {(case.model, case.prompt_version, case.epoch) for case in side.cases}
    if len(judged) != 1:
        return None
    model, prompt, epoch = judged.pop()
    rows = [r for r in noise_rows(connection, gate.playbook, model, prompt) if r.epoch == epoch]
    if not rows:
        return None
    last = rows[-1]
    return JudgeNoise(last.cases, last.measurements, last.variance, last.largest_spread)


def _bridge(
    connection: Connection, gate: GateConfig, baseline: LoadedSide | None, candidate: LoadedSide
) -> BridgeRow | None:
    """Return the bridge from the one epoch of the baseline to that of the candidate."""
    if baseline is None or gate.compare is not Compared.SYSTEMS:
        return None
    before = {case.epoch for case in baseline.cases}
    after = {case.epoch for case in candidate.cases}
    if len(before) != 1 or len(after) != 1 or before == after:
        return None
    ends = (*before, *after)
    rows = bridge_rows(connection, gate.playbook)
    spanning = [r for r in rows if (r.old_epoch, r.new_epoch) == ends and r.ci_low is not None]
    return spanning[-1] if spanning else None


def _cells(gate: GateConfig, sides: Sides) -> Cells:
    """Return the smallest set of cells that holds both sides."""

    def named(values: Iterable[str | None]) -> tuple[str, ...] | None:
        listed = sorted({value for value in values if value is not None})
        return None if None in set(values) else tuple(listed)

    keys = sides.keys
    return Cells(
        playbook=gate.playbook,
        models=named([key.model for key in keys]),
        prompts=named([key.prompt_version for key in keys]),
        systems=named([key.system for key in keys]),
        datasets=gate.datasets or None,
    )


_CaseKey = tuple[str, str, str, str, str]


def _by_case(rows: Iterable[RepeatRow]) -> dict[_CaseKey, dict[int, float]]:
    found: defaultdict[_CaseKey, dict[int, float]] = defaultdict(dict)
    for row in rows:
        key = (row.case_hash, row.system, row.model, row.prompt_version, row.epoch)
        found[key][row.repeat] = row.score
    return found


def _case(row: CaseRow, repeats: Mapping[_CaseKey, dict[int, float]]) -> GateCase:
    key = (row.case_hash, row.system, row.model, row.prompt_version, row.epoch)
    scores = repeats.get(key, {})
    effective = row.effective_score
    odd = not all(
        score is None or isfinite(score)
        for score in (effective, row.counted_score, *scores.values())
    )
    if odd:
        scores, effective = {}, None
    if len(scores) > 1 and not row.overridden and effective is not None:
        effective = median(scores.values())
    return GateCase(
        test_case_id=row.test_case_id,
        system=row.system,
        model=row.model,
        prompt_version=row.prompt_version,
        evaluation_id=row.evaluation_id,
        case_hash=row.case_hash,
        subject_hash=row.subject_hash,
        question=row.question_key or row.test_case_id,
        dataset=row.dataset,
        validation_status=row.validation_status,
        reason=row.reason,
        counted_score=row.counted_score,
        effective=effective,
        overridden=row.overridden,
        provisional=row.provisional,
        verdict=row.verdict,
        model_differs=row.model_differs,
        epoch=row.epoch,
        dataset_version=row.dataset_version,
        counts=read_counts(row.details),
        scores=scores,
        not_finite=odd,
    )


def _side(
    gate: GateConfig,
    key: SideKey,
    cases: Iterable[GateCase],
    present: list[PresentRow],
    places: Iterable[CellRow],
) -> LoadedSide:
    mine = tuple(case for case in cases if _belongs(case, key))
    hashes = {row.case_hash for row in present}
    stale = sum(case.case_hash not in hashes for case in mine) if present else 0
    label = key.system or (key.prompt_version if gate.compare is Compared.PROMPTS else key.model)
    elsewhere = tuple(
        place
        for place in places
        if place.playbook == gate.playbook and (key.system is None or place.system == key.system)
    )
    return LoadedSide(key, label or "", mine, _expected(key, present), stale, elsewhere, {})


def _belongs(case: GateCase, key: SideKey) -> bool:
    return (
        (key.model is None or case.model == key.model)
        and (key.prompt_version is None or case.prompt_version == key.prompt_version)
        and (key.system is None or case.system == key.system)
    )


def _expected(key: SideKey, present: list[PresentRow]) -> int | None:
    """Return how many registered cases the side should have been judged on."""
    if not present:
        return None
    if key.system is None:
        return len(present)
    own = sum(row.system == key.system for row in present)
    # A target model that answers the questions itself answers each once, whoever they name.
    return own or len({row.test_case_id for row in present})


def _with_labels(side: LoadedSide, rows: list[tuple[str, str, str, int]]) -> LoadedSide:
    held = {(case.evaluation_id, case.system) for case in side.cases}
    counted: Counter[str] = Counter()
    for evaluation_id, system, label, findings in rows:
        if (evaluation_id, system) in held:
            counted[label] += findings
    return replace(side, labels=dict(sorted(counted.items())))


def _pair(
    gate: GateConfig, baseline: LoadedSide | None, candidate: LoadedSide
) -> tuple[tuple[Pair, ...], tuple[str, ...], tuple[str, ...]]:
    """Pair the cases; return the pairs, baseline cases without one, and ids that stand twice."""
    if baseline is None:
        return (), (), ()
    by_system = gate.compare is not Compared.SYSTEMS and _several_systems(baseline, candidate)

    def indexed(side: LoadedSide) -> tuple[dict[tuple[str, str], GateCase], list[str]]:
        found: dict[tuple[str, str], GateCase] = {}
        twice: list[str] = []
        for case in side.cases:
            key = (case.test_case_id, case.system if by_system else "")
            if key in found:
                twice.append(case.test_case_id)
            found[key] = case
        return found, twice

    before, before_twice = indexed(baseline)
    after, after_twice = indexed(candidate)
    pairs = tuple(Pair(before[key], after[key]) for key in before if key in after)
    unpaired = tuple(key[0] for key in before if key not in after)
    return pairs, unpaired, tuple(dict.fromkeys((*before_twice, *after_twice)))


def _several_systems(*sides: LoadedSide) -> bool:
    """Whether some case stands under more than one system on a side."""
    return any(len(side.cases) > len({case.test_case_id for case in side.cases}) for side in sides)


def _strangers(
    gate: GateConfig, rows: Iterable[AnsweredRow], settings: Settings
) -> Iterable[Answered]:
    """Yield the models that answered for another, unless the gate lists the two as equal."""
    equal = {frozenset(pair) for pair in gate.same_models}
    counted: Counter[tuple[str, str]] = Counter()
    for row in rows:
        asked = _asked(row.model, settings)
        answered = row.answered_model or ""
        if not answers_as(asked, answered) and frozenset((asked, answered)) not in equal:
            counted[asked, answered] += row.cases
    for (asked, answered), cases in sorted(counted.items()):
        yield Answered(asked, answered, cases)


def _asked(model_id: str, settings: Settings) -> str:
    try:
        return settings.model(model_id).model
    except UnknownModel:
        return model_id


def _changed_fingerprints(rows: Iterable[AnsweredRow]) -> Iterable[tuple[str, ...]]:
    """Yield the fingerprints of each evaluation in which the provider's changed."""
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.fingerprint:
            seen[row.evaluation_id].add(row.fingerprint)
    for _, found in sorted(seen.items()):
        if len(found) > 1:
            yield tuple(sorted(found))


def has_judge(comparison: Comparison) -> bool:
    """Whether a judge decided the scores that are compared."""
    return judged_by_model(comparison.gate.playbook)
