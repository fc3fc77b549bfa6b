"""The whole ledger as lines of JSON that can be checked without citeval.

The first line tells the format, then comes one line for each row in the order of the chain, then
a line with the end of the chain, signed where a key is given. The content of a row stands there
as the very text that was hashed, so that nobody has to spell it again. The secret of the
installation is withheld: of its row only the hashes are given.
"""

import hmac
import json
from collections.abc import Iterator
from hashlib import sha256

from sqlalchemy.exc import SQLAlchemyError

from citeval_assets.ledger import dialects
from citeval_assets.ledger.chain import GENESIS, row_text
from citeval_assets.ledger.chain_walk import ChainFault, StoredRow, stored_rows
from citeval_assets.ledger.errors import LedgerReadError, read_error
from citeval_assets.ledger.schema import INSTALLATION
from citeval_assets.ledger.store import Ledger

FORMAT = "citeval-ledger-export/1"


def export_lines(ledger: Ledger, signing_key: bytes | None = None) -> Iterator[str]:
    """Yield the lines of the export, each one JSON object in ASCII, without the line break.

    Memory does not grow with the ledger; writers may go on meanwhile.

    Args:
        ledger: What is exported. It is not verified: that is the reader's part.
        signing_key: Signs the end of the chain with HMAC-SHA256.

    Raises:
        LedgerReadError: The store cannot be read, or rows of it cannot.
    """
    rows, head = 0, GENESIS
    yield json.dumps(
        {
            "format": FORMAT,
            "row_hash": 'SHA-256 of prev_hash + "\\n" + content, as UTF-8, in hex',
            "first_prev_hash": GENESIS,
            "signature": "HMAC-SHA256 of rows + ':' + head, in hex" if signing_key else None,
        }
    )
    try:
        with dialects.snapshot(ledger.engine) as connection:
            for row in stored_rows(connection, _refuse):
                yield json.dumps(_line(row))
                rows, head = rows + 1, row.row_hash
    except SQLAlchemyError as error:
        raise read_error(ledger.place, error) from error
    yield json.dumps({"rows": rows, "head": head, "signature": sign(rows, head, signing_key)})


def sign(rows: int, head: str, key: bytes | None) -> str | None:
    """Return the signature of the end of a chain; ``None`` without a key."""
    return None if key is None else hmac.new(key, f"{rows}:{head}".encode(), sha256).hexdigest()


def _line(row: StoredRow) -> dict[str, object]:
    withheld = row.table is INSTALLATION
    return {
        "table": row.table.name,
        "nr": row.nr,
        "seq": row.seq,
        "prev_hash": row.prev_hash,
        "row_hash": row.row_hash,
        "content": None if withheld else row_text(row.table.name, row.nr, row.seq, row.content),
        **({"withheld": "the secret of the installation"} if withheld else {}),
    }


def _refuse(fault: ChainFault) -> None:
    raise LedgerReadError(
        f"{fault.table}: {fault.detail}; a ledger that cannot be read whole is not exported: run "
        "`citeval audit verify`, restore a backup"
    )
