"""The pages in a real browser: a person's paths, hostile texts, and what a screen reader needs."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from citeval_assets.playbooks.report import Finding
from citeval_assets.web.site import Site
from tests.handed.loader import load_cases
from tests.web.browser import NARROW, WIDE, Visit, browsing, serving, visiting
from tests.web.hostile import ATTRIBUTE, CLOSING, IMAGE, LINKS, SCRIPT
from tests.web.served import Row, make_site, rows

pytestmark = pytest.mark.slow

CASE = "/case?playbook=citation_faithfulness&case=ferry&system=prod&judge=naive&prompt=v1"
PAGES = (
    "/", "/cases", "/cases?q=zzzz", "/compare", "/compare?base=nobody", CASE,
    f"{CASE}&finding=1", CASE.replace("prod", "candidate"), CASE.replace("ferry", "none"),
)  # fmt: skip
EXECUTED = "() => typeof window.__x"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as running:
        yield running


@pytest.fixture(scope="module")
def address(site: Site) -> Iterator[str]:
    with serving(site) as served:
        yield served


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    with visiting(browser, address) as made:
        yield made
        assert made.errors == [] and made.foreign == []


def test_find_the_case_that_made_the_gate_fail(visit: Visit) -> None:
    page = visit.go("/")
    gate = page.locator(".gate", has_text="release")
    expect(gate.locator("header .tag")).to_have_text("fail")
    gate.get_by_role("link", name="ferry", exact=True).click()
    expect(page.get_by_role("heading", name="ferry")).to_be_visible()
    expect(page.locator("#panel")).to_contain_text("There is no source 7 in this case")
    expect(page.locator(".judged .mark[aria-current]")).to_contain_text("Lorries wait at the gate")


def test_compare_two_systems(visit: Visit) -> None:
    page = visit.go("/")
    page.get_by_role("link", name="Compare case by case").click()
    expect(page.get_by_role("heading", name="Compare")).to_be_visible()
    expect(page.locator(".figures")).to_contain_text("−75.0")
    first = page.locator(".pair").first
    expect(first).to_contain_text("kiln/a b&c")
    page.get_by_role("link", name=re.compile("^Same")).click()
    expect(page.locator(".empty")).to_contain_text("No case of this kind")
    page.go_back()
    page.get_by_label("What").select_option("judges")
    page.wait_for_url("**/compare?*by=judges*")


def test_choosing_a_finding_opens_its_source_without_loading_the_page_anew(visit: Visit) -> None:
    page = visit.go(f"{CASE}&finding=0")
    page.evaluate("() => { window.same = true }")
    page.locator(".judged .mark").nth(1).click()
    match = page.locator("#panel mark.match")
    expect(match).to_have_text("Bicycles travel free of charge.")
    assert "finding=1" in page.url and page.evaluate("() => window.same")
    expect(page.locator(".judged .mark[aria-current]")).to_contain_text("Bicycles")
    page.keyboard.press("k")
    expect(page.locator("#panel h2")).to_have_text("Claim 0")
    page.go_back()
    expect(match).to_be_visible()


def test_every_step_works_without_script(browser: Browser, address: str) -> None:
    with visiting(browser, address, java_script_enabled=False) as visit:
        page = visit.go(CASE)
        page.locator(".judged .mark").nth(1).click()
        expect(page.locator("#panel mark.match")).to_have_text("Bicycles travel free of charge.")
        page = visit.go("/cases")
        page.get_by_label("Search").fill("lorries")
        page.get_by_role("button", name="Show").click()
        expect(page.locator(".found")).to_contain_text("2 reports")


def test_a_filter_changes_the_address_and_can_be_shared(visit: Visit) -> None:
    page = visit.go("/cases")
    page.get_by_label("Judge or model").select_option("strict")
    page.wait_for_url("**/cases?judge=strict")
    expect(page.locator(".found")).to_contain_text("5 reports")
    page.get_by_label("Search").fill("kiln")
    page.keyboard.press("Enter")
    page.wait_for_url("**/cases?q=kiln&judge=strict")
    expect(page.locator("tbody tr")).to_have_count(2)


def test_the_first_tab_skips_to_the_content_and_focus_can_be_seen(visit: Visit) -> None:
    page = visit.go("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    page.keyboard.press("Tab")
    outline = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_or_critical_bars_the_way(
    browser: Browser, address: str, path: str, scheme: Any
) -> None:
    with visiting(browser, address, color_scheme=scheme) as visit:
        visit.go(path)
        assert visit.violations() == []


@pytest.mark.parametrize("path", PAGES)
def test_a_narrow_screen_needs_no_scrolling_sideways(
    browser: Browser, address: str, path: str
) -> None:
    with visiting(browser, address, viewport=NARROW) as visit:
        page = visit.go(path)
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= NARROW["width"]
        assert visit.violations() == []


@pytest.mark.parametrize("path", ["/", "/cases", "/compare", CASE])
def test_nothing_moves_after_it_was_shown(browser: Browser, address: str, path: str) -> None:
    with visiting(browser, address, viewport=WIDE) as visit:
        visit.page.add_init_script(
            "window.shift = 0; new PerformanceObserver(list => { for (const e of "
            "list.getEntries()) window.shift += e.value }).observe({type: 'layout-shift', "
            "buffered: true})"
        )
        page = visit.go(path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("() => window.shift") < 0.01


# Hostile texts


HANDED = [c["input"]["text"] for c in load_cases("adversarial", "review_page")
          if c["kind"] == "stored_xss"]  # fmt: skip
TEXTS = tuple(dict.fromkeys((SCRIPT, IMAGE, CLOSING, LINKS, ATTRIBUTE, *HANDED)))
ALL = " ".join(TEXTS)
MOST_PAGES = 60


def _hostile_rows() -> list[Row]:
    """Return the cases with hostile texts wherever a page shows any."""
    answer = f"{ALL} [1]. {ALL} [2]."
    found: list[Row] = []
    for number, row in enumerate(rows()):
        sources = [
            {**source, "title": ALL, "document": ALL, "text": ALL}
            for source in row.fields["sources"]
        ]
        fields = {
            **row.fields, "answer": answer, "question": ALL, "sources": sources, "tags": [ALL],
            "labels": {"note": ALL}, "label_source": "constructed",
            "test_case_id": f"{row.fields['test_case_id']} {TEXTS[number % len(TEXTS)]}",
        }  # fmt: skip
        findings = tuple(_hostile(finding, ALL, len(answer)) for finding in row.findings)
        found.append(replace(row, fields=fields, findings=findings))
    return found


def _hostile(finding: Finding, hostile: str, length: int) -> Finding:
    update = {
        "text": hostile, "explanation": hostile, "label": hostile[:80], "category": hostile,
        "quote_found_in": hostile, "char_start": 0, "char_end": min(40, length),
        "flags": tuple(f.model_copy(update={"type": hostile, "detail": hostile})
                       for f in finding.flags),
        "evidence": tuple(
            e.model_copy(update={"char_start": 2, "char_end": 20, "text": hostile})
            for e in finding.evidence
        ),
    }  # fmt: skip
    return finding.model_copy(update=update)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site full of hostile texts; its judge and dataset have hostile names."""
    site = make_site(
        tmp_path_factory.mktemp("hostile"),
        _hostile_rows(),
        dataset=ATTRIBUTE,
        judges=((ATTRIBUTE, "epoch-1", 20), (ATTRIBUTE, "epoch-2", 21), ("naive", "epoch-2", 21)),
    )
    with serving(site) as served:
        yield served


