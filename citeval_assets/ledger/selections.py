"""Which of several recorded things is the current one: append-only, the newest row counts."""

from sqlalchemy import Connection, func, select

from citeval_assets.ledger.chain import ChainWriter
from citeval_assets.ledger.escaping import original, storable
from citeval_assets.ledger.schema import SELECTIONS

_S = SELECTIONS.table


def current(connection: Connection, kind: str, name: str) -> str | None:
    """Return the value selected last under this name; ``None`` where there is none."""
    query = (
        select(_S.c.value)
        .where(_S.c.kind == storable(kind), _S.c.name == storable(name))
        .order_by(_S.c.nr.desc())
        .limit(1)
    )
    value = connection.execute(query).scalar()
    return None if value is None else original(value)


def all_current(connection: Connection, kind: str) -> dict[str, str]:
    """Return the value selected last under every name of a kind."""
    newest = select(func.max(_S.c.nr)).where(_S.c.kind == storable(kind)).group_by(_S.c.name)
    rows = connection.execute(select(_S.c.name, _S.c.value).where(_S.c.nr.in_(newest)))
    return {original(name): original(value) for name, value in rows}


def make_current(chain: ChainWriter, kind: str, name: str, value: str, now: str) -> bool:
    """Select a value. ``False``: it is the current one already, and nothing changes."""
    if current(chain.connection, kind, name) == value:
        return False
    row = {"kind": kind, "name": name, "value": value}
    stored = {column: storable(text) for column, text in row.items()}
    chain.append(SELECTIONS, [{**stored, "created_at": now}])
    return True
