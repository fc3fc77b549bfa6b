"""One question to the model: the one retry loop there is, with a ledger row for each request.

An intent is committed before a request goes out and its outcome is committed before it is used,
so requests at the provider and intents in the ledger are the same number.
"""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from citeval_assets.datasets.hashing import canonical_json
from citeval_assets.judging.breaker import Breaker
from citeval_assets.judging.clients import ModelClient
from citeval_assets.judging.form import CallForm
from citeval_assets.judging.outcomes import SAYS_NOTHING_OF_THE_PROVIDER, failure_of
from citeval_assets.judging.pacing import Pacer
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.request import Answer, CallFailure, Completion, ModelRequest
from citeval_assets.judging.timing import Timing
from citeval_assets.ledger.records import CallIntent, CallReply, StoredCall
from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.vocabulary import Reason


class CallWriter(Protocol):
    """Commits calls; both methods return once the row is durable."""

    async def intent(self, record: CallIntent) -> None:
        """Commit a request that is about to go out."""
        ...

    async def reply(self, record: CallReply) -> None:
        """Commit what came of it."""
        ...


@dataclass(slots=True)
class Asked:
    """What one question came to, with every request made for it."""

    calls: list[StoredCall] = field(default_factory=list)
    failure: Failure | None = None

    @property
    def settled_by(self) -> StoredCall | None:
        """The call that settled the question: the reply, or the last request that failed."""
        return self.calls[-1] if self.calls else None


