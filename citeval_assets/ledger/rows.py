"""Between records and rows: tuples as JSON arrays, decimals as text, text made storable."""

import json
import types
from collections.abc import Callable, Mapping
from dataclasses import fields
from decimal import Decimal
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from citeval_assets.ledger.chain import Value
from citeval_assets.ledger.errors import LedgerError
from citeval_assets.ledger.escaping import original, storable

T = TypeVar("T")

_encode = json.JSONEncoder(separators=(",", ":")).encode


def to_row(record: object, **instead: Value) -> dict[str, Value]:
    """Return the columns of ``record``. ``instead`` replaces or adds columns."""
    row: dict[str, Value] = {
        name: store(getattr(record, name))
        for name, store, _ in _converters(type(record))
        if name not in instead
    }
    row.update(instead)
    return row


def from_row(kind: type[T], row: Mapping[Any, Any], **instead: Any) -> T:
    """Return the record of type ``kind`` whose columns stand in ``row``."""
    values = [
        instead[name] if name in instead else load(row[name]) for name, _, load in _converters(kind)
    ]
    return kind(*values)


@cache
def _converters(kind: type) -> tuple[tuple[str, Callable[[Any], Value], Callable[[Any], Any]], ...]:
    hints = get_type_hints(kind)
    return tuple((field.name, *_converter(hints[field.name])) for field in fields(kind))


def _converter(hint: Any) -> tuple[Callable[[Any], Value], Callable[[Any], Any]]:
    """Return how values of one type are stored and loaded; ``None`` stays ``None``."""
    if get_origin(hint) in (Union, types.UnionType):
        (inner,) = (part for part in get_args(hint) if part is not type(None))
        store, load = _converter(inner)
        return (
            lambda value: None if value is None else store(value),
            lambda value: None if value is None else load(value),
        )
    if get_origin(hint) is tuple:
        return _store_tuple, _load_tuple
    if hint is Decimal:
        return _store_decimal, Decimal
    if hint is float:
        return _store_float, float
    if hint is int:
        return _store_int, int
    return _store_text, original


def _store_text(value: str) -> str:
    if type(value) is not str:  # an enum member: not every driver writes its value
        value = str.__str__(value)
    if value.isascii() and "\0" not in value:  # what ``storable`` asks first: nearly all texts
        return value
    return storable(value)


def _store_float(value: float) -> float:
    number = float(value) + 0.0  # SQLite does not keep the sign of zero
    if number != number or number in (float("inf"), float("-inf")):
        raise LedgerError(f"{number} is no number the ledger can keep; use None for unknown")
    return number


def _store_int(value: int) -> int:
    if not -(2**63) <= value < 2**63:
        raise LedgerError(f"{value} is too large a number to be kept; use None for unknown")
    return int(value)


def _store_decimal(value: Decimal) -> str:
    if not value.is_finite():
        raise LedgerError(f"{value} is no amount the ledger can keep; use None for unknown")
    return str(value)


def _store_tuple(value: tuple[str, ...]) -> str:
    return _encode(list(value)) if value else "[]"


def _load_tuple(value: str) -> tuple[str, ...]:
    return () if value == "[]" else tuple(json.loads(value))
