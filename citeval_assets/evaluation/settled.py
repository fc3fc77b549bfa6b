"""What an evaluation keeps of a judged case, and which cases need not be judged again.

A case that was settled in the current evaluation of its cell is settled still, if nothing that
decides about it has changed: judge, template, rules, scoring (together the epoch), the case
itself, the room for a reply, and the stored replies it rests on, which must be whole and still the
newest of their questions. Such a case is taken over as it was issued, without a look at its text.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from sys import intern
from typing import overload

from citeval_assets.evaluation.summaries import waits
from citeval_assets.judging.identity import Answerer, answerers
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.request import MAX_OUTPUT_TOKENS
from citeval_assets.judging.session import CaseOutcome
from citeval_assets.ledger.errors import TamperedRowError
from citeval_assets.ledger.records import (
    DatasetMember,
    DatasetRecord,
    EvaluationItem,
    EvaluationRecord,
    StoredCall,
)
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.vocabulary import Reason, Routing, Status

_PAGE = 500
"""Cases whose calls are looked at together."""


@dataclass(frozen=True, slots=True)
class SettledCase:
    """One judged case without its report, which can be rebuilt from the stored replies.

    ``position`` is its place among the cases of the session.
    """

    case_hash: str
    test_case_id: str
    system: str
    status: Status
    reason: Reason | None
    score: float | None
    routing: Routing
    escalations: tuple[str, ...]
    validation_problems: tuple[str, ...]
    call_ids: tuple[str, ...]
    message: str = ""
    answered_by: tuple[Answerer, ...] = ()
    calls: int = 0
    reused_calls: int = 0
    cost_usd: Decimal | None = None
    unpriced_calls: int = 0
    position: int = 0

    @classmethod
    def of(cls, outcome: CaseOutcome) -> "SettledCase":
        """Keep of an outcome what an evaluation needs."""
        report = outcome.report
        return cls(
            case_hash=outcome.case_hash,
            test_case_id=report.test_case_id,
            system=intern(report.system),
            status=report.status,
            reason=report.reason,
            score=report.score,
            routing=report.routing,
            escalations=tuple(intern(str(escalation.name)) for escalation in report.escalations),
            validation_problems=report.validation_problems,
            call_ids=outcome.call_ids,
            message=report.message,
            answered_by=tuple(map(_shared, outcome.answered_by)),
            calls=outcome.calls,
            reused_calls=outcome.reused_calls,
            cost_usd=outcome.cost_usd,
            unpriced_calls=outcome.unpriced_calls,
            position=outcome.position,
        )

    @classmethod
    def again(
        cls, item: EvaluationItem, calls: Sequence[StoredCall], position: int
    ) -> "SettledCase":
        """Take over a case as it was issued; its calls are reused ones now."""
        return cls(
            case_hash=item.case_hash,
            test_case_id=item.test_case_id,
            system=intern(item.system),
            status=Status(item.status),
            reason=None if item.reason is None else Reason(item.reason),
            score=item.score,
            routing=Routing(item.routing),
            escalations=tuple(map(intern, item.escalations)),
            validation_problems=item.validation_problems,
            call_ids=item.call_ids,
            answered_by=tuple(map(_shared, answerers((call, False) for call in calls))),
            reused_calls=len(item.call_ids),
            cost_usd=Decimal(0),
            position=position,
        )

    def item(self, evaluation_id: str) -> EvaluationItem:
        """Return the case as the ledger keeps it."""
        return EvaluationItem(
            evaluation_id=evaluation_id,
            case_hash=self.case_hash,
            test_case_id=self.test_case_id,
            system=self.system,
            call_ids=self.call_ids,
            status=self.status,
            reason=self.reason,
            score=self.score,
            routing=self.routing,
            escalations=self.escalations,
            validation_problems=self.validation_problems,
        )


@lru_cache(maxsize=1024)
def _shared(answerer: Answerer) -> Answerer:
    """Return the one object that stands for all its equals: most calls have the same answerer."""
    return answerer


class EvaluationItems(Sequence[EvaluationItem]):
    """The items of an evaluation, made as they are asked for."""

    def __init__(self, evaluation_id: str, cases: Sequence[SettledCase]) -> None:
        self._evaluation_id = evaluation_id
        self._cases = cases

    def __len__(self) -> int:
        return len(self._cases)

    @overload
    def __getitem__(self, index: int) -> EvaluationItem: ...
    @overload
    def __getitem__(self, index: slice) -> list[EvaluationItem]: ...
    def __getitem__(self, index: int | slice) -> EvaluationItem | list[EvaluationItem]:
        if isinstance(index, slice):
            return [case.item(self._evaluation_id) for case in self._cases[index]]
        return self._cases[index].item(self._evaluation_id)


def settled_before(
    ledger: Ledger,
    record: EvaluationRecord,
    dataset: DatasetRecord,
    policy: JudgingPolicy,
    refused: Callable[[str], bool],
) -> dict[str, SettledCase]:
    """Return the cases of an evaluation that are settled still, by their hash.

    Args:
        ledger: Where the calls are.
        record: An evaluation of the same cell, scope and epoch.
        dataset: The cases as they are registered now.
        policy: How the model would be asked.
        refused: Whether the model may not judge a system.
    """
    if policy.refresh:
        return {}
    unchanged = _unchanged(ledger, record, dataset)
    items = (
        item
        for item in ledger.items(record.evaluation_id)
        if item.case_hash in unchanged and is_settled(item) and not refused(item.system)
    )
    return {case.case_hash: case for case in settled_of(ledger, items, unchanged, policy)}


def settled_of(
    ledger: Ledger,
    items: Iterable[EvaluationItem],
    positions: Mapping[str, int],
    policy: JudgingPolicy,
) -> Iterator[SettledCase]:
    """Yield those of the items whose replies hold still, at their place in the dataset."""
    rest = iter(items)
    while page := list(islice(rest, _PAGE)):
        for item, calls in _kept(ledger, page, policy):
            yield SettledCase.again(item, calls, positions[item.case_hash])


def _unchanged(
    ledger: Ledger, record: EvaluationRecord, dataset: DatasetRecord
) -> Mapping[str, int]:
    """Return the cases that stand once in both datasets, under the same rules, with their place."""
    now = _once_each(dataset)
    if record.dataset_version == dataset.dataset_version:
        return {case_hash: member.position for case_hash, member in now.items()}
    before = ledger.dataset(record.playbook, record.dataset_version)
    then = {} if before is None else _once_each(before)
    return {
        case_hash: member.position
        for case_hash, member in now.items()
        if case_hash in then and then[case_hash].rules_json == member.rules_json
    }


def _once_each(dataset: DatasetRecord) -> Mapping[str, DatasetMember]:
    counts = Counter(member.case_hash for member in dataset.members)
    return {m.case_hash: m for m in dataset.members if counts[m.case_hash] == 1}


def is_settled(item: EvaluationItem | SettledCase) -> bool:
    """Whether neither the next run nor another setting would take the case up again."""
    return not waits(item.status, item.reason) and item.reason != Reason.SELF_JUDGING


def _kept(
    ledger: Ledger, page: Sequence[EvaluationItem], policy: JudgingPolicy
) -> Iterator[tuple[EvaluationItem, list[StoredCall]]]:
    """Yield the items whose replies hold still, with their calls.

    The replies are whole, the newest of their questions, and were asked for as they would be now.
    """
    stored = _sound_calls(ledger, (call_id for item in page for call_id in item.call_ids))
    newest = ledger.newest_reply_ids(call.intent.call_key for call in stored.values())
    for item in page:
        calls = [stored[call_id] for call_id in item.call_ids if call_id in stored]
        if len(calls) < len(item.call_ids) or not _same_room(calls, policy):
            continue
        if all(_still_answers(call, newest, policy) for call in calls):
            yield item, calls


def _sound_calls(ledger: Ledger, call_ids: Iterable[str]) -> Mapping[str, StoredCall]:
    try:
        return ledger.calls(call_ids)
    except TamperedRowError as error:
        return {call.intent.call_id: call for call in error.sound.values()}


def _still_answers(call: StoredCall, newest: Mapping[str, str], policy: JudgingPolicy) -> bool:
    return (
        call.reply.outcome == "reply"
        and call.intent.repeat == policy.repeat
        and newest.get(call.intent.call_key) == call.intent.call_id
    )


def _same_room(calls: Sequence[StoredCall], policy: JudgingPolicy) -> bool:
    """Whether the first question left the room for a reply that it would be left now."""
    if not calls:
        return True
    room = json.loads(calls[0].intent.parameters_json).get(MAX_OUTPUT_TOKENS)
    return room is None or room == policy.output_tokens
