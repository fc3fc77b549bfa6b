"""A project folder with data files, and the loader over it."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from citeval_assets.config import load_settings
from citeval_assets.datasets.loading import load_cases
from citeval_assets.datasets.model import CaseSet

PLAYBOOK = "answer_comparison"


class Project:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.golden = folder / "data" / "golden"
        self.golden.mkdir(parents=True)
        self.config: list[str] = [
            "models: [{id: overlap, model: embedded/overlap-0, roles: judge}]",
            "retrievers: [{name: shelf, kind: bm25}]",
        ]
        self.datasets: list[str] = []

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.golden / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def rows(self, *rows: Any, name: str = f"{PLAYBOOK}.jsonl") -> None:
        self.write(name, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))

    def dataset(self, name: str, file: str, playbook: str = PLAYBOOK, **more: str) -> None:
        entry = {"name": name, "playbook": playbook, "path": f"data/golden/{file}", **more}
        self.datasets.append(", ".join(f"{key}: {value}" for key, value in entry.items()))

    def load(self, playbook: str = PLAYBOOK, only: Sequence[str] | None = None) -> CaseSet:
        datasets = [f"  - {{{entry}}}" for entry in self.datasets]
        lines = [*self.config, *(["datasets:", *datasets] if datasets else [])]
        (self.folder / "citeval.yaml").write_text("\n".join(lines) + "\n")
        return load_cases(load_settings(self.folder, {}), playbook, only)

    def only_reason(self, playbook: str = PLAYBOOK) -> str:
        loaded = self.load(playbook)
        assert loaded.cases == ()
        assert len(loaded.quarantined) == 1, loaded.quarantined
        return loaded.quarantined[0].reason


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


@pytest.fixture
def row() -> Callable[..., dict[str, Any]]:
    def make(**fields: Any) -> dict[str, Any]:
        base = {
            "test_case_id": "t-1",
            "system": "prod",
            "question": "How deep is the well?",
            "answer": "88 metres.",
            "reference_answer": "88 metres",
            "answerable": True,
            "sources": [{"id": "1", "text": "The well is 88 metres deep."}],
        }
        merged = {**base, **fields}
        return {key: value for key, value in merged.items() if value is not ...}

    return make
