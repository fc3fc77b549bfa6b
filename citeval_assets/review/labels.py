"""From decisions to human labels, and which of the labels stand.

A confirmation, an override and an answer with a score say what the score should be: they become
labels. A dismissal and a note say nothing about it. A label whose decision was taken back stands
no longer, though it stays in the ledger.
"""

import json
from collections.abc import Iterable
from dataclasses import replace
from statistics import fmean

from citeval_assets.ledger.records import HumanLabel, ReviewDecision
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.vocabulary import LabelSource, TemplateKind
from citeval_assets.review.decisions import DecisionKind, labels_of
from citeval_assets.review.standing import apart
from citeval_assets.review.unit_labels import unit_labels

_LABELLING = (DecisionKind.CONFIRM, DecisionKind.OVERRIDE, DecisionKind.ANSWER)


def label_of(decision: ReviewDecision) -> HumanLabel | None:
    """Return the label that comes of a decision, if one does.

    Where a target model's own output was reviewed, the case stands for many outputs: what is
    right of one is no label of the case.
    """
    given = labels_of(decision)
    playbook = all_playbooks().get(decision.playbook)
    if playbook is None or playbook.kind is not TemplateKind.JUDGE:
        return None
    if decision.decision not in tuple(map(str, _LABELLING)) or given.score is None:
        return None
    return HumanLabel(
        label_id=f"review-{decision.decision_id}",
        playbook=decision.playbook,
        test_case_id=decision.test_case_id,
        system=decision.system,
        case_hash=decision.case_hash,
        label_source=str(LabelSource.HUMAN),
        labels_json=json.dumps(golden_labels(decision), ensure_ascii=False, sort_keys=True),
        score=given.score,
        labeller=decision.reviewer,
        origin=decision.decision_id,
        created_at=decision.created_at,
    )


def golden_labels(decision: ReviewDecision) -> dict[str, object]:
    """Return the labels of a decision in the form of a golden row's ``labels``."""
    given, kind = labels_of(decision), unit_labels(decision.playbook)
    labels: dict[str, object] = {"decision": decision.decision}
    if given.score is not None:
        labels["score"] = given.score
    if given.blind:
        labels["blind"] = True
    if given.units and kind is not None:
        labels[kind.group] = [
            {"unit": number, kind.field: label} for number, label in sorted(given.units.items())
        ]
    if decision.note:
        labels["why"] = decision.note
    return labels


def standing_labels(
    labels: Iterable[HumanLabel], decisions: Iterable[ReviewDecision]
) -> dict[str, HumanLabel]:
    """Return the label that counts for each case, by case hash.

    Each person's newest label of a case counts. Where several people labelled it, the mean of
    their scores does; where they are too far apart to be one opinion, none.
    """
    taken_back = {labels_of(one).undoes for one in decisions if one.decision == DecisionKind.UNDO}
    held: dict[str, dict[str, HumanLabel]] = {}
    for label in labels:
        human = label.label_source == LabelSource.HUMAN and label.score is not None
        if human and (not label.origin or label.origin not in taken_back):
            people = held.setdefault(label.case_hash, {})
            people.pop(label.labeller, None)
            people[label.labeller] = label
    found = {case: _together(list(people.values())) for case, people in held.items()}
    return {case: label for case, label in found.items() if label is not None}


def _together(labels: list[HumanLabel]) -> HumanLabel | None:
    scores = [label.score for label in labels if label.score is not None]
    if apart(min(scores), max(scores)):
        return None
    return replace(labels[-1], score=fmean(scores)) if len(labels) > 1 else labels[-1]
