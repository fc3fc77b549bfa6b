"""Waiting for what is about to come, so that it is done together."""

import asyncio
from collections.abc import Callable

QUIET_S = 0.001
LONGEST_S = 0.008


def when_quiet(size: Callable[[], int], then: Callable[[], None]) -> None:
    """Call ``then`` once a millisecond brought nothing new, after eight milliseconds in any case.

    Args:
        size: How much there is by now.
        then: What is done with it. No task, which an interrupted run would cancel.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + LONGEST_S

    def look(seen: int) -> None:
        if size() == seen or loop.time() >= until:
            then()
        else:
            loop.call_later(QUIET_S, look, size())

    loop.call_later(QUIET_S, look, size())
