"""Work no call waits for: let through piece by piece, so that no call waits for it."""

import asyncio
from collections import deque

_AT_ONCE = 2
_LONGEST_HOLD_S = 0.005
"""A disk may be slow; the part of a transaction that needs the interpreter is not."""


class Turnstile:
    """Lets two waiting coroutines through in each turn of the event loop.

    A turn first does all that is ready: replies that came in, requests that may go out. Where
    many calls are answered together, each waits for two pieces of other work at most, not for that
    of all the others. While it is held, nobody passes: a thread that writes the ledger would get
    the interpreter only every five milliseconds, some ten times a transaction.
    """

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._turning = False
        self._hold: asyncio.TimerHandle | None = None

    async def passed(self) -> None:
        """Wait for a turn. What the caller does up to its next ``await`` should be short."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._turn()
        await turn

    def hold(self) -> None:
        """Let nobody pass until it is released, for five milliseconds at most."""
        if self._hold is None:
            loop = asyncio.get_running_loop()
            self._hold = loop.call_later(_LONGEST_HOLD_S, self.release)

    def release(self) -> None:
        """Let them pass again."""
        if self._hold is not None:
            self._hold.cancel()
            self._hold = None
            self._turn()

    def _turn(self) -> None:
        if self._waiting and self._hold is None and not self._turning:
            self._turning = True
            asyncio.get_running_loop().call_soon(self._let_through)

    def _let_through(self) -> None:
        self._turning = False
        if self._hold is not None:
            return
        passed = 0
        while self._waiting and passed < _AT_ONCE:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                passed += 1
        self._turn()
