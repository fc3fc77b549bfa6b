"""Whether a claim is about its sentence: compared by the words they share.

A judge names the sentence of each claim by number and writes the claim in its own words. Were
the words not looked at, it could answer for every number and still judge only one sentence.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from citeval_assets.text.characters import ascii_words

MIN_SHARED = 1 / 3
"""Least share of the words of the shorter of claim and sentence that must be common."""

MIN_COVERED = 0.4
"""Least share of a sentence's words that its claims, all together, must take up."""

MAX_CLAIMS = 50
"""Into so many claims one sentence can be split at most, however long it is."""

_STEM = 5
"""Letters of a word that are compared, so that inflection does not matter."""

_LETTERS_WITHOUT_BLANKS = r"぀-ヿ㐀-䶿一-鿿豈-﫿가-힯"
_WORD = re.compile(rf"[{_LETTERS_WITHOUT_BLANKS}]|[^\W_{_LETTERS_WITHOUT_BLANKS}]+")
_WHOLE = re.compile(rf"[{_LETTERS_WITHOUT_BLANKS}]|.*\d.*")
_EMPTY_WORDS = frozenset(
    """
    and are but for from had has have her his its nor our out she that the their them then there
    these they this those was were which who will with you your
    aber als auch auf aus bei bis das dass dem den der des die ein eine einem einen einer für hat
    ihr ist mit oder sich sie sind und von war wird zum zur
    aux ces cet dans des elle est les leur mais ont par pas pour que qui son sont sur une
    con como del ella era las los más para pero por sus una unos che dei gli nel per più sono
    dos das não com uma het met van voor zijn een
    """.split()  # noqa: SIM905
)

ContentWords = frozenset[str]


_REMEMBERED_TEXT = 2_000
"""Characters of a text whose words are kept: the claims of a reply are looked at several times."""


def content_words(text: str) -> ContentWords:
    """Return the telling words of a text: numbers, and longer words that are no mere glue.

    Of a script without blanks every character counts as a word. Where a text has no telling
    words, all of its words stand in.
    """
    return _remembered_words(text) if len(text) <= _REMEMBERED_TEXT else _content_words(text)


def _content_words(text: str) -> ContentWords:
    if text.isascii():
        words = set(ascii_words(text.lower()))
    else:
        words = set(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))
    telling = frozenset(map(_token, words)) - _NOT_TELLING
    return telling or frozenset(_shortened(word) for word in words)


_remembered_words = lru_cache(maxsize=2_048)(_content_words)


def is_about(claim: ContentWords, sentence: ContentWords) -> bool:
    """Whether a claim shares enough words with its sentence to be a claim of it."""
    if not sentence:
        return True
    if not claim:
        return False
    return len(claim & sentence) >= MIN_SHARED * min(len(claim), len(sentence))


def covers(claims: Iterable[ContentWords], sentence: ContentWords) -> bool:
    """Whether the claims of a sentence, all together, take up enough of its words."""
    if not sentence:
        return True
    taken = frozenset[str]().union(*claims) & sentence
    return len(taken) >= MIN_COVERED * len(sentence)


def most_claims(sentence: ContentWords) -> int:
    """Return into how many claims a sentence can be split at most.

    Each claim needs a subject and something said of it: n telling words hold at most n - 1
    claims. Without a limit a judge could multiply what is supported.
    """
    return min(MAX_CLAIMS, max(1, len(sentence) - 1))


_NOT_TELLING = frozenset({""})


@lru_cache(maxsize=4_096)
def _token(word: str) -> str:
    """Return a telling word as it is compared, or nothing where it is glue."""
    if _WHOLE.fullmatch(word):
        return word
    return word[:_STEM] if len(word) > 2 and word not in _EMPTY_WORDS else ""


def _shortened(word: str) -> str:
    return word if _WHOLE.fullmatch(word) else word[:_STEM]
