"""Spending limits: what a call may cost is set aside before it goes out.

The check, the intent and what is set aside are one transaction, so of several processes that
share a limit none can spend what another one was granted. The reply replaces what was set aside
by the real cost. A call nothing came of keeps it: it may have been paid for.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from sqlalchemy import Connection, delete, insert, select, update

from citeval_assets.ledger import plain_sql
from citeval_assets.ledger.chain import MAX_KEYS_PER_QUERY
from citeval_assets.ledger.escaping import storable
from citeval_assets.ledger.records import CallReply
from citeval_assets.ledger.schema import CALL_REPLIES, reservations, spending
from citeval_assets.ledger.times import utc_text

_R = CALL_REPLIES.table
_DAY = "day:"
_PAGE = 500
_SPENT = "SELECT scope, spent_usd, reserved_usd FROM spending WHERE scope IN (*)"
_SET_ASIDE = "SELECT call_id, scopes, usd FROM reservations WHERE call_id IN (*)"


@dataclass(frozen=True, slots=True)
class SpendingLimit:
    """At most ``usd`` within ``scope`` (see ``day_scope``, ``run_scope``)."""

    scope: str
    usd: Decimal


@dataclass(frozen=True, slots=True)
class Reservation:
    """What one call may cost at most, and the limits it counts against.

    ``lease_s``: after so long without a reply nobody waits for the rest any more; what was set
    aside then counts as spent, like that of an ``owner`` who died.
    """

    usd: Decimal
    limits: tuple[SpendingLimit, ...]
    owner: str
    lease_s: float


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a call may not go out: it could exceed a limit.

    ``pending``: calls of living processes are under way that may turn out cheaper, so asking
    again later makes sense.
    """

    limit: SpendingLimit
    wanted_usd: Decimal
    spent_usd: Decimal
    reserved_usd: Decimal
    pending: bool

    def __str__(self) -> str:
        return (
            f"limit {self.limit.usd} USD ({self.limit.scope}): {self.spent_usd} USD are spent, "
            f"{self.reserved_usd} USD set aside for calls whose cost is not known yet, and this "
            f"call could cost {self.wanted_usd} USD"
        )


def run_scope(name: str) -> str:
    """Return the scope of one run."""
    return storable(f"run:{name}")


def day_scope(now: datetime) -> str:
    """Return the scope of the UTC day ``now`` lies in."""
    return _DAY + utc_text(now)[:10]


@dataclass(slots=True)
class _Account:
    spent: Decimal
    reserved: Decimal
    changed: bool = False
    new: bool = False


@dataclass
class Accounts:
    """The spending of some scopes, within one write transaction."""

    connection: Connection
    _open: dict[str, _Account] = field(default_factory=dict[str, _Account])

    def load(self, scopes: Iterable[str]) -> None:
        """Read what is known of these scopes; nothing is opened."""
        wanted = [scope for scope in dict.fromkeys(scopes) if scope not in self._open]
        if not wanted:
            return
        for scope, spent_usd, reserved_usd in plain_sql.rows_for(self.connection, _SPENT, wanted):
            self._open[scope] = _Account(Decimal(spent_usd), Decimal(reserved_usd))

    def open(self, scope: str) -> _Account:
        """Return the account of a scope. A day nobody limited so far starts with its calls."""
        self.load([scope])
        if scope not in self._open:
            spent = _recorded_since(self.connection, scope.removeprefix(_DAY))
            balance = spent if scope.startswith(_DAY) else Decimal(0)
            self._open[scope] = _Account(balance, Decimal(0), changed=True, new=True)
        return self._open[scope]

    def known(self, scope: str) -> _Account | None:
        """Return the account of a scope that was loaded."""
        return self._open.get(scope)

    def save(self) -> None:
        """Write what changed."""
        for scope, account in self._open.items():
            if not account.changed:
                continue
            values = {"spent_usd": str(account.spent), "reserved_usd": str(account.reserved)}
            if account.new:
                self.connection.execute(insert(spending).values(scope=scope, **values))
            else:
                mine = spending.c.scope == scope
                self.connection.execute(update(spending).where(mine).values(**values))
            account.changed = account.new = False


def _recorded_since(connection: Connection, day: str) -> Decimal:
    """Return the known cost of the calls answered on ``day``, read from the newest backwards."""
    total, before = Decimal(0), None
    while True:
        query = select(_R.c.nr, _R.c.created_at, _R.c.cost_usd).order_by(_R.c.nr.desc())
        if before is not None:
            query = query.where(_R.c.nr < before)
        page = connection.execute(query.limit(_PAGE)).all()
        for row in page:
            if row.created_at[:10] < day:
                return total
            if row.created_at[:10] == day and row.cost_usd is not None:
                total += Decimal(row.cost_usd)
        if len(page) < _PAGE:
            return total
        before = page[-1].nr


