"""Recognising answers that decline to answer.

An abstention is an answer that is empty or says nothing but that it cannot be given. Apologies,
greetings and advice may stand with it; a claim may not.
"""

import re

from citeval_assets.text.abstention_phrases import ELSEWHERE, IN_SOURCES, WHOLE
from citeval_assets.text.courtesy_phrases import (
    ADVICE_AFTER_ABSTAINING,
    APOLOGY,
    CLOSING,
    GREETING,
)
from citeval_assets.text.phrasing import plain
from citeval_assets.text.references import claim_sentences

_CONTRAST = re.compile(
    r"[,;:]? \b(?:but|however|although|though|yet|nevertheless|nonetheless|whereas|while|instead|"
    r"aber|jedoch|allerdings|dennoch|trotzdem|während|sondern|mais|cependant|toutefois|néanmoins|pourtant|"
    r"pero|sin embargo|aunque|no obstante|sino|но|однако|хотя)\b,? |\s*[;；]\s*|\s+[–—]\s+|\s*—\s*|: |，但是?|、しかし"
)
_LEADING_CONTRAST = re.compile(
    r"^(?:however|but|so|thus|therefore|hence|and|also|as such|consequently|accordingly|for this reason|"
    r"unfortunately|regrettably|sadly|sorry|i'm sorry|i am sorry|i apologize|based on (?:the|this|these|my) [^,]{1,80}|"
    r"jedoch|leider|aber|daher|somit|malheureusement|cependant|donc|pero|por (?:lo )?tanto|lamentablemente|"
    r"но|поэтому|к сожалению)[,:]? "
)
_DESCRIBES_SOURCES = re.compile(
    r"^(?:the |these |those |all |this )?(?:\w+ ){0,2}(?:documents?|passages?|sources?|chunks?|context|texts?|"
    r"articles?|excerpts?|snippets?|results?)\b.{0,20}\b(?:mentions?|discuss(?:es)?|covers?|focus(?:es)?|"
    r"talks?|contains?|describes?|(?:is|are) about|deals?|provides?|refers?|lists?|relates?|includes?)\b"
    r"(?!.{0,40}\bthat\b)"
)


def is_abstention(text: str) -> bool:
    """Whether an answer is empty or nothing but an abstention."""
    sentences = [sentence.text for sentence in claim_sentences(text)]
    sentences = [sentence for sentence in sentences if plain(sentence)]
    if not sentences:
        return not plain(text)
    declined = [is_abstention_sentence(sentence) for sentence in sentences]
    if not any(declined):
        return False
    return all(
        done or _goes_with_abstaining(sentence)
        for done, sentence in zip(declined, sentences, strict=True)
    )


def abstains_first(text: str) -> bool:
    """Whether an answer opens with an abstention, whatever follows it.

    Greetings and apologies before it are passed over. An abstention that goes on with a claim
    in the same sentence counts.
    """
    for sentence in claim_sentences(text):
        words = plain(sentence.text)
        if not words or GREETING.fullmatch(words) or APOLOGY.fullmatch(words):
            continue
        clauses = [clause for clause in _clauses(words) if not APOLOGY.fullmatch(clause)]
        return bool(clauses) and (
            _declines(clauses[0]) or (_declines(words) and _declines_early(words))
        )
    return False


def is_abstention_sentence(sentence: str) -> bool:
    """Whether a sentence declines to answer and claims nothing beside."""
    words = plain(sentence)
    if not words or words.endswith("?"):
        return False
    clauses = _clauses(words)
    declined = [_declines(clause) for clause in clauses]
    if not any(declined):
        return _declines(words) and len(clauses) == 1
    return all(done or _is_harmless(clause) for done, clause in zip(declined, clauses, strict=True))


def says_not_in_sources(sentence: str) -> bool:
    """Whether a sentence says that the sources do not hold something, and nothing beside."""
    words = plain(sentence)
    clauses = _clauses(words)
    negative = [IN_SOURCES.search(clause) is not None for clause in clauses]
    if not any(negative):
        return False
    return all(
        done or _is_harmless(clause) or _declines(clause)
        for done, clause in zip(negative, clauses, strict=True)
    )


def _clauses(words: str) -> list[str]:
    clauses: list[str] = []
    for part in _CONTRAST.split(words):
        clause = _LEADING_CONTRAST.sub("", part.strip(" ,")).strip(" ,")
        if clause:
            clauses.append(clause)
    return clauses


def _declines(clause: str) -> bool:
    if WHOLE.fullmatch(clause):
        return True
    return ELSEWHERE.search(clause) is not None or IN_SOURCES.search(clause) is not None


def _declines_early(words: str) -> bool:
    found = ELSEWHERE.search(words) or IN_SOURCES.search(words)
    return found is not None and found.start() < 40


def _is_harmless(clause: str) -> bool:
    """Whether a clause beside an abstention claims nothing about the matter itself."""
    if APOLOGY.fullmatch(clause) or ADVICE_AFTER_ABSTAINING.fullmatch(clause):
        return True
    if re.search(r"\d", clause):
        return False
    return _DESCRIBES_SOURCES.match(clause) is not None or len(clause.split()) <= 2


def _goes_with_abstaining(sentence: str) -> bool:
    words = plain(sentence)
    return (
        words.endswith("?")
        or any(table.fullmatch(words) for table in (GREETING, CLOSING, APOLOGY))
        or ADVICE_AFTER_ABSTAINING.fullmatch(words) is not None
        or says_not_in_sources(sentence)
    )
