"""Circuit breakers: of several processes that call one model, all see when it fails.

A circuit is closed (calls go out), open (none does, for a cool-down) or half open (one call is
out on trial). It belongs to living processes: where the one that opened it, or tries, is gone,
the next finds it closed, or may try itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Self

from sqlalchemy import Connection, delete, insert, select, update

from citeval_assets.ledger.schema import circuits
from citeval_assets.ledger.times import utc_text


class CircuitState(StrEnum):
    """Whether calls go out."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


@dataclass(frozen=True, slots=True)
class Circuit:
    """A circuit as it stands.

    Attributes:
        state: See ``CircuitState``.
        failures: Calls that failed in a row.
        reason: Why the last of them failed.
        owner: Who counted last, opened it, or has the call on trial.
        until: When the cool-down, or the time for the trial, ends (UTC text; empty: closed).
    """

    state: CircuitState = CircuitState.CLOSED
    failures: int = 0
    reason: str = ""
    owner: str = ""
    until: str = ""

    def holds_back(self, now: datetime) -> bool:
        """Whether no call may go out."""
        return self.state is not CircuitState.CLOSED and utc_text(now) < self.until

    def opened(self, owner: str, now: datetime, cooldown_s: float) -> Self:
        """Return the circuit, open from now on."""
        until = utc_text(now + timedelta(seconds=cooldown_s))
        return type(self)(CircuitState.OPEN, self.failures, self.reason, owner, until)


CLOSED = Circuit()


def look(connection: Connection, scope: str, is_dead: Callable[[str], bool]) -> Circuit:
    """Return the circuit of a model."""
    row = connection.execute(select(circuits).where(circuits.c.scope == scope)).first()
    if row is None:
        return CLOSED
    found = Circuit(CircuitState(row.state), row.failures, row.reason, row.owner, row.until)
    if not is_dead(found.owner):
        return found
    if found.state is CircuitState.HALF_OPEN:
        return Circuit(CircuitState.HALF_OPEN, found.failures, found.reason, found.owner, "")
    return CLOSED


def fail(
    connection: Connection,
    scope: str,
    owner: str,
    reason: str,
    *,
    limit: int,
    cooldown_s: float,
    now: datetime,
    is_dead: Callable[[str], bool],
) -> Circuit:
    """Count a failed call; open the circuit after ``limit`` in a row, or where a trial failed.

    A failure of a call that was under way when the circuit opened does not prolong the pause.
    """
    found = look(connection, scope, is_dead)
    holder = owner if found.state is CircuitState.CLOSED else found.owner
    failed = Circuit(found.state, found.failures + 1, reason, holder, found.until)
    tried = found.state is CircuitState.HALF_OPEN and found.owner == owner
    if tried or (found.state is CircuitState.CLOSED and 0 < limit <= failed.failures):
        failed = failed.opened(owner, now, cooldown_s)
    _put(connection, scope, failed)
    return failed


def close(connection: Connection, scope: str) -> Circuit:
    """Close the circuit: an answer came."""
    connection.execute(delete(circuits).where(circuits.c.scope == scope))
    return CLOSED


def try_out(
    connection: Connection,
    scope: str,
    owner: str,
    *,
    lease_s: float,
    now: datetime,
    is_dead: Callable[[str], bool],
) -> tuple[bool, Circuit]:
    """Take the one call on trial after the cool-down; ``False``: not yet, or somebody has it."""
    found = look(connection, scope, is_dead)
    if found.state is CircuitState.CLOSED:
        return True, found
    if found.holds_back(now):
        return False, found
    until = utc_text(now + timedelta(seconds=lease_s))
    trial = Circuit(CircuitState.HALF_OPEN, found.failures, found.reason, owner, until)
    _put(connection, scope, trial)
    return True, trial


def give_back(connection: Connection, scope: str, owner: str, now: datetime) -> None:
    """Let the next one try: the call on trial said nothing about the model."""
    mine = (
        circuits.c.scope == scope,
        circuits.c.owner == owner,
        circuits.c.state == CircuitState.HALF_OPEN.value,
    )
    connection.execute(
        update(circuits).where(*mine).values(state=CircuitState.OPEN.value, until=utc_text(now))
    )


def _put(connection: Connection, scope: str, circuit: Circuit) -> None:
    values = {
        "state": circuit.state.value,
        "failures": circuit.failures,
        "reason": circuit.reason,
        "owner": circuit.owner,
        "until": circuit.until,
    }
    changed = connection.execute(update(circuits).where(circuits.c.scope == scope).values(**values))
    if changed.rowcount == 0:
        connection.execute(insert(circuits).values(scope=scope, **values))
