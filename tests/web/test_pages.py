"""What the pages show of a published project."""

import csv
import html
import io
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from citeval_assets.evaluation.project import Project
from citeval_assets.warehouse.connection import open_copy
from citeval_assets.warehouse.publishing import publish
from citeval_assets.web.site import Site
from citeval_assets.web.snapshot import Snapshot
from tests.small_project import SETTINGS
from tests.web.served import make_site, rows, visiting

FERRY = "/case?playbook=citation_faithfulness&case=ferry&system=candidate&judge=naive&prompt=v1"


def shown(client: TestClient, path: str, status: int = 200) -> str:
    """Return the text of a page without its tags, blanks as one."""
    answer = client.get(path)
    assert answer.status_code == status, answer.text[:500]
    text = re.sub(r"<[^>]+>", " ", answer.text)
    return " ".join(html.unescape(text).split())


def links(client: TestClient, path: str) -> list[str]:
    return [html.unescape(found) for found in re.findall(r'href="([^"]+)"', client.get(path).text)]


def test_the_overview_tells_verdict_reason_score_interval_coverage_and_standing(
    visitor: TestClient,
) -> None:
    text = shown(visitor, "/")
    assert "release fail" in text
    assert "1 case that was clean has an invented source now (ferry)" in text
    assert "candidate 0.250" in text and "2 of 3" in text and "67 %" in text
    assert "VALIDATION FAILED: validation failed 1" in text
    assert "not tried" in text and "uncalibrated" in text


def test_a_trend_is_broken_where_a_new_epoch_begins(visitor: TestClient) -> None:
    page = visitor.get("/").text
    assert page.count('class="break"') == 1 and "new epoch" in page
    assert 'class="joined"' not in page  # one evaluation on either side: nothing to join


def test_the_gate_leads_to_the_case_that_made_it_fail(visitor: TestClient) -> None:
    case = next(link for link in links(visitor, "/") if "case=ferry" in link)
    text = shown(visitor, case)
    assert "hallucinated source" in text
    assert "There is no source 7 in this case. Its sources are 1 , 2 ." in text


def test_a_gate_leads_to_its_comparison(visitor: TestClient) -> None:
    link = next(link for link in links(visitor, "/") if link.startswith("/compare?"))
    text = shown(visitor, link)
    assert "All, worst first 2" in text and "Worse 2" in text
    assert text.index("kiln/a b&c") < text.index("When does the ferry run?")


def test_a_comparison_shows_both_texts_with_what_changed_marked(visitor: TestClient) -> None:
    page = visitor.get("/compare?playbook=citation_faithfulness&base=prod&candidate=candidate").text
    assert "<ins>Lorries wait at the gate [7</ins>" in page
    assert "<del>Bicycles travel free of charge [2</del>" in page


def test_systems_judged_in_different_epochs_are_not_compared(tmp_path: Path) -> None:
    site = make_site(tmp_path, judges=(("naive", "e1", 20),), gate=False)
    with site.project.warehouse.writing() as connection:
        connection.execute(
            "INSERT INTO evaluations BY NAME SELECT * REPLACE ('e2' AS evaluation_id, "
            "'newer' AS epoch) FROM evaluations"
        )
        connection.execute(
            "INSERT INTO current_evaluations SELECT playbook, model, prompt_version, 'x', 'e2', 9 "
            "FROM current_evaluations"
        )
        connection.execute("UPDATE reports SET evaluation_id = 'e2' WHERE system = 'candidate'")
    publish(site.project.warehouse, site.project.published_path)
    with visiting(site) as client:
        text = shown(client, "/compare?base=prod&candidate=candidate&judge=naive")
    assert "Not comparable as they stand" in text
    assert "95 % interval" not in text


