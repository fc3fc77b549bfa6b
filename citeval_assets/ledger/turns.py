"""Rates several processes share: each request is given a moment at which it may go out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from citeval_assets.ledger.schema import turns


@dataclass(frozen=True, slots=True)
class TurnLength:
    """How long one request takes up what is allowed, in seconds."""

    request_s: float = 0.0
    tokens_s: float = 0.0


def take(
    connection: Connection, scope: str, lengths: Sequence[TurnLength], now: datetime
) -> list[float]:
    """Take the next turns, in order; return how many seconds each has to wait.

    Turns are spaced evenly, so that no minute holds more than allowed. Those that are not used
    (a process died) are lost.
    """
    moment = now.timestamp()
    row = connection.execute(select(turns).where(turns.c.scope == scope)).first()
    request_s, tokens_s = (row.next_request_s, row.next_tokens_s) if row else (0.0, 0.0)
    waits: list[float] = []
    for length in lengths:
        turn = max(moment, request_s, tokens_s)
        request_s = turn + length.request_s
        tokens_s = turn + length.tokens_s
        waits.append(turn - moment)
    values = {"next_request_s": request_s, "next_tokens_s": tokens_s}
    if row is None:
        connection.execute(insert(turns).values(scope=scope, **values))
    else:
        connection.execute(update(turns).where(turns.c.scope == scope).values(**values))
    return waits
