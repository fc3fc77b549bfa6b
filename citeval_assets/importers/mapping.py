"""Which field of a test case comes from where: the ``--map`` options, made into rows.

Only what is mapped is taken. Objects in lists (sources, claims, history) keep the fields our
schema has and drop the rest, so labels that stand beside a text do not come along.
"""

import re
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from citeval_assets.config.errors import did_you_mean
from citeval_assets.importers.paths import MISSING, BadPath, FieldPath, PathMismatch
from citeval_assets.playbooks.cases import TestCase

LABELS = "labels"
"""The one field that takes any inner name: gold labels."""

OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("chunk_id", "passage_id", "_id", "doc_id", "docid"),
    "text": ("content", "contents", "page_content", "passage", "snippet", "body", "claim"),
    "document": ("url", "source", "doc_id", "document_id", "doc"),
    "cited_ids": ("citations", "cited"),
    "content": ("text", "message", "value"),
    "role": ("from", "speaker"),
}
"""What other tools call the fields of our inner objects; used where ours is absent."""

_TARGET = re.compile(r"(?P<field>\w+)(?:(?:\[\])?\.(?P<inner>\w+))?")


class BadMapping(ValueError):
    """An option that cannot be used; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a value goes: a field, or an inner field of its objects."""

    field: str
    inner: str | None = None

    def __str__(self) -> str:
        return f"{self.field}.{self.inner}" if self.inner else self.field


@dataclass(frozen=True, slots=True)
class Assignment:
    """One ``field=path``, with the translation of its values, if any."""

    target: Target
    path: FieldPath
    values: Mapping[str, str] | None = None


class CaseShape:
    """What the schema of a case says about where values may go."""

    def __init__(self, case_type: type[TestCase]) -> None:
        self.fields = frozenset(case_type.model_fields)
        self.objects: dict[str, type[BaseModel]] = {}
        self.lists: set[str] = set()
        for name, field in case_type.model_fields.items():
            choices = _choices(field.annotation)
            items = [item for choice in choices if (item := _item_type(choice)) is not None]
            if items and isinstance(items[0], type) and issubclass(items[0], BaseModel):
                self.objects[name] = items[0]
            elif items and str not in choices:
                self.lists.add(name)

    def target(self, text: str) -> Target:
        """Read the left side of an option.

        Raises:
            BadMapping: for a field the case does not have.
        """
        found = _TARGET.fullmatch(text.strip())
        if found is None:
            raise BadMapping(f"{text!r} is no field: write a name such as answer or sources.text")
        field, inner = found["field"], found["inner"]
        if field not in self.fields:
            raise BadMapping(
                f"unknown field {field!r}; there are {', '.join(sorted(self.fields))}"
                f"{did_you_mean(field, self.fields)}"
            )
        if inner is not None and field != LABELS:
            self._check_inner(field, inner)
        return Target(field, inner)

    def _check_inner(self, field: str, inner: str) -> None:
        if field not in self.objects:
            raise BadMapping(f"field {field!r} holds no objects: map it without .{inner}")
        known = self.objects[field].model_fields
        if inner not in known:
            raise BadMapping(
                f"unknown field {field}.{inner}; there are "
                f"{', '.join(f'{field}.{name}' for name in known)}{did_you_mean(inner, known)}"
            )


def read_map(shape: CaseShape, options: Iterable[str]) -> tuple[Assignment, ...]:
    """Read the ``--map`` options.

    Raises:
        BadMapping: naming the option that is wrong.
    """
    assignments: list[Assignment] = []
    for option in options:
        left, equals, right = option.partition("=")
        if not equals:
            raise BadMapping(f"--map {option!r}: write field=path, such as answer=response.text")
        target = shape.target(left)
        if any(target == other.target for other in assignments):
            raise BadMapping(f"--map {option!r}: {target} is mapped twice; use a|b for a fallback")
        try:
            assignments.append(Assignment(target, FieldPath.parse(right.strip())))
        except BadPath as error:
            raise BadMapping(f"--map {option!r}: {error}") from None
    return tuple(assignments)


