"""The circuit breaker of one model: after a run of failures, a pause instead of more calls."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class BreakerSettings:
    """``failures`` in a row open the circuit for ``cooldown_s`` seconds; 0 never opens it."""

    failures: int = 10
    cooldown_s: float = 60.0


class Breaker(Protocol):
    """What the caller asks of a circuit breaker (one process's own, or a shared one)."""

    def holds_back(self) -> bool:
        """Whether no call may go out now. Only looks."""
        ...

    def admits(self) -> bool:
        """Whether a call may go out now. A call let through on trial is counted as such."""
        ...

    def succeeded(self) -> None:
        """Take note of an answer."""
        ...

    def failed(self) -> None:
        """Take note of a failure that speaks against the model or its provider."""
        ...

    def neutral(self) -> None:
        """Take note of a call that says nothing about the provider."""
        ...


class _State(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    TRIAL = "trial"


class CircuitBreaker:
    """Closed until ``settings.failures`` calls in a row fail; then open for the cool-down.

    After it one call goes out on trial: answered, it closes the circuit; failed, it opens it
    for another cool-down. Not thread-safe: it lives in one event loop.
    """

    def __init__(self, settings: BreakerSettings, clock: Callable[[], float]):
        self._settings = settings
        self._clock = clock
        self._state = _State.CLOSED
        self._failures = 0
        self._open_until = 0.0

    def holds_back(self) -> bool:
        """Whether no call may go out now. Only looks."""
        if self._state is _State.OPEN:
            return self._clock() < self._open_until
        return self._state is _State.TRIAL

    def admits(self) -> bool:
        """Whether a call may go out now. A call let through on trial is counted as such."""
        if self.holds_back():
            return False
        if self._state is _State.OPEN:
            self._state = _State.TRIAL
        return True

    def succeeded(self) -> None:
        """Close the circuit: an answer came."""
        self._state = _State.CLOSED
        self._failures = 0

    def failed(self) -> None:
        """Count a failure; open the circuit where the run is long enough or a trial failed."""
        self._failures += 1
        limit = self._settings.failures
        if self._state is _State.TRIAL or 0 < limit <= self._failures:
            self._open()

    def neutral(self) -> None:
        """Let the next caller try where the trial call said nothing about the provider."""
        if self._state is _State.TRIAL:
            self._state = _State.OPEN
            self._open_until = self._clock()

    def _open(self) -> None:
        self._state = _State.OPEN
        self._open_until = self._clock() + self._settings.cooldown_s
