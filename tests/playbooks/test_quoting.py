"""Which citation a quotation hangs on, and whether it stands in what that cites."""

import time

import pytest

from citeval_assets.playbooks.citation_accuracy import PLAYBOOK
from citeval_assets.playbooks.quoting import MAX_QUOTES
from playbooks.builders import prepare

SOURCES = [
    {"id": "1", "text": "The first report: the pump failed at noon and was replaced."},
    {"id": "2", "text": "The second report: the valve was open all night."},
    {"id": "3", "text": "The third report says nothing of note."},
]
PUMP, VALVE = '"the pump failed at noon"', '"the valve was open all night"'


def lost(text: str, **settings) -> list[int]:
    """Return the units whose quotation is not found."""
    prepared = prepare(PLAYBOOK, {"reasoning_trace": [text], "sources": SOURCES}, **settings)
    return [unit.number for unit in prepared.units if unit.lost_quotes]


@pytest.mark.parametrize(
    ("text", "units"),
    [
        (f"It says {PUMP} [1].", []),
        (f"It says {PUMP} [2].", [0]),
        (f"According to [1], {PUMP}.", []),
        (f"According to [2], {PUMP}.", [0]),
        (f"It says {PUMP}. [1]", []),
        (f"It says {PUMP} [1] and {VALVE} [2].", []),
        (f"It says {PUMP} [2] and {VALVE} [1].", [0, 1]),
        (f"[1] says {PUMP} while [2] says {VALVE}.", []),
        (f"[2] says {PUMP} while [1] says {VALVE}.", [0, 1]),
        (f"It was old [3] and {PUMP} [1].", []),
        (f"It says {PUMP} [1][2].", []),
        (f"It says {PUMP} [2][3].", [0, 1]),
        (f"It says {PUMP} [1, 2].", []),
        ("It says \"the pump failed at noon [1].\"", []),
        ("It says \"the pump failed at midnight\" [1].", [0]),
        ("It says \"the pump failed\" [1].", []),
        ("It says \"pump broke\" [1].", []),
        ("It says \"the pump ... was replaced\" [1].", []),
        ("The pump's owner and the valve's owner agree [1].", []),
        (f"It says {PUMP}.", []),
        (f"It says {PUMP} [9].", []),
    ],
)  # fmt: skip
def test_a_quotation_belongs_to_the_nearest_citation(text, units):
    assert lost(text) == units


def test_exact_matching_folds_blanks_only():
    text = "It says \u201cthe  pump failed at noon\u201d [1]."
    assert lost(text, quote_matching="exact") == []
    assert lost('It says "THE pump failed at noon" [1].', quote_matching="exact") == [0]


def test_what_is_most_like_a_lost_quotation_is_told():
    fields = {"reasoning_trace": ['It says "the pump failed at midnight" [1].'], "sources": SOURCES}
    ((check,),) = [unit.quotes for unit in prepare(PLAYBOOK, fields).units]
    (evidence,) = check.evidence
    assert evidence.match == "nearest"
    assert 0.5 < evidence.similarity < 1
    assert "pump failed" in evidence.text
    assert SOURCES[0]["text"][evidence.char_start : evidence.char_end] == evidence.text


def test_many_lost_quotations_in_a_long_source_take_little_time():
    source = "lorem ipsum dolor " * 30_000
    steps = [f'It says "the pump failed {n} times" [1].' for n in range(200)]
    fields = {"reasoning_trace": steps, "sources": [{"id": "1", "text": source}]}
    started = time.perf_counter()
    assert all(unit.lost_quotes for unit in prepare(PLAYBOOK, fields).units)
    assert time.perf_counter() - started < 15


def test_too_many_quotations_are_refused_and_none_is_left_out():
    text = f"It says {PUMP} [1]. " * (MAX_QUOTES + 1)
    prepared = prepare(PLAYBOOK, {"reasoning_trace": text, "sources": SOURCES})
    assert prepared.failure is not None
    one = "It says " + f"{PUMP} and " * (MAX_QUOTES + 1) + "so on [1]."
    prepared = prepare(PLAYBOOK, {"reasoning_trace": one, "sources": SOURCES})
    assert prepared.failure is not None
    assert "quotations" in prepared.failure.detail
