"""Fences around untrusted text: block borders that the text can neither close nor predict.

The token is an HMAC-SHA256 over all untrusted values with the secret of this installation: the
author of a text cannot know it, and the same case always gets the same one. A token that
stands in a value or in the template by chance is replaced by the next.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from citeval_assets.playbooks.view import Passage, SlotValue
from citeval_assets.text.screen import visible

TOKEN_CHARS = 32
"""Hexadecimal digits of a token: 128 bits."""

_REMEMBERED_HEADER = 80
"""Characters of a header value whose quoted form is kept: ids and pages come back in every case,
and each is written once for the token and once to be shown."""

_BREAKS = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Fences:
    """The fences of one question: one token for all its blocks."""

    token: str

    @classmethod
    def around(
        cls, values: Mapping[str, SlotValue], secret: bytes, trusted: Iterable[str] = ()
    ) -> "Fences":
        """Return fences whose token no value and no trusted text holds."""
        listed = [[name, *_texts_of(value)] for name, value in sorted(values.items())]
        texts = [text for _, *own in listed for text in own]
        content = json.dumps(listed)
        searched = "\n".join((*texts, "")).lower() + _lower(tuple(trusted))
        count = 0
        while True:
            message = f"{count}\n{content}".encode()
            token = hmac.new(secret, message, hashlib.sha256).hexdigest()[:TOKEN_CHARS]
            if token not in searched:
                return cls(token)
            count += 1

    def show(self, name: str, value: SlotValue) -> str:
        """Return how a slot value stands in the prompt: fenced unless it is trusted text."""
        if value.passages is not None:
            inner = "\n".join(self._passage(passage) for passage in value.passages)
            return self._block(name, inner or "(there are none)")
        if value.untrusted:
            return self._block(name, _shown(value.text))
        return value.text

    def _passage(self, passage: Passage) -> str:
        header = ", ".join(f"{field}={_quoted(text)}" for field, text in _header_of(passage))
        return (
            f"<<<BEGIN PASSAGE {self.token} {header}>>>\n"
            f"{_shown(passage.text)}\n"
            f"<<<END PASSAGE {self.token}>>>"
        )

    def _block(self, name: str, text: str) -> str:
        return f"<<<BEGIN {name} {self.token}>>>\n{text}\n<<<END {name} {self.token}>>>"


@lru_cache(maxsize=64)
def _lower(texts: tuple[str, ...]) -> str:
    """Return the parts of a template in lower case: they are the same for every case."""
    return "\n".join(texts).lower()


def _header_of(passage: Passage) -> Iterable[tuple[str, str]]:
    yield "id", passage.id
    for field in ("document", "page", "index", "title"):
        found = getattr(passage, field)
        if found is not None:
            yield field, str(found)
    if not passage.cited:
        yield "role", "neighbouring context, not itself cited"


def _texts_of(value: SlotValue) -> Iterable[str]:
    yield _shown(value.text)
    for passage in value.passages or ():
        yield _shown(passage.text)
        for _, text in _header_of(passage):
            yield _quoted(text)


def _shown(text: str) -> str:
    """Return untrusted text as a model sees it: hidden characters as codes, nothing else."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", visible(text))


def _quoted(text: str) -> str:
    """Return a header value in quotes, on one line, whatever it holds."""
    return _remembered_quoted(text) if len(text) <= _REMEMBERED_HEADER else _in_quotes(text)


def _in_quotes(text: str) -> str:
    spelled = json.dumps(_shown(text), ensure_ascii=False)
    if spelled.isascii():
        return spelled
    return "".join(_BREAKS.get(char, char) for char in spelled)


_remembered_quoted = lru_cache(maxsize=4_096)(_in_quotes)
