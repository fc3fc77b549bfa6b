"""How models say that they cannot answer, in several languages.

Written over word stems and their order rather than as whole sentences, so that new wordings
are met. All are tried on one clause in lower case with straight apostrophes. A language's
patterns are tried only on clauses that hold one of its words of denial: most hold none.
"""

import re
from functools import lru_cache

from citeval_assets.text import abstention_english as english
from citeval_assets.text.abstention_languages import (
    ASIAN,
    FRENCH,
    GERMAN,
    RUSSIAN,
    SPANISH,
)
from citeval_assets.text.abstention_neighbours import DUTCH, ITALIAN, POLISH, PORTUGUESE
from citeval_assets.text.phrasing import Phrases

# "more than" stands in half of all answers: only with what is asked for is it a sign.
_MORE = ("more", "additional", "further")
_OF_IT = r"(?:inf|men|ans|det|dat|ref|ind|rec|exp|con|spe|sta|sou|evi|doc)"
_MORE_OF_IT = rf"\b(?:{'|'.join(_MORE)}) {_OF_IT}"
_ENGLISH_TRIGGER = (
    r"n't\b|\b(?:not|no|none|neither|nothing|nowhere|never|cannot|unable|unknown|unclear|"
    r"uncertain|unanswer\w*|"
    r"unavailable|insufficient|inadequate|enough|little|lack\w*|omits?|silent|missing|fails?|"
    r"failed|abstain\w*|refrain|"
    r"decline|impossible|difficult|beyond|outside|out of|dont|idk|n/?a|"
    r"hard|unspecified|undisclosed|undetermined|indeterminate)\b|" + _MORE_OF_IT
)
_LANGUAGES = (
    Phrases(
        trigger=_ENGLISH_TRIGGER,
        in_sources=english.IN_SOURCES,
        elsewhere=english.MATTER,
        whole=english.WHOLE,
        speaker=english.SPEAKER,
        speaker_words=(
            r"\b(?:i|we|i'm|i've|i'd|cannot|can't|can not|unable|not able|won't|will not)\b"
        ),
        source_words=english.SOURCE + r"|\bthem\b|\bthese\b|\bthose\b",
    ),
    GERMAN,
    FRENCH,
    SPANISH,
    ITALIAN,
    PORTUGUESE,
    DUTCH,
    POLISH,
    RUSSIAN,
    ASIAN,
)
_ANY_TRIGGER = re.compile("|".join(one.trigger for one in _LANGUAGES))
_OF_TWO_WORDS = (
    ("out of", re.compile(r"\bout of\b")),
    ("zu wenig", re.compile(r"zu wenig")),
    ("k. a", re.compile(r"k\. a")),
    *((f"{more} ", re.compile(rf"\b{more} {_OF_IT}")) for more in _MORE),
)
"""The triggers that hold a blank, each with what a text must hold to match: most hold none."""


def may_decline(words: str) -> bool:
    """Whether any word of denial stands in ``words``: a cheap first look.

    ``words`` are parted by single blanks (``plain``).
    """
    return any(map(_denies, words.split(" "))) or any(
        held in words and trigger.search(words) for held, trigger in _OF_TWO_WORDS
    )


@lru_cache(maxsize=4_096)
def _denies(word: str) -> bool:
    """Whether a word is one of denial. A blank is a word border, so words can be asked singly."""
    return _ANY_TRIGGER.search(word) is not None


def denied_by_sources(clause: str) -> int | None:
    """Return where a clause says that the sources do not hold something, or ``None``."""
    found = [place for one in _LANGUAGES if (place := one.find_in_sources(clause)) is not None]
    return min(found, default=None)


def declined(clause: str) -> int | None:
    """Return where a clause declines to answer, in whatever way, or ``None``."""
    for one in _LANGUAGES:
        place = one.find(clause)
        if place is not None:
            return place
    return None
