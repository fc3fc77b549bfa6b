"""The report and the exports: one file each, in which nothing foreign comes alive."""

import csv
import json
import re
from html.parser import HTMLParser
from io import StringIO

import pytest

from citeval_assets.cli.program import run as citeval
from citeval_assets.evaluation.service import Service
from citeval_assets.exporters.csv_guard import read_csv
from citeval_assets.exporters.tables import EXPORTS
from citeval_assets.warehouse.report_reading import ScoreShares
from citeval_assets.web.report import bar, report_html
from tests.web.hostile import FORMULA, hostile_rows
from tests.web.review_site import Pages, judged_project


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    return judged_project(tmp_path_factory.mktemp("hostile"), hostile_rows())


@pytest.fixture
def run(hostile, monkeypatch, capsys):
    monkeypatch.setenv("DAGSTER_HOME", str(hostile.home))
    monkeypatch.chdir(hostile.folder)

    def go(*arguments) -> tuple[int, str]:
        code = citeval([str(a) for a in arguments])
        return code, capsys.readouterr().out

    return go


class Elements(HTMLParser):
    """Every element of a page with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_the_report_has_no_script_no_handler_and_no_outside_address(hostile):
    text = report_html(hostile.load())
    found = Elements(text).found
    tags = {tag for tag, _ in found}
    assert not tags & {"script", "img", "iframe", "link", "object", "base", "form", "input"}
    for _, attributes in found:
        assert not [name for name in attributes if name.startswith("on")]
        for name in ("href", "src", "action", "xlink:href"):
            assert (attributes.get(name) or "#").startswith("#")
    assert "url(" not in text and "@import" not in text
    assert "&lt;script&gt;window.__x=1" in text
    assert "\u202e" not in text


def test_the_report_shows_gates_scores_and_the_worst_cases_in_full(hostile):
    text = report_html(hostile.load())
    for shown in ("May it ship?", "Citation faithfulness of answers", "hallucinated source",
                  "The toll is nine euros", "The toll is four euros", "uncalibrated"):  # fmt: skip
        assert shown in text
    assert text.count('class="case"') == 2
    assert report_html(hostile.load(), worst=1).count('class="case"') == 1
    assert "prefers-color-scheme: dark" in text and "@media print" in text


def test_ids_and_labels_of_the_page_lead_somewhere(hostile):
    found = Elements(report_html(hostile.load())).found
    ids = [a["id"] for _, a in found if a.get("id")]
    assert len(ids) == len(set(ids))
    named = {str(a["href"])[1:] for tag, a in found if tag == "a"} | {
        str(a["aria-labelledby"]) for _, a in found if "aria-labelledby" in a
    }
    assert named <= set(ids)


def test_the_bar_of_shares_fills_its_width_and_leaves_out_what_is_empty():
    segments = bar(ScoreShares("p", "m", "v", "s", 2, 0, 1, 1))
    assert [s.tone for s in segments] == ["good", "bad", "none"]
    assert round(sum(s.width for s in segments)) == 220


def test_citeval_report_writes_where_it_is_told_and_by_default_into_the_state_folder(
    run, hostile, tmp_path
):
    code, out = run("report", "-o", tmp_path / "deep" / "r.html", "--json")
    assert code == 0
    assert json.loads(out)["bytes"] == (tmp_path / "deep" / "r.html").stat().st_size
    run("report", "--worst", 0)
    assert (hostile.home / "citeval" / "reports" / "report.html").exists()


def test_without_anything_published_the_report_says_what_to_do(tmp_path, monkeypatch, capsys):
    from tests.small_project import make_project

    project = make_project(tmp_path)
    monkeypatch.setenv("DAGSTER_HOME", str(project.home))
    assert citeval(["report", "--project", str(project.folder)]) == 1
    assert "citeval run" in capsys.readouterr().err


@pytest.mark.parametrize("table", ["reports", "findings"])
def test_an_exported_table_is_read_back_as_it_stands_in_the_warehouse(
    run, hostile, tmp_path, table
):
    file = tmp_path / f"{table}.csv"
    assert run("export", table, "-o", file)[0] == 0
    columns = EXPORTS[table].columns
    with file.open(encoding="utf-8", newline="") as text:
        read = list(read_csv(text, columns))
    names = [column.name for column in columns]
    kept = ("test_case_id", "system") if table == "reports" else ("text", "label", "weight")
    stored = hostile.table(table, ", ".join(kept))
    assert sorted(tuple(row[names.index(n)] for n in kept) for row in read) == sorted(stored)
    raw = list(csv.reader(StringIO(file.read_text(encoding="utf-8"), newline="")))
    assert {len(row) for row in raw} == {len(columns)}
    assert not [cell for row in raw for cell in row if cell.lstrip("\t\r\n ")[:1] in ("=", "@")]


def test_ids_that_are_formulas_survive_the_export(run):
    code, out = run("export", "reports", "--system", "prod")
    assert code == 0
    rows = list(read_csv(StringIO(out, newline=""), EXPORTS["reports"].columns))
    assert FORMULA in {row[4] for row in rows}
    assert len(rows) == 2


def test_jsonl_holds_nested_values(run, tmp_path):
    run("export", "findings", "-o", tmp_path / "f.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "f.jsonl").read_text().splitlines()]
    assert rows and all(isinstance(row["flags"], list) for row in rows)


def test_exports_refuse_json_without_a_file_and_unknown_playbooks(run):
    assert run("export", "golden", "--json")[0] == 2
    assert run("export", "reports", "--playbook", "nope")[0] == 2


def test_the_digest_can_be_written_for_a_mail(run, tmp_path):
    assert "open: " in run("export", "digest")[1]
    assert run("export", "digest", "--format", "markdown")[1].startswith("## Review queue")


def test_golden_rows_carry_what_people_decided_and_load_again(hostile, run, tmp_path):
    pages = Pages.over(hostile)
    first, second = pages.items()[:2]
    units = re.findall(r'name="(unit\.\d+)"', pages.get(f"/review/{first}"))
    fields = {"decision": "override", "reviewer": "ada", "note": "see above"}
    pages.send(f"/review/{first}", {**fields, **dict.fromkeys(units, "supported")})
    pages.send(f"/review/{second}", {"decision": "override", "score": "1", "reviewer": "ada"})
    pages.send(f"/review/{second}", {"decision": "override", "score": "0", "reviewer": "bob"})

    code, out = run("export", "golden", "-o", tmp_path / "golden.jsonl", "--json")
    assert (code, json.loads(out)["rows"], json.loads(out)["disputed"]) == (0, 1, 1)
    (row,) = [json.loads(line) for line in (tmp_path / "golden.jsonl").read_text().splitlines()]
    assert row["label_source"] == "human"
    assert row["labels"]["score"] == 1.0
    assert row["labels"]["why"] == "see above"
    assert row["labels"]["claims"][0] == {"unit": 0, "verdict": "supported"}
    hostile.write_rows("citation_faithfulness", [row])
    registered = Service(hostile.load()).register_cases("citation_faithfulness")
    assert (registered.cases, registered.quarantined) == (1, 0)
