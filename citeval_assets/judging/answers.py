"""The answer to one question: the stored one where there is one, else a call."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from citeval_assets.judging.caller import Asked, Caller
from citeval_assets.judging.deadline import CaseDeadline
from citeval_assets.judging.leases import LeaseDesk
from citeval_assets.judging.lookups import StoredReplies
from citeval_assets.judging.outcomes import failure_of
from citeval_assets.judging.request import ModelRequest
from citeval_assets.ledger.errors import TamperedRowError
from citeval_assets.ledger.records import CallIntent, StoredCall
from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.vocabulary import Reason

_POLL_S = 0.5
"""How often to look whether the process that holds a lease has its reply."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What one question came to.

    ``call`` settled it (reply or last failed request; ``None``: no request was made);
    ``made`` are all requests made for it now; ``failure`` is set where no reply came.
    """

    call: StoredCall | None = None
    made: tuple[StoredCall, ...] = ()
    reused: bool = False
    failure: Failure | None = None


@dataclass
class AnswerDesk:
    """Answers questions for one session: no recorded call is paid twice.

    Two questions of one key are answered one after the other, so that the second finds the
    reply of the first; across processes a lease sees to the same.
    """

    replies: StoredReplies
    caller: Caller
    leases: LeaseDesk | None = None
    refresh: bool = False
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the ledger was asked about a first question, before the client is."""

    _locks: dict[str, tuple[asyncio.Lock, int]] = field(default_factory=dict)
    _refreshed: set[str] = field(default_factory=set)

    async def answer(
        self, request: ModelRequest, audit: CallIntent, time: CaseDeadline
    ) -> Answered:
        """Return the stored reply to this question, or ask."""
        key = request.call_key
        async with self._alone(key):
            found = await self._found(key)
            self.begun.set()
            if found is not None:
                return found
            unready = await self.caller.client.ready(request)
            if unready is not None:
                return Answered(failure=failure_of(unready.reason, unready.detail))
            asked = Asked()
            while found is None:
                await self._ask(request, audit, time, asked)
                if not asked.elsewhere:
                    break
                found = await self._found(key)
                if found is None:
                    await self.caller.pause(_POLL_S)
            if self.refresh and asked.failure is None:
                self._refreshed.add(key)
        if found is not None:
            return replace(found, made=tuple(asked.calls))
        return Answered(asked.settled_by, tuple(asked.calls), failure=asked.failure)

    async def _found(self, key: str) -> Answered | None:
        """Look in the ledger. A reply that was tampered with is never used."""
        if self.refresh and key not in self._refreshed:
            return None
        try:
            stored = await self.replies.find(key)
        except TamperedRowError as error:
            detail = f"{error}; run with --refresh to ask anew"
            return Answered(failure=failure_of(Reason.RECORD_TAMPERED, detail))
        return Answered(stored, reused=True) if stored is not None else None

    async def _ask(
        self, request: ModelRequest, audit: CallIntent, time: CaseDeadline, asked: Asked
    ) -> None:
        if self.leases is None:
            await self.caller.ask(request, audit, time, asked)
            return
        key = request.call_key
        self.leases.hold(key)
        answered = False
        try:
            await self.caller.ask(request, audit, time, asked)
            answered = asked.failure is None
        finally:
            if answered:
                self.leases.ended(key)
            else:
                await self.leases.give_back(key)

    @asynccontextmanager
    async def _alone(self, key: str) -> AsyncIterator[None]:
        lock, users = self._locks.get(key, (asyncio.Lock(), 0))
        self._locks[key] = (lock, users + 1)
        try:
            async with lock:
                yield
        finally:
            lock, users = self._locks[key]
            if users == 1:
                del self._locks[key]
            else:
                self._locks[key] = (lock, users - 1)
