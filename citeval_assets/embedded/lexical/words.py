"""Words of a text: split, folded to lower case, stemmed, and divided into content and glue."""

import re
from dataclasses import dataclass
from functools import lru_cache

from citeval_assets.embedded.lexical.vocabulary import STOP_WORDS
from citeval_assets.embedded.lexical.word_classes import root
from citeval_assets.text.sentences import split_sentences

TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|[%$€£]")
_NEGATED = re.compile(r"n['’]t\b")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one text in order.

    ``tokens`` are lower-case words, numbers and signs without the possessive ending; ``stems``
    run parallel to them; ``content`` holds the stems of the content words alone.
    """

    tokens: tuple[str, ...]
    stems: tuple[str, ...]
    content: tuple[str, ...]


def words_of(text: str) -> Words:
    """Return the words of a text."""
    tokens = tuple(_folded(token) for token in spelled_tokens(text))
    stems = tuple(root(token) for token in tokens)
    content = tuple(
        own
        for own, token in zip(stems, tokens, strict=True)
        if token not in STOP_WORDS and (len(token) > 1 or token.isdigit())
    )
    return Words(tokens, stems, content)


def spelled_tokens(text: str) -> list[str]:
    """Return the words, numbers and signs of a text as they are written; "n't" apart."""
    return TOKEN.findall(_NEGATED.sub(" n't", text))


def _folded(token: str) -> str:
    lowered = token.lower()
    return lowered if lowered.isalnum() else lowered.replace("’", "'").removesuffix("'s")


@lru_cache(maxsize=4096)
def names_in(text: str) -> tuple[str, ...]:
    """Return the capitalised words of a text in lower case, each once.

    The first word of a sentence counts only where the next is capitalised too, or where it is
    written in capitals throughout.
    """
    found: dict[str, None] = {}
    for sentence in split_sentences(text):
        tokens = spelled_tokens(sentence.text)
        for at, token in enumerate(tokens):
            if len(token) < 2 or not token[0].isupper():
                continue
            folded = _folded(token)
            if folded in STOP_WORDS:
                continue
            if at == 0 and not token.isupper():
                following = tokens[1][:1] if len(tokens) > 1 else ""
                if not following.isupper():
                    continue
            found[folded] = None
    return tuple(found)
