"""Two sides case by case: what became better, what became worse, and the texts behind it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field

from citeval_assets.config.gates import Compared, GateConfig
from citeval_assets.evaluation.project import Project, UnknownName
from citeval_assets.evaluation.summaries import Summary
from citeval_assets.gates.loading import Comparison, has_judge, load
from citeval_assets.gates.metrics import offset_of
from citeval_assets.gates.model import Failure, GateCase, Pair
from citeval_assets.gates.patterns import failures_of
from citeval_assets.gates.sides import (
    SidesUnclear,
    judged_by_model,
    production_judges,
    resolve_sides,
)
from citeval_assets.ledger.records import CaseRecord
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.vocabulary import Status
from citeval_assets.statistics.bridged import without_offset
from citeval_assets.statistics.paired import paired_difference
from citeval_assets.statistics.power import detectable_drop
from citeval_assets.warehouse.evidence import failing_findings
from citeval_assets.warehouse.gate_reading import Connection, case_texts, gate_cells
from citeval_assets.warehouse.trends import unscored_reasons

_REASONS = 4
_ACROSS = (
    "the two sides were judged in different epochs (judge snapshot, template, rules or scoring), "
    "so their scores are not compared: run both again, or measure the offset between the epochs "
    "with `citeval calibrate --bridge`"
)


@dataclass(frozen=True, slots=True)
class CompareQuery:
    """What is to be compared: names of systems, judges or prompt versions."""

    base: str
    candidate: str
    by: Compared = Compared.SYSTEMS
    playbooks: tuple[str, ...] = ()
    judge: str | None = None
    prompt: str | None = None
    datasets: tuple[str, ...] = ()
    limit: int = 20


class CaseSide(Summary):
    """One side of one case: its score, its text, and what was found wrong with it."""

    system: str
    status: str
    score: float | None
    overridden: bool = False
    text: str = ""
    failures: tuple[str, ...] = ()


class CaseChange(Summary):
    """One case that did not come out the same."""

    test_case_id: str
    question: str
    change: str
    base: CaseSide
    candidate: CaseSide
    new_failures: tuple[str, ...] = ()


class SideNumbers(Summary):
    """The mean of one side over the pairs, and how much of the side is scored.

    ``worst_case_mean`` and ``best_case_mean`` are over all cases of the side that could be scored,
    if every unscored one had failed, or passed.
    """

    label: str
    cases: int
    scored: int
    not_applicable: int
    mean_of_pairs: float | None
    unscored_reasons: dict[str, int] = Field(default_factory=dict)
    worst_case_mean: float | None = None
    best_case_mean: float | None = None


class PlaybookComparison(Summary):
    """Two sides of one playbook under one judge and prompt version."""

    playbook: str
    judge: str
    prompt_version: str
    base: SideNumbers
    candidate: SideNumbers
    pairs: int
    better: int
    worse: int
    same: int
    without_score: int
    only_in_base: tuple[str, ...]
    difference: float | None
    interval: tuple[float, float] | None
    detectable_drop: float | None
    cases: tuple[CaseChange, ...]
    cases_left_out: int


class CompareReport(Summary):
    """What ``citeval compare`` prints."""

    base: str
    candidate: str
    by: str
    comparisons: tuple[PlaybookComparison, ...]
    problems: tuple[str, ...] = ()


def compare_sides(project: Project, ledger: Ledger, asked: CompareQuery) -> CompareReport:
    """Compare two sides in every playbook that has reports of both.

    Raises:
        UnknownName: for a playbook, or a side, that does not exist.
        WarehouseMissing: where nothing has been judged yet.
    """
    problems: list[str] = []
    found: list[PlaybookComparison] = []
    with project.warehouse.reading() as connection:
        _check_names(project, connection, asked)
        for gate in _gates(project, asked):
            try:
                sides = resolve_sides(gate, project.settings, project.templates)
            except SidesUnclear as unclear:
                problems.append(f"{gate.playbook}: {unclear}")
                continue
            comparison = load(connection, gate, sides, project.settings)
            if _across_epochs(comparison):
                problems.append(f"{gate.playbook}: {_ACROSS}")
            elif comparison.pairs:
                found.append(_compared(connection, ledger, comparison, asked.limit))
            elif asked.playbooks:
                problems.append(f"{gate.playbook}: no case has a report on both sides")
    return CompareReport(
        base=asked.base,
        candidate=asked.candidate,
        by=asked.by,
        comparisons=tuple(found),
        problems=tuple(problems),
    )


def _across_epochs(comparison: Comparison) -> bool:
    """Whether two systems were judged under different conditions, and nothing spans them.

    Judges, or prompt versions, are compared under their own conditions on purpose.
    """
    if comparison.gate.compare is not Compared.SYSTEMS or comparison.bridge is not None:
        return False
    cases = (
        *(comparison.baseline.cases if comparison.baseline else ()),
        *comparison.candidate.cases,
    )
    return has_judge(comparison) and len({case.epoch for case in cases}) > 1


def _check_names(project: Project, connection: Connection, asked: CompareQuery) -> None:
    known = all_playbooks()
    for playbook in asked.playbooks:
        if playbook not in known:
            raise UnknownName("playbook", playbook, known)
    cells = gate_cells(connection)
    names = {
        Compared.SYSTEMS: {cell.system for cell in cells},
        Compared.JUDGES: {cell.model for cell in cells},
        Compared.PROMPTS: {cell.prompt_version for cell in cells},
    }[asked.by]
    for name in (asked.base, asked.candidate):
        if name not in names:
            raise UnknownName(f"{str(asked.by).removesuffix('s')} with reports", name, names)


def _gates(project: Project, asked: CompareQuery) -> Iterator[GateConfig]:
    for playbook in asked.playbooks or all_playbooks():
        judges: Sequence[str | None] = (asked.judge,)
        wants_judge = asked.by is not Compared.JUDGES and judged_by_model(playbook)
        if asked.judge is None and wants_judge:
            judges = production_judges(project.settings) or (None,)
        for judge in judges:
            yield GateConfig(
                name="compare",
                playbook=playbook,
                compare=asked.by,
                baseline=asked.base,
                candidate=asked.candidate,
                judge=judge,
                prompt=asked.prompt,
                datasets=asked.datasets,
            )


def _compared(
    connection: Connection, ledger: Ledger, comparison: Comparison, limit: int
) -> PlaybookComparison:
    scored = [pair for pair in comparison.pairs if pair.scored]
    moves = [_move(pair) for pair in scored]
    result = paired_difference(moves, [p.candidate.question for p in scored]) if moves else None
    if result is not None and comparison.bridge is not None:
        result = without_offset(result, offset_of(comparison.bridge))
    changed = sorted(
        (pair for pair, move in zip(scored, moves, strict=True) if move),
        key=lambda pair: (_move(pair), pair.test_case_id),
    )
    lost = [p for p in comparison.pairs if not p.scored and p.baseline.effective is not None]
    worse = [pair for pair in changed if _move(pair) < 0]
    better = [pair for pair in reversed(changed) if _move(pair) > 0]
    told = [*worse[:limit], *lost[: max(0, limit - len(worse))], *better[:limit]]
    before = [pair.baseline.effective or 0.0 for pair in scored]
    after = [pair.candidate.effective or 0.0 for pair in scored]
    baseline, key = comparison.baseline, comparison.candidate.key
    assert baseline is not None
    bounded = result is not None and result.low is not None and result.high is not None
    return PlaybookComparison(
        playbook=comparison.gate.playbook,
        judge=key.model or comparison.pairs[0].candidate.model,
        prompt_version=key.prompt_version or comparison.pairs[0].candidate.prompt_version,
        base=_numbers(baseline.label, baseline.cases, before),
        candidate=_numbers(comparison.candidate.label, comparison.candidate.cases, after),
        pairs=len(scored),
        better=len(better),
        worse=len(worse),
        same=len(scored) - len(better) - len(worse),
        without_score=len(comparison.pairs) - len(scored),
        only_in_base=comparison.unpaired[:limit],
        difference=result.difference if result else None,
        interval=(result.low or 0.0, result.high or 0.0) if result and bounded else None,
        detectable_drop=detectable_drop(result) if result else None,
        cases=tuple(_changes(connection, ledger, comparison, told)),
        cases_left_out=len(worse) + len(better) + len(lost) - len(told),
    )


def _move(pair: Pair) -> float:
    return (pair.candidate.effective or 0.0) - (pair.baseline.effective or 0.0)


def _numbers(label: str, cases: Sequence[GateCase], paired: Sequence[float]) -> SideNumbers:
    scores = [case.effective for case in cases if case.effective is not None]
    without = sum(case.validation_status == Status.NOT_APPLICABLE for case in cases)
    applicable = len(cases) - without
    unscored = applicable - len(scores)
    return SideNumbers(
        label=label,
        cases=len(cases),
        scored=len(scores),
        not_applicable=without,
        mean_of_pairs=sum(paired) / len(paired) if paired else None,
        unscored_reasons=unscored_reasons([case for case in cases if case.effective is None]),
        worst_case_mean=sum(scores) / applicable if applicable else None,
        best_case_mean=(sum(scores) + unscored) / applicable if applicable else None,
    )


def _changes(
    connection: Connection, ledger: Ledger, comparison: Comparison, pairs: Sequence[Pair]
) -> Iterator[CaseChange]:
    sides = [case for pair in pairs for case in (pair.baseline, pair.candidate)]
    records = {record.case_hash: record for record in ledger.cases({c.case_hash for c in sides})}
    answers = {
        (row.evaluation_id, row.test_case_id, row.system): row.answer
        for row in case_texts(
            connection,
            sorted({case.evaluation_id for case in sides}),
            sorted({case.test_case_id for case in sides}),
        )
    }
    for pair in pairs:
        record = records.get(pair.candidate.case_hash) or records.get(pair.baseline.case_hash)
        known = {f.fingerprint for f in _failures(comparison, pair.baseline)}
        fresh = [f for f in _failures(comparison, pair.candidate) if f.fingerprint not in known]
        yield CaseChange(
            test_case_id=pair.test_case_id,
            question=_question(record),
            change=_change(pair),
            base=_case_side(connection, pair.baseline, records, answers),
            candidate=_case_side(connection, pair.candidate, records, answers),
            new_failures=tuple(failure.fingerprint for failure in fresh),
        )


def _failures(comparison: Comparison, case: GateCase) -> tuple[Failure, ...]:
    return failures_of(comparison.gate.playbook, case, comparison.failures)


def _change(pair: Pair) -> str:
    if not pair.scored:
        return "unscored"
    return "worse" if _move(pair) < 0 else "better"


def _question(record: CaseRecord | None) -> str:
    return json.loads(record.canonical_json)["question"] if record else ""


def _case_side(
    connection: Connection,
    case: GateCase,
    records: Mapping[str, CaseRecord],
    answers: Mapping[tuple[str, str, str], str | None],
) -> CaseSide:
    findings = failing_findings(connection, *case.place, limit=_REASONS)
    status = case.validation_status
    return CaseSide(
        system=case.system,
        status=f"{status}: {case.reason}" if case.reason else status,
        score=case.effective,
        overridden=case.overridden,
        text=answers.get(case.place) or _text(records.get(case.case_hash)),
        failures=tuple(finding.told for finding in findings),
    )


def _text(record: CaseRecord | None) -> str:
    """Return what the system produced: its answer, or its trace with the final answer."""
    if record is None:
        return ""
    row = json.loads(record.canonical_json)
    trace = row.get("reasoning_trace")
    parts: Iterable[str | None] = (
        "\n".join(trace) if isinstance(trace, list) else trace,
        row.get("final_answer"),
        row.get("answer"),
    )
    return "\n\n".join(part for part in parts if part)
