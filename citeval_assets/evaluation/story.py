"""What came out, told: scores, where the candidate lost to production, and which judge erred."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from citeval_assets.config import Stage
from citeval_assets.evaluation.inputs import CompletedCase, load_completed
from citeval_assets.evaluation.judge_errors import JudgeErrors, judge_errors, judged_scores
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.evaluation.summaries import Summary
from citeval_assets.evaluation.told_cases import (
    CaseKey,
    ToldCase,
    by_key,
    fooled_case,
    label_of,
    lost_case,
)
from citeval_assets.playbooks.cases import TestCase
from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.reading import PairedCase, ScoreLine, Side, paired_cases

_TOLD_IN_FULL = 2
_LOOKED_AT = 20
"""Of the deepest falls of a comparison, as many are looked through for those to be told."""


class Comparison(Summary):
    """A candidate beside a production system, on the same cases under one judge and prompt."""

    playbook: str
    judge: str
    prompt_version: str
    baseline: str
    candidate: str
    baseline_mean: float
    candidate_mean: float
    pairs: int
    worse: int
    better: int
    same: int

    @property
    def lost(self) -> bool:
        """Whether the candidate's mean is lower."""
        return self.candidate_mean < self.baseline_mean


class Story(Summary):
    """Scores, comparisons under the production judge, the worst cases, the judges' errors.

    ``fooled``: faulty cases the production judge passed and another judge did not.
    """

    scores: tuple[ScoreLine, ...]
    comparisons: tuple[Comparison, ...]
    worst: tuple[ToldCase, ...]
    judges: tuple[JudgeErrors, ...]
    fooled: tuple[ToldCase, ...] = ()


def tell(project: Project, scores: Sequence[ScoreLine]) -> Story:
    """Tell what the current evaluations say of the candidates and of the judges."""
    with project.open_ledger() as ledger:
        cases = {
            name: load_completed(project, name, ledger=ledger)[1]
            for name in {s.playbook for s in scores}
        }
    comparisons: list[Comparison] = []
    worst: list[ToldCase] = []
    fooled: list[ToldCase | None] = []
    with project.warehouse.reading() as connection:
        for cell in _told_cells(project, scores):
            others = {s.model for s in scores if s.playbook == cell.playbook} - {cell.model}
            fooled.append(_fooled(connection, cell, others, cases[cell.playbook]))
            for baseline, candidate in _systems_compared(project, scores, cell):
                pairs = _pairs(connection, cell, baseline, candidate)
                if not pairs:
                    continue
                comparison = _comparison(cell, baseline, candidate, pairs)
                comparisons.append(comparison)
                if comparison.lost:
                    worst += _worst_cases(connection, cell, pairs, cases[cell.playbook])
        judges = judge_errors(connection, _told_prompts(project, scores), cases, project)
    return Story(
        scores=tuple(scores),
        comparisons=tuple(comparisons),
        worst=tuple(_from_different_playbooks(worst)),
        judges=judges,
        fooled=tuple(_with_passages_first(fooled)),
    )


def _told_cells(project: Project, scores: Iterable[ScoreLine]) -> list[Cell]:
    """Return one cell per playbook: the production model with the newest prompt there is."""
    scores = tuple(scores)
    present = {Cell(s.playbook, s.model, s.prompt_version) for s in scores}
    prompts = _told_prompts(project, scores)
    told: dict[str, Cell] = {}
    for cell in project.cells():
        model = project.settings.model(cell.model)
        if cell not in present or cell.prompt_version != prompts[cell.playbook]:
            continue
        recorded = model.model.startswith("embedded/recorded")
        if model.stage is Stage.PRODUCTION and (cell.playbook not in told or recorded):
            told[cell.playbook] = cell
    return [told[playbook] for playbook in sorted(told)]


def _told_prompts(project: Project, scores: Iterable[ScoreLine]) -> dict[str, str]:
    """Return of each playbook the newest prompt version that was judged with."""
    told: dict[str, str] = {}
    for playbook, version in sorted({(s.playbook, s.prompt_version) for s in scores}):
        newest = project.newest_prompt(playbook)
        if told.get(playbook) is None or told[playbook] != newest:
            told[playbook] = version
    return told


def _systems_compared(
    project: Project, scores: Iterable[ScoreLine], cell: Cell
) -> list[tuple[str, str]]:
    systems = [s.system for s in scores if Cell(s.playbook, s.model, s.prompt_version) == cell]
    at = {
        stage: [s.label for s in project.settings.systems_at(stage) if s.label in systems]
        for stage in (Stage.PRODUCTION, Stage.CANDIDATE)
    }
    return [(b, c) for b in at[Stage.PRODUCTION] for c in at[Stage.CANDIDATE]]


