"""What came out, told: scores, and where the candidate lost to production, on which cases."""

from collections.abc import Sequence
from statistics import fmean

import duckdb

from citeval_assets.config import Stage
from citeval_assets.evaluation.project import Project
from citeval_assets.evaluation.summaries import Summary
from citeval_assets.warehouse.evidence import failing_findings, question_of
from citeval_assets.warehouse.reading import PairedCase, ScoreLine, Side, paired_cases

_CASES_TOLD = 5


class LostCase(Summary):
    """One case on which the candidate scored less, and why."""

    test_case_id: str
    question: str
    before: float
    after: float
    reasons: tuple[str, ...] = ()


class Loss(Summary):
    """One comparison of candidate and production that the candidate lost."""

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
    cases: tuple[LostCase, ...]


class Story(Summary):
    """The scores, and the losses with the largest first."""

    scores: tuple[ScoreLine, ...]
    losses: tuple[Loss, ...]


def tell(project: Project, scores: Sequence[ScoreLine]) -> Story:
    """Compare every candidate with every production system under each judge and prompt."""
    with project.warehouse.reading() as connection:
        losses = [
            loss
            for (playbook, judge, prompt), systems in _systems(scores).items()
            for baseline in _at(project, Stage.PRODUCTION, systems)
            for candidate in _at(project, Stage.CANDIDATE, systems)
            if (loss := _loss(connection, playbook, judge, prompt, baseline, candidate))
        ]
    losses.sort(key=lambda loss: loss.candidate_mean - loss.baseline_mean)
    return Story(scores=tuple(scores), losses=tuple(losses))


def _systems(scores: Sequence[ScoreLine]) -> dict[tuple[str, str, str], list[str]]:
    found: dict[tuple[str, str, str], list[str]] = {}
    for line in scores:
        found.setdefault((line.playbook, line.model, line.prompt_version), []).append(line.system)
    return found


def _at(project: Project, stage: Stage, systems: Sequence[str]) -> list[str]:
    labels = {system.label for system in project.settings.systems_at(stage)}
    return [system for system in systems if system in labels]


def _loss(
    connection: duckdb.DuckDBPyConnection,
    playbook: str,
    judge: str,
    prompt: str,
    baseline: str,
    candidate: str,
) -> Loss | None:
    pairs = [
        pair
        for pair in paired_cases(
            connection,
            playbook,
            baseline=Side(judge, prompt, baseline),
            candidate=Side(judge, prompt, candidate),
        )
        if pair.difference is not None
    ]
    worse = [pair for pair in pairs if (pair.difference or 0) < 0]
    if not worse:
        return None
    before = fmean(_scores(pair)[0] for pair in pairs)
    after = fmean(_scores(pair)[1] for pair in pairs)
    if after >= before:
        return None
    better = sum((pair.difference or 0) > 0 for pair in pairs)
    return Loss(
        playbook=playbook,
        judge=judge,
        prompt_version=prompt,
        baseline=baseline,
        candidate=candidate,
        baseline_mean=before,
        candidate_mean=after,
        pairs=len(pairs),
        worse=len(worse),
        better=better,
        same=len(pairs) - len(worse) - better,
        cases=tuple(_lost_case(connection, playbook, pair) for pair in worse[:_CASES_TOLD]),
    )


def _scores(pair: PairedCase) -> tuple[float, float]:
    assert pair.baseline is not None and pair.candidate is not None
    assert pair.baseline.effective_score is not None
    assert pair.candidate.effective_score is not None
    return pair.baseline.effective_score, pair.candidate.effective_score


def _lost_case(connection: duckdb.DuckDBPyConnection, playbook: str, pair: PairedCase) -> LostCase:
    before, after = _scores(pair)
    assert pair.candidate is not None
    evaluation, system = pair.candidate.evaluation_id, pair.candidate.system
    findings = failing_findings(connection, evaluation, pair.test_case_id, system)
    return LostCase(
        test_case_id=pair.test_case_id,
        question=question_of(connection, playbook, pair.test_case_id, system),
        before=before,
        after=after,
        reasons=tuple(finding.told for finding in findings),
    )
