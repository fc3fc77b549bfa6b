"""One question to the model: the one retry loop there is, with a ledger row for each request.

An intent is committed before a request goes out and its outcome is committed before it is used,
so requests at the provider and intents in the ledger are the same number.
"""

from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Protocol

from citeval_assets.judging.breaker import Breaker
from citeval_assets.judging.budget import Purse
from citeval_assets.judging.call_rows import intent_row, reply_row
from citeval_assets.judging.clients import ModelClient
from citeval_assets.judging.concurrency import AdaptiveLimit, Slot
from citeval_assets.judging.deadline import CaseDeadline
from citeval_assets.judging.inflight import CallBoard
from citeval_assets.judging.line import Line, Place
from citeval_assets.judging.outcomes import SAYS_NOTHING_OF_THE_PROVIDER, failure_of
from citeval_assets.judging.pacing import Pacer
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.request import Answer, CallFailure, Completion, ModelRequest
from citeval_assets.judging.stopping import Stop
from citeval_assets.judging.timing import Timing
from citeval_assets.ledger.circuits import Circuit
from citeval_assets.ledger.leases import Taken
from citeval_assets.ledger.records import CallIntent, CallReply, StoredCall
from citeval_assets.ledger.spending import Refusal, Reservation
from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.vocabulary import Reason

_MONEY_POLL_S = 0.05
"""How often the first in line asks again for money that calls under way may leave over."""


class CallWriter(Protocol):
    """Commits calls. What is handed in first is durable first, or together with the next."""

    async def intent(
        self, record: CallIntent, reservation: Reservation | None = None
    ) -> Refusal | Taken | None:
        """Commit a request that is about to go out, or say why it may not."""
        ...

    def hand_in(self, record: CallReply) -> Awaitable[object]:
        """Take what came of it at once; wait for it until it is durable."""
        ...


@dataclass(slots=True)
class Asked:
    """What one question came to, with every request made for it.

    ``elsewhere``: another process asks it now, or its reply is stored.
    """

    calls: list[StoredCall] = field(default_factory=list)
    failure: Failure | None = None
    elsewhere: bool = False

    @property
    def settled_by(self) -> StoredCall | None:
        """The call that settled the question: the reply, or the last request that failed."""
        return self.calls[-1] if self.calls else None


