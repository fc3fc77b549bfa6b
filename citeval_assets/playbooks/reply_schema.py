"""Fit a parsed reply to its schema, and say what does not fit in sentences a model can act on.

Types are never coerced. Labels are matched whole, after trimming, case-folding and removing
format characters (zero-width and the like); what had to be changed is noted. Sentences hold
field names, expected values and kinds of value only, never text of the reply.
"""

import types
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin

from pydantic import BaseModel, ValidationError

from citeval_assets.playbooks.attempts import Problem

MAX_NOTES = 20
"""Notes of one reply that are kept; a million unknown fields make one more sentence."""

MAX_PROBLEMS = 50
"""Schema problems of one reply that are worded; the rest are counted."""

ModelT = TypeVar("ModelT", bound=BaseModel)


class Notes:
    """Collects what the reader did to a reply, each sentence once, up to a limit."""

    def __init__(self) -> None:
        self._notes: dict[str, None] = {}
        self._left_out = 0

    def add(self, note: str) -> None:
        """Keep ``note`` unless it is known or the limit is reached."""
        if note in self._notes:
            return
        if len(self._notes) < MAX_NOTES:
            self._notes[note] = None
        else:
            self._left_out += 1

    def all(self) -> tuple[str, ...]:
        """Return the notes in the order they were made."""
        more = (f"and {self._left_out} more notes",) if self._left_out else ()
        return (*self._notes, *more)


def read_as(
    reply_type: type[ModelT], value: Mapping[str, Any], notes: Notes
) -> tuple[ModelT | None, tuple[Problem, ...]]:
    """Return ``value`` as ``reply_type``, or the problems that keep it from being one."""
    fitted = _fit_model(value, reply_type, "", notes)
    try:
        return reply_type.model_validate(fitted, strict=True), ()
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=True)
        problems = [_worded(reply_type, dict(detail)) for detail in details[:MAX_PROBLEMS]]
        if len(details) > MAX_PROBLEMS:
            problems.append(Problem("", f"and {len(details) - MAX_PROBLEMS} more faults of form"))
        return None, tuple(dict.fromkeys(problems))


def field_names(reply_type: type[BaseModel]) -> frozenset[str]:
    """Return the names of all fields of the schema, of nested objects too."""
    names: set[str] = set()
    waiting: list[Any] = [reply_type]
    seen: set[Any] = set()
    while waiting:
        annotation = waiting.pop()
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            if annotation in seen:
                continue
            seen.add(annotation)
            names.update(annotation.model_fields)
            waiting.extend(f.annotation for f in annotation.model_fields.values())
        else:
            waiting.extend(get_args(annotation))
    return frozenset(names)


# --- fitting -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shape:
    """What an annotation allows, worked out once: a reply has the same few over and over."""

    choices: tuple["_Shape", ...] = ()
    item: "_Shape | None" = None
    as_tuple: bool = False
    model: type[BaseModel] | None = None
    labels: Mapping[str, Any] = field(default_factory=dict[str, Any])
    plain: bool = field(init=False)
    """Whether a value of it is left as it is: there is nothing in it to be fitted."""

    def __post_init__(self) -> None:
        fitted = self.item or self.model or self.labels
        plain = not fitted and all(choice.plain for choice in self.choices)
        object.__setattr__(self, "plain", plain)

    @classmethod
    def of(cls, annotation: Any) -> "_Shape":
        """Work out an annotation."""
        annotation = _bare(annotation)
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is Union or origin is types.UnionType:
            return cls(choices=tuple(cls.of(choice) for choice in arguments))
        if origin in (list, tuple):
            return cls(item=cls.of(arguments[0]), as_tuple=origin is tuple)
        if _is_model(annotation):
            return cls(model=annotation)
        return cls(labels=_labels(annotation))


@cache
def _fields_of(model: type[BaseModel]) -> Mapping[str, _Shape]:
    return {name: _Shape.of(inner.annotation) for name, inner in model.model_fields.items()}


def _fit(value: Any, shape: _Shape, where: str, notes: Notes) -> Any:
    if isinstance(value, str):
        if shape.labels:
            return _fit_label(value, shape.labels, where, notes)
        return _fit_union(value, shape.choices, where, notes) if shape.choices else value
    if shape.choices:
        return _fit_union(value, shape.choices, where, notes)
    if isinstance(value, list) and shape.item is not None:
        given = cast("list[Any]", value)
        items = [_fit(item, shape.item, f"{where}[{n}]", notes) for n, item in enumerate(given)]
        return cast("Any", tuple(items) if shape.as_tuple else items)
    if isinstance(value, dict) and shape.model is not None:
        return _fit_model(cast("dict[str, Any]", value), shape.model, where, notes)
    return cast("Any", value)