def test_a_snapshot_of_another_version_is_not_half_read(site: Site, tmp_path: Path) -> None:
    other = tmp_path / "citeval.duckdb"
    shutil.copyfile(site.project.published_path, other)
    with open_copy(other) as connection:
        connection.execute("UPDATE warehouse_info SET schema_version = 1")
    with visiting(Site(site.project, Snapshot(other), b"s")) as client:
        text = shown(client, "/", 503)
    assert "schema version 1" in text and "citeval run" in text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", 10),
        ("playbook=citation_faithfulness&system=prod", 4),
        ("judge=strict", 5),
        ("status=VALIDATION_FAILED", 2),
        ("flag=quote_mismatch", 2),
        ("label=hallucinated_source", 2),
        ("escalation=unscored", 2),
        ("q=LORRIES", 2),
        ('q="wait at the gate" ferry', 2),
        ("q=lorries bicycles", 0),
        ("q=%25_%27--", 0),
        ("system=' OR 1=1 --", 0),
        ("sort=score;drop table reports&way=sideways&page=x", 10),
    ],
)
def test_cases_are_found_by_what_stands_in_the_address(
    visitor: TestClient, query: str, found: int
) -> None:
    assert re.search(rf"(?:^|\s){found} reports?[ ,]", shown(visitor, f"/cases?{query}"))


def test_every_filter_can_be_taken_away_alone(visitor: TestClient) -> None:
    found = links(visitor, "/cases?playbook=citation_faithfulness&judge=strict&q=ferry&sort=case")
    assert "/cases?playbook=citation_faithfulness&q=ferry&sort=case" in found
    assert "/cases?playbook=citation_faithfulness&judge=strict&sort=case" in found


def test_a_click_on_a_heading_sorts_and_a_second_one_turns_the_order(visitor: TestClient) -> None:
    page = visitor.get("/cases?sort=case").text
    assert 'aria-sort="ascending"' in page
    assert "/cases?sort=case&way=down" in links(visitor, "/cases?sort=case")
    order = re.findall(r'class="id"><a [^>]+>([^<]+)', visitor.get("/cases?sort=case").text)
    assert order == sorted(order)


def test_a_page_beyond_the_last_shows_the_last(visitor: TestClient) -> None:
    assert "1 to 10 of 10" in shown(visitor, "/cases?page=999")


def test_ids_of_any_form_can_be_followed(visitor: TestClient) -> None:
    link = next(link for link in links(visitor, "/cases?system=candidate") if "kiln" in link)
    assert "case=kiln%2Fa+b%26c" in link
    assert "kiln/a b&c" in shown(visitor, link)


def test_no_text_becomes_a_formula_or_turns_the_line(tmp_path: Path) -> None:
    formula, turned = "=HYPERLINK(1)", "Is \u202eevil\U000e0041 here?"
    given = [
        replace(row, fields={**row.fields, "question": question})
        for row, question in zip(rows(), (formula, turned, "+1", "-1", "@x"), strict=True)
    ]
    site = make_site(tmp_path, given, judges=(("naive", "e1", 20),), gate=False)
    with visiting(site) as client:
        answer = client.get("/cases.csv")
        page = client.get("/cases").text
    table = list(csv.DictReader(io.StringIO(answer.text)))
    assert "attachment" in answer.headers["content-disposition"]
    assert {row["question"] for row in table} == {f"'{formula}", turned, "'+1", "'-1", "'@x"}
    assert "\u202e" not in page and "Is ‹U+202E›evil‹U+E0041› here?" in page


def test_a_case_marks_each_claim_and_opens_the_source_at_the_span(visitor: TestClient) -> None:
    link = FERRY.replace("candidate", "prod") + "&finding=1"
    page = visitor.get(link).text
    assert '<mark class="match match-exact" id="match"' in page
    assert re.search(r"<mark[^>]*>Bicycles travel free of charge\.</mark>", page)
    assert "Dogs pay half. " in page
    # The marker stands behind the claim and belongs to it for a reader.
    assert re.search(r'class="mark tone-good"[^>]*>The ferry[^<]+\[1\]\.</a>', page)
    assert "found word for word" in shown(visitor, link)


