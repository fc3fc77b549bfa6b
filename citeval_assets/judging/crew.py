"""The workers of a session: each at one case, from its preparation to its outcome."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

from citeval_assets.judging.examiner import CaseOutcome, CaseTask, Examiner


class Crew:
    """Workers that draw tasks from one iterator and hand outcomes to one queue.

    The first goes ahead until ``scouted`` is set: where its case has to be asked, what the client
    has to load for that (seconds) is loading while the others prepare theirs.
    """

    def __init__(
        self,
        examiner: Examiner,
        size: int,
        stop: Callable[[], None],
        scouted: asyncio.Event | None = None,
    ):
        self._examiner = examiner
        self._size = size
        self._stop = stop
        self._scouted = scouted
        self._queue: asyncio.Queue[CaseOutcome | None] = asyncio.Queue(maxsize=size)
        self._workers: list[asyncio.Task[None]] = []
        self._error: Exception | None = None
        self._leaving = False
        self._abandoned = False

    @property
    def working(self) -> bool:
        """Whether a worker has not come to its end."""
        return any(not worker.done() for worker in self._workers)

    def start(self, tasks: Iterator[tuple[int, CaseTask]]) -> None:
        """Begin to work."""
        scout = asyncio.create_task(self._work(tasks, None))
        others = (self._work(tasks, self._scouted) for _ in range(self._size - 1))
        self._workers = [scout, *map(asyncio.create_task, others)]

    async def outcomes(self) -> AsyncIterator[CaseOutcome]:
        """Yield outcomes until all workers are done; then raise what went wrong, if anything."""
        ended = 0
        while ended < len(self._workers):
            outcome = await self._queue.get()
            if outcome is None:
                ended += 1
            else:
                yield outcome
        if self._error is not None:
            raise self._error

    async def wind_down(self) -> None:
        """Let every worker finish the case it is at; outcomes nobody takes are dropped."""
        self._leaving = self._abandoned = True
        drain = asyncio.create_task(self._drain())
        try:
            await asyncio.gather(*self._workers, return_exceptions=True)
        finally:
            for task in (*self._workers, drain):
                task.cancel()
            await asyncio.gather(*self._workers, drain, return_exceptions=True)

    async def _drain(self) -> None:
        while True:
            await self._queue.get()

    async def _work(
        self, tasks: Iterator[tuple[int, CaseTask]], behind: asyncio.Event | None
    ) -> None:
        try:
            if behind is not None:
                await behind.wait()
                if self._leaving:
                    return
            while (drawn := await self._draw(tasks)) is not None:
                position, task = drawn
                outcome = await self._examiner.examine(task, position)
                self._let_others_go()
                await self._queue.put(outcome)
                if self._leaving:
                    break
        except asyncio.CancelledError:
            self._abandoned = True  # the loop ends: nobody is left to take an outcome
            raise
        except Exception as error:  # noqa: BLE001 - raised again where the outcomes are taken
            self._error = self._error or error
            self._leaving = True
            self._stop()
        finally:
            self._let_others_go()
            if not self._abandoned:
                await self._queue.put(None)

    async def _draw(self, tasks: Iterator[tuple[int, CaseTask]]) -> tuple[int, CaseTask] | None:
        """Draw the next task, which prepares the case: while calls wait for nothing."""
        await self._examiner.turnstile.passed()
        return next(tasks, None)

    def _let_others_go(self) -> None:
        if self._scouted is not None:
            self._scouted.set()
