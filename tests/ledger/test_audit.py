"""Each way to falsify a ledger, and what the audit says of it."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from citeval_assets.ledger import dialects
from citeval_assets.ledger.audit import (
    Anchor,
    ChainReport,
    anchor,
    keep_anchor,
    kept_anchors,
    verify,
)
from citeval_assets.ledger.chain import GENESIS, row_hash
from citeval_assets.ledger.chain_walk import stored_rows
from citeval_assets.ledger.errors import LedgerError, TamperedRowError
from citeval_assets.ledger.schema import CALL_REPLIES, CHAIN_TABLES, ChainTable
from citeval_assets.ledger.store import Ledger
from ledger.builders import (
    case,
    dataset,
    evaluation,
    intent,
    item,
    record_calls,
    reply,
    tamper,
    unguarded,
)
from ledger.conftest import sqlite_only


@pytest.fixture
def filled(ledger: Ledger) -> Ledger:
    """Twenty calls, a dataset and an evaluation."""
    ledger.register_dataset(dataset("v-1", range(5)), map(case, range(5)))
    for start in range(0, 20, 4):
        record_calls(ledger, range(start, start + 4))
    ledger.record_evaluation(evaluation("e-1"), [item("e-1", number) for number in range(5)])
    return ledger


def found(report: ChainReport) -> set[tuple[str, int | None, str]]:
    return {(fault.table, fault.row, fault.kind) for fault in report.faults}


def test_an_untouched_ledger_is_in_order(filled: Ledger):
    report = verify(filled)
    assert report.ok
    assert (report.rows, report.head) == filled.head()


def test_a_ledger_just_made_is_in_order(ledger: Ledger):
    assert verify(ledger).ok


def test_an_edited_reply_is_named(filled: Ledger):
    tamper(filled, "UPDATE call_replies SET text = 'unsupported' WHERE nr = 7")
    report = verify(filled)
    assert found(report) == {("call_replies", 7, "changed")}
    assert "call_id call-6" in report.faults[0].detail


@pytest.mark.parametrize("table", CHAIN_TABLES, ids=lambda table: table.name)
def test_a_change_in_any_column_of_any_table_is_found(filled: Ledger, table: ChainTable):
    for column in ("nr", "seq", "prev_hash", "row_hash", *table.columns):
        with filled.reading() as connection:
            query = text(f"SELECT {column} FROM {table.name} WHERE nr = 1")
            before = connection.execute(query).scalar()
            if connection.execute(text(f"SELECT count(*) FROM {table.name}")).scalar() == 0:
                continue
        number = 7_000_001
        other = number if isinstance(before, int | float) else "something else"
        where = f"nr = {number}" if column == "nr" else "nr = 1"
        if column == "outcome":
            other = "failure"
        if before is None and "DOUBLE" in str(table.table.c[column].type):
            other = number
        if before is None and "INT" in str(table.table.c[column].type):
            other = number
        tamper(filled, f"UPDATE {table.name} SET {column} = :other WHERE nr = 1", other=other)
        report = verify(filled)
        assert not report.ok, column
        assert table.name in {fault.table for fault in report.faults}, column
        tamper(filled, f"UPDATE {table.name} SET {column} = :it WHERE {where}", it=before)
        assert verify(filled).ok


def test_a_value_set_to_null_is_found(filled: Ledger):
    tamper(filled, "UPDATE call_replies SET fingerprint = 'x' WHERE nr = 2")
    tamper(filled, "UPDATE call_replies SET cost_usd = NULL WHERE nr = 3")
    assert found(verify(filled)) == {
        ("call_replies", 2, "changed"),
        ("call_replies", 3, "changed"),
    }


def test_a_row_rewritten_with_a_matching_hash_is_named(filled: Ledger):
    rewrite(filled, 7, text="unsupported")
    assert found(verify(filled)) == {("call_replies", 7, "rewritten")}


def rewrite(ledger: Ledger, nr: int, **changes: object) -> str:
    """Change a reply and give it the hash that goes with the change."""
    with ledger.reading() as connection:
        query = text("SELECT * FROM call_replies WHERE nr = :nr")
        row = dict(connection.execute(query, {"nr": nr}).mappings().one())
    content = {name: row[name] for name in CALL_REPLIES.columns} | changes
    digest = row_hash("call_replies", row["nr"], row["seq"], row["prev_hash"], content)
    tamper(
        ledger,
        "UPDATE call_replies SET text = :text, row_hash = :digest WHERE nr = :nr",
        text=content["text"],
        digest=digest,
        nr=nr,
    )
    return digest


def test_a_deleted_row_is_named(filled: Ledger):
    tamper(filled, "DELETE FROM call_replies WHERE nr = 5")
    assert found(verify(filled)) == {("call_replies", 5, "missing")}


def test_a_deleted_stretch_is_named_as_one(filled: Ledger):
    tamper(filled, "DELETE FROM call_replies WHERE nr BETWEEN 5 AND 9")
    report = verify(filled)
    assert found(report) == {("call_replies", 5, "missing")}
    assert report.faults[0].detail == "rows 5 to 9 are missing"


def test_a_call_deleted_with_its_reply_is_named(filled: Ledger):
    tamper(
        filled,
        "DELETE FROM call_replies WHERE call_id = 'call-5'",
        "DELETE FROM call_intents WHERE call_id = 'call-5'",
    )
    assert found(verify(filled)) == {
        ("call_intents", 6, "missing"),
        ("call_replies", 6, "missing"),
    }


def test_a_table_emptied_is_named(filled: Ledger):
    tamper(filled, "DELETE FROM evaluation_items", "DELETE FROM evaluations")
    assert found(verify(filled)) == {("evaluations", 1, "cut"), ("evaluation_items", 1, "cut")}


def test_a_deletion_hidden_by_renumbering_is_found(filled: Ledger):
    tamper(
        filled,
        "DELETE FROM call_replies WHERE nr = 20",
        "UPDATE chain_heads SET row_count = 19 WHERE name = 'call_replies'",
    )
    report = verify(filled)
    assert {fault.kind for fault in report.faults} == {"missing"}


def test_swapped_rows_are_named(filled: Ledger):
    """Contents and hashes of replies 3 and 4 change places."""
    with filled.reading() as connection:
        rows = connection.execute(text("SELECT * FROM call_replies WHERE nr IN (3, 4)"))
        third, fourth = (dict(row) for row in rows.mappings())
    columns = [name for name in third if name not in ("nr", "seq")]
    assignments = ", ".join(f"{name} = :{name}" for name in columns)
    update = f"UPDATE call_replies SET {assignments} WHERE nr = :nr"
    parked = {**third, "call_id": "call-19"}  # ids are unique: go round by a third
    tamper(filled, "UPDATE call_replies SET call_id = 'parked' WHERE nr = 20")
    for values in (
        {**parked, "nr": 3},
        {**third, "nr": 4},
        {**fourth, "nr": 3},
    ):
        tamper(filled, update, **{name: values[name] for name in (*columns, "nr")})
    tamper(filled, "UPDATE call_replies SET call_id = 'call-19' WHERE nr = 20")
    assert found(verify(filled)) == {
        ("call_replies", 3, "swapped"),
        ("call_replies", 4, "swapped"),
    }


def test_rows_that_change_their_numbers_are_named(filled: Ledger):
    renumber = "UPDATE call_replies SET nr = {0}, seq = seq + {1} WHERE nr = {2}"
    tamper(
        filled,
        renumber.format(1003, 1000, 3),
        renumber.format(3, -1, 4),
        renumber.format(4, 1 - 1000, 1003),
    )
    assert found(verify(filled)) == {
        ("call_replies", 3, "swapped"),
        ("call_replies", 4, "swapped"),
    }


def copy_row(ledger: Ledger, row: dict[str, object]) -> None:
    columns = ", ".join(row)
    values = ", ".join(f":{name}" for name in row)
    tamper(ledger, f"INSERT INTO call_intents ({columns}) VALUES ({values})", **row)


def intent_row(ledger: Ledger, nr: int) -> dict[str, object]:
    with ledger.reading() as connection:
        query = text("SELECT * FROM call_intents WHERE nr = :nr")
        return dict(connection.execute(query, {"nr": nr}).mappings().one())


def test_a_row_copied_within_the_ledger_is_named(filled: Ledger):
    rows, _ = filled.head()
    copy_row(filled, {**intent_row(filled, 3), "nr": 21, "seq": rows + 1, "call_id": "call-99"})
    report = verify(filled)
    assert ("call_intents", 21, "copied") in found(report)


@sqlite_only
def test_a_row_pasted_from_another_ledger_is_named(filled: Ledger, tmp_path: Path):
    with Ledger.open(f"sqlite:///{tmp_path / 'other.db'}") as other:
        record_calls(other, range(30))
        row = intent_row(other, 21)
    rows, _ = filled.head()
    copy_row(filled, {**row, "seq": rows + 1})
    assert ("call_intents", 21, "inserted") in found(verify(filled))


def test_a_row_slipped_in_between_is_named(filled: Ledger):
    copy_row(filled, {**intent_row(filled, 3), "nr": 500, "seq": -1, "call_id": "call-99"})
    assert ("call_intents", 500) in {(f.table, f.row) for f in verify(filled).faults}


def cut_tail(ledger: Ledger, rows: int) -> None:
    """Cut the last rows off, and make the recorded ends agree: nothing inside tells."""
    end = ledger.head()[0] - rows
    for table in CHAIN_TABLES:
        tamper(
            ledger,
            f"DELETE FROM {table.name} WHERE seq > {end}",
            f"UPDATE chain_heads SET row_count = (SELECT count(*) FROM {table.name}) "
            f"WHERE name = '{table.name}'",
        )
    everything = " UNION ALL ".join(f"SELECT seq, row_hash FROM {t.name}" for t in CHAIN_TABLES)
    tamper(
        ledger,
        f"UPDATE chain_heads SET row_count = {end}, row_hash = "
        f"(SELECT row_hash FROM ({everything}) AS chain WHERE seq = {end}) WHERE name = '*'",
    )


@pytest.mark.parametrize("rows", [1, 3, 17])
def test_a_cut_tail_is_found_by_the_anchor(filled: Ledger, rows: int):
    kept = anchor(filled)
    cut_tail(filled, rows)
    assert verify(filled).ok, "a plain chain cannot see this, as the documentation says"
    report = verify(filled, [kept])
    assert found(report) == {("", None, "cut")}
    assert f"ends after {kept.rows - rows} rows" in report.faults[0].detail


def test_a_tail_cut_by_somebody_careless_is_found_without_an_anchor(filled: Ledger):
    tamper(filled, "DELETE FROM evaluation_items WHERE nr > 2")
    assert found(verify(filled)) == {("evaluation_items", 3, "cut")}


def test_a_chain_that_went_on_agrees_with_earlier_anchors(filled: Ledger):
    kept = [anchor(filled)]
    record_calls(filled, range(50, 53))
    kept += [filled.record_run_anchor("run-2"), Anchor(0, GENESIS)]
    report = verify(filled, kept)
    assert report.ok
    assert report.anchors == 3


def recompute(ledger: Ledger) -> None:
    """Give every row the hash that goes with its content, as a thorough forger would."""
    with dialects.snapshot(ledger.engine) as connection:
        rows = list(stored_rows(connection, pytest.fail))
    previous = GENESIS
    with unguarded(ledger) as connection:
        for row in rows:
            digest = row.hash_at(row.nr, row.seq, previous)
            update = f"UPDATE {row.table.name} SET prev_hash = :prev, row_hash = :it WHERE nr = :nr"
            connection.execute(text(update), {"prev": previous, "it": digest, "nr": row.nr})
            previous = digest
    tamper(ledger, "UPDATE chain_heads SET row_hash = :it WHERE name = '*'", it=previous)


def test_a_recomputed_chain_is_found_by_the_anchor(filled: Ledger):
    kept = anchor(filled)
    record_calls(filled, range(90, 92))
    tamper(filled, "UPDATE call_replies SET text = 'unsupported' WHERE nr = 7")
    recompute(filled)
    assert verify(filled).ok, "a plain chain cannot see this, as the documentation says"
    report = verify(filled, [kept])
    assert found(report) == {("", None, "anchor")}
    assert "recomputed" in report.faults[0].detail


def test_a_head_turned_back_is_found(filled: Ledger):
    tamper(filled, "UPDATE chain_heads SET row_hash = 'x' WHERE name = '*'")
    assert {fault.kind for fault in verify(filled).faults} == {"head"}


def test_a_lost_head_is_found_and_stops_writing(filled: Ledger):
    tamper(filled, "DELETE FROM chain_heads")
    assert {fault.kind for fault in verify(filled).faults} == {"head"}
    with pytest.raises(LedgerError, match="chain_heads"):
        filled.add_intents([intent(77)])


def test_the_audit_sees_one_state_while_others_write(filled: Ledger, ledger_url: str):
    with Ledger.open(ledger_url) as other:
        record_calls(other, range(60, 70))
        assert verify(filled).ok


def test_writing_goes_on_after_tampering_and_the_fault_stays(filled: Ledger):
    tamper(filled, "DELETE FROM call_replies WHERE nr = 20")
    record_calls(filled, range(80, 82))
    assert ("call_replies", 20, "missing") in found(verify(filled))


def test_thousands_of_faults_are_counted_and_the_first_kept(ledger: Ledger):
    record_calls(ledger, range(1100))
    tamper(ledger, "UPDATE call_replies SET text = 'x'")
    report = verify(ledger)
    assert report.fault_count == 1100
    assert len(report.faults) == 1000


@sqlite_only
@pytest.mark.parametrize("value", ["x'ff00'", "CAST(x'c328' AS TEXT)", "1e999", "'text'"])
def test_values_no_ledger_writes_are_faults_not_crashes(filled: Ledger, value: str):
    for column in ("text", "latency_ms", "prompt_tokens"):
        tamper(filled, f"UPDATE call_replies SET {column} = {value} WHERE nr = 7")
    assert ("call_replies", 7, "changed") in found(verify(filled))


@sqlite_only
@pytest.mark.parametrize("column", ["row_hash", "prev_hash", "call_id", "text"])
def test_a_flipped_bit_that_leaves_no_valid_text_is_a_fault_not_a_crash(
    filled: Ledger, column: str
):
    damaged = f"CAST(CAST(substr({column}, 1, 5) AS BLOB) || x'b1' AS TEXT)"
    tamper(filled, f"UPDATE call_replies SET {column} = {damaged} WHERE nr = 7")
    assert ("call_replies", 7, "changed") in found(verify(filled))


ATTACKS: dict[str, str] = {
    "delete": "DELETE FROM {table} WHERE nr = {nr}",
    "edit": "UPDATE {table} SET {column} = {column} || 'x' WHERE nr = {nr}",
    "move in the chain": "UPDATE {table} SET seq = seq + 1000 WHERE nr = {nr}",
    "move in the table": "UPDATE {table} SET nr = nr + 1000 WHERE nr = {nr}",
    "other hash": "UPDATE {table} SET row_hash = '{hash}' WHERE nr = {nr}",
    "other link": "UPDATE {table} SET prev_hash = '{hash}' WHERE nr = {nr}",
}
TARGETS = {"call_intents": "model", "call_replies": "text", "texts": "content"}


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    attack=st.sampled_from(sorted(ATTACKS)),
    table=st.sampled_from(sorted(TARGETS)),
    nr=st.integers(1, 20),
)
def test_whatever_is_done_to_a_row_is_found_there(filled: Ledger, attack: str, table: str, nr: int):
    statement = ATTACKS[attack].format(table=table, column=TARGETS[table], nr=nr, hash="0" * 64)
    assert verify(filled).ok
    saved = rows_of(filled, table)
    tamper(filled, statement)
    report = verify(filled)
    restore(filled, table, saved)
    assert table in {fault.table for fault in report.faults}
    assert {fault.row for fault in report.faults if fault.table == table} & {nr, nr + 1000}


def rows_of(ledger: Ledger, table: str) -> list[dict[str, object]]:
    with ledger.reading() as connection:
        return [dict(r) for r in connection.execute(text(f"SELECT * FROM {table}")).mappings()]


def restore(ledger: Ledger, table: str, rows: list[dict[str, object]]) -> None:
    columns = ", ".join(rows[0])
    values = ", ".join(f":{name}" for name in rows[0])
    with unguarded(ledger) as connection:
        connection.execute(text(f"DELETE FROM {table}"))
        connection.execute(text(f"INSERT INTO {table} ({columns}) VALUES ({values})"), rows)


def test_a_changed_reply_is_refused_when_asked_for(filled: Ledger):
    tamper(filled, "UPDATE call_replies SET text = 'unsupported' WHERE nr = 7")
    with pytest.raises(TamperedRowError, match=r"call_replies row 7 \(call_id call-6\)"):
        filled.reply_for("key-6")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE call_intents SET parameters_json = '{}' WHERE nr = 7",
        "UPDATE texts SET content = 'another question' WHERE nr = 7",
        "UPDATE call_replies SET row_hash = 'x' WHERE nr = 7",
    ],
)
def test_a_reply_to_a_changed_question_is_refused(filled: Ledger, statement: str):
    tamper(filled, statement)
    with pytest.raises(TamperedRowError):
        filled.reply_for("key-6")


def test_the_sound_replies_of_one_question_stay_usable(filled: Ledger):
    tamper(filled, "UPDATE call_replies SET text = 'unsupported' WHERE nr = 7")
    with pytest.raises(TamperedRowError) as caught:
        filled.replies_for(f"key-{number}" for number in range(20))
    assert caught.value.call_keys == {"key-6"}
    assert len(caught.value.sound) == 19


def test_a_fresh_call_replaces_a_changed_reply(filled: Ledger):
    tamper(filled, "UPDATE call_replies SET text = 'unsupported' WHERE nr = 7")
    filled.add_intents([intent(100, call_key="key-6")])
    filled.add_replies([reply(100)])
    stored = filled.reply_for("key-6")
    assert stored is not None
    assert stored.reply == reply(100)


def test_an_anchor_survives_being_written_down(filled: Ledger, tmp_path: Path):
    assert Anchor.parse(str(anchor(filled))) == anchor(filled)
    file = tmp_path / "elsewhere" / "anchors.txt"
    assert kept_anchors(file) == []
    first = anchor(filled)
    keep_anchor(file, first, "2026-11-30T12:00:00.000000+00:00")
    record_calls(filled, range(50, 51))
    keep_anchor(file, anchor(filled), "2026-11-30T13:00:00.000000+00:00")
    assert kept_anchors(file) == [first, anchor(filled)]


@pytest.mark.parametrize("wrong", ["", "12", "12:abc", "x:" + "0" * 64, "٣:" + "0" * 64])
def test_what_is_no_anchor_is_refused(wrong: str):
    with pytest.raises(LedgerError, match="no anchor"):
        Anchor.parse(wrong)
