"""Group commit: what waits at the same moment is written in one transaction."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from citeval_assets.ledger.errors import LedgerError, LedgerWriteError
from citeval_assets.ledger.records import CallIntent, CallReply
from citeval_assets.ledger.store import Ledger


@dataclass(slots=True)
class _Waiting:
    record: CallIntent | CallReply
    done: asyncio.Future[None]


class GroupWriter:
    """Writes calls for the coroutines of one event loop, in one worker thread.

    ``intent`` and ``reply`` return once their record is on disk. While one transaction is being
    written the next batch gathers, so the slower the disk, the larger the batches.
    """

    def __init__(self, ledger: Ledger, *, max_batch: int = 500):
        self._ledger = ledger
        self._max_batch = max_batch
        self._queue: list[_Waiting] = []
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="citeval-ledger")
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False

    async def intent(self, record: CallIntent) -> None:
        """Record a request; return when it may be sent.

        Raises:
            LedgerWriteError: It is not on disk; the request must not be sent.
        """
        await self._write(record)

    async def reply(self, record: CallReply) -> None:
        """Record what came back; return when it counts.

        A reply is written even if the caller is cancelled meanwhile: it is paid for.

        Raises:
            LedgerWriteError: It is not on disk and does not count.
        """
        await self._write(record)

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
                _settle(batch, self._attempt(batch) if batch else None)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def _write(self, record: CallIntent | CallReply) -> None:
        if self._closed:
            raise LedgerError("the ledger's writer is closed; open a new one for new calls")
        loop = asyncio.get_running_loop()
        waiting = _Waiting(record, loop.create_future())
        self._queue.append(waiting)
        if self._idle.is_set():
            self._idle.clear()
            loop.call_soon(self._write_next, loop)  # after all that are ready to join
        await waiting.done

    def _write_next(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hand the next batch to the worker. No task, which an interrupted run would cancel."""
        while self._queue:
            if batch := self._next_batch():
                written = loop.run_in_executor(self._worker, self._write_batch, batch, loop)
                written.add_done_callback(lambda _: self._write_next(loop))
                return
        self._idle.set()

    def _next_batch(self) -> list[_Waiting]:
        batch, self._queue = self._queue[: self._max_batch], self._queue[self._max_batch :]
        # An intent nobody waits for any more will not be sent: it would look like a paid call.
        return [w for w in batch if not (w.done.cancelled() and isinstance(w.record, CallIntent))]

    def _write_batch(self, batch: Sequence[_Waiting], loop: asyncio.AbstractEventLoop) -> None:
        """Write one batch, in the worker thread."""
        error = self._attempt(batch)
        if error is not None and not isinstance(error, LedgerWriteError) and len(batch) > 1:
            # One record was refused for what it holds: its neighbours are not to blame.
            for waiting in batch:
                loop.call_soon_threadsafe(_settle, [waiting], self._attempt([waiting]))
            return
        loop.call_soon_threadsafe(_settle, batch, error)

    def _attempt(self, batch: Sequence[_Waiting]) -> Exception | None:
        intents = [w.record for w in batch if isinstance(w.record, CallIntent)]
        replies = [w.record for w in batch if isinstance(w.record, CallReply)]
        try:
            self._ledger.add_calls(intents, replies)
        except Exception as error:  # noqa: BLE001  (handed on to everyone who waits)
            return error
        return None


def _settle(batch: Sequence[_Waiting], error: Exception | None) -> None:
    for waiting in batch:
        if waiting.done.done():
            continue
        if error is None:
            waiting.done.set_result(None)
        else:
            waiting.done.set_exception(error)
