"""Cutting a text into sentences, with offsets into the unchanged text.

Built for answers of language models: citation markers behind a full stop stay with the
sentence they close, list items, headings, table rows and code blocks are kept apart, and the
full stops of English, German, French, Spanish and Russian abbreviations, of Chinese and
Japanese and of other scripts are known. One pass; the cost grows with the length of the text.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from citeval_assets.text.blocks import blocks_of
from citeval_assets.text.code_blocks import code_spans
from citeval_assets.text.quotation_marks import embedded_quotes
from citeval_assets.text.sentence_ends import Ends
from citeval_assets.text.spans import Span, SpanSet


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: ``text`` is the slice ``start..end`` of the original."""

    start: int
    end: int
    text: str

    @property
    def span(self) -> Span:
        """Where the sentence stands."""
        return Span(self.start, self.end)


def split_sentences(text: str) -> tuple[Sentence, ...]:
    """Cut ``text`` into sentences.

    Blanks between sentences, horizontal rules and the rules of tables belong to none; every
    other character belongs to exactly one. A fenced code block is one sentence.
    """
    return tuple(Sentence(start, end, text[start:end]) for start, end in _cuts(text))


def _cuts(text: str) -> Iterator[tuple[int, int]]:
    quotes = SpanSet(embedded_quotes(text))
    ends = Ends(text, quotes, SpanSet(code_spans(text)))
    for block in blocks_of(text):
        position = block.start
        if block.splits:
            for cut in ends.find(block.start, block.body, block.end):
                yield from _trimmed(text, position, cut)
                position = cut
        yield from _trimmed(text, position, block.end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end
