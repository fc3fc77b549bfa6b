"""Watched models: new versions their endpoint lists, and silent changes under one name.

A provider tells what runs under a name in two places: the list of its models, and the name and
fingerprint that every reply carries. A version that was not listed before is a new model; another
fingerprint, or another answering model, under the same name is a change nobody asked for.
"""

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from citeval_assets.config import ModelConfig, Stage
from citeval_assets.config.discovered import Discovered
from citeval_assets.judging.answered import answers_as
from citeval_assets.ledger.store import Ledger

_DEFAULT_BASES = {"openai": "https://api.openai.com/v1", "mistral": "https://api.mistral.ai/v1"}
_TIMEOUT_S = 10.0
_MOST_BYTES = 5_000_000
_TELLING = ("root", "parent", "owned_by", "max_model_len")
"""What an endpoint says of a model that does not change by itself (some stamp ``created`` anew
with every answer)."""

_MOST_IDENTITIES = 50


class EndpointSilent(RuntimeError):
    """The list of models cannot be had just now; the text says why."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One model an endpoint lists, with what it tells about it."""

    id: str
    about: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SilentChange:
    """What runs under the name of a model is not what ran there before."""

    model_id: str
    before: str
    now: str
    seen: str
    """Where it showed: the replies, or the list of the endpoint."""

    def __str__(self) -> str:
        return f"{self.model_id}: {self.seen}: before {self.before}, now {self.now}"


class WatchMemory(BaseModel):
    """What was seen so far, between two looks."""

    model_config = ConfigDict(validate_assignment=True)

    replies_read: int = 0
    listed: dict[str, dict[str, dict[str, str]]] = Field(default_factory=dict)
    """By model id, what its endpoint listed that belongs to it."""

    identities: dict[str, list[str]] = Field(default_factory=dict)
    """By model id, who answered for it, the newest last."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one look found. ``silent`` tells which endpoints gave no list."""

    versions: tuple[Discovered, ...]
    changes: tuple[SilentChange, ...]
    silent: tuple[str, ...]


def watched_models(models: Iterable[ModelConfig]) -> list[ModelConfig]:
    """Return the models to be watched."""
    return [m for m in models if m.watch and m.stage is not Stage.RETIRED and not m.embedded]


def list_models(model: ModelConfig, key: str | None) -> list[Listed]:
    """Ask the endpoint of a model what it serves.

    Raises:
        EndpointSilent: where it does not say.
    """
    base = model.api_base or _DEFAULT_BASES.get(model.model.partition("/")[0])
    if base is None:
        raise EndpointSilent(f"{model.id}: watch needs api_base, the address that lists its models")
    request = urllib.request.Request(f"{base.rstrip('/')}/models")
    if key:
        request.add_header("Authorization", f"Bearer {key}")
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as reply:
            document = json.loads(reply.read(_MOST_BYTES))
        return [_listed(row) for row in document["data"] if isinstance(row.get("id"), str)]
    except urllib.error.HTTPError as error:
        raise EndpointSilent(f"{model.id}: the list of models gave HTTP {error.code}") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = getattr(error, "reason", None) or type(error).__name__
        raise EndpointSilent(f"{model.id}: no list of models ({reason})") from None


def _listed(row: Mapping[str, Any]) -> Listed:
    about = tuple((name, str(row[name])) for name in _TELLING if row.get(name) is not None)
    return Listed(row["id"], about)


Lister = Callable[[ModelConfig], list[Listed]]


def look(
    models: Iterable[ModelConfig], memory: WatchMemory, lister: Lister, ledger: Ledger | None
) -> Look:
    """Look at the watched models once, and remember what was seen.

    The first look at a model takes what is there for given: no old version becomes a new model.
    """
    watched = watched_models(models)
    versions: list[Discovered] = []
    changes: list[SilentChange] = []
    silent: list[str] = []
    for model in watched:
        try:
            listed = lister(model)
        except EndpointSilent as error:
            silent.append(str(error))
            continue
        _compare_list(model, listed, memory, versions, changes)
    if ledger is not None:
        changes += _compare_replies({model.id for model in watched}, memory, ledger)
    return Look(tuple(versions), tuple(changes), tuple(silent))


def _compare_list(
    model: ModelConfig,
    listed: Iterable[Listed],
    memory: WatchMemory,
    versions: list[Discovered],
    changes: list[SilentChange],
) -> None:
    own = {one.id: dict(one.about) for one in listed if answers_as(model.model, one.id)}
    before = memory.listed.get(model.id)
    memory.listed[model.id] = {**(before or {}), **own}
    if before is None:
        return
    provider, slash, name = model.model.partition("/")
    for version, about in own.items():
        if version not in before:
            if version not in (name, model.model):
                versions.append(Discovered(watched=model.id, model=f"{provider}{slash}{version}"))
        elif about != before[version] and version in (name, model.model):
            changes.append(
                SilentChange(model.id, _words(before[version]), _words(about), "list of models")
            )


def _compare_replies(
    watched: set[str], memory: WatchMemory, ledger: Ledger
) -> Iterable[SilentChange]:
    identities, memory.replies_read = ledger.identities_since(memory.replies_read)
    for model_id, answered, fingerprint, _ in identities:
        if model_id not in watched or (answered is None and fingerprint is None):
            continue
        now = _words({"model": answered or "", "fingerprint": fingerprint or ""})
        seen = memory.identities.setdefault(model_id, [])
        if now in seen:
            continue
        if seen:
            yield SilentChange(model_id, seen[-1], now, "replies")
        memory.identities[model_id] = [*seen, now][-_MOST_IDENTITIES:]


def _words(about: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in about.items() if value) or "nothing told"
