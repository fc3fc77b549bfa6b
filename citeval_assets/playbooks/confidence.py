"""What a judge is not sure of: found in its reply, told in the report, sent to review."""

from collections.abc import Iterator
from functools import cache
from typing import get_args

from pydantic import BaseModel

from citeval_assets.playbooks.base import GradedReply, Prepared
from citeval_assets.playbooks.report import Escalation
from citeval_assets.playbooks.shared import listed
from citeval_assets.playbooks.vocabulary import EscalationName, Severity


def low_confidence(prepared: Prepared, reply: BaseModel) -> tuple[Escalation, ...]:
    """Return the escalation of a reply whose judge is unsure of something it was asked about.

    Settled units do not count: what code decided needs no judge that is sure.
    """
    unsure = [(name, number) for name, number, graded in _graded(reply, "") if graded.unsure]
    if not unsure:
        return ()
    settled = {unit.number for unit in prepared.view.units if not unit.asked}
    named = {
        (name if number is None else f"unit {number}"): None
        for name, number in unsure
        if number not in settled
    }
    if not named:
        return ()
    detail = f"the judge is unsure of {listed(named)}"
    return (Escalation(name=EscalationName.LOW_CONFIDENCE, severity=Severity.MINOR, detail=detail),)


def _graded(value: object, name: str) -> Iterator[tuple[str, int | None, GradedReply]]:
    """Yield everything graded in a reply: the name of its field, its unit number, itself."""
    if isinstance(value, GradedReply):
        number: object = getattr(value, "unit", None)
        yield name, number if isinstance(number, int) else None, value
    elif isinstance(value, BaseModel):
        for field in _fields_with_more(type(value)):
            yield from _graded(getattr(value, field), field)
    elif isinstance(value, tuple):
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _graded(item, name)  # pyright: ignore[reportUnknownArgumentType]


@cache
def _fields_with_more(kind: type[BaseModel]) -> tuple[str, ...]:
    """Return the fields of a reply that hold further objects; in the others nothing is graded."""
    fields = kind.model_fields.items()
    return tuple(name for name, field in fields if _holds_objects(field.annotation))


def _holds_objects(annotation: object) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return True
    return any(map(_holds_objects, get_args(annotation)))
