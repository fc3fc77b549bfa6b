"""Names of gates that nobody named."""

import re
from collections.abc import Iterable

_NOT_PLAIN = re.compile(r"[^A-Za-z0-9._-]+")


def plain_name(parts: Iterable[str]) -> str:
    """Return the parts as one plain name."""
    return _NOT_PLAIN.sub("-", "-".join(parts)).strip("-.")[:100]