class Stop:
    """Set once when no further call is to be made; wakes those who wait to try again."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def set(self) -> None:
        """Ask everyone to come to an end."""
        self._event.set()

    @property
    def is_set(self) -> bool:
        """Whether an end was asked for."""
        return self._event.is_set()

    async def wait(self) -> None:
        """Wait until an end is asked for."""
        await self._event.wait()


@dataclass
class Caller:
    """Asks one model, trying again where a transport fault may pass.

    ``gate`` is asked before every request for a reason not to make it (a spent budget).
    """

    client: ModelClient
    writer: CallWriter
    policy: JudgingPolicy
    breaker: Breaker
    stop: Stop
    timing: Timing
    run_deadline: float | None = None
    gate: Callable[[ModelRequest], Failure | None] | None = None
    _pacer: Pacer = field(init=False)

    def __post_init__(self) -> None:
        self._pacer = Pacer(self.policy.rates, self.timing.clock)

    def halted(
        self, request: ModelRequest, deadline: float | None, last: Failure | None = None
    ) -> Failure | None:
        """Return why no request may be made now, or ``None``. Only looks."""
        if self.stop.is_set:
            return failure_of(Reason.INTERRUPTED, "the run was interrupted; run again to resume")
        if self.run_deadline is not None and self.timing.clock() >= self.run_deadline:
            return failure_of(Reason.INTERRUPTED, "the time for this run is up (deadline_s)")
        if deadline is not None and self.timing.clock() >= deadline:
            return failure_of(
                Reason.TIMEOUT, f"the case took longer than {self.policy.case_deadline_s:g} s"
            )
        if self.breaker.holds_back():
            return _circuit_open(last)
        return self.gate(request) if self.gate is not None else None

    async def ask(
        self, request: ModelRequest, audit: CallIntent, deadline: float | None = None
    ) -> Asked:
        """Ask until a reply comes, or until there is a reason to stop.

        Args:
            request: The question.
            audit: What the ledger is to know of it; ids, try number, time and parameters are
                filled in here for each request.
            deadline: When the case must end, on the session's clock.
        """
        asked = Asked()
        failures = 0
        while True:
            await self.pause(self._pacer.wait_s(request))
            halted = self.halted(request, deadline, asked.failure)
            if halted is None and not self.breaker.admits():
                halted = _circuit_open(asked.failure)
            asked.failure = halted
            if halted is not None:
                return asked
            form = self.client.form(request)
            intent = self._intent(request, audit, form, len(asked.calls) + 1)
            answer = await self._recorded(request, intent, form, deadline, asked)
            if isinstance(answer, Completion):
                return asked
            if answer.form is not None:
                continue
            failures += 1
            asked.failure = failure_of(answer.reason, answer.detail)
            wait_s = self._wait_s(answer, failures, deadline)
            if wait_s is None:
                return asked
            await self.pause(wait_s)

    def _intent(
        self, request: ModelRequest, audit: CallIntent, form: CallForm, try_number: int
    ) -> CallIntent:
        sent = {
            "response_format": str(form.response_format),
            "temperature": not form.without_temperature,
        }
        return replace(
            audit,
            call_id=self.timing.new_id(),
            call_key=request.call_key,
            try_number=try_number,
            messages_json=canonical_json(request.messages_as_sent()),
            parameters_json=canonical_json({**request.parameters, "sent": sent}),
            response_schema_sha256=request.schema.sha256,
            created_at=self.timing.timestamp(),
        )

    async def _recorded(
        self,
        request: ModelRequest,
        intent: CallIntent,
        form: CallForm,
        deadline: float | None,
        asked: Asked,
    ) -> Answer:
        """Make one request between its intent row and its reply row."""
        counted = False
        try:
            await self.writer.intent(intent)
            started = self.timing.clock()
            answer = await self.client.call(request, form, self._call_deadline_s(deadline))
            latency_ms = (self.timing.clock() - started) * 1000
            self._tell_breaker(answer)
            counted = True
        finally:
            if not counted:
                self.breaker.neutral()
        reply = reply_row(intent.call_id, answer, form, latency_ms, self.timing.timestamp())
        await self.writer.reply(reply)
        asked.calls.append(StoredCall(intent, reply))
        return answer

    def _tell_breaker(self, answer: Answer) -> None:
        if isinstance(answer, Completion):
            self.breaker.succeeded()
        elif answer.form is not None or answer.reason in SAYS_NOTHING_OF_THE_PROVIDER:
            self.breaker.neutral()
        else:
            self.breaker.failed()

    def _call_deadline_s(self, deadline: float | None) -> float:
        if deadline is None:
            return self.policy.call_deadline_s
        left = deadline - self.timing.clock()
        return max(0.001, min(self.policy.call_deadline_s, left))

    def _wait_s(self, failure: CallFailure, failures: int, deadline: float | None) -> float | None:
        """Return how long to wait before the next try; ``None``: there is none."""
        backoff = self.policy.backoff
        if not failure.retryable or failures >= self.policy.tries:
            return None
        if backoff.gives_up(failure.retry_after_s):
            return None
        wait_s = backoff.delay_s(failures, failure.retry_after_s, self.timing.draw)
        ends = [moment for moment in (deadline, self.run_deadline) if moment is not None]
        if ends and self.timing.clock() + wait_s >= min(ends):
            return None
        return wait_s

    async def pause(self, seconds: float) -> None:
        """Wait, but not longer than until an end is asked for."""
        if seconds <= 0:
            return
        nap = asyncio.ensure_future(self.timing.sleep(seconds))
        end = asyncio.ensure_future(self.stop.wait())
        try:
            await asyncio.wait((nap, end), return_when=asyncio.FIRST_COMPLETED)
        finally:
            nap.cancel()
            end.cancel()


def _circuit_open(last: Failure | None) -> Failure:
    detail = f" (last failure: {last.reason}: {last.detail})" if last is not None else ""
    return failure_of(Reason.CIRCUIT_OPEN, f"too many calls to this model failed in a row{detail}")


def reply_row(
    call_id: str, answer: Answer, form: CallForm, latency_ms: float, created_at: str
) -> CallReply:
    """Return the ledger row of what came of one request."""
    notes = json.dumps([*form.notes(), *answer.notes])
    if isinstance(answer, CallFailure):
        return CallReply(
            call_id=call_id,
            outcome="failure",
            failure_reason=answer.reason,
            failure_detail=answer.detail,
            http_status=answer.http_status,
            retry_after_s=answer.retry_after_s,
            cost_usd=answer.cost.usd,
            cost_note=answer.cost.note or None,
            latency_ms=latency_ms,
            notes_json=notes,
            created_at=created_at,
        )
    return CallReply(
        call_id=call_id,
        outcome="reply",
        text=answer.text,
        finish_reason=answer.finish_reason,
        answered_model=answer.answered_model,
        fingerprint=answer.fingerprint,
        provider=answer.provider,
        prompt_tokens=answer.usage.prompt,
        cached_tokens=answer.usage.cached,
        completion_tokens=answer.usage.completion,
        cost_usd=answer.cost.usd,
        cost_note=answer.cost.note or None,
        latency_ms=latency_ms,
        notes_json=notes,
        created_at=created_at,
    )
