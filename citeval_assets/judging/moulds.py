"""A request of litellm's own making, with gaps where the messages stood.

Everything but the texts of the messages is the same from one question to the next: address,
headers, parameters, schema. So litellm is let make the request twice, with marked texts, and it
is caught before it goes out. Where both come out alike but for the texts, they make a mould;
filling it gives the bytes litellm would send, at a fraction of the cost. Where they do not (a
signature over the body, a random number), there is no mould and litellm sends for itself.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

_SET_BY_THE_CONNECTION = frozenset({"host", "content-length"})
_MARK = 'citeval\u2020mark "{number}"\n'
"""Holds what JSON spells in more than one way, so that the mould learns the spelling."""

_SPELLING = {ascii_only: json.JSONEncoder(ensure_ascii=ascii_only) for ascii_only in (True, False)}


class NoMould(ValueError):
    """litellm's request depends on the messages in more than their texts."""


@dataclass(frozen=True, slots=True)
class CaughtRequest:
    """A request as it would have gone out."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass(frozen=True, slots=True)
class Mould:
    """A request without its message texts.

    ``pieces`` are the bytes before, between and behind the texts; ``order`` tells which message
    stands in each gap; ``ascii_only`` whether other characters are escaped. ``spelled`` holds the
    text that stood in each gap last, as it was spelled: the instructions are the same for every
    case of a template, and half of what is sent.
    """

    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    pieces: tuple[bytes, ...]
    order: tuple[int, ...]
    ascii_only: bool
    spelled: dict[int, tuple[str, bytes]] = field(default_factory=dict, compare=False, repr=False)

    def body(self, texts: Sequence[str]) -> bytes:
        """Return the body with these message texts.

        Raises:
            UnicodeEncodeError: for half a character pair, which no request can hold.
        """
        filled = [self.pieces[0]]
        for position, piece in zip(self.order, self.pieces[1:], strict=True):
            filled.append(self._spell(position, texts[position]))
            filled.append(piece)
        return b"".join(filled)

    def _spell(self, position: int, text: str) -> bytes:
        last = self.spelled.get(position)
        if last is not None and last[0] == text:
            return last[1]
        found = _spelled(text, self.ascii_only)
        self.spelled[position] = (text, found)
        return found

    @property
    def by_openai_library(self) -> bool:
        """Whether the request was built by the OpenAI library rather than by litellm itself."""
        return any(name == "x-stainless-lang" for name, _ in self.headers)


def marked_texts(count: int, *, long: bool) -> list[str]:
    """Return texts that can be found again in a request."""
    return [_MARK.format(number=number) * (40 if long else 1) for number in range(count)]


def mould_from(
    first: CaughtRequest, texts: Sequence[str], second: CaughtRequest, others: Sequence[str]
) -> Mould:
    """Return the mould of two requests that litellm made with different texts.

    Raises:
        NoMould: the requests differ in more than their texts.
    """
    mould, other = _cut(first, texts), _cut(second, others)
    if mould != other:
        raise NoMould("two requests with different messages differ in more than the messages")
    return mould


def _cut(caught: CaughtRequest, texts: Sequence[str]) -> Mould:
    for ascii_only in (True, False):
        spelled = [_spelled(text, ascii_only) for text in texts]
        if all(caught.body.count(text) == 1 for text in spelled):
            return _pieces(caught, spelled, ascii_only)
    raise NoMould("a message does not stand in the request as it was given, exactly once")


def _pieces(caught: CaughtRequest, spelled: Sequence[bytes], ascii_only: bool) -> Mould:
    order = sorted(range(len(spelled)), key=lambda position: caught.body.index(spelled[position]))
    pieces: list[bytes] = []
    rest = caught.body
    for position in order:
        before, _, rest = rest.partition(spelled[position])
        pieces.append(before)
    headers = tuple((k, v) for k, v in caught.headers if k.lower() not in _SET_BY_THE_CONNECTION)
    return Mould(
        caught.method, caught.url, headers, (*pieces, rest), tuple(order), ascii_only=ascii_only
    )


def _spelled(text: str, ascii_only: bool) -> bytes:
    return _SPELLING[ascii_only].encode(text)[1:-1].encode()
