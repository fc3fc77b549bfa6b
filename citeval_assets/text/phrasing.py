"""What the phrase tables share: bringing a sentence into the form they are written for."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

import regex

from citeval_assets.text.characters import without_invisible
from citeval_assets.text.citation_tail import without_marks

_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "“": '"', "”": '"'})
_LEAD = re.compile(r"^(?:[\s>#*_•◦–—-]+|\(?\d{1,3}[.)]\s+)+")
MAX_PHRASE_CHARS = 1_000
"""A longer sentence is no phrase; only its beginning is looked at."""


@lru_cache(maxsize=256)
def plain(sentence: str) -> str:
    """Return a sentence in lower case, without marks, bullets, emphasis and outer punctuation.

    A closing question mark or colon stays. Remembered for a while: several readers ask for the
    same sentence one after the other.
    """
    text = without_invisible(sentence[:MAX_PHRASE_CHARS]).translate(_QUOTES)
    text = without_marks(text)
    text = _LEAD.sub("", text).replace("**", "").replace("__", "")
    return " ".join(text.split()).strip(" \"'()[]*_.,;!…。！").lower()


def any_of(*patterns: str) -> "regex.Pattern[str]":
    """Compile alternatives into one case-insensitive pattern."""
    return regex.compile("|".join(f"(?:{pattern})" for pattern in patterns), regex.IGNORECASE)


def _any_lower(*patterns: str) -> "regex.Pattern[str]":
    return regex.compile("|".join(f"(?:{pattern})" for pattern in patterns))


@dataclass(frozen=True)
class Phrases:
    """The abstention phrases of one language or group of languages.

    All are written in lower case for text in lower case (``plain``): looking past the case of
    letters would make the search several times slower. ``trigger`` is a plain alternation of
    words of denial without which no phrase can match; ``source_words`` and ``speaker_words`` do
    the same for the phrases about sources and about the speaker.
    """

    trigger: str
    in_sources: tuple[str, ...]
    elsewhere: tuple[str, ...]
    whole: tuple[str, ...]
    speaker: tuple[str, ...] = ()
    speaker_words: str = ""
    source_words: str = ""

    @cached_property
    def _triggers(self) -> "re.Pattern[str]":
        return re.compile(self.trigger)

    @cached_property
    def _patterns(self) -> "dict[str, regex.Pattern[str]]":
        return {
            "in_sources": _any_lower(*self.in_sources),
            "elsewhere": _any_lower(*self.elsewhere),
            "whole": _any_lower(*self.whole),
            "speaker": _any_lower(*(self.speaker or (r"(?!)",))),
        }

    @cached_property
    def _speaker_words(self) -> "re.Pattern[str]":
        return re.compile(self.speaker_words)

    @cached_property
    def _source_words(self) -> "re.Pattern[str]":
        return re.compile(self.source_words)

    def find_in_sources(self, clause: str) -> int | None:
        """Return where the clause says that the sources hold no answer."""
        if not self._triggers.search(clause):
            return None
        if self.source_words and not self._source_words.search(clause):
            return None
        match = self._patterns["in_sources"].search(clause)
        return match.start() if match else None

    def find(self, clause: str) -> int | None:
        """Return where the clause declines to answer, in whatever way."""
        if not self._triggers.search(clause):
            return None
        if self._patterns["whole"].fullmatch(clause):
            return 0
        speaks = self.speaker and self._speaker_words.search(clause)
        if speaks and (match := self._patterns["speaker"].search(clause)):
            return match.start()
        if match := self._patterns["elsewhere"].search(clause):
            return match.start()
        return self.find_in_sources(clause)
