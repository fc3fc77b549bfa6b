"""Who is asking a model at present: the processes of one model share what may be open at a time.

Attendance is kept among the leases, under a key of its own for every owner. It runs out when it is
not renewed, and at once where the owner is known to be gone.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, select

from citeval_assets.ledger.schema import claims
from citeval_assets.ledger.times import utc_text

_MARK = "at work"


def attend(
    connection: Connection,
    scope: str,
    owner: str,
    lease_s: float,
    *,
    holds: int,
    most: int,
    now: datetime,
    is_dead: Callable[[str], bool],
) -> int:
    """Say that ``owner`` asks a model; return how many calls it may have open.

    All that are present hold no more than the largest ``most`` together: who comes gets its equal
    share once the others have let go of theirs. Where there are more processes than calls allowed,
    each still has one.

    Args:
        connection: The caller holds the write lock.
        scope: The model.
        owner: Who says it.
        lease_s: How long it is believed, in seconds.
        holds: The calls the owner may have open already, until it says less.
        most: The calls the owner would have open if it were alone.
        now: The time by the ledger's clock.
        is_dead: Whether an owner is known to be gone.
    """
    moment = utc_text(now)
    rows = connection.execute(
        select(claims).where(claims.c.call_key.startswith(_key(scope), autoescape=True))
    ).all()
    others = {row.owner for row in rows if row.owner != owner and row.expires_at > moment}
    living = {other for other in others if not is_dead(other)}
    gone = [row.call_key for row in rows if row.owner not in living]
    if gone:
        connection.execute(delete(claims).where(claims.c.call_key.in_(gone)))
    held = [_numbers(row.call_key) for row in rows if row.owner in living]
    limit = max(most, *(their_most for _, their_most in held)) if held else most
    free = max(0, limit - sum(slots for slots, _ in held))
    present = len(living) + 1
    granted = min(max(1, most // present), free if present <= limit else max(1, free))
    until = utc_text(now + timedelta(seconds=lease_s))
    mine = {
        "call_key": f"{_key(scope)}{owner}: {max(holds, granted)} of {most}",
        "owner": owner,
        "expires_at": until,
    }
    connection.execute(insert(claims).values(**mine))
    return granted


def leave(connection: Connection, scope: str, owner: str) -> None:
    """Say that ``owner`` asks no more."""
    mine = claims.c.call_key.startswith(_key(scope), autoescape=True)
    connection.execute(delete(claims).where(mine, claims.c.owner == owner))


def _key(scope: str) -> str:
    return f"{_MARK}: {scope}: "


def _numbers(key: str) -> tuple[int, int]:
    """Return what an owner holds and would hold alone; an older version did not say."""
    slots, _, most = key.rpartition(": ")[2].partition(" of ")
    return (int(slots), int(most)) if slots.isdecimal() and most.isdecimal() else (0, 0)
