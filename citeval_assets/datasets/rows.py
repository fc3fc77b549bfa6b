"""From one row to one case, or to the one clear reason why it is none."""

import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from citeval_assets.config.data import DatasetConfig
from citeval_assets.config.errors import did_you_mean
from citeval_assets.datasets.hashing import case_hash
from citeval_assets.datasets.json_values import JsonFault, read_json
from citeval_assets.datasets.model import LoadedCase, QuarantinedRow
from citeval_assets.datasets.raw import RawRow
from citeval_assets.datasets.tables import cell_kinds, read_cell
from citeval_assets.keys import KeyRefused, check_id
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.cases import CONSTRAINT_FIELDS, MAX_CASE_CHARS, TestCase
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.vocabulary import CANARY_SYSTEM

PLAYBOOK_FIELD = "playbook"
"""A row may name its playbook; it must be that of its dataset."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_ROW_MAY_SET = frozenset({"risk_level"})
_OPERATOR_FIELDS = frozenset(DomainRules.model_fields) - _ROW_MAY_SET | {
    field.lower() for field in CONSTRAINT_FIELDS
}
_OTHER_NAMES = {
    "id": "test_case_id",
    "case_id": "test_case_id",
    "query": "question",
    "input": "question",
    "contexts": "sources",
    "context": "sources",
    "passages": "sources",
    "documents": "sources",
    "chunks": "sources",
    "evidence": "sources",
    "response": "answer",
    "output": "answer",
    "generated_answer": "answer",
    "ground_truth": "reference_answer",
    "gold_answer": "reference_answer",
    "expected_answer": "reference_answer",
    "trace": "reasoning_trace",
    "reasoning": "reasoning_trace",
    "steps": "reasoning_trace",
}
"""What other tools call our fields, to suggest the right name."""

_REASONS_SHOWN = 3
_MAX_DEPTH = 50
_TIMES_PACKED = 2


class RowFault(ValueError):
    """Why a row is not judged."""


def read_row(
    playbook: AnyPlaybook, dataset: DatasetConfig, rules: DomainRules, file: str, raw: RawRow
) -> LoadedCase | QuarantinedRow:
    """Return the case a row holds, or the row with the reason why it is put aside."""
    try:
        if raw.fault is not None:
            raise RowFault(raw.fault)
        case = read_case(playbook, raw.value, may_lack_sources=dataset.retriever is not None)
        if dataset.retriever is not None and not case.sources and _names_no_system(case):
            # The passages decide what a question is: one asked through two retrievers is two.
            case = case.model_copy(update={"system": dataset.retriever})
        return LoadedCase(
            playbook=playbook.name,
            dataset=dataset.name,
            split=str(dataset.split),
            case=case,
            rules=rules,
            case_hash=case_hash(playbook.name, case),
            file=file,
            line=raw.line,
            retriever=dataset.retriever,
        )
    except RowFault as fault:
        return QuarantinedRow(playbook.name, dataset.name, file, raw.line, str(fault), raw.text)


def _names_no_system(case: TestCase) -> bool:
    return "system" not in case.model_fields_set


def read_case(playbook: AnyPlaybook, row: object, *, may_lack_sources: bool = False) -> TestCase:
    """Return the case that a row of plain data holds.

    Args:
        playbook: the playbook the row is for.
        row: the row, normally a mapping.
        may_lack_sources: whether sources are fetched later.

    Raises:
        RowFault: with the reason, naming the field.
    """
    if not isinstance(row, Mapping):
        raise RowFault(f"a row must be an object with named fields, found {_kind(row)}")
    _refuse_operator_fields(row)
    _refuse_other_playbook(row, playbook)
    _refuse_bad_values(row)
    prepared = _prepared(row, playbook.case_type, may_lack_sources)
    try:
        case = playbook.case_type.model_validate(prepared)
    except ValidationError as error:
        raise RowFault(_reasons(error, prepared)) from None
    _check_ids(case)
    if playbook.needs_sources and not may_lack_sources and not _has_text(case):
        raise RowFault(
            "required field empty: sources (this playbook needs at least one source with text; "
            "add it, or name a retriever in the dataset)"
        )
    return case


def unknown_fields(row: object, case_type: type[TestCase]) -> tuple[str, ...]:
    """Return the names of the fields of a row that are not read."""
    if not isinstance(row, Mapping):
        return ()
    known = case_type.model_fields
    return tuple(str(name) for name in row if name not in known and name != PLAYBOOK_FIELD)


def right_name(name: str, case_type: type[TestCase]) -> str:
    """Return a hint at the field that an unknown name may stand for, or an empty string."""
    other = _OTHER_NAMES.get(name.lower())
    if other in case_type.model_fields:
        return f"; did you mean {other!r}?"
    return did_you_mean(name, case_type.model_fields)


@lru_cache(maxsize=4096)
def _is_operators(name: str) -> bool:
    return re.sub(r"[\s-]+", "_", name.strip().lower()) in _OPERATOR_FIELDS


def _refuse_operator_fields(row: Mapping[str, Any]) -> None:
    for name in row:
        if _is_operators(str(name)):
            raise RowFault(
                f"the row sets {str(name)!r}, which data may not: only the operator sets it, in "
                "the entry of the dataset in citeval.yaml; remove the field"
            )


def _refuse_other_playbook(row: Mapping[str, Any], playbook: AnyPlaybook) -> None:
    named = row.get(PLAYBOOK_FIELD)
    if named is not None and named != playbook.name:
        raise RowFault(
            f"the row is for playbook {str(named)[:60]!r}, its dataset for {playbook.name!r}; move "
            "it to a dataset of that playbook"
        )


def _refuse_bad_values(row: Mapping[str, Any]) -> None:
    total = 0
    for value in _leaves(row):
        if isinstance(value, str):
            total += len(value)
            if _SURROGATE.search(value):
                raise RowFault("a text holds half of a surrogate pair (such as \\ud800)")
        elif isinstance(value, float) and not math.isfinite(value):
            raise RowFault(f"{value} is no number; leave the field out")
    if total > MAX_CASE_CHARS:
        raise RowFault(
            f"oversized: the texts of the row have {total} characters, at most {MAX_CASE_CHARS} "
            "are judged; split the case or shorten its sources"
        )


def _leaves(row: Mapping[str, Any]) -> Iterator[Any]:
    """Yield every key and plain value of a row, without recursion."""
    waiting: list[tuple[Any, int]] = [(row, 0)]
    while waiting:
        item, depth = waiting.pop()
        if isinstance(item, Mapping):
            yield from item
            inner = item.values()
        elif isinstance(item, list | tuple):
            inner = item
        else:
            yield item
            continue
        if depth >= _MAX_DEPTH:
            raise RowFault(f"nested too deep: more than {_MAX_DEPTH} levels")
        waiting.extend((value, depth + 1) for value in inner)


def _prepared(
    row: Mapping[str, Any], case_type: type[TestCase], may_lack_sources: bool
) -> dict[str, Any]:
    """Return the known fields; an optional one that is null counts as left out."""
    prepared = {
        name: row[name]
        for name, field in case_type.model_fields.items()
        if name in row and not (row[name] is None and not field.is_required())
    }
    for name, kinds in _nested_fields(case_type).items():
        if isinstance(prepared.get(name), str):
            prepared[name] = _unpacked(prepared[name], kinds)
    sources = prepared.get("sources")
    if isinstance(sources, list):
        prepared["sources"] = sources = [_unpacked_source(source) for source in sources]
    if may_lack_sources and isinstance(sources, list) and not any(map(_source_text, sources)):
        prepared["sources"] = []
    return prepared


@lru_cache(maxsize=32)
def _nested_fields(case_type: type[TestCase]) -> dict[str, frozenset[str]]:
    """Return the fields that hold lists or objects, with the JSON types each may have."""
    return {
        name: kinds for name, kinds in cell_kinds(case_type).items() if kinds & {"array", "object"}
    }


def _unpacked(value: str, kinds: frozenset[str]) -> Any:
    """Return a list or object that was written as JSON inside a text, even twice over.

    Exports of data frames and databases do that. What is no such JSON stays as it is.
    """
    found: Any = value
    for _ in range(_TIMES_PACKED):
        if not isinstance(found, str):
            break
        try:
            found = read_cell(found, kinds)
        except JsonFault:
            return value
    wanted = (list, dict) if "string" in kinds else object
    return found if isinstance(found, wanted) else value


def _unpacked_source(source: object) -> object:
    """Return a passage that was written as JSON inside a text; other texts are passages."""
    if not isinstance(source, str) or not source.lstrip().startswith("{"):
        return source
    try:
        found = read_json(source)
    except JsonFault:
        return source
    return found if isinstance(found, dict) and "text" in found else source


def _source_text(source: object) -> str:
    text = source.get("text") if isinstance(source, Mapping) else source
    return text.strip() if isinstance(text, str) else ""


def _has_text(case: TestCase) -> bool:
    return any(source.text.strip() for source in case.sources)


def _check_ids(case: TestCase) -> None:
    for name in ("test_case_id", "system"):
        try:
            check_id(getattr(case, name))
        except KeyRefused as refusal:
            raise RowFault(f"{name}: {refusal}") from None
    if case.system == CANARY_SYSTEM:
        raise RowFault(
            f"system: {CANARY_SYSTEM!r} is the name of the cases that ride along in every "
            "evaluation and count in no score; give the system another name"
        )


def _reasons(error: ValidationError, row: Mapping[str, Any]) -> str:
    reasons = list(
        dict.fromkeys(_reason(detail, row) for detail in error.errors(include_url=False))
    )
    missing = [r.removeprefix(_MISSING) for r in reasons if r.startswith(_MISSING)]
    others = [reason for reason in reasons if not reason.startswith(_MISSING)]
    if missing:
        others.insert(0, f"{_MISSING}{', '.join(missing)}")
    more = len(others) - _REASONS_SHOWN
    return "; ".join(others[:_REASONS_SHOWN]) + (f"; and {more} more" if more > 0 else "")


_TYPE_NAMES = {
    "tuple_type": "expected a list",
    "list_type": "expected a list",
    "dict_type": "expected an object with named fields",
    "model_type": "expected an object with named fields",
}

_MISSING = "required field missing: "


def _reason(detail: Any, row: Mapping[str, Any]) -> str:
    place = _place(detail["loc"])
    kind: str = detail["type"]
    message = detail["msg"].removeprefix("Value error, ")
    if kind == "missing":
        return f"{_MISSING}{place}"
    if detail["input"] is None:
        return f"required field empty: {place} (null)"
    if message == "required field empty":
        return f"required field empty: {place}"
    if kind == "value_error":
        return f"{place}: {message}" if place else message
    shown = _shown(detail["input"])
    expected = _TYPE_NAMES.get(kind, message.replace("Input should be", "expected"))
    return f"{place}: {expected}, found {shown}"


def _place(loc: tuple[int | str, ...]) -> str:
    """Spell where a fault is, without the names of types that pydantic adds for unions."""
    spelled = ""
    for step in loc:
        if isinstance(step, int):
            spelled += f"[{step}]"
        elif step.isidentifier() and step not in ("str", "int", "float", "bool", "none", "dict"):
            spelled += f".{step}"
    return spelled.removeprefix(".")


def _shown(value: object) -> str:
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else f"{value[:57]}...")
    return str(value) if isinstance(value, int | float) else _kind(value)


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool | int | float):
        return f"the value {value!r}"
    if isinstance(value, str):
        return "a text"
    return "an object" if isinstance(value, Mapping) else "a list"
