"""How the warehouse file is opened: one process at a time, briefly, and always closed.

DuckDB lets one process write, and a reader in another process blocks that writer too. So every
connection to the working file is taken under an operating system lock (freed by the system when
a process dies), for the length of one short piece of work: never while a model is asked. Who
only wants to read uses the published snapshot, which needs no lock.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from filelock import FileLock, Timeout

from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.sql import schema_sql

SCHEMA_VERSION = 4
"""Raised whenever ``schema.sql`` changes: a warehouse of another version is rebuilt."""

DEFAULT_WAIT_SECONDS = 60.0
"""How long a connection waits for its turn before it gives up."""

_RETRY_SECONDS = 0.1

_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
}
"""The same for every connection of a process: DuckDB refuses two different ones to one file.

Nothing is fetched from the network, and no Python variable is ever taken for a table.
"""


class WarehouseError(RuntimeError):
    """The warehouse cannot be used; the message says why and what to do."""


class WarehouseBusy(WarehouseError):
    """Another process kept the warehouse for longer than we were willing to wait."""


class WarehouseMissing(WarehouseError):
    """There is no warehouse file yet."""


class WarehouseUnreadable(WarehouseError):
    """The file is no DuckDB database this version can read."""


class WarehouseOutdated(WarehouseError):
    """The file has another schema version: it is rebuilt, never half-used."""


class WarehouseState(StrEnum):
    """What there is at the place of the warehouse."""

    READY = "ready"
    MISSING = "missing"
    OUTDATED = "outdated"
    UNREADABLE = "unreadable"


@contextmanager
def open_locked(
    path: Path, *, read_only: bool = False, wait_seconds: float = DEFAULT_WAIT_SECONDS
) -> Iterator[Connection]:
    """Open the working file under its lock and close both whatever happens.

    Raises:
        WarehouseBusy: where the lock, or the file, was not free within ``wait_seconds``.
        WarehouseMissing: where there is no file and it was to be read only.
        WarehouseUnreadable: where the file cannot be opened as a database.
    """
    with _turn(path, wait_seconds) as deadline:
        connection = _connect(path, read_only=read_only, deadline=deadline)
        try:
            yield connection
        finally:
            connection.close()


@contextmanager
def open_snapshot(path: Path) -> Iterator[Connection]:
    """Open a published snapshot read-only, without a lock: the file is never written to.

    A process sees a newer snapshot once all its connections to the older one are closed.

    Raises:
        WarehouseMissing: where nothing has been published yet.
        WarehouseUnreadable: where the file cannot be opened as a database.
        WarehouseOutdated: where it was published by another version of citeval.
    """
    connection = _connect(path, read_only=True, deadline=time.monotonic() + 5.0)
    try:
        _check_version(connection, path)
        yield connection
    finally:
        connection.close()


@contextmanager
def open_copy(path: Path) -> Iterator[Connection]:
    """Open a copy that nobody else knows for writing; all of it is in the one file afterwards."""
    connection = _connect(path, read_only=False, deadline=time.monotonic() + 5.0)
    try:
        yield connection
        connection.execute("CHECKPOINT")
    finally:
        connection.close()


class Warehouse:
    """The working warehouse of a project: a place, and how to open what stands there."""

    def __init__(self, path: Path, *, wait_seconds: float = DEFAULT_WAIT_SECONDS) -> None:
        self.path = path
        self.wait_seconds = wait_seconds

    def __repr__(self) -> str:
        return f"Warehouse({str(self.path)!r})"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open for reading. Keep it short: a reader blocks the writers of other processes."""
        with open_locked(self.path, read_only=True, wait_seconds=self.wait_seconds) as connection:
            _check_version(connection, self.path)
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open for writing; a missing warehouse is created empty.

        Raises:
            WarehouseOutdated: where the file has another schema version (call ``ensure_ready``).
        """
        with _turn(self.path, self.wait_seconds) as deadline:
            if not self.path.exists():
                _create(self.path, deadline)
            connection = _connect(self.path, read_only=False, deadline=deadline)
            try:
                _check_version(connection, self.path)
                yield connection
            finally:
                connection.close()

    @contextmanager
    def at_rest(self) -> Iterator[Connection]:
        """Open for reading with everything in the one file, so that it can be copied.

        Nobody writes before the connection is closed, and there is no write-ahead log.

        Raises:
            WarehouseMissing: where there is no warehouse.
        """
        with _turn(self.path, self.wait_seconds) as deadline:
            if not self.path.exists():
                raise WarehouseMissing(f"{self.path} does not exist yet: nothing to publish")
            _checkpoint(self.path, deadline)
            connection = _connect(self.path, read_only=True, deadline=deadline)
            try:
                yield connection
            finally:
                connection.close()

    def state(self) -> WarehouseState:
        """Tell whether the warehouse can be used as it stands."""
        with _turn(self.path, self.wait_seconds) as deadline:
            return _state(self.path, deadline)

    def ensure_ready(self, rebuild: Callable[["Warehouse"], None]) -> bool:
        """Rebuild the warehouse unless it can be used as it stands.

        Args:
            rebuild: fills the empty warehouse it is given from the ledger.

        Returns:
            Whether it was rebuilt.
        """
        if self.state() is WarehouseState.READY:
            return False
        with _turn(self.path, self.wait_seconds) as deadline:
            if _state(self.path, deadline) is WarehouseState.READY:
                return False
            self._rebuild(rebuild, deadline)
        return True

    def rebuild(self, rebuild: Callable[["Warehouse"], None]) -> None:
        """Fill a new warehouse aside and put it in the place of the present one.

        Other processes wait meanwhile: what they would write now would be lost in the swap. If
        ``rebuild`` raises, the present warehouse stays as it is.
        """
        with _turn(self.path, self.wait_seconds) as deadline:
            self._rebuild(rebuild, deadline)

    def _rebuild(self, rebuild: Callable[["Warehouse"], None], deadline: float) -> None:
        aside = self.path.with_name(f"{self.path.name}.rebuild")
        _remove(aside)
        _create(aside, deadline)
        try:
            rebuild(Warehouse(aside, wait_seconds=self.wait_seconds))
            # A write-ahead log of the old file must not outlive it: it would be replayed into
            # the new one. A crash between these two lines leaves no warehouse, not a mixed one.
            _remove(self.path)
            aside.replace(self.path)
        finally:
            _remove(aside)
            aside.with_name(f"{aside.name}.lock").unlink(missing_ok=True)


@contextmanager
def _turn(path: Path, wait_seconds: float) -> Iterator[float]:
    """Wait for our turn at the file; yields the moment at which waiting ends (monotonic)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + wait_seconds
    lock = FileLock(path.with_name(f"{path.name}.lock"), timeout=wait_seconds)
    try:
        lock.acquire()
    except Timeout:
        raise WarehouseBusy(
            f"{path} has been in use by another citeval process for {wait_seconds:g} s. "
            "Wait for it to end; to read meanwhile, open published/citeval.duckdb beside it."
        ) from None
    try:
        yield deadline
    finally:
        lock.release()


