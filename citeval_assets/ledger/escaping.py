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
    if text.isascii() and "\x00" not in text:
        return text
    return _UNSTORABLE.sub(lambda found: f"{_MARK}{ord(found.group()):04x}", text)


def original(text: str) -> str:
    """Undo ``storable``."""
    if _MARK not in text:
        return text
    return _ESCAPED.sub(lambda found: chr(int(found.group(1), 16)), text)
