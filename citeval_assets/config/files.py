"""Reading the text files of a project: UTF-8, of a sane size, with a clear word when not."""

import codecs
from pathlib import Path

MAX_TEXT_BYTES = 4_000_000
"""The largest configuration or prompt file that is read."""

_WIDE_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class UnreadableText(ValueError):
    """A file that cannot be read as text; the message says why and what to do."""


def read_text_file(path: Path) -> str:
    """Return the text of a UTF-8 file, without byte order mark, with ``\\n`` line ends.

    Raises:
        UnreadableText: where there is no such file, it cannot be opened, is too large, or is
            not UTF-8.
    """
    try:
        if not path.is_file():
            what = "it is a folder" if path.is_dir() else "there is no such file"
            raise UnreadableText(what)
        if path.stat().st_size > MAX_TEXT_BYTES:
            raise UnreadableText(f"it is larger than {MAX_TEXT_BYTES} bytes")
        raw = path.read_bytes()
    except OSError as error:
        raise UnreadableText(f"it cannot be read: {error.strerror or error}") from None
    return decode_text(raw)


def decode_text(raw: bytes) -> str:
    """Return UTF-8 bytes as text, see ``read_text_file``."""
    if raw.startswith(_WIDE_MARKS):
        raise UnreadableText("wrong encoding: it is UTF-16 or UTF-32; save it as UTF-8")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UnreadableText(
            f"wrong encoding: line {line} holds the byte 0x{raw[error.start]:02X}, which is not "
            "UTF-8; save it as UTF-8"
        ) from None
    if "\x00" in text:
        raise UnreadableText("wrong encoding: it holds NUL characters; save it as UTF-8 text")
    return text.replace("\r\n", "\n").replace("\r", "\n")