def _fit_model(
    value: Mapping[str, Any], model: type[BaseModel], where: str, notes: Notes
) -> dict[str, Any]:
    fields = _fields_of(model)
    fitted: dict[str, Any] = {}
    for name, item in value.items():
        shape = fields.get(name)
        if shape is None:
            notes.add(f"ignored field {_printable(name)!r}")
        elif shape.plain:
            fitted[name] = item
        else:
            fitted[name] = _fit(item, shape, f"{where}.{name}" if where else name, notes)
    return fitted


def _fit_union(value: Any, choices: Sequence[_Shape], where: str, notes: Notes) -> Any:
    if value is None:
        return None
    for choice in choices:
        fitted = _fit(value, choice, where, notes)
        if fitted is not value:
            return fitted
    return value


def _fit_label(value: str, labels: Mapping[str, Any], where: str, notes: Notes) -> Any:
    visible = value
    if not value.isascii():
        visible = "".join(c for c in value if unicodedata.category(c) != "Cf")
    key = visible.strip().casefold()
    if key not in labels:
        return value
    label = labels[key]
    spelling = label.value if isinstance(label, Enum) else label
    if visible != value:
        notes.add(f"{where}: invisible characters around the label removed")
    elif spelling != value:
        notes.add(f"{where}: label read without regard to case and blanks")
    return label


def _bare(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _labels(annotation: Any) -> dict[str, Any]:
    """Return the labels an enumeration or literal offers, by their case-folded spelling."""
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return {str(member.value).casefold(): member for member in annotation}
    if get_origin(annotation) is Literal:
        return {label.casefold(): label for label in get_args(annotation) if isinstance(label, str)}
    return {}


def _printable(name: str) -> str:
    shown = name if len(name) <= 60 else name[:60] + "..."
    return "".join(c if c.isprintable() else "�" for c in shown)


# --- wording -----------------------------------------------------------------------------


def _worded(reply_type: type[BaseModel], detail: Mapping[str, Any]) -> Problem:
    annotation, where = _locate(reply_type, detail["loc"])
    expected = _expected(annotation)
    kind = str(detail["type"])
    limits = cast("Mapping[str, Any]", detail.get("ctx") or {})
    if kind == "missing":
        return Problem(where, f"is missing; expected {expected}")
    if kind in ("greater_than_equal", "less_than_equal", "greater_than", "less_than"):
        words = {
            "greater_than_equal": ("ge", "at least"),
            "less_than_equal": ("le", "at most"),
            "greater_than": ("gt", "more than"),
            "less_than": ("lt", "less than"),
        }[kind]
        return Problem(where, f"is out of range; must be {words[1]} {limits.get(words[0])}")
    if kind in ("string_too_short", "too_short"):
        return Problem(where, "is too short; it must not be empty")
    if kind == "value_error":
        # Raised by a validator of the schema itself, whose sentences are fixed wording.
        return Problem(where, str(limits.get("error", "is not allowed")))
    if _labels(_without_none(annotation)) and isinstance(detail.get("input"), str):
        return Problem(where, f"is no known label; expected {expected}")
    return Problem(where, f"is {_kind_of(detail.get('input'))}; expected {expected}")


def _locate(reply_type: type[BaseModel], loc: Sequence[int | str]) -> tuple[Any, str]:
    """Return the annotation and the written path of a place; unknown parts are left out."""
    annotation: Any = reply_type
    where = ""
    for part in loc:
        annotation = _without_none(annotation)
        if isinstance(part, int):
            where += f"[{part}]"
            arguments = get_args(annotation)
            annotation = arguments[0] if arguments else Any
        elif _is_model(annotation) and part in annotation.model_fields:
            where += f".{part}" if where else part
            annotation = annotation.model_fields[part].annotation
    return annotation, where


def _without_none(annotation: Any) -> Any:
    annotation = _bare(annotation)
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [a for a in get_args(annotation) if a is not type(None)]
        return _bare(rest[0]) if len(rest) == 1 else annotation
    return annotation


def _expected(annotation: Any) -> str:
    inner = _without_none(annotation)
    described = _described(inner)
    optional = type(None) in get_args(_bare(annotation))
    return f"{described} or null" if optional else described


def _described(annotation: Any) -> str:
    labels = _labels(annotation)
    if labels:
        names = [str(m.value) if isinstance(m, Enum) else str(m) for m in labels.values()]
        return "one of " + ", ".join(f'"{name}"' for name in names)
    if get_origin(annotation) in (list, tuple):
        return "a list"
    if _is_model(annotation):
        return "an object"
    simple = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
    return simple.get(annotation, "another kind of value")


def _kind_of(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list | tuple) else "an object"