def _pairs(connection: Connection, cell: Cell, baseline: str, candidate: str) -> list[PairedCase]:
    found = paired_cases(
        connection,
        cell.playbook,
        baseline=Side(cell.model, cell.prompt_version, baseline),
        candidate=Side(cell.model, cell.prompt_version, candidate),
    )
    return [pair for pair in found if pair.difference is not None]


def _comparison(
    cell: Cell, baseline: str, candidate: str, pairs: Sequence[PairedCase]
) -> Comparison:
    differences = [pair.difference or 0.0 for pair in pairs]
    return Comparison(
        playbook=cell.playbook,
        judge=cell.model,
        prompt_version=cell.prompt_version,
        baseline=baseline,
        candidate=candidate,
        baseline_mean=fmean(_scores(pair)[0] for pair in pairs),
        candidate_mean=fmean(_scores(pair)[1] for pair in pairs),
        pairs=len(pairs),
        worse=sum(difference < 0 for difference in differences),
        better=sum(difference > 0 for difference in differences),
        same=sum(difference == 0 for difference in differences),
    )


def _scores(pair: PairedCase) -> tuple[float, float]:
    assert pair.baseline is not None and pair.candidate is not None
    assert pair.baseline.effective_score is not None
    assert pair.candidate.effective_score is not None
    return pair.baseline.effective_score, pair.candidate.effective_score


def _worst_cases(
    connection: Connection,
    cell: Cell,
    pairs: Sequence[PairedCase],
    cases: Sequence[CompletedCase],
) -> Iterator[ToldCase]:
    """Yield deep falls; where the cases are labelled, only those the labels confirm."""
    known = by_key(cases)
    for pair in pairs[:_LOOKED_AT]:
        assert pair.baseline is not None and pair.candidate is not None
        case = known.get((pair.test_case_id, pair.candidate.system))
        before, after = _scores(pair)
        if case is None or after >= before:
            continue
        label = label_of(case)
        best = label_of(known.get((pair.test_case_id, pair.baseline.system)))
        if label is not None and label >= (1.0 if best is None else best):
            continue
        told = lost_case(connection, cell, case, before, after)
        if told is not None:
            yield told


def _fooled(
    connection: Connection,
    cell: Cell,
    others: Iterable[str],
    cases: Sequence[CompletedCase],
) -> ToldCase | None:
    """Return a labelled faulty case of which the judge of a cell passed a wrong part.

    Another judge did not pass that part. Cases whose passage can be shown and that another
    judge was sure of come first, then those in English, which all can follow.
    """
    known = by_key(cases)
    sure = {
        key
        for other in others
        for key, score, unsure in judged_scores(connection, replace(cell, model=other))
        if not unsure and score < 1.0
    }

    def rank(key: CaseKey) -> tuple[bool, bool, CaseKey]:
        return key not in sure, known[key].language not in (None, "en"), key

    scores = {key: score for key, score, _ in judged_scores(connection, cell)}
    faulty = [key for key in scores if key in known and _faulty(known[key])]
    told = [
        case
        for key in sorted(faulty, key=rank)[:_LOOKED_AT]
        if (case := fooled_case(connection, cell, known[key], scores[key])) is not None
    ]
    shown = [case for case in told if case.findings[0].passage is not None]
    return next(iter(shown or told), None)


def _with_passages_first(fooled: Iterable[ToldCase | None]) -> list[ToldCase]:
    told = [case for case in fooled if case is not None]
    told.sort(key=lambda case: case.findings[0].passage is None)
    return told[:_TOLD_IN_FULL]


def _faulty(case: TestCase) -> bool:
    label = label_of(case)
    return label is not None and label < 1.0


def _from_different_playbooks(worst: Sequence[ToldCase]) -> list[ToldCase]:
    """Return the cases to be told, each of another playbook.

    First those whose passage can be shown and on which every judge says the same; then the
    deepest falls.
    """

    def rank(case: ToldCase) -> tuple[bool, bool, float]:
        shown = any(finding.passage is not None for finding in case.findings)
        alike = all(len({s.verdict for s in f.said}) < 2 for f in case.findings)
        return (not shown, not alike, -abs(case.after - case.before))

    chosen: dict[str, ToldCase] = {}
    for case in sorted(worst, key=rank):
        if any(finding.passage_id for finding in case.findings):
            chosen.setdefault(case.playbook, case)
    return sorted(chosen.values(), key=rank)[:_TOLD_IN_FULL]
