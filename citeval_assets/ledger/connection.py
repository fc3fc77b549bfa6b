"""The open store: connections, transactions, and what happens when one fails."""

import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from citeval_assets.ledger import dialects, recovery
from citeval_assets.ledger.calls import TextCleaner
from citeval_assets.ledger.chain import CHAIN, ChainWriter
from citeval_assets.ledger.errors import (
    LedgerConflict,
    LedgerError,
    LedgerWriteError,
    read_error,
    reason,
)
from citeval_assets.ledger.migrations import MIGRATIONS, applied_version, migrate
from citeval_assets.ledger.recovery import TornTail
from citeval_assets.ledger.schema import INSTALLATION, chain_heads
from citeval_assets.ledger.times import utc_now, utc_text

_SECRET = "fence_secret"
_log = logging.getLogger(__name__)


class Store:
    """An open ledger database, without any notion of what is kept in it.

    Attributes:
        engine: The SQLAlchemy engine.
        place: The address, without a password.
        torn: What a process that died left unfinished, found when the ledger was opened.
    """

    def __init__(
        self,
        engine: Engine,
        place: str,
        now: Callable[[], datetime],
        redactor: TextCleaner | None,
    ):
        self.engine = engine
        self.place = place
        self._now = now
        self._redactor = redactor
        self.torn: TornTail | None = None
        # Threads of one process take turns here, instead of polling the store's own lock.
        self._turn = Lock()

    @classmethod
    def open(
        cls,
        url: str,
        *,
        now: Callable[[], datetime] = utc_now,
        redactor: TextCleaner | None = None,
        busy_timeout_s: float = 60.0,
    ) -> Self:
        """Open the ledger at ``url``, creating or migrating it where needed.

        Args:
            url: ``sqlite:///path/to/ledger.db`` or a PostgreSQL URL.
            now: The clock; must return times with a zone.
            redactor: Cleans what providers say about failures once more before it is stored.
            busy_timeout_s: How long a writer waits for the others before it gives up.

        Raises:
            LedgerError: No usable address.
            LedgerReadError: The store cannot be opened.
            LedgerVersionError: A newer citeval has written it.
        """
        parsed = dialects.parse_url(url)
        place = parsed.render_as_string(hide_password=True)
        file = dialects.sqlite_file(parsed)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
        ledger = cls(dialects.make_engine(parsed, busy_timeout_s), place, now, redactor)
        left_behind = file is not None and recovery.has_log(file)
        try:
            ledger._prepare()
            if file is not None and left_behind:
                ledger._look_for_torn_tail(file)
        except BaseException:
            ledger.close()
            raise
        return ledger

    def _prepare(self) -> None:
        with self.reading() as connection:
            version = applied_version(connection)
        if version == MIGRATIONS[-1].version:
            return
        with self._write_lock() as connection:
            migrate(connection, self._moment())
            chain = ChainWriter(connection)
            if not chain.known(INSTALLATION, [(_SECRET,)]):
                secret = {"name": _SECRET, "value": secrets.token_hex(32)}
                chain.append(INSTALLATION, [{**secret, "created_at": self._moment()}])
            chain.finish()

    def _look_for_torn_tail(self, file: Path) -> None:
        try:
            with self._write_lock():
                self.torn = recovery.set_aside_torn_tail(file)
        except LedgerWriteError as error:
            # Whoever only reads can do without: the next writer looks again.
            _log.info("the end of the log was not looked at: %s", error)
        if self.torn is not None:
            _log.warning(
                "ledger %s: the last transaction of a process that died was not whole; its %d "
                "bytes are kept in %s, its calls are listed as maybe paid",
                self.place,
                self.torn.size,
                self.torn.saved_as,
            )

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def secret(self) -> bytes:
        """Return the 32 bytes this installation keeps to itself."""
        query = select(INSTALLATION.table.c.value).where(INSTALLATION.table.c.name == _SECRET)
        with self.reading() as connection:
            kept = connection.execute(query).scalar_one()
        try:
            return bytes.fromhex(kept)
        except (TypeError, ValueError) as error:
            raise read_error(self.place, ValueError("the secret is malformed")) from error

    def head(self) -> tuple[int, str]:
        """Return how many rows the chain has, and the hash of the last."""
        query = select(chain_heads).where(chain_heads.c.name == CHAIN)
        with self.reading() as connection:
            row = connection.execute(query).one()
        return row.row_count, row.row_hash

    def rows_in(self, table: str) -> int:
        """Return how many rows a table of the chain has, without counting them."""
        query = select(chain_heads.c.row_count).where(chain_heads.c.name == table)
        with self.reading() as connection:
            return connection.execute(query).scalar() or 0

    def _moment(self) -> str:
        return utc_text(self._now())

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Lend a connection for reading.

        Raises:
            LedgerReadError: The store cannot be read.
        """
        try:
            with self.engine.connect() as connection:
                yield connection
        except (SQLAlchemyError, UnicodeDecodeError) as error:
            raise read_error(self.place, error) from error

    @contextmanager
    def _writing(self) -> Iterator[ChainWriter]:
        with self._write_lock() as connection:
            chain = ChainWriter(connection)
            yield chain
            chain.finish()

    @contextmanager
    def _write_lock(self) -> Iterator[Connection]:
        try:
            with self._turn, dialects.write_transaction(self.engine) as connection:
                yield connection
        except LedgerError:
            raise
        except (IntegrityError, DataError) as error:
            raise LedgerConflict(
                f"ledger {self.place}: nothing was written, the store refused a record: "
                f"{reason(error)}; a reply needs its intent, an id stands for one record"
            ) from error
        except (SQLAlchemyError, OSError, UnicodeDecodeError) as error:
            raise LedgerWriteError(
                f"ledger {self.place}: nothing was written, {reason(error)}; free space or "
                "repair the store, then run again: what was recorded before is kept"
            ) from error
