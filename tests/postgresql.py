"""A PostgreSQL of our own for a test: made, started on a free port, and thrown away."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, make_url, text

VARIABLE = "CITEVAL_TEST_POSTGRESQL"
"""The address of a PostgreSQL to test on instead of SQLite."""


def address() -> str | None:
    """Return the address tests are to run on; ``None``: SQLite."""
    return os.environ.get(VARIABLE)


def programs() -> Path | None:
    """Return the folder of the server programs, or ``None`` where they are not installed."""
    found = shutil.which("initdb")
    if found is not None and shutil.which("pg_ctl"):
        return Path(found).resolve().parent
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return installed[-1].parent if installed else None


def why_not() -> str | None:
    """Return why no server can be started here, or ``None``."""
    if os.name != "posix":
        return "needs POSIX"
    if programs() is None:
        return "PostgreSQL is not installed (initdb, pg_ctl)"
    if os.geteuid() == 0 and _other_user() is None:
        return "PostgreSQL does not run as root, and there is no user postgres or nobody"
    return None


def _other_user() -> str | None:
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), None)


needs_postgresql = pytest.mark.skipif(why_not() is not None, reason=str(why_not()))


@contextmanager
def cluster() -> Iterator[str]:
    """Start a server of our own and yield its address. PostgreSQL refuses to run as root."""
    folder = Path(tempfile.mkdtemp(prefix="citeval-postgresql-"))
    bin_ = programs()
    assert bin_ is not None
    user = _other_user() if os.geteuid() == 0 else None
    if user is not None:
        shutil.chown(folder, user)

    def run(program: str, *arguments: str) -> None:
        options: dict[str, Any] = {} if user is None else {"user": user, "extra_groups": []}
        log = folder / "log.txt"
        done = subprocess.run(
            [bin_ / program, *arguments],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(folder)},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            **options,
        )
        if done.returncode != 0:
            told = log.read_text() if log.exists() else ""
            raise RuntimeError(f"{program}: {done.stdout}{done.stderr}{told}")

    data, port = folder / "data", _free_port()
    settings = (
        f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} "
        "-c fsync=off -c max_connections=60"
    )
    try:
        run("initdb", "-D", str(data), "-U", "citeval", "-A", "trust", "-E", "UTF8", "--no-sync")
        run("pg_ctl", "-D", str(data), "-l", str(folder / "log.txt"), "-o", settings, "-w", "start")
        try:
            yield f"postgresql+psycopg://citeval@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextmanager
def fresh_schema(server: str) -> Iterator[str]:
    """Yield the address of an empty schema of a server."""
    schema = f"citeval_{uuid4().hex}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(text(f"CREATE SCHEMA {schema}"))
        url = make_url(server).update_query_dict({"options": f"-csearch_path={schema}"})
        yield url.render_as_string(hide_password=False)
        with engine.connect() as connection:
            connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    finally:
        engine.dispose()


@contextmanager
def fresh_ledger_url(folder: Path) -> Iterator[str]:
    """Yield the address of a ledger nobody has used: a file, or a schema of the server named."""
    server = address()
    if server is None:
        yield f"sqlite:///{folder / 'ledger.db'}"
        return
    with fresh_schema(server) as url:
        yield url
