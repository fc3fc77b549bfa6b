"""Recognising answers that decline to answer.

An abstention is an answer that is empty or says nothing but that it cannot be given. Apologies,
greetings and advice may stand with it; a claim may not.

Elliptic answers decline where they name no matter of their own and say that something is not
*said*: "Not mentioned.", "Keine Angabe.", "The contract does not say." Two kinds do not. A full
sentence about a document that one can make claims about ("Dogs are not mentioned in the
contract.") is an assertion, for it may be the very answer asked for; the same about what was
retrieved ("... in the passages") declines. And a bare "Not covered." or "Not included." answers
questions on cover and inclusion.
"""

import re

from citeval_assets.text.abstention_phrases import declined, denied_by_sources, may_decline
from citeval_assets.text.assertions import asserts
from citeval_assets.text.courtesy_phrases import (
    ADVICE_AFTER_ABSTAINING,
    APOLOGY,
    GREETING,
)
from citeval_assets.text.phrasing import plain
from citeval_assets.text.references import claim_sentences

_CONTRAST = re.compile(
    r"[,;:]? \b(?:but|however|although|though|yet|nevertheless|nonetheless|whereas|while|instead|"
    r"aber|jedoch|allerdings|dennoch|trotzdem|während|sondern|mais|cependant|toutefois|néanmoins|"
    r"pourtant|"
    r"pero|sin embargo|aunque|no obstante|sino|но|однако|хотя)\b,? |\s*[;；]\s*|\s+[–—]\s+|\s*—\s*|"
    r": |，但是?|、しかし"
)
_CONCESSION = re.compile(
    r"^(?:while|although|though|even though|whereas|obwohl|obgleich|während|bien que|même si|"
    r"aunque|"
    r"si bien|хотя) (?P<first>[^,]{1,300}),\s*(?P<second>.+)$",
    re.DOTALL,
)
_LEADING_CONTRAST = re.compile(
    r"^(?:however|but|so|thus|therefore|hence|and|also|as such|consequently|accordingly|for this "
    r"reason|"
    r"unfortunately|regrettably|sadly|sorry|i'm sorry|i am sorry|i apologize|based on (?:the|this|"
    r"these|my) [^,]{1,80}|"
    r"jedoch|leider|aber|daher|somit|malheureusement|cependant|donc|pero|por (?:lo )?tanto|"
    r"lamentablemente|"
    r"но|поэтому|к сожалению)[,:]? "
)
_THEY = re.compile(r"^(?:they|it|these|those) ")
"""After an abstention these stand for the sources."""

_NOT_WHO = re.compile(r"^not (?=(?:who|what|when|where|why|how|which|whether|if|the|its|their)\b)")
_DESCRIBES_SOURCES = re.compile(
    r"^(?:the |these |those |all |this )?(?:\w+ ){0,2}(?:documents?|passages?|sources?|chunks?|"
    r"contexts?|texts?|"
    r"articles?|excerpts?|snippets?|results?)\b.{0,20}?\b(?:do |does |also |only |mainly |"
    r"primarily )*(?:mentions?|discuss(?:es)?|covers?|focus(?:es)?|"
    r"talks?|contains?|describes?|(?:is|are) about|deals?|provides?|refers?|lists?|relates?|"
    r"includes?)\b"
    r"(?!.{0,40}\bthat\b)"
)


_EARLY = 40
"""An abstention that begins within so many characters opens its sentence."""


def is_abstention(text: str) -> bool:
    """Whether an answer is empty or nothing but an abstention."""
    said_words = [words for one in claim_sentences(text) if (words := plain(one.text))]
    if not said_words:
        return not plain(text)
    if not any(map(may_decline, said_words)):
        return False
    abstains = False
    for words in said_words:
        said = _THEY.sub("the documents ", words) if abstains else words
        if _declines_only(said):
            abstains = True
        elif not _goes_with_abstaining(said):
            return False
    return abstains


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
            _declines(clauses[0]) or _declines_only(words) or _declines_early(words)
        )
    return False


def is_abstention_sentence(sentence: str) -> bool:
    """Whether a sentence declines to answer and claims nothing beside."""
    return _declines_only(plain(sentence))


def _declines_only(words: str) -> bool:
    if not words or words.endswith("?") or not may_decline(words):
        return False
    clauses = _clauses(words)
    done = [_declines(clause) for clause in clauses]
    return any(done) and all(
        declines or _is_harmless(clause) for declines, clause in zip(done, clauses, strict=True)
    )


def says_not_in_sources(sentence: str) -> bool:
    """Whether a sentence says that the sources do not hold something, and nothing beside."""
    words = plain(sentence)
    clauses = _clauses(words)
    if not may_decline(words):
        return False
    negative = [denied_by_sources(clause) is not None for clause in clauses]
    if not any(negative):
        return False
    return all(
        done or _is_harmless(clause) or _declines(clause)
        for done, clause in zip(negative, clauses, strict=True)
    )


def _clauses(words: str) -> list[str]:
    """Cut a sentence at its contrasts; "they" after a clause about the sources are the sources."""
    concession = _CONCESSION.match(words)
    parts = [concession["first"], concession["second"]] if concession else [words]
    clauses: list[str] = []
    about_sources = False
    for part in (piece for one in parts for piece in _CONTRAST.split(one)):
        clause = _LEADING_CONTRAST.sub("", part.strip(" ,")).strip(" ,")
        if about_sources:
            clause = _NOT_WHO.sub("the documents do not say ", _THEY.sub("the documents ", clause))
        if clause:
            clauses.append(clause)
            about_sources = about_sources or _DESCRIBES_SOURCES.match(clause) is not None
    return clauses


def _declines(clause: str) -> bool:
    return declined(clause) is not None


def _declines_early(words: str) -> bool:
    place = declined(words)
    return place is not None and place < _EARLY


def _is_harmless(clause: str) -> bool:
    """Whether a clause beside an abstention claims nothing about the matter itself."""
    if APOLOGY.fullmatch(clause) or ADVICE_AFTER_ABSTAINING.fullmatch(clause):
        return True
    if re.search(r"\d", clause):
        return False
    return _DESCRIBES_SOURCES.match(clause) is not None or len(clause.split()) <= 2


def _goes_with_abstaining(words: str) -> bool:
    return (
        not asserts(words)
        or APOLOGY.fullmatch(words) is not None
        or ADVICE_AFTER_ABSTAINING.fullmatch(words) is not None
        or all(_is_harmless(clause) for clause in _clauses(words))
    )