def test_a_quote_that_is_not_found_shows_the_nearest_passage(visitor: TestClient) -> None:
    link = FERRY.replace("case=ferry", "case=kiln%2Fa+b%26c")
    text = shown(visitor, link)
    assert "not found; the nearest passage is 81 % alike" in text
    assert "quote mismatch major: not verbatim" in text
    assert "high risk" in text and "provisional" in text


def test_a_case_shows_the_raw_attempt_the_record_and_its_history(visitor: TestClient) -> None:
    text = shown(visitor, FERRY)
    assert '{"raw": "reply of the judge"}' in text
    assert "Judge <this>." in text
    assert "call-e-naive-21-" in text and "template sha256 tttt" in text
    assert "History 3 results for candidate" in text
    assert "about The ferry runs from" in shown(visitor, f"{FERRY}&finding=0")


def test_an_earlier_evaluation_can_be_looked_at(visitor: TestClient) -> None:
    text = shown(visitor, f"{FERRY}&evaluation=e-naive-20")
    assert "an earlier evaluation" in text
    assert "an earlier evaluation" not in shown(visitor, FERRY)


def test_a_failed_judgement_is_shown_with_its_reason_and_no_score(visitor: TestClient) -> None:
    text = shown(visitor, FERRY.replace("ferry", "toll"))
    assert "VALIDATION FAILED" in text and "claims_analysis: missing" in text
    assert "toll – VALIDATION" in text


@pytest.mark.parametrize("odd", ["%00", "%ed%a0%80", "%f0%9f%98%80", "9" * 3_000, "%27%22"])
def test_no_address_however_odd_trips_a_page(visitor: TestClient, odd: str) -> None:
    tuning = f"page={odd}&finding={odd}&by={odd}&sort={odd}&way={odd}&show={odd}"
    chosen = f"q={odd}&flag={odd}&system={odd}&judge={odd}&base={odd}&evaluation={odd}"
    for path in ("/cases?", "/compare?", f"{FERRY}&", "/cases.csv?"):
        assert visitor.get(path + tuning).status_code == 200
        assert visitor.get(path + chosen).status_code in (200, 404)


@pytest.mark.parametrize("finding", ["99", "-1", "x", "٣", "1e3"])
def test_a_finding_that_is_none_shows_the_worst(visitor: TestClient, finding: str) -> None:
    assert "Claim 1" in shown(visitor, f"{FERRY}&finding={finding}")


def test_an_unknown_case_is_not_found(visitor: TestClient) -> None:
    text = shown(visitor, "/case?playbook=citation_faithfulness&case=none", 404)
    assert "has no report of 'none'" in text
    assert "names no case" in shown(visitor, "/case", 404)


def test_a_case_whose_text_the_ledger_lacks_still_shows_its_report(
    site: Site, tmp_path: Path
) -> None:
    bare = Project.load(site.project.settings.project_dir, {"DAGSTER_HOME": str(tmp_path)})
    with visiting(Site(bare, Snapshot(site.project.published_path), b"s")) as client:
        text = shown(client, FERRY)
    assert "does not hold the text of this case" in text and "hallucinated source" in text


def test_before_the_first_run_the_pages_say_what_to_do(site: Site, tmp_path: Path) -> None:
    (tmp_path / "citeval.yaml").write_text(SETTINGS, encoding="utf-8")
    project = Project.load(tmp_path, {"DAGSTER_HOME": str(tmp_path / "home")})
    with visiting(Site(project, Snapshot(project.published_path), b"s")) as client:
        for path in ("/", "/cases", "/compare", "/case?playbook=x&case=y"):
            assert "Nothing has been published yet" in shown(client, path, 503)
        project.published_path.parent.mkdir(parents=True)
        shutil.copyfile(site.project.published_path, project.published_path)
        assert "May it ship?" in shown(client, "/")
