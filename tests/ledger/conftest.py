"""A fresh ledger for each test: a SQLite file, or a schema of the PostgreSQL named in
``CITEVAL_TEST_POSTGRESQL`` (a URL)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from citeval_assets.ledger.store import Ledger
from ledger.builders import Clock
from tests.postgresql import address, fresh_ledger_url

sqlite_only = pytest.mark.skipif(address() is not None, reason="about SQLite's own files")


@pytest.fixture
def ledger_url(tmp_path: Path) -> Iterator[str]:
    with fresh_ledger_url(tmp_path) as url:
        yield url


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(ledger_url: str, clock: Clock) -> Iterator[Ledger]:
    with Ledger.open(ledger_url, now=clock) as opened:
        yield opened
