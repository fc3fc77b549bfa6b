"""Stored calls as they are read: an intent, what came of it and the text it sent, in one row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Self

from sqlalchemy import Select, select

from citeval_assets.ledger.chain import StoredRow, row_hash
from citeval_assets.ledger.errors import TamperedRowError
from citeval_assets.ledger.escaping import original
from citeval_assets.ledger.records import CallIntent, CallReply, StoredCall
from citeval_assets.ledger.rows import from_row
from citeval_assets.ledger.schema import CALL_INTENTS, CALL_REPLIES, TEXTS, ChainTable

_INTENT = tuple(CALL_INTENTS.table.c.keys())
_REPLY = tuple(CALL_REPLIES.table.c.keys())
_FIRST_OF_REPLY = len(_INTENT)
_CONTENT = len(_INTENT) + len(_REPLY)

_COLUMNS = ", ".join([*(f"i.{name}" for name in _INTENT), *(f"r.{name}" for name in _REPLY)])

ANSWERED = (
    f"SELECT {_COLUMNS}, t.content FROM call_intents i "  # noqa: S608 (our own names)
    "JOIN call_replies r ON r.call_id = i.call_id JOIN texts t ON t.sha256 = i.messages_sha256"
)
"""Asks for the rows of answered calls; a condition on ``i`` and ``r`` follows."""


def answered() -> Select[Any]:
    """Return ``ANSWERED`` as an expression, for conditions that are put together."""
    intents, replies, texts = CALL_INTENTS.table, CALL_REPLIES.table, TEXTS.table
    return (
        select(*intents.c, *replies.c, texts.c.content)
        .select_from(intents)
        .join(replies, replies.c.call_id == intents.c.call_id)
        .join(texts, texts.c.sha256 == intents.c.messages_sha256)
    )


@dataclass(frozen=True, slots=True)
class CallRow:
    """One row of ``ANSWERED``."""

    intent: StoredRow
    reply: StoredRow
    content: str

    @classmethod
    def of(cls, values: Sequence[Any]) -> Self:
        """Take the values as they were asked for."""
        return cls(
            dict(zip(_INTENT, values[:_FIRST_OF_REPLY], strict=True)),
            dict(zip(_REPLY, values[_FIRST_OF_REPLY:_CONTENT], strict=True)),
            str(values[_CONTENT]),
        )

    def record(self) -> StoredCall:
        """Return the call."""
        return StoredCall(stored_intent(self.intent, self.content), from_row(CallReply, self.reply))

    def unchanged(self) -> bool:
        """Whether intent, text and reply are what was written."""
        digest = sha256(self.content.encode("utf-8", "surrogatepass")).hexdigest()
        return (
            digest == self.intent["messages_sha256"]
            and _hash_holds(CALL_INTENTS, self.intent)
            and _hash_holds(CALL_REPLIES, self.reply)
        )


def stored_intent(row: StoredRow, content: str) -> CallIntent:
    """Return the request of one row, with the text it sent."""
    return from_row(CallIntent, row, messages_json=original(content))


def sound(rows: Mapping[str, CallRow]) -> dict[str, StoredCall]:
    """Turn rows into records.

    Raises:
        TamperedRowError: Some do not match their hashes; the error holds the others.
    """
    kept: dict[str, StoredCall] = {}
    changed: list[CallRow] = []
    for name, row in rows.items():
        if row.unchanged():
            kept[name] = row.record()
        else:
            changed.append(row)
    if changed:
        named = ", ".join(
            f"call_replies row {row.reply['nr']} (call_id {row.reply['call_id']})"
            for row in changed
        )
        raise TamperedRowError(
            f"{named}: the stored call does not match its hash, it was changed after it was "
            "written; run the audit, then ask again with a fresh call or restore a backup",
            frozenset(original(row.intent["call_key"]) for row in changed),
            kept,
        )
    return kept


def _hash_holds(table: ChainTable, row: StoredRow) -> bool:
    content = {name: row[name] for name in table.columns}
    return row["row_hash"] == row_hash(table.name, row["nr"], row["seq"], row["prev_hash"], content)
