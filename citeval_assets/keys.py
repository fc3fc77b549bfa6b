"""Names of things, made safe for partitions, tags and files.

Two reversible spellings of one id (NFC first, then percent-encoding of its UTF-8 bytes):

* the *key* (``encode_key``) keeps ``A-Z a-z 0-9 . _ : @ / + -`` and is used for partitions,
  tags and artefact names. Runs of three and more dots are encoded too, because ``a...b`` is
  how partition ranges are written.
* the *file name* (``file_name_for``) keeps ``a-z 0-9 _ -`` and single inner dots only, so that
  two ids never share a file, also where the file system ignores case, forbids ``:`` or
  reserves names such as ``nul``.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable

MAX_KEY_CHARS = 128
"""The longest encoded key."""

MAX_FILE_NAME_CHARS = 180
"""Longer file names are cut and carry a digest: 255 bytes is what file systems take."""

_KEY_OUTSIDE = re.compile(r"[^A-Za-z0-9._:@/+-]|\.{3,}", re.DOTALL)
_FILE_OUTSIDE = re.compile(r"[^a-z0-9_.-]|^[.-]|\.$|\.(?=\.)|(?<=\.)\.", re.DOTALL)
_RESERVED_STEM = re.compile(r"(?:nul|con|prn|aux|com\d|lpt\d)(?=\.|$)")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_HEX = re.compile(rb"%([0-9A-F]{2})")
_ESCAPE = re.compile(r"%(?![0-9A-F]{2})")
_DIGEST_MARK = "~"
_REFUSED_CATEGORIES = {
    "Cc": "a control character",
    "Cs": "half of a surrogate pair",
    "Zl": "a line separator",
    "Zp": "a paragraph separator",
}
_INVISIBLE_CATEGORIES = frozenset({"Cf", "Zs", "Mn", "Me"})


class KeyRefused(ValueError):
    """An id that cannot become a key, or a text that is no encoded key."""


def encode_key(text: str) -> str:
    """Return the partition key of an id: ``decode_key`` gives back ``NFC(text)``.

    Raises:
        KeyRefused: for an empty or blank id, one with control characters or line breaks, and
            one whose key would be longer than 128 characters.
    """
    key = _percent(_normalised(text), _KEY_OUTSIDE)
    if len(key) > MAX_KEY_CHARS:
        raise KeyRefused(
            f"id {_shown(text)} is too long: its key has {len(key)} characters, at most "
            f"{MAX_KEY_CHARS} are allowed; choose a shorter id"
        )
    return key


def decode_key(key: str) -> str:
    """Return the id (in NFC) that ``encode_key`` made this key of.

    Raises:
        KeyRefused: for a text that ``encode_key`` never gives.
    """
    return _decoded(key, encode_key, "key")


def is_key(text: str) -> bool:
    """Whether ``text`` is a key that ``encode_key`` could have given."""
    try:
        decode_key(text)
    except KeyRefused:
        return False
    return True


def check_id(text: str) -> str:
    """Return an id in NFC, of any length.

    Raises:
        KeyRefused: for an empty or blank id and one with control characters or line breaks.
    """
    return _normalised(text)


def file_name_for(key: str) -> str:
    """Return a file name (no folder, no suffix) that belongs to this id or key alone.

    Names over 180 characters are cut and end in ``~`` and the SHA-256 of the whole.

    Raises:
        KeyRefused: for an empty or blank id and one with control characters.
    """
    text = _normalised(key)
    name = _percent(text, _FILE_OUTSIDE)
    if _RESERVED_STEM.match(name):
        name = f"%{ord(name[0]):02X}{name[1:]}"
    if len(name) <= MAX_FILE_NAME_CHARS:
        return name
    digest = hashlib.sha256(text.encode()).hexdigest()
    head = name[: MAX_FILE_NAME_CHARS - len(digest) - len(_DIGEST_MARK)]
    return f"{head}{_DIGEST_MARK}{digest}"


def id_of_file_name(name: str) -> str:
    """Return the id (in NFC) that ``file_name_for`` made this name of.

    Raises:
        KeyRefused: for a name that ``file_name_for`` never gives, and for one that was cut
            (the id is not in it).
    """
    if _DIGEST_MARK in name:
        raise KeyRefused(f"file name {_shown(name)} was cut; its id cannot be read from it")
    return _decoded(name, file_name_for, "file name")


def is_plain_name(text: str) -> bool:
    """Whether ``text`` can stand as it is as one path component on every file system.

    Letters, digits, ``.``, ``_`` and ``-``, starting with a letter or digit, not ending in a
    dot, no name that Windows reserves: the rule for names an operator chooses.
    """
    return (
        _PLAIN_NAME.fullmatch(text) is not None
        and not text.endswith(".")
        and _RESERVED_STEM.match(text.lower()) is None
    )


def _normalised(text: str) -> str:
    text = unicodedata.normalize("NFC", text)
    if not text:
        raise KeyRefused("an id must not be empty; give it a name")
    for position, char in enumerate(text):
        kind = _REFUSED_CATEGORIES.get(unicodedata.category(char))
        if kind is not None:
            raise KeyRefused(
                f"id {_shown(text)} holds {kind} (U+{ord(char):04X}) at position {position}; "
                "remove it"
            )
    if all(unicodedata.category(char) in _INVISIBLE_CATEGORIES for char in text):
        raise KeyRefused(f"id {_shown(text)} is blank; give it a visible name")
    return text


def _percent(text: str, outside: re.Pattern[str]) -> str:
    return outside.sub(lambda m: "".join(f"%{byte:02X}" for byte in m[0].encode()), text)


def _decoded(spelling: str, encode: Callable[[str], str], what: str) -> str:
    try:
        if _ESCAPE.search(spelling):
            raise KeyRefused(f"{_shown(spelling)} is no {what}: '%' without two hex digits")
        text = _HEX.sub(lambda m: bytes([int(m[1], 16)]), spelling.encode()).decode()
    except UnicodeError:
        raise KeyRefused(f"{_shown(spelling)} is no {what}: its bytes are not UTF-8") from None
    if encode(text) != spelling:
        raise KeyRefused(
            f"{_shown(spelling)} is no {what}: the {what} of this id is {_shown(encode(text))}"
        )
    return text


def _shown(text: str) -> str:
    return ascii(text if len(text) <= 60 else f"{text[:57]}...")
