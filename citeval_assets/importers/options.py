"""The text of the other import options: value maps, label maps, defaults."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from citeval_assets.importers.mapping import (
    Assignment,
    BadMapping,
    CaseShape,
    Target,
    spelling,
)
from citeval_assets.importers.paths import MISSING, BadPath, FieldPath, PathMismatch

NO_LABEL = "null"
"""The score of a label value that says nothing, such as "not judged"."""


@dataclass(frozen=True, slots=True)
class LabelMap:
    """Where a human verdict stands, and which score in 0..1 each of its values means.

    ``scores`` translates words; ``scale`` (low, high) translates numbers linearly instead.
    """

    path: FieldPath
    scores: Mapping[str, float | None]
    scale: tuple[float, float] | None = None

    @classmethod
    def parse(cls, option: str) -> "LabelMap":
        """Read ``path:full=1,partial=0.5,none=0`` or ``path:1..5``.

        Raises:
            BadMapping: naming what is wrong.
        """
        left, colon, right = _cut(option, ":")
        if not colon:
            raise BadMapping(
                f"--label-map {option!r}: write path:value=score,..., such as "
                "verdict:correct=1,partial=0.5,wrong=0, or path:1..5 for a scale"
            )
        try:
            path = FieldPath.parse(left.strip())
        except BadPath as error:
            raise BadMapping(f"--label-map {option!r}: {error}") from None
        low, dots, high = right.partition("..")
        if dots and "=" not in right:
            return cls(path, {}, _scale(option, low, high))
        pairs = _pairs(option, right)
        return cls(path, {value: _score(option, score) for value, score in pairs})

    def labels_of(self, row: Any) -> dict[str, Any]:
        """Return what a row contributes to the labels of its case.

        One verdict gives ``score`` and ``label``; one per item gives ``units`` in their order,
        and their mean as ``score`` where every item has one.

        Raises:
            PathMismatch: for a value without a score.
        """
        value = self.path.read(row)
        if value is MISSING or value is None:
            return {}
        if not isinstance(value, list):
            score = self._score_of(value)
            return {} if score is None else {"score": score, "label": spelling(value)}
        units = [{"label": spelling(item), "score": self._score_of(item)} for item in value]
        scores = [unit["score"] for unit in units if unit["score"] is not None]
        complete = scores and len(scores) == len(units)
        mean = {"score": round(sum(scores) / len(scores), 6)} if complete else {}
        return {**mean, "units": units} if units else {}

    def _score_of(self, value: Any) -> float | None:
        if value is MISSING or value is None:
            return None
        if self.scale is not None:
            return self._scaled(value)
        spelled = spelling(value)
        if spelled in self.scores:
            return self.scores[spelled]
        if "*" in self.scores:
            return self.scores["*"]
        raise PathMismatch(
            f"label {self.path.text}: no score for the value {spelled!r}; there are some for "
            f"{', '.join(self.scores)}"
        )

    def _scaled(self, value: Any) -> float:
        assert self.scale is not None
        low, high = self.scale
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = None
        if number is None or isinstance(value, bool) or not low <= number <= high:
            raise PathMismatch(
                f"label {self.path.text}: {spelling(value)!r} is no number from {low:g} to {high:g}"
            )
        return round((number - low) / (high - low), 6)


def with_value_maps(
    shape: CaseShape, assignments: Sequence[Assignment], options: Iterable[str]
) -> tuple[Assignment, ...]:
    """Give assignments the translations that ``--value-map field:from=to,...`` name.

    Raises:
        BadMapping: for a field that is not mapped, or an option that cannot be read.
    """
    values: dict[Target, Mapping[str, str]] = {}
    for option in options:
        left, colon, right = _cut(option, ":")
        if not colon:
            raise BadMapping(
                f"--value-map {option!r}: write field:from=to,..., such as "
                "expected_status:true=answered,false=abstained"
            )
        values[shape.target(left)] = dict(_pairs(option, right))
    mapped = {assignment.target for assignment in assignments}
    for target in values:
        if target not in mapped:
            raise BadMapping(f"--value-map names {target}, which no --map fills")
    return tuple(replace(a, values=values.get(a.target, a.values)) for a in assignments)


def read_defaults(shape: CaseShape, options: Iterable[str]) -> dict[str, str]:
    """Read ``--default field=text``: what a row gets where the field is missing or null.

    Raises:
        BadMapping: for an unknown field or an option without ``=``.
    """
    defaults: dict[str, str] = {}
    for option in options:
        left, equals, right = option.partition("=")
        if not equals:
            raise BadMapping(f"--default {option!r}: write field=text")
        target = shape.target(left)
        if target.inner is not None:
            raise BadMapping(f"--default {option!r}: only whole fields have defaults")
        defaults[target.field] = right
    return defaults


def _pairs(option: str, text: str) -> Iterator[tuple[str, str]]:
    for part in _split(text):
        left, equals, right = _cut(part, "=")
        if not equals or not left.strip():
            raise BadMapping(f"{option!r}: cannot read {part!r}; write value=result, with commas")
        yield _bare(left), _bare(right)


def _score(option: str, text: str) -> float | None:
    if text == NO_LABEL:
        return None
    try:
        score = float(text)
    except ValueError:
        score = -1.0
    if not 0 <= score <= 1:
        raise BadMapping(
            f"--label-map {option!r}: {text!r} is no score; give a number from 0 to 1, or "
            f"{NO_LABEL} for a value that is no verdict"
        )
    return score


def _scale(option: str, low: str, high: str) -> tuple[float, float]:
    try:
        scale = (float(low), float(high))
    except ValueError:
        scale = (0.0, 0.0)
    if not scale[0] < scale[1]:
        raise BadMapping(f"--label-map {option!r}: write a scale as low..high, such as 1..5")
    return scale


def _cut(text: str, mark: str) -> tuple[str, str, str]:
    """Partition at the first ``mark`` outside quotes."""
    for position in _outside_quotes(text):
        if text[position] == mark:
            return text[:position], mark, text[position + 1 :]
    return text, "", ""


def _split(text: str) -> list[str]:
    """Split at commas outside quotes."""
    parts, begin = [], 0
    for position in _outside_quotes(text):
        if text[position] == ",":
            parts.append(text[begin:position])
            begin = position + 1
    return [*parts, text[begin:]]


def _outside_quotes(text: str) -> Iterator[int]:
    quote = ""
    for position, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        else:
            yield position


def _bare(text: str) -> str:
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text
