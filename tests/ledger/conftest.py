"""A fresh ledger for each test: a SQLite file, or a schema of the PostgreSQL named in
``CITEVAL_TEST_POSTGRESQL`` (a URL)."""

import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, make_url, text

from citeval_assets.ledger.store import Ledger
from ledger.builders import Clock

POSTGRESQL = os.environ.get("CITEVAL_TEST_POSTGRESQL")

sqlite_only = pytest.mark.skipif(POSTGRESQL is not None, reason="about SQLite's own files")


@pytest.fixture
def ledger_url(tmp_path: Path) -> Iterator[str]:
    if POSTGRESQL is None:
        yield f"sqlite:///{tmp_path / 'ledger.db'}"
        return
    schema = f"citeval_{uuid4().hex}"
    engine = create_engine(POSTGRESQL, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    url = make_url(POSTGRESQL).update_query_dict({"options": f"-csearch_path={schema}"})
    yield url.render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    engine.dispose()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(ledger_url: str, clock: Clock) -> Iterator[Ledger]:
    with Ledger.open(ledger_url, now=clock) as opened:
        yield opened
