"""Passages made ready to be compared with claims: split, stemmed and indexed once."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from citeval_assets.embedded.lexical.language import reads_as_english
from citeval_assets.embedded.lexical.numerals import Numeral, numerals_in
from citeval_assets.embedded.lexical.words import Words, words_of
from citeval_assets.text.sentences import split_sentences

FRAGMENT = 5
"""Letters of the fragments by which an inflected or misspelt word is still recognised."""

_READ_SENTENCES = 30

CACHED_CHARS = 4_000_000
"""Text whose prepared form is kept: several claims of one answer cite the same passages."""


@dataclass(frozen=True)
class PassageSentence:
    """One sentence of a passage. Offsets are code points into the passage's text."""

    passage_id: str
    start: int
    end: int
    text: str
    words: Words
    content: frozenset[str]

    @cached_property
    def lowered(self) -> str:
        """The text in lower case."""
        return self.text.lower()

    @cached_property
    def numerals(self) -> tuple[Numeral, ...]:
        """Its numbers; offsets are into ``lowered``."""
        return numerals_in(self.lowered)

    @cached_property
    def tokens(self) -> frozenset[str]:
        """Its words as they stand, in lower case."""
        return frozenset(self.words.tokens)


class Evidence:
    """One or several passages that a claim rests on, as one body of sentences."""

    def __init__(self, sentences: Sequence[PassageSentence], chars: int) -> None:
        self.sentences = tuple(sentences)
        self.chars = chars
        self.stems = frozenset[str]().union(*(s.content for s in sentences))
        self.tokens = frozenset[str]().union(*(s.tokens for s in sentences))
        self.bigrams = frozenset(
            pair
            for s in sentences
            for pair in zip(s.words.content, s.words.content[1:], strict=False)
        )
        self.trigrams = frozenset(
            triple
            for s in sentences
            for triple in zip(s.words.stems, s.words.stems[1:], s.words.stems[2:], strict=False)
        )
        self.fragments = frozenset(
            token[i : i + FRAGMENT]
            for token in self.tokens
            for i in range(len(token) - FRAGMENT + 1)
        )
        self.values = tuple(n.value for s in sentences for n in s.numerals)

    @cached_property
    def is_english(self) -> bool:
        """Whether the evidence is English, as far as can be told."""
        return reads_as_english(" ".join(s.text for s in self.sentences[:_READ_SENTENCES]))


def evidence_of(passages: Iterable[tuple[str, str]]) -> Evidence:
    """Return the sentences of passages, given as (id, text)."""
    sentences: list[PassageSentence] = []
    chars = 0
    for passage_id, text in passages:
        chars += len(text)
        for sentence in split_sentences(text):
            words = words_of(sentence.text)
            sentences.append(
                PassageSentence(
                    passage_id,
                    sentence.start,
                    sentence.end,
                    sentence.text,
                    words,
                    frozenset(words.content),
                )
            )
    return Evidence(sentences, chars)


class EvidenceCache:
    """Keeps the prepared form of what was compared last, up to a number of characters."""

    def __init__(self, limit: int = CACHED_CHARS) -> None:
        self._limit = limit
        self._held = 0
        self._kept: OrderedDict[tuple[tuple[str, str], ...], Evidence] = OrderedDict()

    def of(self, passages: Sequence[tuple[str, str]]) -> Evidence:
        """Return the prepared form of passages, given as (id, text)."""
        key = tuple(passages)
        known = self._kept.get(key)
        if known is not None:
            self._kept.move_to_end(key)
            return known
        evidence = evidence_of(key)
        self._kept[key] = evidence
        self._held += evidence.chars
        while self._held > self._limit and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            self._held -= dropped.chars
        return evidence
