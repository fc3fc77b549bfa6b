"""How single values are written into the warehouse: times, JSON, text."""

import json
import re
from datetime import UTC, datetime
from typing import Any

_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


def canonical(value: Any) -> str:
    """Return JSON text with sorted keys, no blanks, and no NaN or infinity.

    Raises:
        ValueError: where ``value`` holds NaN or infinity.
    """
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )


def read_time(text: str) -> datetime:
    """Read an ISO-8601 time; one without an offset is UTC.

    Fractions of any length are decimal fractions of a second: ``.3`` is 300 ms.
    """
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def storable(text: str) -> str:
    """Return ``text`` as UTF-8 can hold it: half of a surrogate pair becomes U+FFFD.

    Models do send such halves; the ledger keeps the reply as it came.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub("\ufffd", text)
    return text
