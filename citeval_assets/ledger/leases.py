"""Leases on call keys: of several processes that resume one run, one pays for each call."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, select, update

from citeval_assets.ledger import plain_sql
from citeval_assets.ledger.chain import MAX_KEYS_PER_QUERY
from citeval_assets.ledger.records import Claim
from citeval_assets.ledger.schema import claims
from citeval_assets.ledger.times import utc_text

_HELD_BY_OTHERS = (
    "SELECT call_key, owner FROM claims WHERE call_key IN (*) AND owner <> ? AND expires_at > ?"
)
_ANSWERED = (
    "SELECT i.call_key FROM call_intents i JOIN call_replies r ON r.call_id = i.call_id "
    "WHERE i.call_key IN (*) AND r.outcome = 'reply'"
)
_TAKE = (
    "INSERT INTO claims (call_key, owner, expires_at) VALUES (?, ?, ?) "
    "ON CONFLICT (call_key) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at"
)


@dataclass(frozen=True, slots=True)
class Leasing:
    """On whose behalf, and for how long, the keys of requests are leased.

    ``fresh``: also of questions whose reply is stored (an extra call was asked for).
    """

    owner: str
    lease_s: float
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """Why a request may not go out: another process asks the same, or its reply is stored."""


def claim(
    connection: Connection,
    keys: Iterable[str],
    owner: str,
    lease_s: float,
    *,
    fresh: bool,
    now: datetime,
    is_dead: Callable[[str], bool],
) -> set[str]:
    """Take the free keys for ``owner``; the caller holds the write lock.

    A key is free when nobody holds it, its lease ran out, its owner is known to be dead, or it
    is the owner's own (which renews it). Unless ``fresh``, a key with a stored reply is not.
    """
    wanted = list(dict.fromkeys(keys))
    moment = utc_text(now)
    expires_at = utc_text(now + timedelta(seconds=lease_s))
    won: set[str] = set()
    for part in _parts(wanted):
        taken = _held_by_others(connection, part, owner, moment, is_dead)
        if not fresh:
            taken |= _answered(connection, part)
        free = [key for key in part if key not in taken]
        plain_sql.run_many(connection, _TAKE, [(key, owner, expires_at) for key in free])
        won.update(free)
    return won


def renew(
    connection: Connection, keys: Iterable[str], owner: str, lease_s: float, now: datetime
) -> set[str]:
    """Prolong the leases ``owner`` still holds on these keys; return those it holds."""
    expires_at = utc_text(now + timedelta(seconds=lease_s))
    kept: set[str] = set()
    for part in _parts(list(dict.fromkeys(keys))):
        mine = (claims.c.call_key.in_(part), claims.c.owner == owner)
        kept |= set(connection.execute(select(claims.c.call_key).where(*mine)).scalars())
        connection.execute(update(claims).where(*mine).values(expires_at=expires_at))
    return kept


def release(connection: Connection, keys: Iterable[str], owner: str) -> None:
    """Give back the keys ``owner`` holds; those of others stay."""
    for part in _parts(list(dict.fromkeys(keys))):
        mine = (claims.c.call_key.in_(part), claims.c.owner == owner)
        connection.execute(delete(claims).where(*mine))


def held(connection: Connection, keys: Iterable[str], now: datetime) -> dict[str, Claim]:
    """Return the leases that have not run out."""
    found: dict[str, Claim] = {}
    for part in _parts(list(dict.fromkeys(keys))):
        query = select(claims).where(
            claims.c.call_key.in_(part), claims.c.expires_at > utc_text(now)
        )
        found |= {row.call_key: Claim(*row) for row in connection.execute(query)}
    return found


def _held_by_others(
    connection: Connection,
    keys: Sequence[str],
    owner: str,
    moment: str,
    is_dead: Callable[[str], bool],
) -> set[str]:
    rows = plain_sql.rows_for(connection, _HELD_BY_OTHERS, keys, owner, moment)
    dead = {other for other in {row.owner for row in rows} if is_dead(other)}
    return {row.call_key for row in rows if row.owner not in dead}


def _answered(connection: Connection, keys: Sequence[str]) -> set[str]:
    return {key for (key,) in plain_sql.rows_for(connection, _ANSWERED, keys)}


def _parts(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(keys), MAX_KEYS_PER_QUERY):
        yield keys[start : start + MAX_KEYS_PER_QUERY]
