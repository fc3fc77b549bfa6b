from pathlib import Path

import pytest

from citeval_assets.warehouse.connection import Warehouse


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return Warehouse(tmp_path / "state" / "warehouse.duckdb", wait_seconds=10)
