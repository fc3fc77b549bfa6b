"""Group commit: what waits at the same moment is written in one transaction."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, Self

from citeval_assets.ledger.errors import LedgerError, LedgerWriteError
from citeval_assets.ledger.gathering import when_quiet
from citeval_assets.ledger.leases import Leasing, Taken
from citeval_assets.ledger.records import CallIntent, CallReply
from citeval_assets.ledger.spending import Refusal, Reservation
from citeval_assets.ledger.store import Ledger


class Bystander(Protocol):
    """What else the event loop does, and can leave be while a batch is written."""

    def hold(self) -> None:
        """Pause; a batch is being written."""
        ...

    def release(self) -> None:
        """Go on."""
        ...


@dataclass(slots=True)
class _Waiting:
    record: CallIntent | CallReply
    done: asyncio.Future[Refusal | Taken | None]
    reservation: Reservation | None = None


@dataclass(frozen=True, slots=True)
class _Result:
    """What became of one transaction: refused call ids, or the error."""

    refused: Mapping[str, Refusal | Taken] = field(default_factory=dict[str, Refusal | Taken])
    error: Exception | None = None


class GroupWriter:
    """Writes calls for the coroutines of one event loop, in one worker thread.

    ``intent`` and ``reply`` return once their record is on disk. While one transaction is being
    written the next batch gathers, so the slower the disk, the larger the batches. What is handed
    in first is written first, or together with what comes after.

    ``leasing``: lease the key of each request in the transaction that records it.
    ``beside``: what shares the event loop with it. With it a batch begins only when a millisecond
    brought nothing new: a transaction costs as much as writing eight records, and where many
    calls are open their replies come in bursts.
    """

    def __init__(
        self,
        ledger: Ledger,
        leasing: Leasing | None = None,
        *,
        max_batch: int = 500,
        beside: Bystander | None = None,
    ):
        self._ledger = ledger
        self._leasing = leasing
        self._beside = beside
        self._max_batch = max_batch
        self._queue: list[_Waiting] = []
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="citeval-ledger")
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False

    async def intent(
        self, record: CallIntent, reservation: Reservation | None = None
    ) -> Refusal | Taken | None:
        """Record a request; return when it may be sent, or why it may not.

        Raises:
            LedgerWriteError: It is not on disk; the request must not be sent.
        """
        return await self._handed_in(record, reservation)

    async def reply(self, record: CallReply) -> None:
        """Record what came back; return when it counts.

        A reply is written even if the caller is cancelled meanwhile: it is paid for.

        Raises:
            LedgerWriteError: It is not on disk and does not count.
        """
        await self.hand_in(record)

    def hand_in(self, record: CallReply) -> asyncio.Future[Refusal | Taken | None]:
        """Take what came back, to be written ahead of all that is handed in after.

        Returns:
            What is done once it counts; see ``reply`` for what it may raise.
        """
        return self._handed_in(record)

    async def flush(self) -> None:
        """Wait until everything handed in so far is written, or has failed."""
        await self._idle.wait()

    async def close(self) -> None:
        """Write what is left and end the worker. Nothing can be handed in after."""
        self._closed = True
        try:
            await self.flush()
        finally:
            # Interrupted while closing: wait for the batch under way, then write the rest here.
            self._worker.shutdown(wait=True)
            while self._queue:
                batch = self._next_batch()
                if batch:
                    _settle(batch, self._attempt(batch))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def _handed_in(
        self, record: CallIntent | CallReply, reservation: Reservation | None = None
    ) -> asyncio.Future[Refusal | Taken | None]:
        if self._closed:
            raise LedgerError("the ledger's writer is closed; open a new one for new calls")
        loop = asyncio.get_running_loop()
        waiting = _Waiting(record, loop.create_future(), reservation)
        self._queue.append(waiting)
        if self._idle.is_set():
            self._idle.clear()
            self._gather(loop)
        return waiting.done

    def _gather(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin the next batch when all that are about to join it have."""
        if self._beside is None:
            loop.call_soon(self._write_next, loop)  # after all that are ready to join
        else:
            when_quiet(lambda: len(self._queue), lambda: self._write_next(loop))

    def _write_next(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hand the next batch to the worker. No task, which an interrupted run would cancel."""
        while self._queue:
            if batch := self._next_batch():
                if self._beside is not None:
                    self._beside.hold()
                written = loop.run_in_executor(self._worker, self._write_batch, batch, loop)
                written.add_done_callback(lambda _: self._written(loop))
                return
        self._idle.set()

    def _written(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._beside is not None:
            self._beside.release()
        if self._queue:
            self._gather(loop)
        else:
            self._idle.set()

    def _next_batch(self) -> list[_Waiting]:
        batch, self._queue = self._queue[: self._max_batch], self._queue[self._max_batch :]
        # An intent nobody waits for any more will not be sent: it would look like a paid call.
        return [w for w in batch if not (w.done.cancelled() and isinstance(w.record, CallIntent))]

    def _write_batch(self, batch: Sequence[_Waiting], loop: asyncio.AbstractEventLoop) -> None:
        """Write one batch, in the worker thread."""
        result = self._attempt(batch)
        refusal = result.error is not None and not isinstance(result.error, LedgerWriteError)
        if refusal and len(batch) > 1:
            # One record was refused for what it holds: its neighbours are not to blame.
            for waiting in batch:
                loop.call_soon_threadsafe(_settle, [waiting], self._attempt([waiting]))
            return
        loop.call_soon_threadsafe(_settle, batch, result)

    def _attempt(self, batch: Sequence[_Waiting]) -> _Result:
        intents = [w.record for w in batch if isinstance(w.record, CallIntent)]
        replies = [w.record for w in batch if isinstance(w.record, CallReply)]
        held = {w.record.call_id: w.reservation for w in batch if w.reservation is not None}
        try:
            return _Result(self._ledger.add_calls(intents, replies, held, self._leasing))
        except Exception as error:  # noqa: BLE001  (handed on to everyone who waits)
            return _Result(error=error)


def _settle(batch: Sequence[_Waiting], result: _Result) -> None:
    for waiting in batch:
        if waiting.done.done():
            continue
        if result.error is None:
            waiting.done.set_result(result.refused.get(waiting.record.call_id))
        else:
            waiting.done.set_exception(result.error)