def admit(
    connection: Connection,
    wanted: Mapping[str, Reservation],
    now: datetime,
    is_dead: Callable[[str], bool],
) -> dict[str, Refusal]:
    """Set aside what these calls may cost; return those for which there is not enough left.

    ``wanted`` maps call ids to what they need, the first come first served.
    """
    accounts = Accounts(connection)
    accounts.load(limit.scope for r in wanted.values() for limit in r.limits)
    refused: dict[str, Refusal] = {}
    rows: list[dict[str, str]] = []
    for call_id, reservation in wanted.items():
        exceeded = _exceeded(accounts, reservation)
        if exceeded is not None:
            refused[call_id] = exceeded
            continue
        for limit in reservation.limits:
            account = accounts.open(limit.scope)
            account.reserved += reservation.usd
            account.changed = True
        ends = now + timedelta(seconds=reservation.lease_s)
        rows.append(
            {
                "call_id": storable(call_id),
                "scopes": json.dumps([limit.scope for limit in reservation.limits]),
                "usd": str(reservation.usd),
                "owner": reservation.owner,
                "expires_at": utc_text(ends),
            }
        )
    if rows:
        connection.execute(insert(reservations), rows)
    accounts.save()
    if refused:
        hopeful = _pending_scopes(connection, utc_text(now), is_dead)
        return {
            call_id: Refusal(
                r.limit, r.wanted_usd, r.spent_usd, r.reserved_usd, r.limit.scope in hopeful
            )
            for call_id, r in refused.items()
        }
    return {}


def _exceeded(accounts: Accounts, reservation: Reservation) -> Refusal | None:
    for limit in reservation.limits:
        account = accounts.open(limit.scope)
        if account.spent + account.reserved + reservation.usd > limit.usd:
            return Refusal(limit, reservation.usd, account.spent, account.reserved, pending=False)
    return None


def _pending_scopes(
    connection: Connection, moment: str, is_dead: Callable[[str], bool]
) -> set[str]:
    query = select(reservations.c.scopes, reservations.c.owner).where(
        reservations.c.expires_at > moment
    )
    rows = connection.execute(query.distinct()).all()
    dead = {owner for owner in {row.owner for row in rows} if is_dead(owner)}
    return {scope for row in rows if row.owner not in dead for scope in json.loads(row.scopes)}


def book(connection: Connection, replies: Sequence[CallReply], now: datetime) -> None:
    """Replace what was set aside for these calls by what they cost.

    A call whose cost is unknown counts with all that was set aside for it; one that had nothing
    set aside counts for its day, where anybody limits that.
    """
    accounts = Accounts(connection)
    today = day_scope(now)
    held = _held(connection, [reply.call_id for reply in replies])
    accounts.load([today, *(scope for scopes, _ in held.values() for scope in scopes)])
    for reply in replies:
        scopes, reserved = held.get(storable(reply.call_id), ((today,), Decimal(0)))
        cost = reserved if reply.cost_usd is None else reply.cost_usd
        for scope in scopes:
            account = accounts.known(scope)
            if account is not None and (cost or reserved):
                account.spent += cost
                account.reserved -= reserved
                account.changed = True
    accounts.save()
    for part in _parts(list(held)):
        connection.execute(delete(reservations).where(reservations.c.call_id.in_(part)))


def _held(
    connection: Connection, call_ids: Sequence[str]
) -> dict[str, tuple[tuple[str, ...], Decimal]]:
    found: dict[str, tuple[tuple[str, ...], Decimal]] = {}
    for part in _parts([storable(call_id) for call_id in call_ids]):
        for call_id, scopes, usd in plain_sql.rows_for(connection, _SET_ASIDE, part):
            found[call_id] = (tuple(json.loads(scopes)), Decimal(usd))
    return found


def spent(connection: Connection, scope: str) -> tuple[Decimal, Decimal]:
    """Return what was spent within a scope, and what is set aside."""
    row = connection.execute(select(spending).where(spending.c.scope == scope)).first()
    if row is None:
        return Decimal(0), Decimal(0)
    return Decimal(row.spent_usd), Decimal(row.reserved_usd)


def spent_today(connection: Connection, now: datetime) -> Decimal:
    """Return the known cost of the calls answered on this UTC day."""
    return _recorded_since(connection, day_scope(now).removeprefix(_DAY))


def _parts(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), MAX_KEYS_PER_QUERY):
        yield ids[start : start + MAX_KEYS_PER_QUERY]
