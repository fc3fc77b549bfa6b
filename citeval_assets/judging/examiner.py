"""One case, from the first question to its report."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from citeval_assets.datasets.hashing import canonical_json
from citeval_assets.judging.answers import AnswerDesk, Answered
from citeval_assets.judging.deadline import CaseDeadline
from citeval_assets.judging.identity import Answerer, answerers
from citeval_assets.judging.outcomes import attempt_of, failure_of
from citeval_assets.judging.progress import Spend
from citeval_assets.judging.questions import Questions
from citeval_assets.judging.request import JsonValue
from citeval_assets.judging.settled import settled
from citeval_assets.judging.timing import Timing
from citeval_assets.judging.turnstile import Turnstile
from citeval_assets.ledger.records import CallIntent, StoredCall
from citeval_assets.playbooks.attempts import Ask, Attempt, Failure
from citeval_assets.playbooks.base import Prepared, with_cuts
from citeval_assets.playbooks.report import ContextCut, Report
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import Reason
from citeval_assets.templates.model import Message


@dataclass(frozen=True, slots=True)
class CaseTask:
    """One case to be judged.

    ``refused``: why this model may not be asked about it. ``position`` is its place in the
    dataset, where the tasks come in another order. ``rides``: it is not one of the cases the
    session was asked for, and progress does not count it.
    """

    case_hash: str
    dataset_version: str
    prepared: Prepared
    refused: Failure | None = None
    position: int | None = None
    rides: bool = False


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """What judging one case came to.

    ``call_ids`` holds for each attempt the call that settled it (the reply, or the last failed
    request). ``calls`` are requests made now, ``cost_usd`` what is known of their cost, ``None``
    where none of it is known. ``position`` is the place of the task among all tasks.
    """

    case_hash: str
    test_case_id: str
    system: str
    report: Report
    call_ids: tuple[str, ...]
    calls: int
    reused_calls: int
    cost_usd: Decimal | None
    unpriced_calls: int
    failed_calls: int = 0
    position: int = 0
    answered_by: tuple[Answerer, ...] = ()
    rides: bool = False


@dataclass(slots=True)
class _Dialogue:
    """What was asked and answered so far about one case."""

    prepared: Prepared
    view: ModelView
    output_tokens: int
    deadline: CaseDeadline
    messages: tuple[Message, ...] | None = None
    """The first question, where it was rendered already."""

    attempts: list[Attempt] = field(default_factory=list)
    settled_by: list[tuple[StoredCall, bool]] = field(default_factory=list)
    """The call that settled each attempt, and whether it was made now."""

    calls: int = 0
    failed_calls: int = 0
    reused_calls: int = 0
    spend: Spend = field(default_factory=Spend)

    def fail(self, failure: Failure) -> None:
        self.attempts.append(failure)

    def take(self, answered: Answered) -> None:
        """Add what one question came to."""
        replies = [call.reply for call in answered.made]
        self.spend.add(replies)
        self.calls += len(replies)
        self.failed_calls += sum(reply.outcome == "failure" for reply in replies)
        self.reused_calls += answered.reused
        if answered.call is not None:
            self.settled_by.append((answered.call, not answered.reused))
        if answered.failure is not None:
            self.fail(answered.failure)
        elif answered.call is not None:
            self.attempts.append(attempt_of(answered.call.reply))


@dataclass(frozen=True)
class Examiner:
    """Judges cases of one playbook with one model and one template."""

    questions: Questions
    desk: AnswerDesk
    run_id: str
    timing: Timing
    turnstile: Turnstile

    async def examine(self, task: CaseTask, position: int = 0) -> CaseOutcome:
        """Ask about one case until it is settled."""
        playbook = self.questions.playbook
        dialogue = self._open(task.prepared)
        step = settled(playbook, dialogue.prepared, dialogue.attempts)
        if not isinstance(step, Report):
            self._prepare_to_ask(task, dialogue)
            step = settled(playbook, dialogue.prepared, dialogue.attempts)
        while not isinstance(step, Report):
            await self._put(task, dialogue, step)
            await self.turnstile.passed()
            step = settled(playbook, dialogue.prepared, dialogue.attempts)
        return _outcome(task, dialogue, step, position)

    def _open(self, prepared: Prepared) -> _Dialogue:
        deadline = CaseDeadline(self.questions.policy.case_deadline_s, self.timing.clock)
        return _Dialogue(prepared, prepared.view, self.questions.policy.output_tokens, deadline)

    def _prepare_to_ask(self, task: CaseTask, dialogue: _Dialogue) -> None:
        """Cut the context to its budget; fail the case where it may not, or cannot, be asked."""
        if task.refused is not None:
            dialogue.fail(task.refused)
            return
        fitted = self.questions.fitted(dialogue.view)
        if fitted is None:
            return
        if isinstance(fitted, Failure):
            dialogue.fail(fitted)
            return
        dialogue.view, dialogue.messages = fitted.view, fitted.messages
        # The full view stays with the case: a cut passage is a prefix of the whole one, and a
        # rebuild, which knows the events but not the cut text, must check against the same.
        dialogue.prepared = with_cuts(dialogue.prepared, dialogue.prepared.view, fitted.cuts)

    async def _put(self, task: CaseTask, dialogue: _Dialogue, ask: Ask) -> None:
        """Put one question and add what came of it."""
        messages = None if ask.feedback else dialogue.messages
        if messages is None:
            messages = self.questions.messages(dialogue.view, ask.feedback)
        if ask.raise_output_limit:
            raised = self.questions.more_room(dialogue.output_tokens, messages)
            if raised is None:
                dialogue.fail(_no_more_room(dialogue.output_tokens))
                return
            dialogue.output_tokens = raised
        request = self.questions.request(dialogue.view, messages, dialogue.output_tokens)
        audit = self._audit(task, dialogue)
        dialogue.take(await self.desk.answer(request, audit, dialogue.deadline))

    def _audit(self, task: CaseTask, dialogue: _Dialogue) -> CallIntent:
        case = task.prepared.case
        asked = self.questions
        return CallIntent(
            call_id="",
            call_key="",
            run_id=self.run_id,
            playbook=asked.playbook.name,
            test_case_id=case.test_case_id,
            system=case.system,
            case_hash=task.case_hash,
            model_id=asked.model.id,
            model=asked.model.model,
            endpoint=asked.client.endpoint,
            prompt_version=asked.template.version,
            template_sha256=asked.template.sha256,
            dataset_version=task.dataset_version,
            attempt=len(dialogue.attempts) + 1,
            try_number=0,
            repeat=asked.policy.repeat,
            source_ids=tuple(passage.id for passage in dialogue.view.passages),
            messages_json="[]",
            parameters_json="{}",
            context_cuts_json=cuts_json(dialogue.prepared.context_cuts),
        )


def cuts_json(cuts: tuple[ContextCut, ...]) -> str:
    """Return the truncation events as the ledger keeps them."""
    events: list[Mapping[str, JsonValue]] = [cut.model_dump(mode="json") for cut in cuts]
    return canonical_json(events) if events else "[]"


def _no_more_room(output_tokens: int) -> Failure:
    return failure_of(
        Reason.TRUNCATED,
        f"the reply was cut at {output_tokens} tokens and the context window leaves no more room",
    )


def _outcome(task: CaseTask, dialogue: _Dialogue, report: Report, position: int) -> CaseOutcome:
    spend = dialogue.spend
    unknown = dialogue.calls > 0 and spend.unpriced_calls == dialogue.calls
    return CaseOutcome(
        case_hash=task.case_hash,
        test_case_id=report.test_case_id,
        system=report.system,
        report=report,
        call_ids=tuple(call.intent.call_id for call, _ in dialogue.settled_by),
        calls=dialogue.calls,
        reused_calls=dialogue.reused_calls,
        cost_usd=None if unknown else spend.usd,
        unpriced_calls=spend.unpriced_calls,
        failed_calls=dialogue.failed_calls,
        position=position if task.position is None else task.position,
        answered_by=answerers(dialogue.settled_by),
        rides=task.rides,
    )
