"""Keys do not stand in configuration: they are named by environment variable.

The check never repeats the value it refuses.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from citeval_assets.config.yaml_text import Path, key_text

_SECRET_NAME = re.compile(
    r"(?:^|_)(?:api_?keys?|api_?tokens?|(?:access|auth|bearer|refresh|session|id|hf|secret)_?tokens?"
    r"|tokens?_?secret|secrets?|secret_?(?:access_?)?keys?|access_?keys?|private_?keys?|account_?keys?"
    r"|subscription_?keys?|passwords?|passwds?|passphrases?|pwd|authorization|credentials?"
    r"|bearer|cookie)$|^(?:key|token)$"
)
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_SECRET_VALUE = re.compile(
    r"\bsk-[A-Za-z0-9_-]{16,}|\bsk_(?:live|test)_\w{8,}|\bAIza[\w-]{30,}|\bgh[pousr]_\w{20,}"
    r"|\bgithub_pat_\w{20,}|\bhf_[A-Za-z0-9]{20,}|\bxox[abprs]-[\w-]{10,}|\bAKIA[0-9A-Z]{16}\b"
    r"|\bgsk_\w{20,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.|\b[Bb]earer\s+\S{8,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY|[?&](?:api[_-]?key|key|token)=[^&\s]{8,}"
)
_URL_PASSWORD = re.compile(r"://[^/\s:@]*:[^/\s@]+@")

_REMEDY = "keys are accepted only as the name of an environment variable (a key ending in _env)"


class SecretInConfig(ValueError):
    """A key or password stands where only the name of an environment variable may."""


def refuse_secrets(value: object, where: str = "configuration") -> None:
    """Raise where a mapping (run configuration, a settings section) holds a secret.

    Raises:
        SecretInConfig: naming the key, never its value.
    """
    for path, reason in find_secrets(value):
        raise SecretInConfig(f"{where}: {key_text(path)}: {reason}")


def find_secrets(value: object, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Yield where secrets stand in plain data, with the reason, without the values."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _in_entry(str(key), inner, (*path, str(key)))
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        for position, inner in enumerate(value):
            yield from find_secrets(inner, (*path, position))
    elif isinstance(value, str):
        if _SECRET_VALUE.search(value):
            yield path, f"secret in config: the value looks like a key; {_REMEDY}"
        elif _URL_PASSWORD.search(value):
            yield path, f"secret in config: the address holds a password; {_REMEDY}"


def _in_entry(key: str, value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    name = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key).lower())
    name = name.strip("_")
    if name.endswith("_env"):
        if isinstance(value, str) and not _ENV_NAME.fullmatch(value):
            yield (
                path,
                "secret in config: expected the name of an environment variable such as "
                "OPENAI_API_KEY, found something else (not shown here, it may be a key)",
            )
        return
    if _SECRET_NAME.search(name) and value not in (None, ""):
        yield path, f"secret in config: {_REMEDY}; write {key}_env: NAME_OF_THE_VARIABLE"
        return
    yield from find_secrets(value, path)
