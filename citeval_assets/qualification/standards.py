"""Whether a judge is qualified: rates with intervals, held to the configured floors."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from citeval_assets.config.qualification import QualificationConfig
from citeval_assets.qualification.operators import FAULTS
from citeval_assets.qualification.outcomes import MutantOutcome, Seen
from citeval_assets.statistics.intervals import wilson_interval

_EXAMPLES = 3
_FAULT_NAMES = frozenset(operator.name for operator in FAULTS)


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its Wilson interval; ``None`` throughout where there is nothing to count."""

    hits: int
    n: int
    rate: float | None
    low: float | None
    high: float | None

    @classmethod
    def of(cls, hits: int, n: int, confidence: float) -> "Rate":
        """Return ``hits`` of ``n``."""
        interval = wilson_interval(hits, n, confidence)
        return cls(hits, n, interval.mean, interval.low, interval.high)


@dataclass(frozen=True, slots=True)
class Example:
    """One mutant the judge got wrong."""

    test_case_id: str
    system: str
    change: str


@dataclass(frozen=True, slots=True)
class FaultResult:
    """One kind of fault under one judge.

    ``n`` counts the scored mutants, ``caught`` those that were faulted, ``by_code`` those the
    checks in code settle whatever the judge says. ``judge`` is the rate over the rest, which is
    what the floor holds. ``passed`` is ``None`` where too few mutants depended on the judge.
    """

    fault: str
    n: int
    unscored: int
    caught: int
    by_code: int
    detection: Rate
    judge: Rate
    floor: float
    passed: bool | None
    missed: tuple[Example, ...] = ()
    inapplicable: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HarmlessResult:
    """One kind of harmless change: how often the judge faulted it."""

    change: str
    n: int
    unscored: int
    false_alarms: int
    rate: Rate
    faulted: tuple[Example, ...] = ()
    inapplicable: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Qualification:
    """One judge with one prompt version under one playbook."""

    playbook: str
    model: str
    prompt_version: str
    epoch: str
    qualified: bool
    reasons: tuple[str, ...]
    detection: Rate
    false_alarms: Rate
    faults: tuple[FaultResult, ...]
    harmless: tuple[HarmlessResult, ...]
    clean_cases: int
    mutants: int
    unscored: int
    seed: int


@dataclass(frozen=True, slots=True)
class JudgeKey:
    """Whose qualification it is, and under which conditions."""

    playbook: str
    model: str
    prompt_version: str
    epoch: str


def qualify(
    judge: JudgeKey,
    outcomes: Sequence[MutantOutcome],
    config: QualificationConfig,
    *,
    clean_cases: int,
    inapplicable: Mapping[str, Mapping[str, int]],
    confidence: float = 0.95,
) -> Qualification:
    """Count what the judge saw, and hold it to the floors."""
    faults = tuple(
        _fault(name, outcomes, config, why, confidence)
        for name, why in inapplicable.items()
        if name in _FAULT_NAMES
    )
    harmless = tuple(
        _harmless(name, outcomes, why, confidence)
        for name, why in inapplicable.items()
        if name not in _FAULT_NAMES
    )
    detection = Rate.of(
        sum(f.judge.hits for f in faults), sum(f.judge.n for f in faults), confidence
    )
    alarms = Rate.of(sum(h.false_alarms for h in harmless), sum(h.n for h in harmless), confidence)
    unscored = sum(outcome.seen is Seen.UNSCORED for outcome in outcomes)
    reasons = tuple(_reasons(detection, alarms, faults, unscored, len(outcomes), config))
    return Qualification(
        playbook=judge.playbook,
        model=judge.model,
        prompt_version=judge.prompt_version,
        epoch=judge.epoch,
        qualified=not reasons,
        reasons=reasons,
        detection=detection,
        false_alarms=alarms,
        faults=faults,
        harmless=harmless,
        clean_cases=clean_cases,
        mutants=len(outcomes),
        unscored=unscored,
        seed=config.seed,
    )


def _fault(
    name: str,
    outcomes: Sequence[MutantOutcome],
    config: QualificationConfig,
    why: Mapping[str, int],
    confidence: float,
) -> FaultResult:
    mine = [outcome for outcome in outcomes if outcome.operator == name]
    scored = [outcome for outcome in mine if outcome.seen is not Seen.UNSCORED]
    caught = [outcome for outcome in scored if outcome.seen is Seen.FAULTED]
    by_code = sum(outcome.by_code for outcome in caught)
    judge = Rate.of(len(caught) - by_code, len(scored) - by_code, confidence)
    floor = config.floors.get(name, config.min_fault_detection)
    enough = judge.n >= config.min_mutants and judge.rate is not None
    return FaultResult(
        fault=name,
        n=len(scored),
        unscored=len(mine) - len(scored),
        caught=len(caught),
        by_code=by_code,
        detection=Rate.of(len(caught), len(scored), confidence),
        judge=judge,
        floor=floor,
        passed=judge.rate >= floor if enough and judge.rate is not None else None,
        missed=_examples(scored),
        inapplicable=dict(why),
    )


def _harmless(
    name: str, outcomes: Sequence[MutantOutcome], why: Mapping[str, int], confidence: float
) -> HarmlessResult:
    mine = [outcome for outcome in outcomes if outcome.operator == name]
    scored = [outcome for outcome in mine if outcome.seen is not Seen.UNSCORED]
    alarms = sum(outcome.seen is Seen.FAULTED for outcome in scored)
    return HarmlessResult(
        change=name,
        n=len(scored),
        unscored=len(mine) - len(scored),
        false_alarms=alarms,
        rate=Rate.of(alarms, len(scored), confidence),
        faulted=_examples(scored),
        inapplicable=dict(why),
    )


def _examples(outcomes: Sequence[MutantOutcome]) -> tuple[Example, ...]:
    wrong = [outcome for outcome in outcomes if outcome.wrong]
    return tuple(Example(o.test_case_id, o.system, o.change) for o in wrong[:_EXAMPLES])


def _reasons(
    detection: Rate,
    alarms: Rate,
    faults: Sequence[FaultResult],
    unscored: int,
    mutants: int,
    config: QualificationConfig,
) -> Iterator[str]:
    """Yield why the judge is not qualified; nothing where it is."""
    if detection.n < config.min_mutants or alarms.n < config.min_mutants:
        yield (
            f"too few mutants: {detection.n} faults and {alarms.n} harmless changes depended on "
            f"the judge, {config.min_mutants} of each are needed (are there cases labelled as "
            "fully right?)"
        )
        return
    if mutants and unscored > (1 - config.min_coverage) * mutants:
        yield f"{unscored} of {mutants} mutants could not be scored"
    if detection.rate is not None and detection.rate < config.min_detection:
        yield (
            f"saw {detection.hits} of {detection.n} faults ({detection.rate:.0%}); at least "
            f"{config.min_detection:.0%} are asked"
        )
    for fault in faults:
        if fault.passed is False and fault.judge.rate is not None:
            yield (
                f"{fault.fault}: saw {fault.judge.hits} of {fault.judge.n} "
                f"({fault.judge.rate:.0%}); at least {fault.floor:.0%} are asked"
            )
    if alarms.rate is not None and alarms.rate > config.max_false_alarms:
        yield (
            f"faulted {alarms.hits} of {alarms.n} harmless changes ({alarms.rate:.0%}); at most "
            f"{config.max_false_alarms:.0%} are allowed"
        )
