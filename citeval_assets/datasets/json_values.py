"""JSON, read strictly: no key twice, no NaN, no number that loses its digits."""

import json
import math
from typing import Any

MAX_NUMBER_DIGITS = 1_000


class JsonFault(ValueError):
    """A text that is no JSON (``position`` says where), or JSON that must not be used."""

    def __init__(self, reason: str, position: int | None = None) -> None:
        self.position = position
        super().__init__(reason)


class StrictJson:
    """Reads JSON values out of a text, one after the other.

    Faults that do not break the syntax (a key twice, NaN) are noted in ``faults`` instead of
    raised, so that what follows can still be found.
    """

    def __init__(self) -> None:
        self.faults: list[str] = []
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_constant=self._constant,
            parse_float=self._float,
            parse_int=self._int,
        )

    def read(self, text: str, position: int) -> tuple[Any, int]:
        """Return the value that begins at ``position`` and where it ends.

        Raises:
            JsonFault: where the text is no JSON, or nested too deep to be read.
        """
        self.faults.clear()
        try:
            return self._decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            raise JsonFault(f"broken JSON: {error.msg}", error.pos) from None
        except RecursionError:
            raise JsonFault("nested too deep to be read") from None

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.faults.append(f"key {key[:60]!r} stands twice")
                seen.add(key)
        return value

    def _constant(self, name: str) -> None:
        self.faults.append(f"{name} is no JSON number; write null or leave the field out")

    def _float(self, text: str) -> float | None:
        value = float(text)
        if math.isfinite(value):
            return value
        self.faults.append(f"the number {text[:30]} is too large")
        return None

    def _int(self, text: str) -> int | None:
        if len(text) <= MAX_NUMBER_DIGITS:
            return int(text)
        self.faults.append(f"a number of {len(text)} digits; write it as text")
        return None


def read_json(text: str) -> Any:
    """Return the one JSON value of a text.

    Raises:
        JsonFault: for broken JSON, more than one value, and any fault ``StrictJson`` notes.
    """
    reader = StrictJson()
    start = len(text) - len(text.lstrip(" \t\r\n"))
    value, end = reader.read(text, start)
    if text[end:].strip(" \t\r\n"):
        raise JsonFault(f"broken JSON: more text after the value, at character {end + 1}", end)
    if reader.faults:
        raise JsonFault("; ".join(dict.fromkeys(reader.faults)))
    return value
