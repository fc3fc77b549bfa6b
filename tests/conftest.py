"""What holds for every test."""

import pytest


@pytest.fixture(autouse=True)
def no_home_of_another_project(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test read or write the state of the project it is run from (make exports its home)."""
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
