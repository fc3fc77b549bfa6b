"""How often each judge was wrong about cases whose labels are known, case by case.

This is a first look, not a calibration: it counts faulty answers a judge missed and good ones it
faulted, against the labels the cases were written with.
"""

from collections.abc import Mapping, Sequence

from citeval_assets.evaluation.inputs import CompletedCase
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.evaluation.summaries import Summary
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.vocabulary import TemplateKind
from citeval_assets.warehouse.duck import Connection

_FULL = 1 - 1e-9


class JudgeErrors(Summary):
    """One judge on one playbook, with the newest released prompt.

    ``faulty`` cases are labelled under 1, ``good`` ones 1. ``unsure`` counts cases the judge
    sent to a person because it did not trust itself; they are in the other counts, too.
    ``alone_wrong`` of the ``alone`` cases it settled without a person are wrong.
    """

    playbook: str
    judge: str
    prompt_version: str
    faulty: int
    missed: int
    good: int
    faulted: int
    unsure: int
    alone: int = 0
    alone_wrong: int = 0


def judge_errors(
    connection: Connection,
    prompts: Mapping[str, str],
    cases: Mapping[str, Sequence[CompletedCase]],
    project: Project,
) -> tuple[JudgeErrors, ...]:
    """Compare the current scores of every judge with the labels of the cases.

    ``prompts``: of each playbook, the version whose scores are looked at.
    """
    found: list[JudgeErrors] = []
    for playbook in sorted(cases):
        if all_playbooks()[playbook].kind is not TemplateKind.JUDGE:
            continue
        labels = _labels(cases[playbook])
        prompt = prompts[playbook]
        for judge in project.compared_models(playbook):
            scores = judged_scores(connection, Cell(playbook, judge.id, prompt))
            counted = [(labels[key], score, low) for key, score, low in scores if key in labels]
            if counted:
                found.append(_errors(playbook, judge.id, prompt, counted))
    return tuple(found)


def _errors(
    playbook: str, judge: str, prompt: str, counted: Sequence[tuple[float, float, bool]]
) -> JudgeErrors:
    faulty = [score for label, score, _ in counted if label < _FULL]
    good = [score for label, score, _ in counted if label >= _FULL]
    return JudgeErrors(
        playbook=playbook,
        judge=judge,
        prompt_version=prompt,
        faulty=len(faulty),
        missed=sum(score >= _FULL for score in faulty),
        good=len(good),
        faulted=sum(score < _FULL for score in good),
        unsure=sum(low for *_, low in counted),
        alone=sum(not low for *_, low in counted),
        alone_wrong=sum(
            (label >= _FULL) != (score >= _FULL) for label, score, low in counted if not low
        ),
    )


def _labels(cases: Sequence[CompletedCase]) -> dict[tuple[str, str], float]:
    return {
        (case.test_case_id, case.system): case.labels.score
        for case in (item.loaded.case for item in cases)
        if case.labels is not None and case.labels.score is not None
    }


def judged_scores(connection: Connection, cell: Cell) -> list[tuple[tuple[str, str], float, bool]]:
    """Return (case and system, score, whether the judge was unsure) of every scored case."""
    rows = connection.execute(
        "SELECT test_case_id, system, score, "
        "list_contains(CAST(escalations AS VARCHAR[]), 'low_confidence') FROM current_reports "
        "WHERE playbook = ? AND model = ? AND prompt_version = ? AND score IS NOT NULL "
        "ORDER BY test_case_id, system",
        [cell.playbook, cell.model, cell.prompt_version],
    ).fetchall()
    return [((case, system), score, low) for case, system, score, low in rows]
