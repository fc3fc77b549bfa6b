"""What the phrase tables share: bringing a sentence into the form they are written for."""

import re

from citeval_assets.text.characters import without_invisible

_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "“": '"', "”": '"'})
_MARKS = re.compile(
    r"\[\[?[^\[\]\n]{1,80}+\]\]?(?:\([^\s()]{0,500}+\))?|【[^【】\n]{1,80}+】|[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
    r"|\((?:source|sources|doc|document|ref|quelle|fuente)s?\b[^()\n]{0,60}+\)",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^(?:[\s>#*_•◦–—-]+|\(?\d{1,3}[.)]\s+)+")
_BLANKS = re.compile(r"\s+")
MAX_PHRASE_CHARS = 1_000
"""A longer sentence is no phrase; only its beginning is looked at."""


def plain(sentence: str) -> str:
    """Return a sentence in lower case, without marks, bullets, emphasis and outer punctuation.

    Closing punctuation other than a question mark or colon goes too.
    """
    text = without_invisible(sentence[:MAX_PHRASE_CHARS]).translate(_QUOTES)
    text = _MARKS.sub(" ", text)
    text = _LEAD.sub("", text).replace("**", "").replace("__", "")
    return _BLANKS.sub(" ", text).strip(" \"'()[]*_.,;!…。！").lower()


def any_of(*patterns: str) -> re.Pattern[str]:
    """Compile alternatives into one case-insensitive pattern."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)