def _connect(path: Path, *, read_only: bool, deadline: float) -> Connection:
    if read_only and not path.exists():
        raise WarehouseMissing(
            f"{path} does not exist yet: `citeval run` writes it, `citeval status` says what is due"
        )
    import duckdb  # 13 MB, which a process that only judges need not spend

    while True:
        try:
            connection = duckdb.connect(str(path), read_only=read_only, config=_CONFIG)
        except duckdb.Error as error:
            if not _held_by_another(error):
                raise WarehouseUnreadable(
                    f"{path} cannot be opened as a DuckDB {duckdb.__version__} database: {error}. "
                    "Nothing is lost: it is rebuilt from the ledger by the next run."
                ) from error
            if time.monotonic() >= deadline:
                raise WarehouseBusy(
                    f"{path} is held open by a program that takes no part in citeval's lock (a "
                    f"notebook or the duckdb shell?): {error}. Close it there; to read, open "
                    "published/citeval.duckdb instead."
                ) from error
            time.sleep(_RETRY_SECONDS)
            continue
        connection.execute("SET TimeZone = 'UTC'")
        return connection


def _held_by_another(error: Exception) -> bool:
    import duckdb

    return isinstance(error, duckdb.IOException) and "lock" in str(error).lower()


def _create(path: Path, deadline: float) -> None:
    """Make an empty warehouse appear at once: a file is never seen with half a schema."""
    fresh = path.with_name(f"{path.name}.new")
    _remove(fresh)
    _remove(path)
    connection = _connect(fresh, read_only=False, deadline=deadline)
    try:
        connection.execute("BEGIN")
        connection.execute(schema_sql())
        connection.execute("INSERT INTO warehouse_info VALUES (?)", [SCHEMA_VERSION])
        connection.execute("COMMIT")
    finally:
        connection.close()
    fresh.replace(path)


def _checkpoint(path: Path, deadline: float) -> None:
    """Move what a killed writer left in the write-ahead log into the file."""
    connection = _connect(path, read_only=False, deadline=deadline)
    try:
        _check_version(connection, path)
        connection.execute("CHECKPOINT")
    finally:
        connection.close()


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.with_name(f"{path.name}.wal").unlink(missing_ok=True)


def _state(path: Path, deadline: float) -> WarehouseState:
    if not path.exists():
        return WarehouseState.MISSING
    try:
        connection = _connect(path, read_only=True, deadline=deadline)
    except WarehouseUnreadable:
        return WarehouseState.UNREADABLE
    try:
        found = _version(connection)
    finally:
        connection.close()
    return WarehouseState.READY if found == SCHEMA_VERSION else WarehouseState.OUTDATED


def _version(connection: Connection) -> int | None:
    import duckdb

    try:
        row = connection.execute("SELECT max(schema_version) FROM warehouse_info").fetchone()
    except duckdb.CatalogException:
        return None
    return row[0] if row else None


def _check_version(connection: Connection, path: Path) -> None:
    found = _version(connection)
    if found != SCHEMA_VERSION:
        raise WarehouseOutdated(
            f"{path} has schema version {found or 'unknown'}, this citeval needs {SCHEMA_VERSION}. "
            "It is rebuilt from the ledger, without model calls, by the next `citeval run`."
        )
