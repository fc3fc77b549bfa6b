"""Was it the model that was asked? Providers name the model that answered."""

import re

MODEL_DIFFERS = "model_differs"
"""Flag of a report that rests on a reply of another model than the one asked."""

_VERSION = re.compile(
    r"""
    @[\w.:-]+                        # name@version
    | [-_:]
    (?: latest
      | \d{4}-\d{2}(?:-\d{2})?      # 2024-08, 2024-08-06
      | \d{8} | \d{6} | \d{4}       # 20240806, 202408, 0613
      | \d{2}-\d{4} | \d{2}-\d{2}   # 09-2025, 08-06
      | v?\d+\.\d+(?:\.\d+)*        # 1.2, v1.2.3
      | v\d+(?::\d+)? | 00\d        # v1, v1:0, 001
    )
    """,
    re.VERBOSE,
)
"""A date or a version. One digit alone is none: claude-3 and claude-3-5 are two models."""


def answers_as(asked: str, answered: str | None) -> bool:
    """Whether a reply named ``answered`` comes from the model that was ``asked``.

    The asked name with a date or version behind it is the same model (``judge-1`` and
    ``judge-1-2026-04-14``); ``judge-1-mini`` is another. Provider prefixes do not count. A reply
    that names no model tells nothing, and is believed.
    """
    if not answered or not answered.strip():
        return True
    return any(_same(name, given) for name in _names(asked) for given in _names(answered))


def _names(name: str) -> list[str]:
    """Return a name, and what is left of it without the providers before it."""
    parts = name.strip().lower().split("/")
    return ["/".join(parts[start:]) for start in range(len(parts))]


def _same(asked: str, given: str) -> bool:
    asked = asked.removesuffix("-latest").removesuffix(":latest")
    if not given.startswith(asked):
        return False
    rest = given[len(asked) :]
    while rest:
        version = _VERSION.match(rest)
        if version is None:
            return False
        rest = rest[version.end() :]
    return True
