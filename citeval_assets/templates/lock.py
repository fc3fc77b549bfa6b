"""``prompts.lock``: the hashes of what was released, so that no version changes in place."""

import hashlib
import json
import os
from pathlib import Path

from citeval_assets.config.files import UnreadableText, read_text_file

LOCK_FILE = "prompts.lock"


class LockFault(ValueError):
    """A lock file that cannot be read, or a released file that was changed."""


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text file; line ends and a byte order mark do not count."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_lock(prompts_dir: Path) -> dict[str, str]:
    """Return the locked files (paths relative to the prompts folder) and their hashes.

    Raises:
        LockFault: for a lock file that is there but cannot be read.
    """
    path = prompts_dir / LOCK_FILE
    if not path.exists():
        return {}
    remedy = "restore it from version control"
    try:
        content = json.loads(read_text_file(path))
    except UnreadableText as error:
        raise LockFault(f"{error}; {remedy}") from None
    except ValueError as error:
        raise LockFault(f"not valid JSON ({error}); {remedy}") from None
    files = content.get("files") if isinstance(content, dict) else None
    if not isinstance(files, dict) or not all(isinstance(value, str) for value in files.values()):
        raise LockFault(f"it must hold an object 'files' of paths and hashes; {remedy}")
    return files


def write_lock(prompts_dir: Path, files: dict[str, str]) -> None:
    """Write the lock file in one step."""
    path = prompts_dir / LOCK_FILE
    aside = path.with_name(f"{LOCK_FILE}.{os.getpid()}.tmp")
    text = json.dumps({"files": files}, indent=2, sort_keys=True, ensure_ascii=False)
    aside.write_text(text + "\n", encoding="utf-8", newline="\n")
    aside.replace(path)
