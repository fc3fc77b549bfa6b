"""Questions read for an extractive answerer: what must be covered, in which parts, and how."""

import re
from dataclasses import dataclass

from citeval_assets.embedded.lexical.frequencies import weight_of
from citeval_assets.embedded.lexical.language import reads_as_english
from citeval_assets.embedded.lexical.vocabulary import listed
from citeval_assets.embedded.lexical.word_classes import root
from citeval_assets.embedded.lexical.words import names_in
from citeval_assets.embedded.lexical.words import words_of as english_words
from citeval_assets.embedded.words import words_of as plain_words

_FRAMING = frozenset(
    root(word)
    for word in listed(
        """many much long often far old tell give list name explain describe please know say does
        happen exactly mean please state many kind sort type still already ever get go take let"""
    )
)
"""Words that ask rather than say what about."""

_PARTS = re.compile(
    r"\?\s+|,?\s+(?:and|or|und|et|ou|y|и)\s+(?=(?:is|are|was|were|do|does|did|can|could|may|must|"
    r"what|when|where|who|which|why|how|if|was|wer|wie|wann|wo|quel\w*|qui|quand|combien|qué|quién|"
    r"cuándo|cuánto|dónde)\b)|;\s+",
    re.IGNORECASE,
)
_WANTS_NUMBER = re.compile(
    r"\b(?:how (?:many|much|long|old|far|often|high|large|big|fast|deep|wide|heavy|tall)|what year|"
    r"what (?:percentage|share|number|amount|fee|rate|price|limit)|when|what time|which year|"
    r"wie ?viele?|wie (?:lange|hoch|oft)|wann|combien|quand|cu[aá]ntos?|cu[aá]ntas?|cu[aá]ndo)\b",
    re.IGNORECASE,
)
_UNTELLING = 5.0
"""Weight under which a word is too common to be the key to a question."""


@dataclass(frozen=True, slots=True)
class Part:
    """One question within a question."""

    text: str
    terms: dict[str, float]
    wants_number: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the weight of its terms, and its parts.

    ``keys`` are its names and numbers: an answer that lacks one is about something else.
    """

    terms: dict[str, float]
    keys: frozenset[str]
    parts: tuple[Part, ...]
    english: bool

    @classmethod
    def of(cls, text: str) -> "Question":
        """Read a question."""
        english = reads_as_english(text)
        terms = _weighted(text, english)
        keys = {t for t in terms if any(c.isdigit() for c in t)}
        if english:
            keys |= {root(name) for name in names_in(text)} & terms.keys()
            keys = {k for k in keys if terms[k] >= _UNTELLING}
        parts = tuple(
            Part(piece, own, bool(_WANTS_NUMBER.search(piece)))
            for piece in _PARTS.split(text)
            if piece.strip() and (own := _weighted(piece, english))
        )
        return cls(terms, frozenset(keys), parts, english)

    def terms_of(self, text: str) -> frozenset[str]:
        """Return the words of a text as they compare with the terms."""
        return frozenset(english_words(text).content) if self.english else plain_words(text)


def _weighted(text: str, english: bool) -> dict[str, float]:
    if not english:
        return dict.fromkeys(sorted(plain_words(text)), 1.0)
    words = english_words(text).content
    telling = [word for word in dict.fromkeys(words) if word not in _FRAMING] or list(words)
    return {word: weight_of(word) for word in telling}
