"""Writing and reading cases and dataset versions."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection, select

from citeval_assets.ledger.chain import MAX_KEYS_PER_QUERY, ChainWriter
from citeval_assets.ledger.errors import LedgerError
from citeval_assets.ledger.escaping import original, storable
from citeval_assets.ledger.members import Members
from citeval_assets.ledger.records import CaseRecord, DatasetMember, DatasetRecord
from citeval_assets.ledger.rows import from_row, to_row
from citeval_assets.ledger.schema import CASES, DATASETS

_D = DATASETS.table


def case_batches(cases: Iterable[CaseRecord]) -> Iterator[list[CaseRecord]]:
    """Cut a stream of cases into batches of one transaction each."""
    stream = iter(cases)
    while batch := list(islice(stream, MAX_KEYS_PER_QUERY)):
        yield batch


def write_cases(chain: ChainWriter, cases: Sequence[CaseRecord]) -> None:
    """Add the cases not known yet."""
    chain.append_new(CASES, [to_row(case) for case in cases])


def write_dataset(chain: ChainWriter, record: DatasetRecord, now: str) -> bool:
    """Add a dataset version; ``False`` when it is known, which changes nothing."""
    known = chain.known(DATASETS, [(storable(record.playbook), storable(record.dataset_version))])
    if known:
        return False
    _require_cases(chain, record)
    row = {
        "playbook": storable(record.playbook),
        "dataset_version": storable(record.dataset_version),
        "member_count": len(record.members),
        "members_json": _members_to_json(record.members),
        "created_at": record.created_at or now,
    }
    chain.append(DATASETS, [row])
    return True


def _require_cases(chain: ChainWriter, record: DatasetRecord) -> None:
    wanted = list(dict.fromkeys(member.case_hash for member in record.members))
    missing: list[str] = []
    column = CASES.table.c.case_hash
    for start in range(0, len(wanted), MAX_KEYS_PER_QUERY):
        part = wanted[start : start + MAX_KEYS_PER_QUERY]
        found = set(chain.connection.execute(select(column).where(column.in_(part))).scalars())
        missing += [case_hash for case_hash in part if case_hash not in found]
    if missing:
        raise LedgerError(
            f"dataset {record.playbook}@{record.dataset_version}: {len(missing)} of its cases "
            f"were not handed in and are not in the ledger, first {missing[0]}"
        )


def dataset(connection: Connection, playbook: str, version: str | None) -> DatasetRecord | None:
    """Return one version, or the newest when ``version`` is ``None``."""
    query = select(_D).where(_D.c.playbook == storable(playbook)).order_by(_D.c.seq.desc()).limit(1)
    if version is not None:
        query = query.where(_D.c.dataset_version == storable(version))
    row = connection.execute(query).mappings().first()
    if row is None:
        return None
    return DatasetRecord(
        playbook=original(row["playbook"]),
        dataset_version=original(row["dataset_version"]),
        members=_members_from_json(row["members_json"]),
        created_at=row["created_at"],
    )


def cases(connection: Connection, hashes: Sequence[str]) -> list[CaseRecord]:
    """Return the known cases among ``hashes`` (one page), in the order asked for."""
    query = select(CASES.table).where(CASES.table.c.case_hash.in_(hashes))
    rows = connection.execute(query).mappings()
    found = {row["case_hash"]: from_row(CaseRecord, row) for row in rows}
    return [found[case_hash] for case_hash in hashes if case_hash in found]


def _members_to_json(members: Sequence[DatasetMember]) -> str:
    """Write the members compactly: rules are few and shared, so they stand apart."""
    rules = list(dict.fromkeys(member.rules_json for member in members))
    numbers = {text: number for number, text in enumerate(rules)}
    rows = [[m.dataset, m.split, m.case_hash, numbers[m.rules_json], m.position] for m in members]
    return json.dumps({"rules": rules, "members": rows}, separators=(",", ":"))


def _members_from_json(text: str) -> Members:
    document: dict[str, Any] = json.loads(text)
    rules: list[str] = document["rules"]
    return Members(
        DatasetMember(dataset, split, case_hash, rules[number], position)
        for dataset, split, case_hash, number, position in document["members"]
    )


def case_names(connection: Connection, hashes: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return test case id and system of the known cases among ``hashes`` (one page)."""
    columns = CASES.table.c
    query = select(columns.case_hash, columns.test_case_id, columns.system)
    return {
        row.case_hash: (original(row.test_case_id), original(row.system))
        for row in connection.execute(query.where(columns.case_hash.in_(hashes)))
    }
