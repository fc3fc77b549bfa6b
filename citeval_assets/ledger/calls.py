"""Writing and reading calls: intents, replies, and the texts they share."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Protocol

from sqlalchemy import ColumnElement, Connection, Select, bindparam, delete, func, select

from citeval_assets.ledger.chain import (
    MAX_KEYS_PER_QUERY,
    ChainWriter,
    Row,
    StoredRow,
    Value,
    row_hash,
)
from citeval_assets.ledger.errors import TamperedRowError
from citeval_assets.ledger.escaping import original, storable
from citeval_assets.ledger.records import CallIntent, CallReply, StoredCall
from citeval_assets.ledger.rows import from_row, to_row
from citeval_assets.ledger.schema import CALL_INTENTS, CALL_REPLIES, TEXTS, ChainTable, claims

_I = CALL_INTENTS.table
_R = CALL_REPLIES.table
_PAGE = 200
_ANSWERED_KEYS = select(_I.c.call_key).where(
    _I.c.call_id.in_(bindparam("call_ids", expanding=True))
)
_END_LEASES = delete(claims).where(claims.c.call_key.in_(_ANSWERED_KEYS))


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
        connection.execute(_END_LEASES, {"call_ids": part})


def replies_for(connection: Connection, keys: Iterable[str]) -> dict[str, StoredCall]:
    """Return the newest reply of each key that has one.

    Raises:
        TamperedRowError: The newest reply of some key was changed after it was written.
    """
    newest: dict[str, StoredRow] = {}
    for part in _parts(keys):
        query = _pairs().where(_I.c.call_key.in_(part), _R.c.outcome == "reply")
        for row in connection.execute(query.order_by(_R.c.seq)).mappings():
            newest[original(row["i_call_key"])] = row
    return _sound(newest, connection)


def newest_reply_ids(connection: Connection, keys: Iterable[str]) -> dict[str, str]:
    """Return the call id of the newest reply of each key that has one, without reading it."""
    newest: dict[str, str] = {}
    for part in _parts(keys):
        query = (
            select(_I.c.call_key, _I.c.call_id)
            .join(_R, _R.c.call_id == _I.c.call_id)
            .where(_I.c.call_key.in_(part), _R.c.outcome == "reply")
        )
        for key, call_id in connection.execute(query.order_by(_R.c.seq)):
            newest[original(key)] = original(call_id)
    return newest


def calls(connection: Connection, call_ids: Iterable[str]) -> dict[str, StoredCall]:
    """Return the answered calls among ``call_ids``, whatever came of them."""
    found: dict[str, StoredRow] = {}
    for part in _parts(call_ids):
        for row in connection.execute(_pairs().where(_I.c.call_id.in_(part))).mappings():
            found[original(row["i_call_id"])] = row
    return _sound(found, connection)


def calls_where(connect: Callable[[], Any], condition: ColumnElement[bool]) -> Iterator[StoredCall]:
    """Walk answered calls in the order their replies were written, a page at a time."""
    last = 0
    while True:
        with connect() as connection:
            query = _pairs().where(condition, _R.c.seq > last).order_by(_R.c.seq).limit(_PAGE)
            page = connection.execute(query).mappings().all()
            stored = _sound({row["i_call_id"]: row for row in page}, connection)
        yield from stored.values()
        if len(page) < _PAGE:
            return
        last = page[-1]["r_seq"]


def unanswered(
    connection: Connection, run_id: str | None, test_case_id: str | None = None
) -> list[CallIntent]:
    """Return the intents nothing came of, in the order they were written."""
    query = (
        select(*_labelled(CALL_INTENTS, "i_"), TEXTS.table.c.content)
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
    return [_intent(row) for row in connection.execute(query).mappings()]


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
    query = _pairs().where(
        _I.c.model_id == storable(model_id),
        _I.c.playbook == storable(playbook),
        _R.c.outcome == "reply",
    )
    rows = connection.execute(query.order_by(_R.c.seq.desc()).limit(limit)).mappings()
    return [StoredCall(_intent(row), from_row(CallReply, row, "r_")) for row in rows]


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


def _pairs() -> Select[Any]:
    return (
        select(
            *_labelled(CALL_INTENTS, "i_"),
            *_labelled(CALL_REPLIES, "r_"),
            TEXTS.table.c.content,
        )
        .select_from(_I)
        .join(_R, _R.c.call_id == _I.c.call_id)
        .join(TEXTS.table, TEXTS.table.c.sha256 == _I.c.messages_sha256)
    )


def _labelled(table: ChainTable, prefix: str) -> list[ColumnElement[Any]]:
    return [column.label(prefix + column.name) for column in table.table.c]


def _sound(rows: Mapping[str, StoredRow], connection: Connection) -> dict[str, StoredCall]:
    """Turn rows into records, refusing those that do not match their hashes."""
    sound: dict[str, StoredCall] = {}
    changed: dict[str, StoredRow] = {}
    for name, row in rows.items():
        if _unchanged(row):
            sound[name] = StoredCall(_intent(row), from_row(CallReply, row, "r_"))
        else:
            changed[name] = row
    if changed:
        named = ", ".join(
            f"call_replies row {row['r_nr']} (call_id {row['r_call_id']})"
            for row in changed.values()
        )
        raise TamperedRowError(
            f"{named}: the stored call does not match its hash, it was changed after it was "
            "written; run the audit, then ask again with a fresh call or restore a backup",
            frozenset(original(row["i_call_key"]) for row in changed.values()),
            sound,
        )
    return sound


def _unchanged(row: StoredRow) -> bool:
    digest = sha256(str(row["content"]).encode("utf-8", "surrogatepass")).hexdigest()
    return (
        digest == row["i_messages_sha256"]
        and _hash_holds(CALL_INTENTS, row, "i_")
        and _hash_holds(CALL_REPLIES, row, "r_")
    )


def _hash_holds(table: ChainTable, row: StoredRow, prefix: str) -> bool:
    content = {name: row[prefix + name] for name in table.columns}
    expected = row_hash(
        table.name, row[prefix + "nr"], row[prefix + "seq"], row[prefix + "prev_hash"], content
    )
    return expected == row[prefix + "row_hash"]


def _intent(row: StoredRow) -> CallIntent:
    return from_row(CallIntent, row, "i_", messages_json=original(str(row["content"])))


def _parts(keys: Iterable[str]) -> Iterator[Sequence[str]]:
    stored = list(dict.fromkeys(map(storable, keys)))
    for start in range(0, len(stored), MAX_KEYS_PER_QUERY):
        yield stored[start : start + MAX_KEYS_PER_QUERY]
