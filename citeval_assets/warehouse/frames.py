"""Rows to pandas frames that DuckDB takes in bulk. The typed door of the warehouse.

DuckDB reads NaN in a pandas column as NULL without a word, so a number that is not finite must
be refused here; the CHECK constraints of the schema stand behind this door.
"""

import math
import types
import typing
from collections.abc import Callable, Sequence
from dataclasses import fields
from datetime import datetime
from decimal import Decimal
from functools import cache

from citeval_assets.warehouse.tables import Row
from citeval_assets.warehouse.values import storable

if typing.TYPE_CHECKING:
    import pandas as pd


class ValueRefused(ValueError):
    """A value that must not enter the warehouse: NaN, infinity, NULL or a wrong type."""


def frame_of(row_type: type[Row], rows: Sequence[Row]) -> "pd.DataFrame":
    """Return the rows as a frame with one typed column per field.

    Raises:
        ValueRefused: naming the column and the row, for a number that is not finite, a missing
            value of a required column, a time without a zone, or a value of another type.
    """
    import pandas as pd  # about half a second, which commands that only read need not spend

    columns = {
        name: make([getattr(row, name) for row in rows], f"{row_type.__name__}.{name}", required)
        for name, (make, required) in _makers(row_type).items()
    }
    return pd.DataFrame(columns)


_Maker = Callable[[list[typing.Any], str, bool], "pd.Series"]


@cache
def _makers(row_type: type[Row]) -> dict[str, tuple[_Maker, bool]]:
    """Return for each field how its column is made, and whether it must have a value."""
    hints = typing.get_type_hints(row_type)
    return {field.name: _maker_of(hints[field.name]) for field in fields(row_type)}


def _maker_of(hint: object) -> tuple[_Maker, bool]:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        (inner,) = (arg for arg in typing.get_args(hint) if arg is not type(None))
        return _MAKERS[inner], False
    assert isinstance(hint, type)
    return _MAKERS[hint], True


def _texts(values: list[typing.Any], column: str, required: bool) -> "pd.Series":
    _check(values, column, required, str)
    return _series([None if v is None else storable(str(v)) for v in values], object)


def _integers(values: list[typing.Any], column: str, required: bool) -> "pd.Series":
    _check(values, column, required, int)
    return _series(values, "Int64")


def _booleans(values: list[typing.Any], column: str, required: bool) -> "pd.Series":
    _check(values, column, required, bool)
    return _series(values, "boolean")


def _floats(values: list[typing.Any], column: str, required: bool) -> "pd.Series":
    _check(values, column, required, (float, int))
    for index, value in enumerate(values):
        if value is not None and not math.isfinite(value):
            raise ValueRefused(
                f"{column}, row {index}: {value!r} is not a finite number. A score that does not "
                "exist is None, never NaN."
            )
    return _series(values, "Float64")


def _decimals(values: list[typing.Any], column: str, required: bool) -> "pd.Series":
    _check(values, column, required, Decimal)
    for index, value in enumerate(values):
        if value is not None and not value.is_finite():
            raise ValueRefused(f"{column}, row {index}: {value!r} is not a finite number")
    # As text, so that no digit passes through binary floating point.
    return _series([None if v is None else f"{v:f}" for v in values], object)


def _times(values: list[typing.Any], column: str, required: bool) -> "pd.Series":
    _check(values, column, required, datetime)
    for index, value in enumerate(values):
        if value is not None and value.tzinfo is None:
            raise ValueRefused(f"{column}, row {index}: {value!r} has no time zone")
    return _series(values, "datetime64[us, UTC]")


def _series(values: list[typing.Any], dtype: typing.Any) -> "pd.Series":
    import pandas as pd

    return pd.Series(values, dtype=dtype)


_MAKERS: dict[type, _Maker] = {
    str: _texts,
    int: _integers,
    bool: _booleans,
    float: _floats,
    Decimal: _decimals,
    datetime: _times,
}


def _check(
    values: list[typing.Any], column: str, required: bool, wanted: type | tuple[type, ...]
) -> None:
    for index, value in enumerate(values):
        if value is None:
            if required:
                raise ValueRefused(f"{column}, row {index}: a value is required, found none")
        elif not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            raise ValueRefused(
                f"{column}, row {index}: found {type(value).__name__} {value!r:.80}, expected "
                f"{wanted.__name__ if isinstance(wanted, type) else 'a number'}"
            )
