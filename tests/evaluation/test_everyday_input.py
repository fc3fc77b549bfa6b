"""What users' files really hold, each through the real path: read, judged, in the warehouse."""

import json
import time
from dataclasses import dataclass
from typing import Any

import pytest

from citeval_assets.embedded.registry import embedded_model
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.rules import DomainRules
from tests.small_project import SmallProject, make_project

NAME = "citation_faithfulness"
SETTINGS = """\
models:
  - {id: lexical, model: embedded/lexical-1, roles: [judge], stage: production}
systems:
  - {label: prod, stage: production}
calibration: {qualification: {canaries: false}}
datasets:
  - {name: windows, playbook: citation_faithfulness, path: data/windows.jsonl}
  - {name: wide, playbook: citation_faithfulness, path: data/wide.jsonl}
  - {name: sheet, playbook: citation_faithfulness, path: data/sheet.csv}
"""
FERRY = "The ferry runs from April to October, four times a day, and costs 12 euros."
ANSWER = "The ferry runs from April to October [1]."
TIMETABLE = "| season | trips a day |\n|---|---|\n| April to October | four |\n| winter | none |\n"
HEBREW = "העבורת פועלת מאפריל עד אוקטובר, ארבע פעמים ביום."
ARABIC = "تعمل العبارة من أبريل إلى أكتوبر، أربع مرات في اليوم."
LONG = " ".join(
    f"Page {n}: the weather station on pier {n} reports wind, rain and tide every {n % 50 + 3} "
    "minutes to the harbour office and to the master of every ship that lies in the roads."
    for n in range(1, 1_900)
)
"""About 300,000 characters: a hundred pages."""


def passage(text: str = FERRY, id_: Any = "1") -> dict[str, Any]:
    return {"id": id_, "text": text}


@dataclass(frozen=True)
class Row:
    """One row, and what becomes of it: a score, a label by claim, a doubt, or a reason why not."""

    answer: Any = ANSWER
    sources: Any = (passage(),)
    score: float | None = 1.0
    labels: tuple[str, ...] = ("supported",)
    cites: str | None = "1"
    unsure: bool = False
    refused: str = ""
    case: Any = None
    extra: str = ""


ROWS = {
    "plain": Row(),
    "nan in a field nobody needs": Row(refused="NaN is no JSON number", extra=', "cost": NaN'),
    "nan for a label": Row(refused="NaN", extra=', "labels": {"score": NaN}'),
    "sources as json in a text": Row(sources=json.dumps([passage()])),
    "sources as json in json in a text": Row(sources=json.dumps(json.dumps([passage()]))),
    "each source as json in a text": Row(sources=[json.dumps(passage(id_="7"))],
                                         answer="The ferry runs from April to October [7].",
                                         cites="7"),
    "sources as a text that is no json": Row(sources="[the timetable", refused="expected a list"),
    "sources as plain texts": Row(sources=[FERRY]),
    "entities in the passage": Row(
        answer='The ferry "runs from April to October, four times a day" [1].',
        sources=[passage(FERRY.replace("runs from", "runs&nbsp;from").replace(",", "&#44;"))],
    ),
    "entities in the answer": Row(
        answer="The ferry &quot;runs from April to October&quot; &amp; costs 12&nbsp;euros [1].",
        unsure=True,
    ),
    "a table in the answer": Row(
        answer="| season | trips |\n|:---|---:|\n| April to October | four times a day [1] |\n",
    ),
    "a table as passage": Row(
        answer="From April to October the ferry runs four times a day [1].",
        sources=[passage(TIMETABLE)],
        unsure=True,
    ),
    "a hundred pages": Row(sources=[passage(f"{LONG} {FERRY}")]),
    "a hundred pages without a word of it": Row(
        sources=[passage(LONG)], score=0.0, labels=("partially_supported",)
    ),
    "an empty passage beside": Row(sources=[passage(), passage("", "2")]),
    "an empty passage cited": Row(
        answer="The ferry is blue [2].", sources=[passage(), passage("", "2")],
        score=0.0, labels=("partially_supported",), cites="2", unsure=True,
    ),
    "nothing but empty passages": Row(sources=[passage(" \n\t ")], refused="required field empty"),
    "ids as numbers": Row(sources=[passage(id_=1)]),
    "case ids as numbers": Row(case=4711),
    "ids as fractions": Row(sources=[passage(id_=1.0)], refused="must be text or an integer"),
    "ids with blanks around": Row(sources=[passage(id_=" 1\t")]),
    "ids with blanks inside": Row(
        answer="The ferry runs from April to October [ferry guide].",
        sources=[passage(id_="ferry guide")], cites="ferry guide",
    ),
    "the same passage twice": Row(sources=[passage(), passage()]),
    "the same passage under two ids": Row(
        answer="The ferry runs from April to October [1][2].",
        sources=[passage(), passage(id_="2")],
        labels=("supported", "supported"),
    ),
    "two passages under one id": Row(
        sources=[passage(), passage("Bicycles travel free.")], refused="stands twice"
    ),
    "no sentence end": Row(answer="the ferry runs from April to October [1]"),
    "no sentence end on many lines": Row(
        answer="- The ferry runs from April to October [1]\n- It costs 12 euros [1]",
        labels=("supported", "supported"), unsure=True,
    ),
    "hebrew": Row(answer="העבורת פועלת מאפריל עד אוקטובר [1].", sources=[passage(HEBREW)],
                  unsure=True),
    "arabic": Row(answer="تعمل العبارة من أبريل إلى أكتوبر [1].", sources=[passage(ARABIC)],
                  unsure=True),
    "right to left with a wrong number": Row(
        answer="העבורת פועלת 7 פעמים ביום [1].", sources=[passage(HEBREW.replace("ארבע", "4"))],
        score=0.0, labels=("partially_supported",), unsure=True,
    ),
    "emoji": Row(answer="⛴️ The ferry runs from April to October 🎉 [1]. 👨‍👩‍👧‍👦"),
    "emoji in a quotation": Row(
        answer='The ferry "runs 🚢 from April to October" [1].',
        sources=[passage("The ferry runs 🚢 from April to October 👍🏽.")],
    ),
}  # fmt: skip


