"""One case, from the first question to its report."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from citeval_assets.config import ModelConfig
from citeval_assets.datasets.hashing import canonical_json
from citeval_assets.judging.answers import AnswerDesk, Answered
from citeval_assets.judging.clients import ModelClient
from citeval_assets.judging.outcomes import attempt_of, failure_of
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.progress import Spend
from citeval_assets.judging.request import (
    MAX_OUTPUT_TOKENS,
    JsonValue,
    ModelRequest,
    ReplySchema,
)
from citeval_assets.judging.settled import settled
from citeval_assets.judging.timing import Timing
from citeval_assets.judging.truncation import (
    DoesNotFit,
    fit,
    input_budget,
    messages_tokens,
    surely_within,
)
from citeval_assets.judging.views import view_digest
from citeval_assets.ledger.records import CallIntent
from citeval_assets.playbooks.attempts import Ask, Attempt, Failure
from citeval_assets.playbooks.base import AnyPlaybook, Prepared, with_cuts
from citeval_assets.playbooks.report import ContextCut, Report
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import Reason
from citeval_assets.templates.model import Message, PromptTemplate
from citeval_assets.templates.render import render_messages

TEMPERATURE = 0.0
"""Every model is asked at this temperature, so that scores can be compared."""


@dataclass(frozen=True, slots=True)
class CaseTask:
    """One case to be judged."""

    case_hash: str
    dataset_version: str
    prepared: Prepared


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


@dataclass(slots=True)
class _Dialogue:
    """What was asked and answered so far about one case."""

    prepared: Prepared
    view: ModelView
    output_tokens: int
    deadline: float | None
    messages: tuple[Message, ...] | None = None
    """The first question, where it was rendered already."""

    attempts: list[Attempt] = field(default_factory=list)
    call_ids: list[str] = field(default_factory=list)
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
            self.call_ids.append(answered.call.intent.call_id)
        if answered.failure is not None:
            self.fail(answered.failure)
        elif answered.call is not None:
            self.attempts.append(attempt_of(answered.call.reply))


@dataclass(frozen=True)
class Examiner:
    """Judges cases of one playbook with one model and one template."""

    playbook: AnyPlaybook
    template: PromptTemplate
    model: ModelConfig
    client: ModelClient
    desk: AnswerDesk
    secret: bytes
    policy: JudgingPolicy
    run_id: str
    timing: Timing
    schema: ReplySchema

    async def examine(self, task: CaseTask, position: int = 0) -> CaseOutcome:
        """Ask about one case until it is settled."""
        dialogue = self._open(task.prepared)
        step = settled(self.playbook, dialogue.prepared, dialogue.attempts)
        if not isinstance(step, Report):
            self._fit(dialogue)
            step = settled(self.playbook, dialogue.prepared, dialogue.attempts)
        while not isinstance(step, Report):
            await self._put(task, dialogue, step)
            step = settled(self.playbook, dialogue.prepared, dialogue.attempts)
        return _outcome(task, dialogue, step, position)

    def _open(self, prepared: Prepared) -> _Dialogue:
        limit_s = self.policy.case_deadline_s
        deadline = None if limit_s is None else self.timing.clock() + limit_s
        return _Dialogue(prepared, prepared.view, self.policy.output_tokens, deadline)

    def _fit(self, dialogue: _Dialogue) -> None:
        """Shorten the passages to the token budget, or fail the case where that cannot be."""
        context = self._context_tokens()
        if context is None:
            return
        fitted = fit(dialogue.view, self._render, input_budget(context))
        if isinstance(fitted, DoesNotFit):
            dialogue.fail(failure_of(Reason.CONTEXT_TOO_LONG, fitted.detail))
            return
        dialogue.view, dialogue.messages = fitted.view, fitted.messages
        # The full view stays with the case: a cut passage is a prefix of the whole one, and a
        # rebuild, which knows the events but not the cut text, must check against the same.
        dialogue.prepared = with_cuts(dialogue.prepared, dialogue.prepared.view, fitted.cuts)

    def _context_tokens(self) -> int | None:
        if self.policy.token_budget is not None:
            return self.policy.token_budget
        if self.model.context_window is None:
            return None
        return self.model.context_window - self.policy.output_tokens

    async def _put(self, task: CaseTask, dialogue: _Dialogue, ask: Ask) -> None:
        """Put one question and add what came of it."""
        messages = None if ask.feedback else dialogue.messages
        if messages is None:
            messages = self._render(dialogue.view, ask.feedback)
        if ask.raise_output_limit and not self._raise_limit(dialogue, messages):
            dialogue.fail(
                failure_of(
                    Reason.TRUNCATED,
                    f"the reply was cut at {dialogue.output_tokens} tokens and the context window "
                    "leaves no more room",
                )
            )
            return
        request = self._request(dialogue, messages)
        audit = self._audit(task, dialogue)
        dialogue.take(await self.desk.answer(request, audit, dialogue.deadline))

    def _raise_limit(self, dialogue: _Dialogue, messages: tuple[Message, ...]) -> bool:
        """Double the room for the reply, as far as the window allows; ``False``: it does not."""
        raised = dialogue.output_tokens * 2
        window = self.model.context_window
        if window is not None and not surely_within(messages, window - raised):
            raised = min(raised, window - messages_tokens(messages))
        if raised <= dialogue.output_tokens:
            return False
        dialogue.output_tokens = raised
        return True

    def _render(self, view: ModelView, feedback: str = "") -> tuple[Message, ...]:
        values = self.playbook.slot_values(view)
        return render_messages(self.template, values, feedback=feedback, secret=self.secret)

    def _request(self, dialogue: _Dialogue, messages: tuple[Message, ...]) -> ModelRequest:
        identity: dict[str, JsonValue] = dict(self.client.identity)
        parameters: dict[str, JsonValue] = {}
        if self.client.local:
            identity["view"] = view_digest(dialogue.view)
        else:
            parameters = {"temperature": TEMPERATURE, **self.model.params}
            parameters[MAX_OUTPUT_TOKENS] = dialogue.output_tokens
        return ModelRequest(
            model=self.model.model,
            endpoint=self.client.endpoint,
            messages=messages,
            view=dialogue.view,
            schema=self.schema,
            parameters=parameters,
            repeat=self.policy.repeat,
            identity=identity,
        )

    def _audit(self, task: CaseTask, dialogue: _Dialogue) -> CallIntent:
        case = task.prepared.case
        return CallIntent(
            call_id="",
            call_key="",
            run_id=self.run_id,
            playbook=self.playbook.name,
            test_case_id=case.test_case_id,
            system=case.system,
            case_hash=task.case_hash,
            model_id=self.model.id,
            model=self.model.model,
            endpoint=self.client.endpoint,
            prompt_version=self.template.version,
            template_sha256=self.template.sha256,
            dataset_version=task.dataset_version,
            attempt=len(dialogue.attempts) + 1,
            try_number=0,
            repeat=self.policy.repeat,
            source_ids=tuple(passage.id for passage in dialogue.view.passages),
            messages_json="[]",
            parameters_json="{}",
            context_cuts_json=cuts_json(dialogue.prepared.context_cuts),
        )


def cuts_json(cuts: tuple[ContextCut, ...]) -> str:
    """Return the truncation events as the ledger keeps them."""
    events: list[Mapping[str, JsonValue]] = [cut.model_dump(mode="json") for cut in cuts]
    return canonical_json(events)


def _outcome(task: CaseTask, dialogue: _Dialogue, report: Report, position: int) -> CaseOutcome:
    spend = dialogue.spend
    unknown = dialogue.calls > 0 and spend.unpriced_calls == dialogue.calls
    return CaseOutcome(
        case_hash=task.case_hash,
        test_case_id=report.test_case_id,
        system=report.system,
        report=report,
        call_ids=tuple(dialogue.call_ids),
        calls=dialogue.calls,
        reused_calls=dialogue.reused_calls,
        cost_usd=None if unknown else spend.usd,
        unpriced_calls=spend.unpriced_calls,
        failed_calls=dialogue.failed_calls,
        position=position,
    )
