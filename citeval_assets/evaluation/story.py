"""What came out, told: scores, where the candidate lost to production, and which judge erred."""

from collections.abc import Iterable, Sequence
from statistics import fmean

import duckdb

from citeval_assets.config import Stage
from citeval_assets.evaluation.inputs import CompletedCase, load_completed
from citeval_assets.evaluation.judge_errors import JudgeErrors, judge_errors
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.evaluation.summaries import Summary
from citeval_assets.warehouse.evidence import FailingFinding, failing_findings
from citeval_assets.warehouse.reading import PairedCase, ScoreLine, Side, paired_cases

_TOLD_IN_FULL = 2
_PASSAGE_CHARS = 400


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


class ToldFinding(Summary):
    """One thing that cost a case its score: the text, the passage it cites, and why."""

    kind: str
    text: str
    verdict: str
    why: str
    passage_id: str | None = None
    passage: str | None = None


class ToldCase(Summary):
    """One case on which the candidate lost, in full."""

    playbook: str
    test_case_id: str
    question: str
    before: float
    after: float
    findings: tuple[ToldFinding, ...]


class Story(Summary):
    """Scores, comparisons under the production judge, the worst cases, the judges' errors."""

    scores: tuple[ScoreLine, ...]
    comparisons: tuple[Comparison, ...]
    worst: tuple[ToldCase, ...]
    judges: tuple[JudgeErrors, ...]


def tell(project: Project, scores: Sequence[ScoreLine]) -> Story:
    """Tell what the current evaluations say of the candidates and of the judges."""
    with project.open_ledger() as ledger:
        cases = {
            name: load_completed(project, name, ledger=ledger)[1]
            for name in {s.playbook for s in scores}
        }
    comparisons: list[Comparison] = []
    worst: list[ToldCase] = []
    with project.warehouse.reading() as connection:
        for cell in _told_cells(project, scores):
            for baseline, candidate in _systems_compared(project, scores, cell):
                pairs = _pairs(connection, cell, baseline, candidate)
                if not pairs:
                    continue
                comparison = _comparison(cell, baseline, candidate, pairs)
                comparisons.append(comparison)
                if comparison.lost:
                    worst += _worst_cases(connection, cell, pairs, cases[cell.playbook])
        judges = judge_errors(connection, project, cases)
    worst.sort(key=lambda case: case.after - case.before)
    return Story(
        scores=tuple(scores),
        comparisons=tuple(comparisons),
        worst=tuple(_from_different_playbooks(worst)),
        judges=judges,
    )


def _told_cells(project: Project, scores: Iterable[ScoreLine]) -> list[Cell]:
    """Return one cell per playbook: the production model with the newest released prompt."""
    present = {Cell(s.playbook, s.model, s.prompt_version) for s in scores}
    told: dict[str, Cell] = {}
    for cell in project.cells():
        model = project.settings.model(cell.model)
        if cell not in present or cell.prompt_version != project.newest_prompt(cell.playbook):
            continue
        recorded = model.model.startswith("embedded/recorded")
        if model.stage is Stage.PRODUCTION and (cell.playbook not in told or recorded):
            told[cell.playbook] = cell
    return [told[playbook] for playbook in sorted(told)]


def _systems_compared(
    project: Project, scores: Iterable[ScoreLine], cell: Cell
) -> list[tuple[str, str]]:
    systems = [s.system for s in scores if Cell(s.playbook, s.model, s.prompt_version) == cell]
    at = {
        stage: [s.label for s in project.settings.systems_at(stage) if s.label in systems]
        for stage in (Stage.PRODUCTION, Stage.CANDIDATE)
    }
    return [(b, c) for b in at[Stage.PRODUCTION] for c in at[Stage.CANDIDATE]]


def _pairs(
    connection: duckdb.DuckDBPyConnection, cell: Cell, baseline: str, candidate: str
) -> list[PairedCase]:
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
    connection: duckdb.DuckDBPyConnection,
    cell: Cell,
    pairs: Sequence[PairedCase],
    cases: Sequence[CompletedCase],
) -> list[ToldCase]:
    by_key = {(c.loaded.case.test_case_id, c.loaded.case.system): c.loaded.case for c in cases}
    told: list[ToldCase] = []
    for pair in pairs[:_TOLD_IN_FULL]:
        assert pair.candidate is not None
        case = by_key.get((pair.test_case_id, pair.candidate.system))
        before, after = _scores(pair)
        if case is None or after >= before:
            continue
        texts = {source.id: source.text for source in case.unique_sources}
        evaluation, system = pair.candidate.evaluation_id, pair.candidate.system
        findings = failing_findings(connection, evaluation, pair.test_case_id, system, limit=2)
        told.append(
            ToldCase(
                playbook=cell.playbook,
                test_case_id=pair.test_case_id,
                question=case.question,
                before=before,
                after=after,
                findings=tuple(_told_finding(finding, texts) for finding in findings),
            )
        )
    return told


def _told_finding(finding: FailingFinding, texts: dict[str, str]) -> ToldFinding:
    passage = finding.evidence[0] if finding.evidence else texts.get(finding.source_id or "")
    return ToldFinding(
        kind=finding.unit,
        text=finding.text,
        verdict=", ".join(dict.fromkeys((finding.label, *finding.flags))),
        why=finding.explanation,
        passage_id=finding.source_id,
        passage=None if passage is None else " ".join(passage.split())[:_PASSAGE_CHARS],
    )


def _from_different_playbooks(worst: Sequence[ToldCase]) -> list[ToldCase]:
    """Return the worst cases to be told, each of another playbook, with their passages."""
    chosen: dict[str, ToldCase] = {}
    for case in worst:
        if case.playbook not in chosen and any(f.passage_id for f in case.findings):
            chosen[case.playbook] = case
    return list(chosen.values())[:_TOLD_IN_FULL]
