"""Two cases nobody can get wrong: a judge that does is not judging.

One is plainly right, one plainly wrong. They ride in every evaluation, are judged by the same
session and counted in no score. A judge that passes everything, or nothing, or answers for
another case, shows itself here; what it said of the other cases is then void.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from citeval_assets.datasets.hashing import case_hash
from citeval_assets.judging.session import CaseTask
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.vocabulary import CANARY_SYSTEM

MUST_PASS = "citeval-canary-right"
MUST_FAIL = "citeval-canary-wrong"

PASSES_FROM = 0.75
"""Least score of the case that is plainly right."""

FAILS_TO = 0.5
"""Most score of the case that is plainly wrong."""

_LIGHTHOUSE = (
    "The lighthouse at Fennick Point was built in 1884 and is 31 metres tall. It has been run "
    "without a keeper since 1988."
)
_QUESTION = "When was the lighthouse at Fennick Point built?"
_RIGHT = "The lighthouse at Fennick Point was built in 1884 and is 31 metres tall"
_WRONG = "Bakers in the village of Tolvern sell rye bread on Sunday mornings"
_TEXTS: Mapping[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "citation_accuracy": (
        {"reasoning_trace": [f"{_RIGHT} [1]."]},
        {"reasoning_trace": [f"{_WRONG} [1]."]},
    ),
    "citation_faithfulness": ({"answer": f"{_RIGHT} [1]."}, {"answer": f"{_WRONG} [1]."}),
    "cot_faithfulness": (
        {"reasoning_trace": [f"{_RIGHT}."], "final_answer": "In 1884."},
        {"reasoning_trace": [f"{_WRONG}."], "final_answer": "In 1884."},
    ),
    "answer_comparison": (
        {"answer": f"{_RIGHT} [1].", "reference_answer": "The lighthouse was built in 1884."},
        {"answer": f"{_WRONG} [1].", "reference_answer": "The lighthouse was built in 1884."},
    ),
}


class Canaries(StrEnum):
    """What became of the canaries of one evaluation."""

    PASSED = "passed"
    FAILED = "failed"
    UNSCORED = "unscored"
    """A canary got no score: nothing is known, and nothing void."""
    NONE = "none"
    """No canary rode: nothing was asked, or they are switched off."""


class JudgedCase(Protocol):
    """An evaluated case, as the ledger keeps it."""

    @property
    def test_case_id(self) -> str:
        """Id of the case."""
        ...

    @property
    def system(self) -> str:
        """Label of its system."""
        ...

    @property
    def score(self) -> float | None:
        """What it scored."""
        ...


@dataclass(frozen=True, slots=True)
class CanaryResult:
    """What became of the canaries, and in words why where they failed."""

    state: Canaries
    detail: str = ""


def has_canaries(playbook: str) -> bool:
    """Whether there are canaries for a playbook: those a judge grades have them."""
    return playbook in _TEXTS


def canary_tasks(playbook: AnyPlaybook, dataset_version: str) -> tuple[CaseTask, ...]:
    """Return the two cases, ready to be judged; nothing for a playbook without."""
    tasks: list[CaseTask] = []
    if playbook.name not in _TEXTS:
        return ()
    for test_case_id, texts in zip((MUST_PASS, MUST_FAIL), _TEXTS[playbook.name], strict=True):
        case = playbook.case_type.model_validate(
            {
                "test_case_id": test_case_id,
                "system": CANARY_SYSTEM,
                "question": _QUESTION,
                "sources": [{"id": "1", "text": _LIGHTHOUSE}],
                **texts,
            }
        )
        prepared = playbook.prepare(case, DomainRules())
        known_as = case_hash(playbook.name, case)
        tasks.append(CaseTask(known_as, dataset_version, prepared, rides=True))
    return tuple(tasks)


def is_canary(item: JudgedCase) -> bool:
    """Whether an evaluated case is one of the canaries."""
    return item.system == CANARY_SYSTEM


def canary_result(items: Iterable[JudgedCase]) -> CanaryResult:
    """Return what became of the canaries among the cases of an evaluation."""
    scores = {item.test_case_id: item.score for item in items if is_canary(item)}
    if not scores:
        return CanaryResult(Canaries.NONE)
    wrong = list(_wrong(scores))
    if wrong:
        return CanaryResult(Canaries.FAILED, "; ".join(wrong))
    if None in scores.values() or len(scores) < 2:
        return CanaryResult(Canaries.UNSCORED, "a canary could not be scored")
    return CanaryResult(Canaries.PASSED)


def _wrong(scores: Mapping[str, float | None]) -> Iterable[str]:
    right, wrong = scores.get(MUST_PASS), scores.get(MUST_FAIL)
    if right is not None and right < PASSES_FROM:
        yield f"the case that is plainly right scored {right:.2f}, under {PASSES_FROM}"
    if wrong is not None and wrong > FAILS_TO:
        yield f"the case that is plainly wrong scored {wrong:.2f}, over {FAILS_TO}"
