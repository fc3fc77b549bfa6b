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
    now: datetime,
    is_dead: Callable[[str], bool],
) -> int:
    """Say that ``owner`` is asking a model, and return how many are, itself included."""
    moment = utc_text(now)
    rows = connection.execute(
        select(claims).where(claims.c.call_key.startswith(_key(scope, ""), autoescape=True))
    ).all()
    others = {row.owner for row in rows if row.owner != owner and row.expires_at > moment}
    living = {other for other in others if not is_dead(other)}
    gone = [row.call_key for row in rows if row.owner not in living]
    if gone:
        connection.execute(delete(claims).where(claims.c.call_key.in_(gone)))
    until = utc_text(now + timedelta(seconds=lease_s))
    mine = {"call_key": _key(scope, owner), "owner": owner, "expires_at": until}
    connection.execute(insert(claims).values(**mine))
    return len(living) + 1


def leave(connection: Connection, scope: str, owner: str) -> None:
    """Say that ``owner`` asks no more."""
    connection.execute(delete(claims).where(claims.c.call_key == _key(scope, owner)))


def _key(scope: str, owner: str) -> str:
    return f"{_MARK}: {scope}: {owner}"
