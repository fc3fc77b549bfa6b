"""Proof that nothing recorded was changed, lost, moved or slipped in.

A plain chain proves that its rows belong together. It cannot prove that its end was not cut off,
nor that somebody with write access did not recompute it whole: for that the head must be known
from outside, which is what an ``Anchor`` is for.
"""

import re
from dataclasses import dataclass
from typing import Self

from citeval_assets.ledger.errors import LedgerError
from citeval_assets.ledger.store import Ledger


@dataclass(frozen=True, slots=True)
class Anchor:
    """The end of the chain at one moment: number of rows, and hash of the last."""

    rows: int
    head: str

    def __str__(self) -> str:
        return f"{self.rows}:{self.head}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an anchor as ``str`` writes it.

        Raises:
            LedgerError: The text is no anchor.
        """
        found = re.fullmatch(r"\s*(\d{1,18}):([0-9a-f]{64})\s*", text)
        if found is None:
            raise LedgerError(
                f"{text.strip()[:80]!r} is no anchor; expected the line 'audit anchor' printed: "
                "number of rows, a colon, 64 hex digits"
            )
        return cls(int(found.group(1)), found.group(2))


def anchor(ledger: Ledger) -> Anchor:
    """Return the end of the chain, to be kept outside the ledger."""
    return Anchor(*ledger.head())
