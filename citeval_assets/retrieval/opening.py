"""Opening a configured retriever."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import JsonValue

from citeval_assets.config import KeyUnreadable, Settings, find_key
from citeval_assets.config.data import RetrieverConfig, RetrieverKind
from citeval_assets.playbooks.cases import Source
from citeval_assets.retrieval.base import Retriever, RetrieverError, RetrieverUnreachable
from citeval_assets.retrieval.bm25 import Bm25Parameters, Bm25Retriever
from citeval_assets.retrieval.corpus import PASSAGE_CHARS
from citeval_assets.retrieval.http import HttpRetriever
from citeval_assets.retrieval.reading import read_passages
from citeval_assets.retrieval.store import PassageStore

_OURS = frozenset({"function", "k"})
_NONE: Mapping[str, str] = {}


def retriever_for(settings: Settings, name: str, environ: Mapping[str, str] = _NONE) -> Retriever:
    """Return the retriever of this name.

    Args:
        settings: the project.
        name: name of the retriever.
        environ: where the key of an HTTP retriever is looked up.

    Raises:
        RetrieverError: there is none, or it is not set up; the text says what to do.
        RetrieverUnreachable: its corpus cannot be read.
    """
    config = config_of(settings, name)
    if config.kind is RetrieverKind.MODULE:
        return _from_module(config)
    if config.kind is RetrieverKind.HTTP:
        return _over_http(config, environ)
    return _over_corpus(settings.project_dir, config)


def config_of(settings: Settings, name: str) -> RetrieverConfig:
    """Return the entry of a retriever.

    Raises:
        RetrieverError: there is none.
    """
    config = settings.retriever(name)
    if config is None:
        known = ", ".join(item.name for item in settings.retrievers) or "none"
        raise RetrieverError(f"unknown retriever {name!r}: there are {known}")
    return config


def passages_wanted(config: RetrieverConfig) -> int:
    """Return how many passages a question gets: ``options.k``, by default 5."""
    return int(_number(config, "k", 5, 1, 200))


def _number(config: RetrieverConfig, key: str, default: float, least: float, most: float) -> float:
    value = config.options.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise RetrieverError(
            f"retriever {config.name!r}: options.{key} must be a number from {least:g} to "
            f"{most:g}, found {value!r}"
        )
    return value


def _option(config: RetrieverConfig, key: str) -> str:
    value = config.options.get(key)
    if not isinstance(value, str) or not value.strip():
        raise RetrieverError(
            f"retriever {config.name!r}: options.{key} must be a text, found {value!r}"
        )
    return value


def _known_only(config: RetrieverConfig, *known: str) -> None:
    unknown = sorted(set(config.options) - {*known, "k"})
    if unknown:
        raise RetrieverError(
            f"retriever {config.name!r}: unknown options.{unknown[0]}; kind {config.kind} takes "
            f"{', '.join((*known, 'k'))}"
        )


def _over_corpus(project_dir: Path, config: RetrieverConfig) -> Retriever:
    _known_only(config, "corpus", "k1", "b", "passage_chars")
    usual = Bm25Parameters()
    parameters = Bm25Parameters(
        k1=_number(config, "k1", usual.k1, 0, 10),
        b=_number(config, "b", usual.b, 0, 1),
    )
    size = int(_number(config, "passage_chars", PASSAGE_CHARS, 100, 100_000))
    return Bm25Retriever(PassageStore.read(_corpus(project_dir, config), size), parameters)


def _corpus(project_dir: Path, config: RetrieverConfig) -> Path:
    """Return the folder or file of the corpus, which may not leave the project."""
    project = project_dir.resolve()
    path = (project / _option(config, "corpus")).resolve()
    if not path.is_relative_to(project):
        raise RetrieverError(
            f"retriever {config.name!r}: options.corpus {str(path)!r} lies outside the project"
        )
    return path


def _over_http(config: RetrieverConfig, environ: Mapping[str, str]) -> Retriever:
    _known_only(config, "url", "version", "api_key_env", "timeout_s", "tries")
    url = _option(config, "url")
    if not url.startswith(("http://", "https://")):
        raise RetrieverError(
            f"retriever {config.name!r}: options.url must begin with http:// or https://, "
            f"found {url!r}"
        )
    if "@" in urlsplit(url).netloc:
        raise RetrieverError(
            f"retriever {config.name!r}: options.url holds a user name or password; name the "
            "variable of a key in options.api_key_env instead"
        )
    version = config.options.get("version")
    return HttpRetriever(
        name=config.name,
        url=url.rstrip("/"),
        given_version=None if version is None else _option(config, "version"),
        bearer=_key(config, environ),
        timeout_s=_number(config, "timeout_s", HttpRetriever.timeout_s, 0.1, 600),
        tries=int(_number(config, "tries", HttpRetriever.tries, 1, 20)),
    )


def _key(config: RetrieverConfig, environ: Mapping[str, str]) -> str | None:
    if "api_key_env" not in config.options:
        return None
    name = _option(config, "api_key_env")
    try:
        found = find_key(name, environ)
    except KeyUnreadable as error:
        raise RetrieverError(f"retriever {config.name!r}: {error}") from None
    if found is None:
        raise RetrieverError(
            f"retriever {config.name!r}: no key in the environment variable {name}"
        )
    return found.value


def _from_module(config: RetrieverConfig) -> Retriever:
    """Call ``module:function`` with the other options; it returns the retriever."""
    named = _option(config, "function")
    module_name, _, attribute = named.partition(":")
    where = f"retriever {config.name!r}: options.function {named!r}"
    try:
        factory = getattr(importlib.import_module(module_name), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise RetrieverError(f"{where}: {error}; expected module:function") from error
    options = {key: value for key, value in config.options.items() if key not in _OURS}
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
        """Its own version. Without one nobody could tell what has to be asked again."""
        found = _guarded(lambda: getattr(self.made, "version", None), self.name)
        if found is None or not str(found).strip():
            raise RetrieverError(
                f"retriever {self.name!r}: what options.function returned has no version; give it "
                "an attribute version that changes whenever other passages may be found"
            )
        return str(found)

    def search(self, question: str, k: int) -> Sequence[Source]:
        return self._ask("search", question, k)[:k]

    def fetch(self, ids: Sequence[str]) -> Sequence[Source]:
        return self._ask("fetch", list(ids))

    def _ask(self, method: str, *arguments: object) -> Sequence[Source]:
        function = getattr(self.made, method, None)
        if function is None:
            raise RetrieverError(f"retriever {self.name!r} offers no {method}")
        found = _guarded(lambda: list(function(*arguments)), self.name)
        return read_passages(self.name, method, found)


def _guarded(ask: Callable[[], Any], name: str) -> Any:
    try:
        return ask()
    except (RetrieverError, RetrieverUnreachable):
        raise
    except Exception as error:
        raise RetrieverUnreachable(
            f"retriever {name!r}: {type(error).__name__}: {error}"
        ) from error