def test_no_text_of_a_case_a_model_or_a_dataset_is_ever_run(browser: Browser, hostile: str) -> None:
    with visiting(browser, hostile) as visit:
        waiting, seen = ["/", "/cases?judge=naive", "/compare?by=judges&prompt=v1"], set[str]()
        while waiting and len(seen) < MOST_PAGES:
            path = waiting.pop(0)
            if path in seen or ".csv" in path:
                continue
            seen.add(path)
            page = visit.go(path)
            assert visit.status == 200, path
            assert page.evaluate(EXECUTED) == "undefined", path
            for mark in page.locator("main a[data-finding]").all()[:2]:
                mark.click()
                expect(page.locator("#panel")).not_to_have_attribute("aria-busy", "true")
                assert page.evaluate(EXECUTED) == "undefined", path
            found: list[str] = page.evaluate(
                "() => [...document.querySelectorAll('[href], [src], [action]')].map(e => "
                "e.getAttribute('href') || e.getAttribute('src') || e.getAttribute('action'))"
            )
            assert all(link.startswith(("/", "#")) for link in found), path
            pages = dict.fromkeys(link.partition("#")[0] for link in found)
            waiting += [link for link in pages if link and not link.startswith("/static/")]
        assert visit.errors == [] and visit.foreign == []
    assert len(seen) > 20


def test_hostile_texts_are_shown_as_they_are(browser: Browser, hostile: str) -> None:
    with visiting(browser, hostile) as visit:
        page = visit.go("/cases")
        assert ALL in page.locator(".question").first.text_content()
        page.locator("th.case a").first.click()
        text = page.locator("main").text_content()
        assert text.count(ALL) > 5 and ATTRIBUTE in text
        expect(page.locator("#panel .source-text").first).to_contain_text(SCRIPT)
