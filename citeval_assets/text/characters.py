"""Character facts shared by the parsers: scripts without word gaps, invisible code points."""

import re
import unicodedata

SUPERSCRIPT_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
SUPERSCRIPT_TO_DIGIT = {ord(sup): str(value) for value, sup in enumerate(SUPERSCRIPT_DIGITS)}

ZERO_WIDTH = (
    "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u180e\u034f\u115f\u1160\u3164\uffa0"
)
"""Code points that take no room and carry no direction."""

SOFT_HYPHEN = "\u00ad"
DIRECTION_MARKS = "\u200e\u200f\u061c"
"""Single marks that only steer neighbouring punctuation; common in honest right-to-left text."""

DIRECTION_CONTROLS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Embeddings, overrides and isolates: they can make text read otherwise than it is stored."""

TAG_CHARACTERS = re.compile("[\U000e0000-\U000e007f]")
VARIATION_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"

INVISIBLE = re.compile(
    f"[{ZERO_WIDTH}{SOFT_HYPHEN}{DIRECTION_MARKS}{DIRECTION_CONTROLS}{VARIATION_SELECTORS}"
    "\U000e0000-\U000e007f]"
)
"""Everything that is taken out before words are compared."""

_UNSPACED_RANGES = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b"
    "\u3040-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
UNSPACED = re.compile(f"[{_UNSPACED_RANGES}]")
"""Letters of scripts that put no blank between words: any of their borders is a word border."""

EAST_ASIAN = re.compile(
    "[\u2e80-\u2fdf\u3001-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff9f"
    "\U00020000-\U0003ffff]"
)
"""Han, kana and their punctuation: a line break between two of them is layout, not a blank."""

WORD = re.compile(f"[{_UNSPACED_RANGES}]|(?:(?![{_UNSPACED_RANGES}])[^\\W_])+")
"""One word, or one letter of a script without word gaps."""


def word_set(words: str) -> frozenset[str]:
    """Return the set of the words of a text: the readable way to write a long set."""
    return frozenset(words.split())


_ASCII_BLANK_BETWEEN_WORDS = bytes(
    code if code < 128 and chr(code).isalnum() else ord(" ") for code in range(256)
)


def ascii_words(text: str) -> list[str]:
    """Return the words (letters and digits) of an ASCII text. Cut as bytes: the fastest way."""
    return text.encode("ascii").translate(_ASCII_BLANK_BETWEEN_WORDS).decode("ascii").split()


def is_unspaced(char: str) -> bool:
    """Whether ``char`` belongs to a script that writes without gaps between words."""
    return bool(char) and UNSPACED.match(char) is not None


def is_mark(char: str) -> bool:
    """Whether ``char`` belongs to the letter before it: an accent, a vowel sign, a tone mark."""
    return char > "\u02ff" and unicodedata.category(char).startswith("M")


def base_before(text: str, end: int) -> str:
    """Return the character before ``end``, passing over the marks it bears; "" if none."""
    while end > 0 and is_mark(text[end - 1]):
        end -= 1
    return text[end - 1 : end]


def without_invisible(text: str) -> str:
    """Return ``text`` without zero-width characters, soft hyphens and direction controls."""
    return text if text.isascii() else INVISIBLE.sub("", text)


def trimmed_nfc(text: str) -> str:
    """Return ``text`` as ids are compared: NFC, invisible characters out, no blanks around."""
    return (
        text.strip()
        if text.isascii()
        else unicodedata.normalize("NFC", without_invisible(text)).strip()
    )


def word_count(text: str) -> int:
    """Count the words of ``text``.

    Two letters of a script without word gaps count as one word (the mean word length of
    Chinese and Japanese prose is close to two); a number such as ``3.5`` or a word such as
    ``don't`` or ``well-known`` counts once.
    """
    spaced = 0
    unspaced = 0
    for token in without_invisible(text).split():
        letters = len(UNSPACED.findall(token))
        unspaced += letters
        if any(char.isalnum() and not is_unspaced(char) for char in token):
            spaced += 1
    return spaced + (unspaced + 1) // 2
