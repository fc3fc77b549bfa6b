"""Rebuilding a report from stored calls, without asking anyone."""

import json
from collections.abc import Sequence
from dataclasses import replace

from citeval_assets.judging.outcomes import attempt_of, failure_of
from citeval_assets.judging.settled import settled
from citeval_assets.ledger.records import EvaluationItem, StoredCall
from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.base import AnyPlaybook, Prepared, with_cuts
from citeval_assets.playbooks.report import ContextCut, Report
from citeval_assets.playbooks.vocabulary import Reason, Status


def replay(
    playbook: AnyPlaybook,
    prepared: Prepared,
    calls: Sequence[StoredCall],
    item: EvaluationItem | None = None,
) -> Report:
    """Return the report that the stored calls of one case amount to.

    Args:
        playbook: The playbook of the case.
        prepared: The case, prepared as it was when it was judged.
        calls: The call that settled each attempt, in order.
        item: The case as it was issued. It tells how the asking ended where no call can: an
            open circuit, an interruption, a context that did not fit. Without it such a case is
            rebuilt as interrupted.
    """
    cut = with_cuts(prepared, prepared.view, _cuts(calls))
    attempts = [attempt_of(call.reply) for call in calls]
    ended = _ended(item)
    if ended is not None and attempts and isinstance(attempts[-1], Failure):
        attempts[-1] = replace(ended, detail=attempts[-1].detail)
    step = settled(playbook, cut, attempts)
    if isinstance(step, Report):
        return step
    attempts.append(ended or failure_of(Reason.INTERRUPTED, "the asking did not come to an end"))
    report = settled(playbook, cut, attempts)
    assert isinstance(report, Report), "a failure ends the asking"
    return report


def _cuts(calls: Sequence[StoredCall]) -> tuple[ContextCut, ...]:
    if not calls:
        return ()
    events = json.loads(calls[0].intent.context_cuts_json)
    return tuple(ContextCut.model_validate(event) for event in events)


def _ended(item: EvaluationItem | None) -> Failure | None:
    if item is None or item.reason is None:
        return None
    status = Status(item.status)
    if status not in (Status.ERROR, Status.INDETERMINATE):
        return None
    return Failure(Reason(item.reason), "as recorded when the case was judged", status)
