"""Opening a configured retriever."""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import JsonValue, TypeAdapter, ValidationError

from citeval_assets.config import Settings
from citeval_assets.config.data import RetrieverConfig, RetrieverKind
from citeval_assets.playbooks.cases import Source
from citeval_assets.retrieval.base import Retriever, RetrieverError, RetrieverUnreachable
from citeval_assets.retrieval.store import PassageStore

_SOURCES: TypeAdapter[tuple[Source, ...]] = TypeAdapter(tuple[Source, ...])


def retriever_for(settings: Settings, name: str) -> Retriever:
    """Return the retriever of this name.

    Raises:
        RetrieverError: there is none, or it is not set up; the text says what to do.
        RetrieverUnreachable: its corpus cannot be read.
    """
    config = settings.retriever(name)
    if config is None:
        known = ", ".join(item.name for item in settings.retrievers) or "none"
        raise RetrieverError(f"unknown retriever {name!r}: there are {known}")
    if config.kind is RetrieverKind.MODULE:
        return _from_module(config)
    if config.kind is RetrieverKind.BM25:
        return PassageStore.read(_corpus(settings.project_dir, config))
    raise RetrieverError(f"retriever {name!r}: kind {config.kind} is not available")


def _option(config: RetrieverConfig, key: str) -> str:
    value = config.options.get(key)
    if not isinstance(value, str) or not value.strip():
        raise RetrieverError(
            f"retriever {config.name!r}: options.{key} must be a text, found {value!r}"
        )
    return value


def _corpus(project_dir: Path, config: RetrieverConfig) -> Path:
    """Return the folder or file of the corpus, which may not leave the project."""
    project = project_dir.resolve()
    path = (project / _option(config, "corpus")).resolve()
    if not path.is_relative_to(project):
        raise RetrieverError(
            f"retriever {config.name!r}: options.corpus {str(path)!r} lies outside the project"
        )
    return path


def _from_module(config: RetrieverConfig) -> Retriever:
    """Call ``module:function`` with the other options; it returns the retriever."""
    named = _option(config, "function")
    module_name, _, attribute = named.partition(":")
    where = f"retriever {config.name!r}: options.function {named!r}"
    try:
        factory = getattr(importlib.import_module(module_name), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise RetrieverError(f"{where}: {error}; expected module:function") from error
    options = {key: value for key, value in config.options.items() if key != "function"}
    made = _guarded(lambda: factory(**options), config.name)
    if not callable(getattr(made, "fetch", None)) and not callable(getattr(made, "search", None)):
        raise RetrieverError(
            f"{where} returned {type(made).__name__}, which has neither search nor fetch"
        )
    return _Foreign(config.name, made, options)


@dataclass(frozen=True)
class _Foreign:
    """Somebody else's retriever: its faults become ours, its passages are checked."""

    name: str
    made: Any
    options: dict[str, JsonValue]

    @property
    def version(self) -> str:
        return str(getattr(self.made, "version", None) or f"{self.name}: no version given")

    def search(self, question: str, k: int) -> Sequence[Source]:
        return self._ask("search", question, k)

    def fetch(self, ids: Sequence[str]) -> Sequence[Source]:
        return self._ask("fetch", list(ids))

    def _ask(self, method: str, *arguments: object) -> Sequence[Source]:
        function = getattr(self.made, method, None)
        if function is None:
            raise RetrieverError(f"retriever {self.name!r} offers no {method}")
        found = _guarded(lambda: list(function(*arguments)), self.name)
        try:
            return _SOURCES.validate_python(found, from_attributes=True)
        except ValidationError as error:
            first = error.errors()[0]
            raise RetrieverError(
                f"retriever {self.name!r}: {method} returned passage {first['loc']}: "
                f"{first['msg']}; expected objects with id and text"
            ) from None


def _guarded(ask: Callable[[], Any], name: str) -> Any:
    try:
        return ask()
    except (RetrieverError, RetrieverUnreachable):
        raise
    except Exception as error:
        raise RetrieverUnreachable(
            f"retriever {name!r}: {type(error).__name__}: {error}"
        ) from error
