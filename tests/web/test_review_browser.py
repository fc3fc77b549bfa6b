"""Review and report in a real browser: by keyboard, by two people, without a server."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from citeval_assets.evaluation.project import Project
from citeval_assets.ledger.records import ReviewDecision
from citeval_assets.review.decisions import labels_of
from citeval_assets.web.report import write_report
from citeval_assets.web.site import Site
from citeval_assets.web.snapshot import Snapshot
from tests.small_project import SmallProject
from tests.web.browser import NARROW, WIDE, browsing, serving, visiting
from tests.web.hostile import hostile_rows
from tests.web.review_site import judged_project

pytestmark = pytest.mark.slow

EXECUTED = "() => typeof window.__x"


def site_over(project: SmallProject) -> Site:
    opened = Project.load(project.folder, project.environ)
    with opened.open_ledger() as ledger:
        secret = ledger.secret()
    return Site(opened, Snapshot(opened.published_path), secret)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as running:
        yield running


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Six cases with an invented source each: six items of two units."""
    row = {
        "system": "prod",
        "question": "What is the toll?",
        "sources": [{"id": "1", "text": "The toll for cars is four euros."}],
        "answer": "The toll for cars is four euros [1]. Lorries wait at the gate [3].",
    }
    rows = [{**row, "test_case_id": f"toll-{number}"} for number in range(6)]
    return site_over(judged_project(tmp_path, rows))


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    with serving(site) as served:
        yield served


def decisions(site: Site) -> list[ReviewDecision]:
    with site.ledger() as ledger:
        return list(ledger.review_decisions())


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_five_items_are_reviewed_by_keyboard_alone(browser, address, site):
    with visiting(browser, address) as visit:
        page = visit.go("/review")
        press(page, "j")
        expect(page.get_by_text("1 of 6")).to_be_visible()
        first = page.url

        press(page, "c")  # who decides is asked first
        expect(page.locator("#reviewer")).to_be_focused()
        page.keyboard.type("ada")
        press(page, "Escape", "c")
        expect(page.locator(".flash")).to_contain_text("Recorded: confirm")
        assert page.url.partition("?")[0] != first
        expect(page.locator("#reviewer")).to_have_value("ada")

        press(page, "1", "5", "o")
        expect(page.locator(".flash")).to_contain_text("Recorded: override")

        press(page, "a")
        expect(page.locator("#answer")).to_be_focused()
        page.keyboard.type("Four euros [1].")
        press(page, "Control+Enter")
        expect(page.locator(".flash")).to_contain_text("Recorded: answer")

        press(page, "n")
        page.keyboard.type("seen before")
        press(page, "Escape", "d")
        expect(page.locator(".flash")).to_contain_text("Recorded: dismiss")

        press(page, "b")
        expect(page.get_by_text("hidden until you decide")).to_be_visible()
        assert "hallucinated" not in page.content().partition("<select")[0]
        press(page, "1", "1", "o")
        expect(page.locator(".flash")).to_contain_text("Recorded: override")
        expect(page.locator(".beside .whole")).to_contain_text("0.500")

        press(page, "u")
        page.wait_for_url(re.compile("/review/"))
        press(page, "j")
        expect(page.locator("h1")).to_contain_text("toll")
        assert visit.errors == [] and visit.foreign == []

    made = decisions(site)
    assert [d.decision for d in made[:5]] == [
        "confirm", "override", "answer", "dismiss", "override",
    ]  # fmt: skip
    assert len({d.case_hash for d in made[:5]}) == 5
    assert labels_of(made[1]).units == {0: "supported", 1: "hallucinated_source"}
    assert made[3].note == "seen before"
    assert labels_of(made[4]).blind


def test_two_people_with_one_case_are_both_kept(browser, address, site):
    with visiting(browser, address) as ada, visiting(browser, address) as bob:
        item = ada.go("/review/next").url.removeprefix(address)
        bob.go(item)
        ada.page.fill("#reviewer", "ada")
        ada.page.fill("#score", "1")
        ada.page.fill("#note", "the gate is in the source")
        ada.page.get_by_role("button", name="Override").click()
        expect(ada.page.locator(".flash")).to_be_visible()

        bob.page.fill("#reviewer", "bob")
        bob.page.fill("#score", "0")
        bob.page.get_by_role("button", name="Override").click()
        expect(bob.page.get_by_role("alert")).to_contain_text("the gate is in the source")
        expect(bob.page.locator("#score")).to_have_value("0")
        assert [d.reviewer for d in decisions(site)] == ["ada"]

        bob.page.get_by_role("button", name="Override").click()
        expect(bob.page.locator(".flash")).to_be_visible()
        assert [d.reviewer for d in decisions(site)] == ["ada", "bob"]
        page = bob.go(item)
        expect(page.locator("#history")).to_contain_text("disputed")
        expect(bob.go("/review").locator(".queue")).to_contain_text("disputed")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> SmallProject:
    return judged_project(tmp_path_factory.mktemp("hostile"), hostile_rows())


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_report_opens_without_a_server_and_runs_nothing(
    browser, hostile, tmp_path, viewport, scheme
):
    file = write_report(hostile.load(), tmp_path / "report.html")
    with visiting(browser, "file://", viewport=viewport, color_scheme=scheme) as visit:
        page = visit.go(str(file))
        assert page.evaluate(EXECUTED) == "undefined"
        assert page.evaluate("() => document.scripts.length") == 0
        expect(page.get_by_role("heading", name="May it ship?")).to_be_visible()
        expect(page.locator(".case").first).to_be_visible()
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= viewport["width"]
        assert visit.foreign == [] and visit.errors == []
        assert visit.violations() == []


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_hostile_texts_stay_texts_and_everything_can_be_reached(browser, hostile, viewport):
    with (
        serving(site_over(hostile)) as address,
        visiting(browser, address, viewport=viewport) as visit,
    ):
        item = visit.go("/review/next").url.removeprefix(address)
        for path in (
            "/review", "/review?page=9", item, f"{item}?blind=1", "/calibration", "/judges",
            "/audit", "/audit?trace=hostile+%22%3E%3Csvg+onload%3Dwindow.__x%3D1%3E",
        ):  # fmt: skip
            page = visit.go(path)
            assert page.evaluate(EXECUTED) == "undefined", path
            assert visit.violations() == [], path
            assert visit.errors == [] and visit.foreign == [], path
