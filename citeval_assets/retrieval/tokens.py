"""Words of a text as a search index counts them, whatever the language.

No stop lists, no dictionaries and no guess at the language: common words weigh little in BM25 as
it is. A long word counts twice, as it stands and by its first letters, so that inflected forms
meet (a truncation stemmer: crude, and about as good as language-specific stemmers across
European languages). Scripts without blanks between words are cut into overlapping pairs of
letters.
"""

import re
import unicodedata
from itertools import groupby, pairwise

from citeval_assets.text.characters import INVISIBLE, WORD, is_unspaced

TOKENISER = "1"
"""Raised whenever other tokens come out: part of the version of an index."""

STEM_LETTERS = 5
_STEM_MARK = "*"
_NUMBER = re.compile(r"\d+(?:[.,]\d+)+")
_SEPARATORS = re.compile("[.,]")


def search_tokens(text: str) -> list[str]:
    """Return the tokens of a text, repetitions included, in no particular order."""
    folded = _folded(text)
    tokens = [_SEPARATORS.sub(".", number) for number in _NUMBER.findall(folded)]
    words = WORD.finditer(folded)
    for unspaced, group in groupby(words, key=lambda match: is_unspaced(match[0])):
        if unspaced:
            tokens += _pairs([(match.start(), match[0]) for match in group])
            continue
        for word in (match[0] for match in group):
            tokens.append(word)
            if len(word) > STEM_LETTERS and word.isalpha():
                tokens.append(word[:STEM_LETTERS] + _STEM_MARK)
    return tokens


def _folded(text: str) -> str:
    """Return the text in one case, without accents and invisible characters."""
    plain = INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold()
    letters = unicodedata.normalize("NFD", plain)
    bare = "".join(char for char in letters if unicodedata.category(char) != "Mn")
    return unicodedata.normalize("NFC", bare)


def _pairs(letters: list[tuple[int, str]]) -> list[str]:
    """Return the neighbours among single letters; one that has none stands alone."""
    pairs = [one + other for (at, one), (next_at, other) in pairwise(letters) if next_at == at + 1]
    return pairs or [letter for _, letter in letters]
