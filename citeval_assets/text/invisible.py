"""Characters a reader cannot see, or takes for others: counted, and shown as codes."""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from citeval_assets.text.characters import (
    DIRECTION_CONTROLS,
    DIRECTION_MARKS,
    SOFT_HYPHEN,
    ZERO_WIDTH,
)

_ZERO_WIDTH = re.compile(f"[{ZERO_WIDTH}]")
_DIRECTION = re.compile(f"[{DIRECTION_CONTROLS}]")
_TAGS = re.compile("[\U000e0000-\U000e007f]")
_SHOWN = re.compile(f"[{DIRECTION_CONTROLS}\U000e0000-\U000e007f]")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{2,8}\U000e007f")
"""A regional flag emoji is spelt with tag characters on purpose."""

_JOINS_VISIBLY = re.compile(
    "(?<=[\u0600-\u0dff\u0e00-\u0fff\u1780-\u17ff])[\u200c\u200d]"
    "|[\u200d](?=[\u2190-\u2bff\U0001f000-\U0001faff])"
)
"""Joiners that shape the letters of Arabic and Indic scripts or build one emoji."""

_CASED_WORD = re.compile(r"[^\W\d_]{2,}")
_GREEK_LOOKALIKES = frozenset("οΟνυρΡιΙΑΒΕΖΗΚΜΝΤΥΧαε")
_SHORTEST_WORD = 5
_LOOKALIKE_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")


@dataclass(frozen=True, slots=True)
class CharacterNote:
    """One kind of hidden or misleading character and how many there are.

    ``kind`` is ``invisible_characters``, ``direction_controls``, ``tag_characters`` (counted
    in characters) or ``mixed_scripts`` (counted in words).
    """

    kind: str
    count: int


def invisible_characters(text: str) -> tuple[CharacterNote, ...]:
    """Count what hides in ``text``: nothing for honest text in any script.

    Soft hyphens, direction marks of right-to-left scripts, and joiners inside Arabic, Indic
    and emoji sequences are honest typography and not counted.
    """
    if text.isascii():
        return ()
    counts: Counter[str] = Counter()
    counts["invisible_characters"] = len(_ZERO_WIDTH.findall(_JOINS_VISIBLY.sub("", text)))
    counts["direction_controls"] = len(_DIRECTION.findall(text))
    counts["tag_characters"] = len(_TAGS.findall(_FLAG.sub("", text)))
    counts["mixed_scripts"] = sum(map(_mixes_scripts, _CASED_WORD.findall(text)))
    return tuple(CharacterNote(kind, count) for kind, count in counts.items() if count)


def invisible_kinds(text: str) -> tuple[str, ...]:
    """Return the kinds of hidden characters in ``text``."""
    return tuple(note.kind for note in invisible_characters(text))


def visible(text: str) -> str:
    """Return ``text`` with tag characters and direction controls written as codes.

    ``‹U+202E›`` for a direction override. For what a model or a reviewer sees; the stored
    text stays as it is.
    """
    if text.isascii():
        return text
    return _SHOWN.sub(lambda match: f"‹U+{ord(match.group()):04X}›", text)


def _mixes_scripts(word: str) -> bool:
    """Whether letters of scripts that look alike stand in one word.

    Greek letters are at home in Latin symbols (TNFα, kΩ, λmax): they count only where they
    look like a Latin letter and the word is long enough to be no symbol.
    """
    if word.isascii():
        return False
    scripts = {script for char in word if (script := _script(char))}
    if "CYRILLIC" in scripts:
        return len(scripts) > 1
    latin_and_greek = len(scripts) > 1 and len(word) >= _SHORTEST_WORD
    return latin_and_greek and any(char in _GREEK_LOOKALIKES for char in word)


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    name = unicodedata.name(char, "")
    if char in "µΩ" or name.startswith("MICRO") or "MATHEMATICAL" in name:
        return ""
    return next((script for script in _LOOKALIKE_SCRIPTS if name.startswith(script)), "")


__all__ = [
    "DIRECTION_MARKS",
    "SOFT_HYPHEN",
    "CharacterNote",
    "invisible_characters",
    "invisible_kinds",
    "visible",
]
