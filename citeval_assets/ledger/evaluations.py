"""Writing and reading evaluations, and what people and gates decided."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from hashlib import sha256
from typing import TypeVar

from sqlalchemy import ColumnElement, Connection, select

from citeval_assets.ledger.chain import ChainWriter, Row
from citeval_assets.ledger.errors import LedgerConflict, LedgerError
from citeval_assets.ledger.escaping import storable
from citeval_assets.ledger.records import EvaluationItem, EvaluationRecord
from citeval_assets.ledger.rows import from_row, to_row
from citeval_assets.ledger.schema import EVALUATION_ITEMS, EVALUATIONS, ChainTable

_E = EVALUATIONS.table
_PAGE = 500
_NOT_IDENTITY = frozenset({"run_id", "started_at", "finished_at"})
T = TypeVar("T")

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def write_evaluation(
    chain: ChainWriter, record: EvaluationRecord, items: Sequence[EvaluationItem]
) -> EvaluationRecord:
    """Add an evaluation with its items, or return the one stored under its id.

    Run id and times are no part of what must agree: a rerun that changes nothing *is* the same
    evaluation, and keeps the times of the first.

    Raises:
        LedgerConflict: The id stands for something else.
        LedgerError: An item names another evaluation.
    """
    digest = _digest(_rows_of(record, items))
    row = to_row(record, item_count=len(items), items_sha256=digest)
    stored = evaluation(chain.connection, record.evaluation_id)
    if stored is None:
        chain.append(EVALUATIONS, [row])
        # In parts: of a hundred thousand items the rows must not all be in memory.
        for start in range(0, len(items), _PAGE):
            chain.append(EVALUATION_ITEMS, [to_row(item) for item in items[start : start + _PAGE]])
        return record
    known = chain.known(EVALUATIONS, [(row["evaluation_id"],)])[(row["evaluation_id"],)]
    changed = [
        name
        for name in EVALUATIONS.columns
        if name not in _NOT_IDENTITY and known[name] != row[name]
    ]
    if changed:
        raise LedgerConflict(
            f"evaluation {record.evaluation_id} is recorded already with another "
            f"{', '.join(changed)}; what was issued stays, a new result needs a new id"
        )
    return stored


def _rows_of(record: EvaluationRecord, items: Iterable[EvaluationItem]) -> Iterator[Row]:
    for item in items:
        if item.evaluation_id != record.evaluation_id:
            raise LedgerError(
                f"evaluation {record.evaluation_id}: the item of case {item.test_case_id} "
                f"names evaluation {item.evaluation_id}"
            )
        yield to_row(item)


def _digest(rows: Iterable[Row]) -> str:
    """Hash the items whatever their order: the hash of their hashes, sorted.

    They lie in heaps by their first byte, so that a hundred thousand are not sorted as objects.
    """
    heaps = [bytearray() for _ in range(256)]
    for row in rows:
        line = sha256(_encode(row).encode()).digest()
        heaps[line[0]] += line
    whole = sha256()
    for heap in heaps:
        size = whole.digest_size
        for line in sorted(heap[at : at + size] for at in range(0, len(heap), size)):
            whole.update(line)
    return whole.hexdigest()


def evaluation(connection: Connection, evaluation_id: str) -> EvaluationRecord | None:
    """Return one evaluation."""
    row = connection.execute(
        select(_E).where(_E.c.evaluation_id == storable(evaluation_id))
    ).mappings()
    found = row.first()
    return None if found is None else from_row(EvaluationRecord, found)


def items_of_cases(
    connection: Connection, evaluation_id: str, hashes: Sequence[str]
) -> dict[str, EvaluationItem]:
    """Return what became of some cases (one page) in one evaluation, by case hash."""
    columns = EVALUATION_ITEMS.table.c
    found = connection.execute(
        select(EVALUATION_ITEMS.table).where(
            columns.evaluation_id == storable(evaluation_id), columns.case_hash.in_(hashes)
        )
    ).mappings()
    return {row["case_hash"]: from_row(EvaluationItem, row) for row in found}


def latest_evaluation(
    connection: Connection, playbook: str, model: str, prompt_version: str, scope: str
) -> EvaluationRecord | None:
    """Return the newest evaluation of one partition and scope."""
    query = (
        select(_E)
        .where(
            _E.c.playbook == storable(playbook),
            _E.c.model == storable(model),
            _E.c.prompt_version == storable(prompt_version),
            _E.c.scope == storable(scope),
        )
        .order_by(_E.c.seq.desc())
        .limit(1)
    )
    found = connection.execute(query).mappings().first()
    return None if found is None else from_row(EvaluationRecord, found)


def walk(
    connect: Callable[[], AbstractContextManager[Connection]],
    table: ChainTable,
    kind: type[T],
    *conditions: ColumnElement[bool],
) -> Iterator[T]:
    """Walk records in the order they were written, a page at a time."""
    last = 0
    columns = table.table.c
    while True:
        query = select(table.table).where(*conditions, columns.nr > last).order_by(columns.nr)
        with connect() as connection:
            page = connection.execute(query.limit(_PAGE)).mappings().all()
        for row in page:
            yield from_row(kind, row)
        if len(page) < _PAGE:
            return
        last = page[-1]["nr"]
