"""Verbatim evidence: where words a model quotes stand in a source.

Quoted words are accepted as evidence where they stand in the source and are at least three
words, or fewer but a whole sentence of it ("Closed on Mondays." proves something, "is" does
not). Texts of different sources are never joined.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from citeval_assets.playbooks.cases import Source
from citeval_assets.playbooks.report import Evidence
from citeval_assets.playbooks.vocabulary import QuoteMatching
from citeval_assets.text.quotes import FoldedText, MatchKind, QuoteMatch, find_quote
from citeval_assets.text.sentences import split_sentences
from citeval_assets.text.spans import Span

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class SearchedSource:
    """One source, folded once so that many quotes can be looked for in it."""

    id: str
    text: str
    folded: FoldedText


def searched(sources: Iterable[Source]) -> tuple[SearchedSource, ...]:
    """Return the sources ready to be searched."""
    return tuple(SearchedSource(s.id, s.text, FoldedText.of(s.text)) for s in sources)


def find_evidence(
    quote: str, source: SearchedSource, matching: QuoteMatching
) -> tuple[Evidence, ...]:
    """Return where ``quote`` stands in ``source``; empty where it is no evidence there."""
    if not _may_stand(quote, source, matching):
        return ()
    match = find_quote(quote, source.folded, matching.value)
    if match.kind is MatchKind.TOO_SHORT:
        match = find_quote(quote, source.folded, matching.value, min_words=1)
        if not match.found or not _whole_sentence(source.text, match.spans):
            return ()
    return _located(source, match)


def _may_stand(quote: str, source: SearchedSource, matching: QuoteMatching) -> bool:
    """Whether every word of ``quote`` occurs in ``source`` at all.

    A quote is looked for in source after source, and the matcher spends most of its time on
    the passage nearest to one it does not find, which nobody asks for here.
    """
    exact = matching is QuoteMatching.EXACT
    folded = FoldedText.of(quote)
    wanted = folded.spaced.chars if exact else folded.normalised.chars
    held = source.folded.spaced.chars if exact else source.folded.normalised.chars
    return all(word in held for word in set(_WORD.findall(wanted)))


def _located(source: SearchedSource, match: QuoteMatch) -> tuple[Evidence, ...]:
    if not match.found:
        return ()
    return tuple(
        Evidence(
            source_id=source.id,
            char_start=span.start,
            char_end=span.end,
            text=span.of(source.text),
            match=match.kind.value,
        )
        for span in match.spans
    )


def _whole_sentence(text: str, spans: tuple[Span, ...]) -> bool:
    if len(spans) != 1:
        return False
    span = spans[0]
    for sentence in split_sentences(text):
        if sentence.start <= span.start and span.end <= sentence.end:
            around = text[sentence.start : span.start] + text[span.end : sentence.end]
            return not any(char.isalnum() for char in around)
    return False
