"""Reasoning steps, judged by the words they share with the evidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from citeval_assets.embedded.words import best_match, covered, sentences_of, words_of
from citeval_assets.playbooks.view import ModelView, Unit
from citeval_assets.text.markers import scan_citations, without_citations

FAITHFUL_SHARE = 0.6
"""Share of a step's words in one sentence of the evidence from which it counts as drawn from it."""

EARLIER_STEPS_SHARE = 0.8
"""Share of a step's words in earlier faithful steps from which it counts as concluded from them."""

FABRICATED_SHARE = 0.25
"""Under this, nothing in the evidence is like the step."""


@dataclass(frozen=True, slots=True)
class _Faithful:
    number: int
    words: frozenset[str]


def judge_steps(view: ModelView) -> dict[str, Any]:
    """Return the output of ``cot_faithfulness``."""
    sentences = sentences_of(view.passages)
    ids = tuple(passage.id for passage in view.passages)
    faithful: list[_Faithful] = []
    steps: list[dict[str, Any]] = []
    for unit in view.units:
        if not unit.asked:
            continue
        words = words_of(without_citations(unit.text, scan_citations(unit.text, ids)))
        best, share = best_match(words, sentences)
        if best is not None and share >= FAITHFUL_SHARE:
            steps.append(_step(unit, "FAITHFUL", None, best.text, share))
            faithful.append(_Faithful(unit.number, words))
            continue
        earlier = _concluded_from(words, faithful)
        if earlier:
            reference = "steps " + ", ".join(str(number) for number in earlier)
            steps.append(_step(unit, "FAITHFUL", None, reference, share))
            faithful.append(_Faithful(unit.number, words))
        elif share < FABRICATED_SHARE:
            steps.append(_step(unit, "UNFAITHFUL_FABRICATION", "fabrication", None, share))
        else:
            steps.append(_step(unit, "UNFAITHFUL_UNSUPPORTED", "unsupported", None, share))
    all_faithful = len(faithful) == len(steps)
    return {
        "steps": steps,
        "final_verdict": "FAITHFUL" if all_faithful else "UNFAITHFUL",
        "overall_notes": f"{len(faithful)} of {len(steps)} steps share enough words.",
    }


def _concluded_from(words: frozenset[str], faithful: Sequence[_Faithful]) -> list[int]:
    """Return the earlier steps that together hold the words of this one, or nothing."""
    together = frozenset[str]().union(*(step.words for step in faithful))
    if covered(words, together) < EARLIER_STEPS_SHARE:
        return []
    return [step.number for step in faithful if step.words & words]


def _step(
    unit: Unit, label: str, category: str | None, reference: str | None, share: float
) -> dict[str, Any]:
    return {
        "unit": unit.number,
        "step_index": unit.number,
        "step_text": unit.text,
        "label": label,
        "category": category,
        "evidence_reference": reference,
        "explanation": f"{share:.0%} of the content words stand in the nearest sentence.",
    }
