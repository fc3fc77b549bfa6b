"""Citations that a provider hands over as positions beside the text.

Such a position often covers the link or mark that was put into the text, not the words it
stands for. The words are the sentence that holds it, or the one before where the position
covers nothing but the mark.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from citeval_assets.text.sentences import Sentence

_LINK = re.compile(r"\(?\s?!?\[[^\[\]\n]{0,300}+\](?:\([^\s()]{0,2000}+\))?\s?\)?")
_ADDRESS = re.compile(r"https?://\S+|www\.\S+")


@dataclass(frozen=True, slots=True)
class Annotation:
    """A provider's citation: ``start`` to ``end`` in the text, and the source it names."""

    start: int
    end: int
    source_id: str


def annotated_sentence(
    text: str, sentences: Sequence[Sentence], annotation: Annotation
) -> int | None:
    """Return the index of the sentence an annotation supports, or ``None`` without sentences.

    Where the annotated sentence is nothing but a link or a mark, it is the one before.
    """
    if not sentences:
        return None
    index = max(
        (number for number, one in enumerate(sentences) if one.start <= annotation.start),
        default=0,
    )
    while index > 0 and not _says_something(sentences[index].text):
        index -= 1
    return index


def claim_text(sentence: str) -> str:
    """Return a sentence without the links and addresses in it."""
    return _ADDRESS.sub("", _LINK.sub("", sentence)).strip()


def _says_something(sentence: str) -> bool:
    return any(char.isalnum() for char in claim_text(sentence))
