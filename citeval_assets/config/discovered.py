"""Versions of watched models that a sensor has found: entries that nobody had to write.

An entry ``judge`` with ``watch: true`` and a version ``judge-2026-11-01`` that its endpoint lists
give the further entry ``judge@judge-2026-11-01``, a candidate with the same settings. They are kept
in the state folder; an entry of ``citeval.yaml`` for the same model comes first.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from citeval_assets.config.fields import Stage
from citeval_assets.config.models import ModelConfig

DISCOVERED_FILE = "discovered_models.json"


class Discovered(BaseModel):
    """One version of a watched model. ``model`` is its name as litellm takes it."""

    model_config = ConfigDict(frozen=True)

    watched: str
    model: str

    @property
    def id(self) -> str:
        """The id of the entry."""
        return f"{self.watched}@{self.model.rpartition('/')[2]}"


_FILE: TypeAdapter[tuple[Discovered, ...]] = TypeAdapter(tuple[Discovered, ...])


def read_discovered(state_dir: Path) -> tuple[Discovered, ...]:
    """Return what was found so far; nothing where the file is missing or unreadable."""
    try:
        return _FILE.validate_json((state_dir / DISCOVERED_FILE).read_bytes())
    except (OSError, ValidationError):
        return ()


def add_discovered(state_dir: Path, found: Iterable[Discovered]) -> tuple[Discovered, ...]:
    """Add versions to those known; return the ones that were new."""
    known = read_discovered(state_dir)
    new = tuple(dict.fromkeys(one for one in found if one not in known))
    if new:
        state_dir.mkdir(parents=True, exist_ok=True)
        path = state_dir / DISCOVERED_FILE
        aside = path.with_name(f"{path.name}.aside")
        rows = [one.model_dump() for one in (*known, *new)]
        aside.write_text(json.dumps(rows, indent=1, ensure_ascii=False), encoding="utf-8")
        aside.replace(path)
    return new


def with_discovered(
    models: tuple[ModelConfig, ...], state_dir: Path
) -> tuple[tuple[ModelConfig, ...], tuple[str, ...]]:
    """Return the configured models with the discovered versions, and what was passed over."""
    found = read_discovered(state_dir)
    if not found:
        return models, ()
    warnings: list[str] = []
    return (*models, *_entries(models, found, warnings)), tuple(warnings)


def _entries(
    models: tuple[ModelConfig, ...], found: Iterable[Discovered], warnings: list[str]
) -> Iterator[ModelConfig]:
    by_id = {model.id: model for model in models}
    places = {(model.model, model.api_base) for model in models}
    for one in found:
        base = by_id.get(one.watched)
        if base is None or not base.watch or base.stage is Stage.RETIRED:
            continue
        if one.id in by_id or (one.model, base.api_base) in places:
            continue
        changes = {"id": one.id, "model": one.model, "stage": Stage.CANDIDATE, "watch": False}
        try:
            entry = ModelConfig.model_validate({**base.model_dump(), **changes})
        except ValidationError as error:
            reason = error.errors()[0]["msg"]
            warnings.append(f"version {one.model!r} of {one.watched} is passed over: {reason}")
            continue
        by_id[entry.id] = entry
        yield entry
