"""A retriever behind HTTP.

``POST {url}/search`` with ``{"question", "k"}`` and ``POST {url}/fetch`` with ``{"ids"}`` answer
``{"passages": [{"id", "text", ...}]}``; ``GET {url}/version`` answers ``{"version"}``, unless the
configuration gives the version.
"""

import http.client
import json
import random
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from citeval_assets.playbooks.cases import Source
from citeval_assets.retrieval.base import RetrieverError, RetrieverUnreachable
from citeval_assets.retrieval.reading import read_passages

_MAX_REPLY = 20_000_000
_LONGEST_WAIT_S = 30.0
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class HttpRetriever:
    """Asks a service. What may pass is tried again, with growing pauses.

    ``bearer`` is sent as ``Authorization: Bearer``, and shown nowhere.
    """

    name: str
    url: str
    given_version: str | None = None
    bearer: str | None = field(default=None, repr=False)
    timeout_s: float = 10.0
    tries: int = 3
    sleep: Callable[[float], None] = time.sleep

    @property
    def version(self) -> str:
        """The version the configuration gives, else the one the service gives.

        Raises:
            RetrieverError: neither gives one.
            RetrieverUnreachable: the service cannot be asked just now.
        """
        return self.given_version or self._told_version

    @cached_property
    def _told_version(self) -> str:
        found = self._ask("GET", "version", None).get("version")
        if not isinstance(found, str | int) or isinstance(found, bool) or not str(found).strip():
            raise RetrieverError(
                f"retriever {self.name!r}: {self.url}/version gives no version ({found!r}); give "
                "options.version, and change it whenever other passages may be found"
            )
        return str(found)

    def search(self, question: str, k: int) -> Sequence[Source]:
        """Return what the service finds for a question."""
        found = self._ask("POST", "search", {"question": question, "k": k})
        return read_passages(self.name, "search", found.get("passages"))[:k]

    def fetch(self, ids: Sequence[str]) -> Sequence[Source]:
        """Return what the service has under these ids."""
        found = self._ask("POST", "fetch", {"ids": list(ids)})
        return read_passages(self.name, "fetch", found.get("passages"))

    def _ask(self, method: str, verb: str, body: object) -> dict[str, Any]:
        for attempt in range(1, self.tries + 1):
            try:
                return self._once(method, verb, body)
            except _Passing as fault:
                if attempt == self.tries:
                    raise RetrieverUnreachable(
                        f"retriever {self.name!r}: {self.url}/{verb}: {fault} ({attempt} tries)"
                    ) from None
                self.sleep(fault.wait_s or random.uniform(0.5, 1.0) * 2 ** (attempt - 1))
        raise AssertionError("unreachable")

    def _once(self, method: str, verb: str, body: object) -> dict[str, Any]:
        request = urllib.request.Request(
            f"{self.url.rstrip('/')}/{verb}",
            data=None if body is None else json.dumps(body).encode(),
            method=method,
            headers={"Content-Type": "application/json", "Accept": "application/json"},
        )
        if self.bearer:
            request.add_unredirected_header("Authorization", f"Bearer {self.bearer}")
        try:
            with urllib.request.urlopen(request, timeout=self.timeout_s) as reply:
                raw = reply.read(_MAX_REPLY + 1)
        except urllib.error.HTTPError as error:
            with error:
                if error.code in _PASSING:
                    raise _Passing(f"status {error.code}", _retry_after(error)) from None
                raise RetrieverError(
                    f"retriever {self.name!r}: {self.url}/{verb} answered status {error.code}"
                ) from None
        except (OSError, http.client.HTTPException) as error:
            raise _Passing(f"{type(error).__name__}: {error}") from None
        return self._object(verb, raw)

    def _object(self, verb: str, raw: bytes) -> dict[str, Any]:
        try:
            found = json.loads(raw) if len(raw) <= _MAX_REPLY else None
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise RetrieverError(
                f"retriever {self.name!r}: {self.url}/{verb} answered with something else than a "
                f"JSON object of at most {_MAX_REPLY} bytes"
            )
        return found


class _Passing(Exception):
    """A fault that may pass; ``wait_s`` is what the service asked to wait."""

    def __init__(self, text: str, wait_s: float | None = None) -> None:
        super().__init__(text)
        self.wait_s = wait_s


def _retry_after(error: urllib.error.HTTPError) -> float | None:
    given = error.headers.get("Retry-After", "")
    return min(float(given), _LONGEST_WAIT_S) if given.isdecimal() else None
