"""Where a provider's key comes from: an environment variable, or a file that one names.

With ``api_key_env: JUDGE_KEY`` the key is the value of ``JUDGE_KEY``, else the content of the
file whose path ``JUDGE_KEY_FILE`` holds (how container platforms hand over secrets). There is no
other way in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FILE_SUFFIX = "_FILE"
MAX_KEY_BYTES = 65_536


class KeyUnreadable(ValueError):
    """The file that should hold a key cannot be used. The message never repeats its content."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key, hidden wherever it might be shown."""

    value: str = field(repr=False)


def find_key(name: str, environ: Mapping[str, str]) -> ApiKey | None:
    """Return the key that ``api_key_env: name`` stands for; ``None`` where none is set.

    Raises:
        KeyUnreadable: where the named file is missing, unreadable, too large or empty.
    """
    value = environ.get(name, "").strip()
    if value:
        return ApiKey(value)
    path = environ.get(name + FILE_SUFFIX, "").strip()
    return ApiKey(_read(Path(path), name + FILE_SUFFIX)) if path else None


def _read(path: Path, variable: str) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_KEY_BYTES + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise KeyUnreadable(f"the file named by {variable} cannot be read: {reason}") from None
    if len(raw) > MAX_KEY_BYTES:
        raise KeyUnreadable(f"the file named by {variable} is too large to be a key")
    try:
        key = raw.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise KeyUnreadable(f"the file named by {variable} is not text") from None
    if not key or any(char in key for char in "\r\n\x00"):
        raise KeyUnreadable(f"the file named by {variable} must hold one line: the key")
    return key
