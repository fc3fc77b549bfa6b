"""What the audit finds: flipped bits, deleted and swapped rows, a cut tail, a recomputed chain.

    python benchmarks/tampering.py [--flips 200] [--deletions 20] [--swaps 20] [--json]

A ledger of some hundred calls, a dataset and an evaluation is made; each attack is made on a copy
of its file, and ``citeval audit verify`` is let find it. A bit is flipped anywhere in the file. A
flip in a place SQLite does not use changes nothing that can be read, and says nothing: only flips
after which some row reads otherwise, or cannot be read, or the database calls its file damaged
count, and are drawn until there are as many as wanted. A cut tail and a recomputed chain are made
with all recorded ends set right, as somebody who means it would; they are to be found with the
anchor, and it is told whether they are found without. Exits 1 where anything was not found.
"""

import argparse
import json
import random
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "tests")]

from ledger.builders import case, dataset, evaluation, intent, item, record_calls, reply, unguarded
from sqlalchemy import text

from citeval_assets.ledger import dialects
from citeval_assets.ledger.audit import Anchor, anchor, verify
from citeval_assets.ledger.chain import GENESIS
from citeval_assets.ledger.chain_walk import stored_rows
from citeval_assets.ledger.errors import LedgerError
from citeval_assets.ledger.schema import CHAIN_TABLES, chain_heads
from citeval_assets.ledger.store import Ledger

Content = dict[str, list[tuple[Any, ...]]]
CALLS = 300


def fill(file: Path) -> Anchor:
    """Make a ledger and return its anchor."""
    with Ledger.open(f"sqlite:///{file}") as ledger:
        ledger.register_dataset(dataset("v-1", range(40)), map(case, range(40)))
        for start in range(0, CALLS, 10):
            numbers = range(start, start + 10)
            ledger.add_intents([intent(n) for n in numbers])
            ledger.add_replies([reply(n, text=f"reply {n} " + "words " * 60) for n in numbers])
        ledger.record_evaluation(evaluation("e-1"), [item("e-1", n) for n in range(40)])
        found = anchor(ledger)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return found


def contents(file: Path) -> Content | None:
    """Return every row of the record; ``None`` where it cannot be read."""
    names = [table.name for table in CHAIN_TABLES] + [chain_heads.name]
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            connection.text_factory = bytes
            found = {
                name: sorted(connection.execute(f"SELECT * FROM {name}").fetchall(), key=repr)
                for name in names
            }
            sound = connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == b"ok"
    except (sqlite3.Error, UnicodeError):
        return None
    return found if sound else None


def audit(file: Path, *anchors: Anchor) -> tuple[bool, str]:
    """Return whether the audit complains, and how."""
    try:
        with Ledger.open(f"sqlite:///{file}") as ledger:
            report = verify(ledger, anchors)
    except LedgerError:
        return True, "cannot be read"
    return not report.ok, report.faults[0].kind if report.faults else "in order"