def mapped_row(shape: CaseShape, assignments: Sequence[Assignment], row: Any) -> dict[str, Any]:
    """Return the fields of a test case that the assignments take from a foreign row.

    Raises:
        PathMismatch: where the row is of another shape than the paths expect.
    """
    made: dict[str, Any] = {}
    for assignment in assignments:
        value = _translated(assignment, assignment.path.read(row))
        if value is MISSING:
            continue
        target = assignment.target
        if target.inner is None:
            made[target.field] = _whole(shape, target.field, value)
        elif target.field == LABELS:
            made[LABELS] = {**_object(made.get(LABELS)), target.inner: value}
        else:
            _spread(shape, made, assignment, value)
    return made


def _translated(assignment: Assignment, value: Any) -> Any:
    """Apply the value map of an assignment to a value, or to each of a list."""
    if assignment.values is None or value is MISSING:
        return value
    if isinstance(value, list):
        return [_translated(assignment, item) for item in value]
    spelled = spelling(value)
    if spelled in assignment.values:
        return assignment.values[spelled]
    if "*" in assignment.values:
        return assignment.values["*"]
    raise PathMismatch(
        f"{assignment.target}: no translation for the value {spelled!r}; there are some for "
        f"{', '.join(assignment.values)}"
    )


def spelling(value: Any) -> str:
    """Return how a value is written in an option: JSON's true, false, null; text as it is."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).strip()


def _whole(shape: CaseShape, field: str, value: Any) -> Any:
    if field in shape.objects:
        items = value if isinstance(value, list) else [value]
        return [_known(shape.objects[field], item) for item in items if item not in (MISSING, None)]
    if isinstance(value, list):
        value = [None if item is MISSING else item for item in value]
    if field in shape.lists and value is not None and not isinstance(value, list):
        return [value]
    return value


def _known(kind: type[BaseModel], item: Any) -> Any:
    """Return an object with the fields of our schema alone, found under their other names too."""
    if not isinstance(item, Mapping):
        return item
    kept: dict[str, Any] = {}
    used: set[str] = set()
    for name in kind.model_fields:
        for candidate in (name, *OTHER_NAMES.get(name, ())):
            if candidate in item and candidate not in used and item[candidate] is not None:
                kept[name] = item[candidate]
                used.add(candidate)
                break
    return kept


def _spread(shape: CaseShape, made: dict[str, Any], assignment: Assignment, value: Any) -> None:
    """Put the values of one inner field onto the objects of a list, one each."""
    field, inner = assignment.target.field, assignment.target.inner
    assert inner is not None
    objects = [_as_object(shape, field, item) for item in made.get(field, [])]
    if not assignment.path.gives_list:
        values = [value] * max(len(objects), 1)
    else:
        values = value
        if objects and len(values) != len(objects):
            raise PathMismatch(
                f"{assignment.target} gives {len(values)} values for {len(objects)} {field}"
            )
        objects = objects or [{} for _ in values]
    objects = objects or [{}]
    made[field] = [
        item if given is MISSING or given is None else {**item, inner: given}
        for item, given in zip(objects, values, strict=True)
    ]


def _as_object(shape: CaseShape, field: str, item: Any) -> dict[str, Any]:
    """Return an item of an object list as an object; a bare text is its text."""
    if isinstance(item, Mapping):
        return dict(item)
    return {"text" if "text" in shape.objects[field].model_fields else "content": item}


def _object(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}


def _choices(hint: Any) -> tuple[Any, ...]:
    """Return the members of a union without their annotations; a single type as it is."""
    if typing.get_origin(hint) is typing.Annotated:
        return _choices(typing.get_args(hint)[0])
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return tuple(inner for member in typing.get_args(hint) for inner in _choices(member))
    return (hint,)


def _item_type(hint: Any) -> Any:
    """Return what a tuple type holds, or ``None`` for any other type."""
    if typing.get_origin(hint) is not tuple:
        return None
    return _choices(typing.get_args(hint)[0])[0]
