"""A coarse folding for the injection screen: look-alike letters become one letter."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from citeval_assets.text.characters import INVISIBLE

_LOOKALIKES = dict(
    zip(
        "аеорсухіјѕԁԛԝһкмтвнёαεορτυχικνвοѵ",
        "aeopcyxijsdqwhkmtbheaeoptyxikvbov",
        strict=False,
    )
)


def fold_for_screen(text: str) -> tuple[str, Sequence[int]]:
    """Return ``text`` in lower case, one blank for white space, and where each letter was.

    Invisible characters are dropped, compatibility forms unfolded; a letter of another script
    inside a word with Latin letters becomes the Latin letter it looks like.
    """
    if text.isascii():
        return _fold_ascii(text)
    folded: list[str] = []
    places: list[int] = []
    for position, char in enumerate(text):
        for piece in _folded(char):
            if piece == " " and folded and folded[-1] == " ":
                continue
            folded.append(piece)
            places.append(position)
    return _latinised("".join(folded)), places


def _fold_ascii(text: str) -> tuple[str, Sequence[int]]:
    lower = text.lower().translate(_WHITE)
    if "  " not in lower:
        return lower, range(len(text))
    pieces: list[str] = []
    places: list[int] = []
    for match in _WORDS.finditer(lower):
        pieces.append(match.group())
        places.extend(range(match.start(), match.end()))
    return "".join(pieces), places


_WORDS = re.compile(r"[^ ]+ ?")
"""Words with the first blank behind them: the rest of a run is dropped."""

_WHITE = str.maketrans("\t\n\r\x0b\x0c", "     ")


@lru_cache(maxsize=20_000)
def _folded(char: str) -> str:
    if INVISIBLE.match(char):
        return ""
    if char.isspace():
        return " "
    if char in "’‘ʼ´`":
        return "'"
    if char in "“”„«»":
        return '"'
    return unicodedata.normalize("NFKC", char).lower()


_LOOKALIKE = re.compile(f"[{''.join(_LOOKALIKES)}]")


def _latinised(text: str) -> str:
    """Replace look-alike letters that touch a Latin letter, directly or through each other."""
    if not _LOOKALIKE.search(text):
        return text
    letters = list(text)
    for step in (1, -1):
        previous_latin = False
        for index in range(len(letters))[::step]:
            char = letters[index]
            if char in _LOOKALIKES and previous_latin:
                letters[index] = _LOOKALIKES[char]
            else:
                previous_latin = "a" <= char <= "z"
    return "".join(letters)
