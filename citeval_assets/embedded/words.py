"""Comparing texts by the words they share: the naive measure of the ``-0`` models."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from citeval_assets.playbooks.view import Passage
from citeval_assets.text.sentences import split_sentences

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_UNSPACED = re.compile("[぀-ヿ㐀-鿿豈-﫿]+")

_STOPWORD_TEXT = """
    a an and are as at be been but by can could did do does for from had has have he her his if
    in into is it its may more must no not of on or our she should so such than that the their
    them there these they this those to was we were what when where which who why how will with
    would you your
    aber als am an auch auf aus bei bis das dass dem den der des die ein eine einem einen einer
    es für hat ihr im in ist mit nach nicht oder sein sich sie sind so um und von war wird zu
    zum zur
    au aux avec ce ces dans de du elle en est et eux il la le les leur lui mais ne on ou par pas
    pour que qui sa se ses son sur un une
    al como con del el ella en es esta este la las lo los no o para pero por que se son su sus
    un una y
    в во все для до его её и из или их к как на не но о об он она от по при с со так то у что
    это
"""
_STOPWORDS = frozenset(_STOPWORD_TEXT.split())
"""English, German, French, Spanish, Russian."""


def words_of(text: str) -> frozenset[str]:
    """Return the content words of a text: folded, without stop words and plural s.

    Chinese and Japanese runs, which have no blanks, count as pairs of characters.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    found: set[str] = set()
    for word in _WORD.findall(folded):
        if _UNSPACED.fullmatch(word):
            found.update(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        elif word not in _STOPWORDS:
            found.add(word[:-1] if len(word) > 3 and word.endswith("s") else word)
    return frozenset(found)


def covered(claim: Iterable[str], source: frozenset[str]) -> float:
    """Return the share of the claim's words that stand in the source; 0 for no words."""
    wanted = list(claim)
    return sum(word in source for word in wanted) / len(wanted) if wanted else 0.0


@dataclass(frozen=True, slots=True)
class PassageSentence:
    """One sentence of a passage, verbatim, with its words."""

    passage_id: str
    text: str
    words: frozenset[str]


def sentences_of(passages: Sequence[Passage]) -> tuple[PassageSentence, ...]:
    """Return the sentences of all passages in order, without what a cut left of one."""
    return tuple(
        PassageSentence(passage.id, text, words_of(text))
        for passage in passages
        for text in _whole_sentences(passage)
    )


def _whole_sentences(passage: Passage) -> list[str]:
    texts = [sentence.text for sentence in split_sentences(passage.source_text)]
    if passage.cut and texts and texts[-1].rstrip()[-1:].isalnum():
        texts.pop()
    return [text for text in texts if text.strip()]


def best_match(
    claim: frozenset[str], sentences: Sequence[PassageSentence]
) -> tuple[PassageSentence | None, float]:
    """Return the sentence that covers most of the claim, the first of equals, and how much."""
    best, most = None, 0.0
    for sentence in sentences:
        share = covered(claim, sentence.words)
        if share > most:
            best, most = sentence, share
    return best, most
