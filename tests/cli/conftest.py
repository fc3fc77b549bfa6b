"""Running ``citeval`` in this process, as the shell would."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from citeval_assets.cli.program import run


@dataclass(frozen=True)
class Answer:
    """What one call gave."""

    code: int
    stdout: str
    stderr: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.stdout)


@pytest.fixture
def citeval(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    def call(*arguments: str | Path) -> Answer:
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return call


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "citeval.yaml").write_text(
        "models:\n  - {id: overlap, model: embedded/overlap-0, roles: [judge]}\n",
        encoding="utf-8",
    )
    return tmp_path
