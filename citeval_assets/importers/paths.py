"""Paths into foreign rows: ``steps[].text``, ``runs[0].answer``, ``"odd.name"``, ``=text``.

``name.name`` goes into objects, ``[]`` takes each item of a list, ``[0]`` and ``[-1]`` one of
them; names that hold ``. [ ] | = , :`` or quotes are written in double or single quotes.
``a|b`` takes the first that is there. ``=text`` is the text itself.
"""

import re
from dataclasses import dataclass
from typing import Any, Final

from citeval_assets.datasets.json_values import JsonFault, read_json


class BadPath(ValueError):
    """A path that cannot be read; the message shows where."""


class PathMismatch(ValueError):
    """A row that a path does not fit: a list where an object is wanted, and the like."""


class Missing:
    """The kind of ``MISSING``."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()
"""What a path gives where nothing stands. JSON null is ``None``."""


@dataclass(frozen=True, slots=True)
class Name:
    """Go into an object."""

    name: str


@dataclass(frozen=True, slots=True)
class Item:
    """Take one item of a list, from its end where negative."""

    index: int


@dataclass(frozen=True, slots=True)
class Each:
    """Take every item of a list."""


Step = Name | Item | Each

_TOKEN = re.compile(
    r"""
    (?P<each>\[\s*\])
    | \[\s*(?P<index>-?\d+)\s*\]
    | (?P<open>\[)?(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)')(?(open)\])
    | (?P<bare>[^\s.\[\]|="',:][^.\[\]|="',:]*)
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class FieldPath:
    """One path, or several of which the first that gives something counts, or a constant."""

    text: str
    alternatives: tuple[tuple[Step, ...], ...] = ()
    constant: str | None = None

    @classmethod
    def parse(cls, text: str) -> "FieldPath":
        """Read a path.

        Raises:
            BadPath: showing the part that cannot be read.
        """
        if text.startswith("="):
            return cls(text, constant=_unquoted(text[1:]))
        if not text.strip():
            raise BadPath("the path is empty: write field=path, or field==text for a constant")
        return cls(text, tuple(_steps(text)))

    @property
    def gives_list(self) -> bool:
        """Whether the path takes each item of a list."""
        return any(isinstance(step, Each) for steps in self.alternatives for step in steps)

    def read(self, row: Any) -> Any:
        """Return what stands at the path, ``None`` for null, or ``MISSING``.

        A path with ``[]`` gives a list, with ``MISSING`` where an item lacks the rest. Of
        alternatives the first that is neither null nor blank counts, else the last.

        Raises:
            PathMismatch: where the row is of another shape.
        """
        if self.constant is not None:
            return self.constant
        found: Any = MISSING
        for steps in self.alternatives:
            found = _read(row, steps, ())
            if found is not MISSING and found is not None and found != "":
                break
        return found


def _steps(text: str) -> list[tuple[Step, ...]]:
    alternatives: list[tuple[Step, ...]] = []
    steps: list[Step] = []
    position, wants_name = 0, True
    while position < len(text):
        char = text[position]
        if char in ".|" and not wants_name:
            if char == "|":
                alternatives.append(tuple(steps))
                steps = []
            position, wants_name = position + 1, True
            continue
        token = _TOKEN.match(text, position)
        if token is None or (not wants_name and text[position] != "["):
            raise BadPath(
                f"path {text!r}: cannot read {text[position:]!r}. Write names joined by '.', "
                "'[]' for each item of a list, '[0]' for one; put odd names in quotes."
            )
        steps.append(_step(token))
        position, wants_name = token.end(), False
    if wants_name:
        raise BadPath(f"path {text!r} ends where a name is expected")
    return [*alternatives, tuple(steps)]


def _step(token: re.Match[str]) -> Step:
    if token["each"] is not None:
        return Each()
    if token["index"] is not None:
        return Item(int(token["index"]))
    name = next(
        part for part in (token["double"], token["single"], token["bare"]) if part is not None
    )
    return Name(name.strip() if token["bare"] is not None else name)


def _unquoted(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text


def _read(value: Any, steps: tuple[Step, ...], walked: tuple[Step, ...]) -> Any:
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    value = _opened(value)
    if value is None:
        return MISSING
    match step:
        case Name(name):
            if not isinstance(value, dict):
                raise _mismatch(value, walked, "an object", f"to take {name!r} from")
            return _read(value[name], rest, (*walked, step)) if name in value else MISSING
        case Item(index):
            if not isinstance(value, list):
                raise _mismatch(value, walked, "a list", f"to take item {index} from")
            if not -len(value) <= index < len(value):
                return MISSING
            return _read(value[index], rest, (*walked, step))
        case Each():
            if not isinstance(value, list):
                raise _mismatch(value, walked, "a list", "to take each item of")
            return _flattened([_read(item, rest, (*walked, step)) for item in value], rest)


def _flattened(items: list[Any], rest: tuple[Step, ...]) -> list[Any]:
    """Join the lists that a further ``[]`` gave."""
    if not any(isinstance(step, Each) for step in rest):
        return items
    return [inner for item in items for inner in (item if isinstance(item, list) else [item])]


def _opened(value: Any) -> Any:
    """Read JSON that was stored as text: nested data in a cell of a table."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return read_json(value)
        except JsonFault:
            return value
    return value


def _mismatch(value: Any, walked: tuple[Step, ...], wanted: str, why: str) -> PathMismatch:
    found = {dict: "an object", list: "a list", str: "a text", bool: "a yes or no"}.get(
        type(value), f"the value {value!r:.40}"
    )
    place = "".join(map(_spelled, walked)).removeprefix(".") or "the row"
    return PathMismatch(f"{place} is {found}, expected {wanted} {why}")


def _spelled(step: Step) -> str:
    match step:
        case Name(name):
            return f".{name}"
        case Item(index):
            return f"[{index}]"
        case Each():
            return "[]"