def line_of(name: str, row: Row) -> str:
    case = {
        "test_case_id": row.case or name,
        "system": "prod",
        "question": "When does the ferry run?",
        "answer": row.answer,
        "sources": row.sources,
    }
    return json.dumps(case, ensure_ascii=False)[:-1] + row.extra + "}"


@pytest.fixture(scope="module")
def judged(tmp_path_factory) -> SmallProject:
    """All rows in one file as Windows writes it, and two of them in files of other encodings."""
    made = make_project(tmp_path_factory.mktemp("everyday"), SETTINGS)
    made.cases_file(NAME).unlink()
    lines = [line_of(name, row) for name, row in ROWS.items()]
    data = made.folder / "data"
    data.joinpath("windows.jsonl").write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    data.joinpath("wide.jsonl").write_bytes(line_of("in utf-16", Row()).encode("utf-16"))
    cell = json.dumps([passage()]).replace('"', '""')
    sheet = f"test_case_id\tsystem\tquestion\tanswer\tsources\r\nsheet\tprod\tWhen?\t{ANSWER}\t"
    data.joinpath("sheet.csv").write_bytes(f'{sheet}"{cell}"\r\n'.encode("utf-16"))
    made.evaluate(playbooks=[NAME], prompts=["v1"])
    return made


@pytest.fixture(scope="module")
def reports(judged) -> dict[str, dict[str, Any]]:
    rows = judged.table("current_reports", "test_case_id, score, report")
    return {case: {"score": score, **json.loads(report)} for case, score, report in rows}


@pytest.fixture(scope="module")
def refused(judged) -> dict[int, str]:
    rows = judged.table("quarantine", "file, line, reason")
    assert {file for file, *_ in rows} == {"data/windows.jsonl"}
    return {line: reason for _, line, reason in rows}


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if not row.refused])
def test_it_is_judged_as_a_person_would_read_it(reports, name):
    row = ROWS[name]
    found = reports[str(row.case or name)]
    claims = [finding for finding in found["findings"] if finding["unit"] == "claim"]
    assert [claim["label"] for claim in claims] == list(row.labels)
    assert claims[0]["source_id"] == row.cites
    assert found["score"] == row.score
    doubts = [escalation["name"] for escalation in found["escalations"]]
    assert ("low_confidence" in doubts) is row.unsure


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.refused])
def test_it_is_put_aside_with_its_line_and_reason(refused, name):
    assert ROWS[name].refused in refused[list(ROWS).index(name) + 1]


def test_nothing_else_is_put_aside_and_every_row_has_one_outcome(reports, refused):
    assert len(refused) == sum(bool(row.refused) for row in ROWS.values())
    assert len(reports) + len(refused) == len(ROWS) + 2


@pytest.mark.parametrize("name", ["in utf-16", "sheet"])
def test_other_encodings_and_tables_are_read_too(reports, name):
    assert reports[name]["score"] == 1.0


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if not row.refused])
def test_it_costs_no_more_than_its_share(name):
    """A row may take a tenth of a second, and a second more for every hundred pages."""
    playbook = get_playbook(NAME)
    row = json.loads(line_of(name, ROWS[name]))
    if isinstance(row["sources"], str):
        pytest.skip("is read like the others")
    started = time.process_time()
    prepared = playbook.prepare(playbook.case_type.model_validate(row), DomainRules())
    embedded_model("embedded/lexical-1").answer(prepared.view)
    allowed = 0.1 + sum(len(str(source)) for source in row["sources"]) / 300_000
    assert time.process_time() - started < allowed
