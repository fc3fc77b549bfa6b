"""Was it the model that was asked? Providers name the model that answered."""

import re

MODEL_DIFFERS = "model_differs"
"""Flag of a report that rests on a reply of another model than the one asked."""

_VERSION = re.compile(
    r"[-@:_](?:latest|v?\d[\d.]*(?:[-.:]v?\d+)*)",
    re.ASCII,
)


def answers_as(asked: str, answered: str | None) -> bool:
    """Whether a reply named ``answered`` comes from the model that was ``asked``.

    The asked name with a date or version behind it is the same model (``judge-1`` and
    ``judge-1-2026-04-14``); ``judge-1-mini`` is another. Provider prefixes do not count. A reply
    that names no model tells nothing, and is believed.
    """
    if not answered or not answered.strip():
        return True
    found = answered.strip().lower()
    parts = asked.strip().lower().split("/")
    names = {"/".join(parts[start:]) for start in range(len(parts))}
    tails = {found, found.rsplit("/", 1)[-1]}
    return any(
        tail == name or (tail.startswith(name) and _VERSION.fullmatch(tail[len(name) :]))
        for name in names
        for tail in tails
    )
