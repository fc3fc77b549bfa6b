"""Notices: what people are told without asking, once for each cause.

A topic is what a notice is about (a gate, a job with its partition); its cause is what is wrong
with it. Who was told of a cause is not told again until the topic has been well in between, or
something else is wrong with it. Every notifier keeps its own books, so that one that cannot be
reached is told later, and the others are not told twice.
"""

import hashlib
import json
import logging
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

from citeval_assets.ledger.store import Ledger

_BOOK = "notice"
_WELL = ""
_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to be told. ``kind`` is run_failed, gate_failed, drift, fall, model or digest."""

    kind: str
    topic: str
    cause: str
    title: str
    lines: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def text(self) -> str:
        """The whole notice as plain text."""
        return "\n".join((self.title, *self.lines))


class NotifierFailed(RuntimeError):
    """A notice did not reach its place; the text names the place without secrets."""


class Notifier(Protocol):
    """Where notices go."""

    @property
    def name(self) -> str:
        """Name under which it is remembered what this place was told."""
        ...

    def send(self, notice: Notice) -> None:
        """Tell it.

        Raises:
            NotifierFailed: where that did not work.
        """
        ...


@dataclass(frozen=True)
class LogNotifier:
    """Writes notices to a log."""

    log: logging.Logger
    name: str = "log"

    def send(self, notice: Notice) -> None:
        """Write it as a warning."""
        self.log.warning("citeval: %s", notice.text)


@dataclass(frozen=True)
class WebhookNotifier:
    """Posts notices as JSON."""

    url: str = field(repr=False)
    name: str = "webhook"

    def send(self, notice: Notice) -> None:
        """Post it; any answer of 2xx counts as received."""
        body = {
            "kind": notice.kind,
            "topic": notice.topic,
            "title": notice.title,
            "text": notice.text,
            "facts": dict(notice.facts),
        }
        request = urllib.request.Request(
            self.url,
            json.dumps(body, ensure_ascii=False).encode(),
            {"Content-Type": "application/json"},
        )
        # The address itself is a secret with many services.
        place = f"webhook at {urlsplit(self.url).hostname}"
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S):
                return
        except urllib.error.HTTPError as error:
            raise NotifierFailed(f"{place} answered HTTP {error.code}") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", type(error).__name__)
            raise NotifierFailed(f"{place} cannot be reached: {reason}") from None


def tell(ledger: Ledger, notifiers: Iterable[Notifier], notice: Notice) -> list[str]:
    """Tell a notice to all that were not told of this cause; return what failed."""
    digest = hashlib.sha256(f"{notice.kind}|{notice.cause}".encode()).hexdigest()[:16]
    failed: list[str] = []
    for notifier in notifiers:
        key = _key(notifier.name, notice.topic)
        if ledger.current(_BOOK, key) == digest:
            continue
        try:
            notifier.send(notice)
        except NotifierFailed as error:
            failed.append(str(error))
        else:
            ledger.make_current(_BOOK, key, digest)
    return failed


def is_well(ledger: Ledger, notifiers: Sequence[Notifier], topic: str) -> None:
    """Note that nothing is wrong with a topic: the next time anything is, it is told."""
    for notifier in notifiers:
        key = _key(notifier.name, topic)
        if ledger.current(_BOOK, key) is not None:
            ledger.make_current(_BOOK, key, _WELL)


def _key(name: str, topic: str) -> str:
    return json.dumps([name, topic])
