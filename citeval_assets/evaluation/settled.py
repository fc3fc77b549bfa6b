"""Which cases need not be judged again.

A case that was settled in the current evaluation of its cell is settled still, if nothing that
decides about it has changed: judge, template, rules, scoring (together the epoch), the case
itself, the room for a reply, and the stored replies it rests on, which must be whole and still the
newest of their questions. Such a case is taken over as it was issued, without a look at its text.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from citeval_assets.evaluation.kept import SettledCase, SettledCases
from citeval_assets.evaluation.summaries import waits
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.request import MAX_OUTPUT_TOKENS
from citeval_assets.ledger.errors import TamperedRowError
from citeval_assets.ledger.records import (
    DatasetMember,
    DatasetRecord,
    EvaluationItem,
    EvaluationRecord,
    StoredCall,
)
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.vocabulary import Reason

_PAGE = 500
"""Cases whose calls are looked at together."""


def settled_before(
    ledger: Ledger,
    record: EvaluationRecord,
    dataset: DatasetRecord,
    policy: JudgingPolicy,
    refused: Callable[[str], bool],
) -> SettledCases:
    """Return the cases of an evaluation that are settled still.

    Args:
        ledger: Where the calls are.
        record: An evaluation of the same cell, scope and epoch.
        dataset: The cases as they are registered now.
        policy: How the model would be asked.
        refused: Whether the model may not judge a system.
    """
    if policy.refresh:
        return SettledCases()
    unchanged = _unchanged(ledger, record, dataset)
    items = (
        item
        for item in ledger.items(record.evaluation_id)
        if item.case_hash in unchanged and is_settled(item) and not refused(item.system)
    )
    return SettledCases(settled_of(ledger, items, unchanged, policy))


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
