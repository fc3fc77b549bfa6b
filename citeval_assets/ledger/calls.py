"""Writing and reading calls: intents, replies, and the texts they share."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, Protocol

from sqlalchemy import ColumnElement, Connection, func, select

from citeval_assets.ledger import plain_sql
from citeval_assets.ledger.chain import MAX_KEYS_PER_QUERY, ChainWriter, Row, Value
from citeval_assets.ledger.escaping import original, storable
from citeval_assets.ledger.records import CallIntent, CallReply, StoredCall
from citeval_assets.ledger.rows import to_row
from citeval_assets.ledger.schema import CALL_INTENTS, CALL_REPLIES, TEXTS
from citeval_assets.ledger.stored_calls import ANSWERED, CallRow, answered, sound, stored_intent

_I = CALL_INTENTS.table
_R = CALL_REPLIES.table
_PAGE = 200
_OF_CALLS = f"{ANSWERED} WHERE i.call_id IN (*)"
_IDS_OF_KEYS = (
    "SELECT i.call_key, i.call_id FROM call_intents i JOIN call_replies r ON r.call_id = i.call_id "
    "WHERE i.call_key IN (*) AND r.outcome = 'reply' ORDER BY r.seq"
)
_END_LEASES = (
    "DELETE FROM claims WHERE call_key IN "
    "(SELECT i.call_key FROM call_intents i WHERE i.call_id IN (*))"
)


class TextCleaner(Protocol):
    """What removes secrets from a text (``redaction.Redactor``)."""

    def clean(self, text: str) -> str:
        """Return ``text`` without secrets."""
        ...


def write_calls(
    chain: ChainWriter,
    intents: Sequence[CallIntent],
    replies: Sequence[CallReply],
    now: str,
    redactor: TextCleaner | None,
) -> list[CallReply]:
    """Add intents, then replies; a reply ends the lease on its key.

    Returns:
        The replies that were not recorded before.
    """
    if intents:
        rows, texts = _intent_rows(intents, now)
        chain.append_new(TEXTS, texts)
        chain.append_new(CALL_INTENTS, rows)
    if not replies:
        return []
    rows = [_reply_row(reply, now, redactor) for reply in replies]
    added = {row["call_id"] for row in chain.append_new(CALL_REPLIES, rows)}
    _end_leases(chain.connection, [r.call_id for r in replies if r.outcome == "reply"])
    return [reply for reply in replies if storable(reply.call_id) in added]


def _intent_rows(
    intents: Sequence[CallIntent], now: str
) -> tuple[list[dict[str, Value]], list[Row]]:
    texts: dict[str, Row] = {}
    rows: list[dict[str, Value]] = []
    for intent in intents:
        content = storable(intent.messages_json)
        digest = sha256(content.encode()).hexdigest()
        texts[digest] = {"sha256": digest, "content": content}
        row = to_row(intent, created_at=intent.created_at or now)
        del row["messages_json"]
        row["messages_sha256"] = digest
        rows.append(row)
    return rows, list(texts.values())


def _reply_row(reply: CallReply, now: str, redactor: TextCleaner | None) -> Row:
    row = to_row(reply, created_at=reply.created_at or now)
    if redactor is not None:
        cleaned = ("failure_detail", "text") if reply.outcome == "failure" else ("failure_detail",)
        for name in cleaned:
            value = row[name]
            if isinstance(value, str):
                row[name] = redactor.clean(value)
    return row


def _end_leases(connection: Connection, call_ids: Sequence[str]) -> None:
    for part in _parts(call_ids):
        plain_sql.run_for(connection, _END_LEASES, part)


def replies_for(connection: Connection, keys: Iterable[str]) -> dict[str, StoredCall]:
    """Return the newest reply of each key that has one.

    Raises:
        TamperedRowError: The newest reply of some key was changed after it was written.
    """
    newest: dict[str, CallRow] = {}
    for part in _parts(newest_reply_ids(connection, keys).values()):
        for row in map(CallRow.of, plain_sql.rows_for(connection, _OF_CALLS, part)):
            newest[original(row.intent["call_key"])] = row
    return sound(newest)


def newest_reply_ids(connection: Connection, keys: Iterable[str]) -> dict[str, str]:
    """Return the call id of the newest reply of each key that has one, without reading it."""
    newest: dict[str, str] = {}
    for part in _parts(keys):
        for key, call_id in plain_sql.rows_for(connection, _IDS_OF_KEYS, part):
            newest[original(key)] = original(call_id)
    return newest


def calls(connection: Connection, call_ids: Iterable[str]) -> dict[str, StoredCall]:
    """Return the answered calls among ``call_ids``, whatever came of them."""
    found: dict[str, CallRow] = {}
    for part in _parts(call_ids):
        for row in map(CallRow.of, plain_sql.rows_for(connection, _OF_CALLS, part)):
            found[original(row.intent["call_id"])] = row
    return sound(found)


def calls_where(connect: Callable[[], Any], condition: ColumnElement[bool]) -> Iterator[StoredCall]:
    """Walk answered calls in the order their replies were written, a page at a time."""
    last = 0
    while True:
        with connect() as connection:
            query = answered().where(condition, _R.c.seq > last).order_by(_R.c.seq).limit(_PAGE)
            page = [CallRow.of(row) for row in connection.execute(query).all()]
        yield from sound({row.intent["call_id"]: row for row in page}).values()
        if len(page) < _PAGE:
            return
        last = page[-1].reply["seq"]


def unanswered(
    connection: Connection, run_id: str | None, test_case_id: str | None = None
) -> list[CallIntent]:
    """Return the intents nothing came of, in the order they were written."""
    query = (
        select(_I, TEXTS.table.c.content)
        .select_from(_I)
        .outerjoin(_R, _R.c.call_id == _I.c.call_id)
        .join(TEXTS.table, TEXTS.table.c.sha256 == _I.c.messages_sha256)
        .where(_R.c.call_id.is_(None))
        .order_by(_I.c.seq)
    )
    if run_id is not None:
        query = query.where(_I.c.run_id == storable(run_id))
    if test_case_id is not None:
        query = query.where(_I.c.test_case_id == storable(test_case_id))
    rows = connection.execute(query).mappings()
    return [stored_intent(row, str(row["content"])) for row in rows]


def unanswered_count(connection: Connection) -> int:
    """Return how many intents nothing came of."""
    query = (
        select(func.count())
        .select_from(_I)
        .outerjoin(_R, _R.c.call_id == _I.c.call_id)
        .where(_R.c.call_id.is_(None))
    )
    return connection.execute(query).scalar_one()


def newest_of_model(
    connection: Connection, model_id: str, playbook: str, limit: int
) -> list[StoredCall]:
    """Return the newest replies of a model to the questions of a playbook, the newest first."""
    query = answered().where(
        _I.c.model_id == storable(model_id),
        _I.c.playbook == storable(playbook),
        _R.c.outcome == "reply",
    )
    rows = connection.execute(query.order_by(_R.c.seq.desc()).limit(limit)).all()
    return [CallRow.of(row).record() for row in rows]


def identities_since(
    connection: Connection, number: int
) -> tuple[list[tuple[str, str | None, str | None, int]], int]:
    """Return who answered the replies after the ``number``-th, and the number of the newest.

    Each identity is (model id, name of the answering model, fingerprint, replies), in the order
    they first appear.
    """
    last = connection.execute(select(func.max(_R.c.nr))).scalar() or 0
    names = (_I.c.model_id, _R.c.answered_model, _R.c.fingerprint)
    query = (
        select(*names, func.count())
        .select_from(_R)
        .join(_I, _I.c.call_id == _R.c.call_id)
        .where(_R.c.nr > number, _R.c.nr <= last, _R.c.outcome == "reply")
        .group_by(*names)
        .order_by(func.min(_R.c.nr))
    )
    rows = connection.execute(query).all()
    return [
        (original(m), None if a is None else original(a), None if f is None else original(f), n)
        for m, a, f, n in rows
    ], last


def _parts(keys: Iterable[str]) -> Iterator[Sequence[str]]:
    stored = list(dict.fromkeys(map(storable, keys)))
    for start in range(0, len(stored), MAX_KEYS_PER_QUERY):
        yield stored[start : start + MAX_KEYS_PER_QUERY]
