"""What can go wrong with the ledger, in words that name the remedy."""

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from citeval_assets.ledger.records import CallReply, StoredCall


class LedgerError(Exception):
    """Base of everything the ledger raises."""


class LedgerReadError(LedgerError):
    """The store could not be read: gone, locked, or damaged."""


class LedgerWriteError(LedgerError):
    """A transaction was not written. Nothing of it counts.

    Attributes:
        lost_replies: Replies that were in memory when the write failed. They are paid for; a
            caller that can must keep them, or show them as lost.
    """

    def __init__(self, message: str, lost_replies: tuple["CallReply", ...] = ()):
        super().__init__(message)
        self.lost_replies = lost_replies

    def __str__(self) -> str:
        text = super().__str__()
        if not self.lost_replies:
            return text
        unpriced = sum(reply.cost_usd is None for reply in self.lost_replies)
        least = "at least " if unpriced else ""
        return (
            f"{text}; {len(self.lost_replies)} replies that had arrived could not be kept, they "
            f"cost {least}{self.lost_cost_usd} USD and are listed as maybe paid"
        )

    @property
    def lost_cost_usd(self) -> Decimal:
        """What the lost replies cost, as far as their price is known."""
        return sum((r.cost_usd for r in self.lost_replies if r.cost_usd is not None), Decimal(0))


class LedgerConflict(LedgerError):
    """Something else is already recorded under this id. The stored record stands."""


class LedgerVersionError(LedgerError):
    """The store was written by a newer citeval than this one."""


class TamperedRowError(LedgerError):
    """Stored calls do not match their hash and must not be used as replies.

    Attributes:
        call_keys: Keys whose newest reply was changed after it was written.
        sound: What was asked for in the same question and is unharmed.
    """

    def __init__(self, message: str, call_keys: frozenset[str], sound: Mapping[str, "StoredCall"]):
        super().__init__(message)
        self.call_keys = call_keys
        self.sound = sound


def reason(error: BaseException) -> str:
    """Return what the database said, without statement and parameters."""
    inner = getattr(error, "orig", None)
    return str(inner if inner is not None else error).strip()


def read_error(place: str, error: BaseException) -> LedgerReadError:
    """Say that the store could not be read, and what to do."""
    said = reason(error)
    remedy = ""
    damaged = "malformed" in said or "not a database" in said
    if damaged or isinstance(error, UnicodeDecodeError):
        remedy = "; the file is damaged: restore a backup, see docs/ledger.md"
    return LedgerReadError(f"ledger {place} could not be read: {said}{remedy}")
