"""Text that no database takes, made storable and back.

Lone surrogates cannot be encoded as UTF-8, and PostgreSQL refuses NUL. Both are written as the
noncharacter U+FDD0 and four hex digits; U+FDD0 itself likewise, so that the way back is exact.
"""

import re

_MARK = "\ufdd0"
_UNSTORABLE = re.compile("[\x00\ud800-\udfff\ufdd0]")
_ESCAPED = re.compile("\ufdd0([0-9a-f]{4})")


def storable(text: str) -> str:
    """Return ``text`` as it can be stored anywhere."""
    if _can_be_stored(text):
        return text
    return _UNSTORABLE.sub(lambda found: f"{_MARK}{ord(found.group()):04x}", text)


def original(text: str) -> str:
    """Undo ``storable``."""
    if _MARK not in text:
        return text
    return _ESCAPED.sub(lambda found: chr(int(found.group(1), 16)), text)


def _can_be_stored(text: str) -> bool:
    """Whether there is nothing to escape: an encoder sees it far sooner than an expression."""
    if "\x00" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return _MARK not in text