@dataclass
class Caller:
    """Asks one model, trying again where a transport fault may pass."""

    client: ModelClient
    writer: CallWriter
    policy: JudgingPolicy
    breaker: Breaker
    limit: AdaptiveLimit
    pacer: Pacer
    purse: Purse
    board: CallBoard
    stop: Stop
    timing: Timing
    run_deadline: float | None = None
    line: Line = field(default_factory=Line)

    def halted(self, deadline: float | None, last: Failure | None = None) -> Failure | None:
        """Return why no request may be made now, or ``None``. Only looks."""
        if self.stop.is_set:
            return failure_of(Reason.INTERRUPTED, "the run was interrupted; run again to resume")
        if self.run_deadline is not None and self.timing.clock() >= self.run_deadline:
            return failure_of(Reason.INTERRUPTED, "the time for this run is up (deadline_s)")
        if deadline is not None and self.timing.clock() >= deadline:
            return self._too_late()
        if self.breaker.holds_back():
            return _circuit_open(self.breaker.circuit, last)
        return self.purse.empty

    async def ask(
        self, request: ModelRequest, audit: CallIntent, time: CaseDeadline, asked: Asked
    ) -> None:
        """Ask until a reply comes, or until there is a reason to stop.

        Args:
            request: The question.
            audit: What the ledger is to know of it; ids, try number, time and parameters are
                filled in here for each request.
            time: When the case must end. It begins with the first call.
            asked: What came of it so far; this adds to it.
        """
        asked.failure, asked.elsewhere = None, False
        place = Place(self.line)
        try:
            await self._ask(request, audit, time, asked, place)
        finally:
            place.leave()

    async def _ask(
        self,
        request: ModelRequest,
        audit: CallIntent,
        time: CaseDeadline,
        asked: Asked,
        place: Place,
    ) -> None:
        failures = 0
        while True:
            if self.line.forming:
                await place.stand()
            slot = Slot(self.limit, await self.limit.take())
            time.begin()
            try:
                made = await self._request(request, audit, time.at, asked, slot, place)
            finally:
                slot.give_back()
            if isinstance(made, Refusal):
                if place.first:
                    await self.pause(_MONEY_POLL_S)
                await place.stand()
                continue
            if isinstance(made, Completion):
                asked.failure = None
                return
            if isinstance(made, Failure):
                asked.failure = made
                return
            if isinstance(made, Taken):
                asked.elsewhere = True
                return
            if made.form is not None:
                continue
            failures += 1
            asked.failure = failure_of(made.reason, made.detail)
            wait_s = self._wait_s(made, failures, time.at)
            if wait_s is None:
                return
            await self.pause(wait_s)

    async def _request(
        self,
        request: ModelRequest,
        audit: CallIntent,
        deadline: float | None,
        asked: Asked,
        slot: Slot,
        place: Place,
    ) -> Answer | Failure | Refusal | Taken:
        """Make one request, or say why not; a refusal means: ask again in a moment."""
        turn_in_s = await self.pacer.wait_s(request)
        if turn_in_s > 0:
            if deadline is not None and self.timing.clock() + turn_in_s >= deadline:
                return self._too_late()
            await self.pause(turn_in_s)
        halted = self.halted(deadline, asked.failure)
        if halted is not None:
            return halted
        if not await self.breaker.admits():
            return _circuit_open(self.breaker.circuit, asked.failure)
        told = False
        try:
            answer = await self._recorded(request, audit, deadline, asked, slot, place)
            if isinstance(answer, Completion | CallFailure):
                told = await self._tell_breaker(answer)
        finally:
            if not told:
                await self.breaker.neutral()
        return answer

    async def _recorded(
        self,
        request: ModelRequest,
        audit: CallIntent,
        deadline: float | None,
        asked: Asked,
        slot: Slot,
        place: Place,
    ) -> Answer | Failure | Refusal | Taken:
        """Make one request between its intent row and its reply row.

        Its slot is free for the next once the reply is on its way into the ledger: ahead of the
        next intent, so that there are never more intents without a reply than slots.
        """
        form = self.client.form(request)
        intent = intent_row(
            request,
            audit,
            form,
            call_id=self.timing.new_id(),
            try_number=len(asked.calls) + 1,
            created_at=self.timing.timestamp(),
        )
        refused = await self._announce(request, intent)
        if refused is not None:
            return refused
        place.leave()
        self.board.put(
            intent.call_id, intent.test_case_id, intent.system, intent.attempt, intent.try_number
        )
        try:
            started = self.timing.clock()
            answer = await self.client.call(request, form, self._call_deadline_s(deadline))
            latency_ms = (self.timing.clock() - started) * 1000
            self._tell_limit(answer, slot)
            reply = reply_row(intent.call_id, answer, form, latency_ms, self.timing.timestamp())
            stored = self.writer.hand_in(reply)
            slot.give_back()
            await stored
        finally:
            self.board.take_off(intent.call_id)
        asked.calls.append(StoredCall(intent, reply))
        return answer

    async def _announce(
        self, request: ModelRequest, intent: CallIntent
    ) -> Failure | Refusal | Taken | None:
        """Commit the intent, with what the call may cost set aside where spending is limited."""
        reservation = await self.purse.reservation(request, self.timing.now())
        if self.purse.empty is not None:
            return self.purse.empty
        refusal = await self.writer.intent(intent, reservation)
        if isinstance(refusal, Refusal) and reservation is not None:
            tighter = await self.purse.tighter(request, self.timing.now())
            if tighter is not None and tighter.usd < reservation.usd:
                refusal = await self.writer.intent(intent, tighter)
        if not isinstance(refusal, Refusal) or refusal.pending:
            return refusal
        return self.purse.refused(refusal)

    def _tell_limit(self, answer: Answer, slot: Slot) -> None:
        if isinstance(answer, Completion):
            self.limit.answered()
        elif answer.reason is Reason.RATE_LIMITED:
            self.limit.rate_limited(slot.cuts)

    async def _tell_breaker(self, answer: Answer) -> bool:
        """Tell what came of a call; ``False``: it says nothing about the provider."""
        if isinstance(answer, Completion):
            await self.breaker.succeeded()
            return True
        if answer.form is not None or answer.reason in SAYS_NOTHING_OF_THE_PROVIDER:
            return False
        await self.breaker.failed(answer.reason)
        return True

    def _call_deadline_s(self, deadline: float | None) -> float:
        if deadline is None:
            return self.policy.call_deadline_s
        left = deadline - self.timing.clock()
        return max(0.001, min(self.policy.call_deadline_s, left))

    def _too_late(self) -> Failure:
        return failure_of(
            Reason.TIMEOUT,
            f"the case would take longer than {self.policy.case_deadline_s:g} s "
            "(limits.case_deadline_s)",
        )

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
        await self.stop.pause(seconds, self.timing.sleep)


def _circuit_open(circuit: Circuit, last: Failure | None) -> Failure:
    told = f"{last.reason}: {last.detail}" if last is not None else circuit.reason
    detail = f"{circuit.failures} calls to this model failed in a row"
    return failure_of(Reason.CIRCUIT_OPEN, f"{detail} (last failure: {told})" if told else detail)