def flip(original: Path, work: Path, chance: random.Random, wanted: int) -> dict[str, Any]:
    """Flip bits until ``wanted`` of them changed something."""
    sound, before = original.read_bytes(), contents(original)
    counted: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    missed: list[int] = []
    while counted["told"] < wanted:
        place = chance.randrange(len(sound) * 8)
        damaged = bytearray(sound)
        damaged[place // 8] ^= 1 << (place % 8)
        work.write_bytes(damaged)
        after = contents(work)
        complains, kind = audit(work)
        if after is not None and after == before:
            counted["changed nothing"] += 1
            counted["changed nothing, and reported"] += complains
            continue
        counted["told"] += 1
        counted["found"] += complains
        kinds[kind] += 1
        if not complains:
            missed.append(place)
    return {
        "flips": counted["told"],
        "found": counted["found"],
        "said": dict(kinds),
        "missed_at_bits": missed,
        "flips_that_changed_nothing": counted["changed nothing"],
        "of_them_reported": counted["changed nothing, and reported"],
    }


def attack(original: Path, work: Path, *statements: str) -> tuple[bool, str]:
    """Run statements on a copy with its guards taken off, and audit it."""
    shutil.copy(original, work)
    with Ledger.open(f"sqlite:///{work}") as ledger, unguarded(ledger) as connection:
        for statement in statements:
            connection.execute(text(statement))
    return audit(work)


def rows_of(file: Path) -> dict[str, int]:
    with closing(sqlite3.connect(file)) as connection:
        return {
            table.name: count
            for table in CHAIN_TABLES
            if (count := connection.execute(f"SELECT count(*) FROM {table.name}").fetchone()[0])
        }


def deletions(original: Path, work: Path, chance: random.Random, wanted: int) -> dict[str, Any]:
    """Delete one row at a time, of any table."""
    rows, found = rows_of(original), 0
    for _ in range(wanted):
        table = chance.choice(list(rows))
        number = chance.randint(1, rows[table])
        found += attack(original, work, f"DELETE FROM {table} WHERE nr = {number}")[0]
    return {"deletions": wanted, "found": found}


def swaps(original: Path, work: Path, chance: random.Random, wanted: int) -> dict[str, Any]:
    """Let two rows of one table change places: their numbers, or their contents with hashes."""
    rows = {name: count for name, count in rows_of(original).items() if count > 1}
    found, named = 0, 0
    for _ in range(wanted):
        table = chance.choice(list(rows))
        one, two = chance.sample(range(1, rows[table] + 1), 2)
        first = f"(SELECT seq FROM {table} WHERE nr = {{}})"
        with closing(sqlite3.connect(original)) as connection:
            places = [
                connection.execute(first.format(number).strip("()")).fetchone()[0]
                for number in (one, two)
            ]
        swap = f"UPDATE {table} SET nr = {{}}, seq = {{}} WHERE nr = {{}}"
        complains, kind = attack(
            original,
            work,
            swap.format(10**6, 10**9, one),
            swap.format(one, places[0], two),
            swap.format(two, places[1], 10**6),
        )
        found += complains
        named += kind == "swapped"
    return {"swaps": wanted, "found": found, "called_swapped": named}


def cut_tail(original: Path, work: Path, rows: int, end: int) -> None:
    """Cut the last rows off and set all recorded ends right."""
    statements: list[str] = []
    for table in CHAIN_TABLES:
        statements += [
            f"DELETE FROM {table.name} WHERE seq > {end - rows}",
            f"UPDATE chain_heads SET row_count = (SELECT count(*) FROM {table.name}) "
            f"WHERE name = '{table.name}'",
        ]
    every = " UNION ALL ".join(f"SELECT seq, row_hash FROM {t.name}" for t in CHAIN_TABLES)
    statements.append(
        f"UPDATE chain_heads SET row_count = {end - rows}, row_hash = (SELECT row_hash FROM "
        f"({every}) WHERE seq = {end - rows}) WHERE name = '*'"
    )
    attack(original, work, *statements)


def recompute(original: Path, work: Path, chance: random.Random) -> None:
    """Change one reply and give every row the hash that then goes with it."""
    number = chance.randint(1, CALLS)
    attack(original, work, f"UPDATE call_replies SET text = 'supported' WHERE nr = {number}")
    with Ledger.open(f"sqlite:///{work}") as ledger:
        with dialects.snapshot(ledger.engine) as connection:
            rows = list(stored_rows(connection, lambda fault: None))
        previous = GENESIS
        with unguarded(ledger) as connection:
            for row in rows:
                digest = row.hash_at(row.nr, row.seq, previous)
                update = f"UPDATE {row.table.name} SET prev_hash = :p, row_hash = :h WHERE nr = :n"
                connection.execute(text(update), {"p": previous, "h": digest, "n": row.nr})
                previous = digest or ""
            connection.execute(
                text("UPDATE chain_heads SET row_hash = :h WHERE name = '*'"), {"h": previous}
            )


def with_anchor(
    original: Path, work: Path, kept: Anchor, chance: random.Random, times: int
) -> dict[str, Any]:
    """Cut the tail and recompute the chain, and audit with and without the anchor."""
    counted: Counter[str] = Counter()
    for _ in range(times):
        cut_tail(original, work, chance.randint(1, 200), kept.rows)
        counted["cut tails found without the anchor"] += audit(work)[0]
        counted["cut tails found with the anchor"] += audit(work, kept)[0]
        recompute(original, work, chance)
        # The run that is falsified goes on: the anchor is older than the end of the chain.
        with Ledger.open(f"sqlite:///{work}") as ledger:
            record_calls(ledger, range(10_000, 10_003))
        counted["recomputed chains found without the anchor"] += audit(work)[0]
        counted["recomputed chains found with the anchor"] += audit(work, kept)[0]
    return {"times": times, **counted}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=200)
    parser.add_argument("--deletions", type=int, default=20)
    parser.add_argument("--swaps", type=int, default=20)
    parser.add_argument("--anchored", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="on one line")
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as name:
        original, work = Path(name) / "ledger.db", Path(name) / "work.db"
        kept = fill(original)
        assert not audit(original, kept)[0]
        result = {
            "rows": kept.rows,
            "file_bytes": original.stat().st_size,
            "flipped_bits": flip(original, work, chance, chosen.flips),
            "deleted_rows": deletions(original, work, chance, chosen.deletions),
            "swapped_rows": swaps(original, work, chance, chosen.swaps),
            "anchored": with_anchor(original, work, kept, chance, chosen.anchored),
        }
    print(json.dumps(result, indent=None if chosen.json else 2))
    anchored = result["anchored"]
    all_found = (
        result["flipped_bits"]["found"] == chosen.flips
        and result["deleted_rows"]["found"] == chosen.deletions
        and result["swapped_rows"]["found"] == chosen.swaps
        and anchored["cut tails found with the anchor"] == chosen.anchored
        and anchored["recomputed chains found with the anchor"] == chosen.anchored
    )
    return 0 if all_found else 1


if __name__ == "__main__":
    sys.exit(main())
