"""Answers of target models as cases of the playbooks that judge answers.

What a target model wrote is in the ledger. Each answer becomes one case, under the label of the
system it comes from, with the passages the model was shown; so a model migration is one path:
retrieve, answer or abstain, judge, compare, gate.

An answer that is still to come (an unreachable retriever or provider, a spent budget) becomes a
case without a score, so that nobody takes the rest for the whole. One that never passed
validation is no answer: it counts against the model in its own playbook, and is left out here.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from citeval_assets.config.crosschecks import generated_name
from citeval_assets.datasets.hashing import case_hash
from citeval_assets.datasets.model import LoadedCase
from citeval_assets.evaluation.answering import answering_cells, system_label, under_system
from citeval_assets.evaluation.cases import PreparedCase, prepared_cases
from citeval_assets.evaluation.current import answers_evaluation
from citeval_assets.evaluation.evidence import CaseSettings, CompletedCase
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.evaluation.summaries import waits
from citeval_assets.judging.outcomes import attempt_of
from citeval_assets.ledger.records import EvaluationItem, StoredCall
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.answers import WrittenAnswer
from citeval_assets.playbooks.attempts import Reply
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.reply import read_reply
from citeval_assets.playbooks.vocabulary import Reason, Status

SPLIT = "generated"
_SCORED = (Status.VALID, Status.VALID_AFTER_RETRY)


@dataclass(frozen=True, slots=True)
class GeneratedCases:
    """The answers there are as cases of one playbook, and what was left out."""

    cases: tuple[CompletedCase, ...] = ()
    warnings: tuple[str, ...] = ()


def generated_cases(project: Project, ledger: Ledger, playbook: str) -> GeneratedCases:
    """Return the present answers of the target models as cases of ``playbook``.

    They come from the current evaluation of each target model that is not retired, with the
    prompt version its configured systems name, else the newest released one.
    """
    judging = get_playbook(playbook)
    if not judging.takes_answers:
        return GeneratedCases()
    cases: dict[tuple[str, str], CompletedCase] = {}
    warnings: list[str] = []
    for cell in answering_cells(project):
        left_out: Counter[str] = Counter()
        for answer in _answers(project, ledger, cell):
            made = _as_case(judging, answer)
            if made is None:
                left_out[answer.why_not or "there is no reference answer"] += 1
            else:
                cases.setdefault((made.loaded.case.test_case_id, made.loaded.case.system), made)
        warnings += [
            f"{count} answers of {cell.model}|{cell.prompt_version} are not judged: {why}"
            for why, count in sorted(left_out.items())
        ]
    return GeneratedCases(tuple(cases.values()), tuple(warnings))


@dataclass(frozen=True, slots=True)
class _Answer:
    """One case of a target model, with what it wrote, what it waits for, or why it has nothing."""

    cell: Cell
    case: PreparedCase
    written: WrittenAnswer | None
    waits_for: Reason | None = None
    why_not: str | None = None


def _answers(project: Project, ledger: Ledger, cell: Cell) -> Iterator[_Answer]:
    record = answers_evaluation(ledger, cell)
    dataset = ledger.dataset(record.playbook, record.dataset_version) if record else None
    if record is None or dataset is None:
        return
    items = {item.case_hash: item for item in ledger.items(record.evaluation_id)}
    members = [member for member in dataset.members if member.case_hash in items]
    stored = ledger.calls(
        item.call_ids[-1] for item in items.values() if item.call_ids and _scored(item)
    )
    playbook = get_playbook(cell.playbook)
    for case in prepared_cases(ledger, dataset, members):
        item = items[case.case_hash]
        if item.status == Status.NOT_APPLICABLE:
            continue  # nothing was asked, so nothing is missed
        label = system_label(project, cell, case.retriever)
        named = under_system(case, label)
        yield _answer(playbook, cell, named, item, stored)


def _answer(
    playbook: AnyPlaybook,
    cell: Cell,
    case: PreparedCase,
    item: EvaluationItem,
    stored: dict[str, StoredCall],
) -> _Answer:
    asked = case.prepared.case
    if waits(item.status, item.reason):
        nothing = playbook.written_answer(asked, None)
        return _Answer(cell, case, nothing, waits_for=_awaited(item))
    if not _scored(item):
        return _Answer(cell, case, None, why_not=f"{item.status}: {item.reason or 'no output'}")
    call = stored.get(item.call_ids[-1]) if item.call_ids else None
    attempt = None if call is None else attempt_of(call.reply)
    reply = read_reply(attempt, playbook.reply_type).value if isinstance(attempt, Reply) else None
    if reply is None:
        return _Answer(cell, case, None, why_not="the recorded reply cannot be read")
    return _Answer(cell, case, playbook.written_answer(asked, reply))


def _awaited(item: EvaluationItem) -> Reason:
    """Return why an answer is still to come, as a reason of the case that waits for it."""
    spent = item.reason == Reason.BUDGET
    return Reason.BUDGET if spent else Reason.EVIDENCE_UNREACHABLE


def _scored(item: EvaluationItem) -> bool:
    return item.status in _SCORED


def _as_case(judging: AnyPlaybook, answer: _Answer) -> CompletedCase | None:
    made = None if answer.written is None else judging.case_of_answer(answer.written)
    if made is None:
        return None
    loaded = LoadedCase(
        playbook=judging.name,
        dataset=generated_name(judging.name),
        split=SPLIT,
        case=made,
        rules=answer.case.prepared.rules,
        case_hash=case_hash(judging.name, made),
        file=f"answers of {answer.cell.model}|{answer.cell.prompt_version}",
        line=answer.case.position + 1,
    )
    settings = CaseSettings(rules=loaded.rules)
    if answer.waits_for is not None:
        failure = f"{answer.cell.model} has not answered yet ({answer.waits_for})"
        settings = settings.model_copy(
            update={"evidence_failure": failure, "evidence_reason": answer.waits_for}
        )
    return CompletedCase(loaded, settings)


__all__ = ["GeneratedCases", "generated_cases", "generated_name"]
