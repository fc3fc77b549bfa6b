"""Placeholders: an upper-case name of three or more letters in square brackets, ``[LIKE_THIS]``.

``[1]``, ``[sic]``, ``[X]`` and ``[A_B]`` are plain text.
"""

import re
from functools import lru_cache

PLACEHOLDER = re.compile(r"\[((?=(?:_*[A-Z]){3})[A-Z_]+)\]")

FEW_SHOT_EXAMPLES = "FEW_SHOT_EXAMPLES"
CORRECTION_FEEDBACK = "CORRECTION_FEEDBACK"
DATA_TOKEN = "DATA_TOKEN"

RENDERER_SLOTS = frozenset({FEW_SHOT_EXAMPLES, CORRECTION_FEEDBACK})
"""Slots every template holds and the renderer fills."""

FREE_SLOTS = frozenset({DATA_TOKEN})
"""Slots a template may hold: ``[DATA_TOKEN]`` shows the token of the data fences."""

MAY_BE_EMPTY = frozenset({FEW_SHOT_EXAMPLES, CORRECTION_FEEDBACK, "ADDITIONAL_CONSTRAINTS"})
"""Slots that are declared optional: an explicit empty value is right for them."""


@lru_cache(maxsize=64)
def placeholders_in(text: str) -> tuple[str, ...]:
    """Return the names of the placeholders in a text, each once, in order."""
    return tuple(dict.fromkeys(match[1] for match in PLACEHOLDER.finditer(text)))


@lru_cache(maxsize=64)
def parts_of(text: str) -> tuple[str, ...]:
    """Return a text cut at its placeholders: text and name by turns, text first and last."""
    return tuple(PLACEHOLDER.split(text))
