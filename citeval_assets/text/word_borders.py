"""Whether a stretch of text begins and ends where words and numbers do."""

import re

from citeval_assets.text.characters import INVISIBLE, SOFT_HYPHEN, base_before, is_mark, is_unspaced
from citeval_assets.text.spans import Span

_HYPHENS = "-\u2010\u2011"
_BREAK = " \t\r\n\u2028\u0085"
_LOOK = 24
_CONTRACTED_NOT = re.compile(r"['\u2019\u02bc]t(?![^\W\d_])", re.IGNORECASE)


def stands_on_borders(text: str, span: Span) -> bool:
    """Whether ``span`` cuts neither a word nor a number of ``text`` in two.

    "safe" is refused inside "unsafe", "un-safe" and "un-<line break>safe", "5 kg" inside
    "3.5 kg", "about 10" before a superscript, "we can" before "'t". Letters of scripts that
    put no blanks between words may be cut anywhere, but no letter is parted from the combining
    marks it bears.
    """
    if is_mark(text[span.end : span.end + 1]) and not INVISIBLE.match(text[span.end]):
        return False
    return _border_before(text, span) and _border_behind(text, span)


def _border_before(text: str, span: Span) -> bool:
    first = text[span.start]
    before = INVISIBLE.sub("", text[max(0, span.start - _LOOK) : span.start])
    if not before or not first.isalnum() or is_unspaced(first):
        return True
    previous = base_before(before, len(before)) or before[-1]
    if is_unspaced(previous):
        return True
    if previous.isalnum() or previous == "_":
        return False
    if first.isdigit() and previous in ".,\u066b" and before[-2:-1].isdigit():
        return False
    if first.isdigit() and previous in "-\u2212" and not before[-2:-1].isalnum():
        return before[-2:-1] in _HYPHENS and len(before) > 1
    return not _hyphenated(text[max(0, span.start - _LOOK) : span.start][::-1])


def _border_behind(text: str, span: Span) -> bool:
    last = base_before(text, span.end) or text[span.end - 1]
    behind = INVISIBLE.sub("", text[span.end : span.end + _LOOK])
    if not behind or is_unspaced(last) or not (last.isalnum() or last == "_"):
        return True
    following = behind[0]
    if is_unspaced(following):
        return True
    if following.isalnum() or following == "_":
        return False
    if last.isdigit() and following in ".,\u066b" and behind[1:2].isdigit():
        return False
    if _CONTRACTED_NOT.match(behind):
        return False
    return not _hyphenated(text[span.end : span.end + _LOOK])


def _hyphenated(beyond: str) -> bool:
    """Whether a hyphen joins the word to a letter ``beyond``, also over a line break."""
    if not beyond or beyond[0] not in _HYPHENS + SOFT_HYPHEN + _BREAK:
        return False
    bare = beyond.lstrip(_BREAK) if beyond[0] in _BREAK else beyond
    if bare is not beyond and not any(
        c in "\r\n\u2028\u0085" for c in beyond[: -len(bare) or None]
    ):
        return False
    if not bare or bare[0] not in _HYPHENS + SOFT_HYPHEN:
        return False
    rest = bare[1:]
    if bare is beyond:
        rest = _skip_line_break(rest)
    return bool(rest) and rest[0].isalpha()


def _skip_line_break(text: str) -> str:
    stripped = text.lstrip(_BREAK)
    skipped = text[: len(text) - len(stripped)]
    return stripped if any(char in "\r\n\u2028\u0085" for char in skipped) else text
