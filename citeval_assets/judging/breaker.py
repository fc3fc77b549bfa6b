"""The circuit breaker of one model: after a run of failures, a pause instead of more calls."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Protocol

from citeval_assets.ledger.circuits import CLOSED, Circuit, CircuitState
from citeval_assets.ledger.owners import process_owner
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.vocabulary import Reason

_LOOK_EVERY_S = 1.0
"""How old may be what is known of the failures other processes had."""

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class BreakerSettings:
    """``failures`` in a row open the circuit for ``cooldown_s`` seconds; 0 never opens it."""

    failures: int = 10
    cooldown_s: float = 60.0


class Breaker(Protocol):
    """What the caller asks of a circuit breaker (one process's own, or a shared one).

    Closed: calls go out. Open: none does. Half open, after the cool-down: one goes out on
    trial; answered, it closes the circuit, failed, it opens it for another cool-down.
    """

    @property
    def circuit(self) -> Circuit:
        """The circuit as far as it is known."""
        ...

    def holds_back(self) -> bool:
        """Whether no call may go out now. Only looks."""
        ...

    async def admits(self) -> bool:
        """Whether a call may go out now. A call let through on trial is counted as such."""
        ...

    async def succeeded(self) -> None:
        """Close the circuit: an answer came."""
        ...

    async def failed(self, reason: Reason) -> None:
        """Count a failure; open the circuit where the run is long enough or a trial failed."""
        ...

    async def neutral(self) -> None:
        """Let the next caller try where the trial call said nothing about the provider."""
        ...


class CircuitBreaker:
    """The breaker of one process. Not thread-safe: it lives in one event loop."""

    def __init__(self, settings: BreakerSettings, clock: Callable[[], float]):
        self._settings = settings
        self._clock = clock
        self._circuit = CLOSED

    @property
    def circuit(self) -> Circuit:
        """The circuit as it stands."""
        return self._circuit

    def holds_back(self) -> bool:
        """Whether no call may go out now."""
        circuit = self._circuit
        return circuit.state is CircuitState.HALF_OPEN or circuit.holds_back(self._now())

    async def admits(self) -> bool:
        """Whether a call may go out now."""
        if self._circuit.state is CircuitState.CLOSED:
            return True
        if self.holds_back():
            return False
        self._circuit = replace(self._circuit, state=CircuitState.HALF_OPEN)
        return True

    async def succeeded(self) -> None:
        """Close the circuit."""
        self._circuit = CLOSED

    async def failed(self, reason: Reason) -> None:
        """Count a failure."""
        found = self._circuit
        failed = replace(found, failures=found.failures + 1, reason=str(reason))
        tried = found.state is CircuitState.HALF_OPEN
        limit = self._settings.failures
        if tried or (found.state is CircuitState.CLOSED and 0 < limit <= failed.failures):
            failed = failed.opened("", self._now(), self._settings.cooldown_s)
        self._circuit = failed

    async def neutral(self) -> None:
        """Give a trial back."""
        if self._circuit.state is CircuitState.HALF_OPEN:
            until = self._circuit.opened("", self._now(), 0.0).until
            self._circuit = replace(self._circuit, state=CircuitState.OPEN, until=until)

    def _now(self) -> datetime:
        return _EPOCH + timedelta(seconds=self._clock())


class SharedBreaker:
    """A breaker that all processes using one ledger share, for one model.

    Failures are counted in the ledger as they happen. What others saw is at most a second old,
    so that answered calls cost no transaction while nothing fails.
    """

    def __init__(
        self,
        ledger: Ledger,
        scope: str,
        settings: BreakerSettings,
        clock: Callable[[], float],
        *,
        trial_s: float,
    ):
        self._ledger = ledger
        self._scope = scope
        self._settings = settings
        self._clock = clock
        self._trial_s = trial_s
        self._owner = process_owner()
        self._circuit = CLOSED
        self._looked_at = float("-inf")

    @property
    def circuit(self) -> Circuit:
        """The circuit as it was last seen."""
        return self._circuit

    def holds_back(self) -> bool:
        """Whether no call may go out now."""
        if self._clock() - self._looked_at >= _LOOK_EVERY_S:
            self._note(self._ledger.circuit(self._scope))
        if self._circuit.state is CircuitState.CLOSED:
            return False
        return self._circuit.holds_back(self._ledger.now())

    async def admits(self) -> bool:
        """Whether a call may go out now."""
        if self.holds_back():
            return False
        if self._circuit.state is CircuitState.CLOSED:
            return True
        admitted, circuit = await asyncio.to_thread(
            self._ledger.circuit_trial, self._scope, self._owner, self._trial_s
        )
        self._note(circuit)
        return admitted

    async def succeeded(self) -> None:
        """Close the circuit, where it is not known to be closed and without a failure."""
        if self._circuit != CLOSED:
            self._note(await asyncio.to_thread(self._ledger.circuit_closed, self._scope))

    async def failed(self, reason: Reason) -> None:
        """Count a failure for all processes."""
        if self._settings.failures == 0:
            return
        circuit = await asyncio.to_thread(
            self._ledger.circuit_failed,
            self._scope,
            self._owner,
            str(reason),
            limit=self._settings.failures,
            cooldown_s=self._settings.cooldown_s,
        )
        self._note(circuit)

    async def neutral(self) -> None:
        """Give a trial back."""
        circuit = self._circuit
        if circuit.state is CircuitState.HALF_OPEN and circuit.owner == self._owner:
            await asyncio.to_thread(self._ledger.circuit_given_back, self._scope, self._owner)
            self._note(self._ledger.circuit(self._scope))

    def _note(self, circuit: Circuit) -> None:
        self._circuit = circuit
        self._looked_at = self._clock()
