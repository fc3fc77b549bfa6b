from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.gates.builders import World, gate_text, make_world


@pytest.fixture
def world(tmp_path: Path) -> Callable[..., World]:
    """Make a project with one gate that differs from the usual one in these settings."""

    def make(**changes: Any) -> World:
        return make_world(tmp_path, gate_text(**changes))

    return make
