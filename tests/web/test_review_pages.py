"""Review over the pages: what is shown, what is recorded, what counts afterwards."""

import pytest

from tests.web.review_site import Pages, judged_project


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    return judged_project(tmp_path_factory.mktemp("judged"))


@pytest.fixture
def pages(judged, tmp_path):
    """Pages over the judged project with a ledger of their own."""
    import shutil

    from tests.small_project import SmallProject

    home = tmp_path / "home"
    shutil.copytree(judged.home, home)
    return Pages.over(SmallProject(judged.folder, home))


def item_of(pages: Pages, query: str = "") -> str:
    return f"/review/{pages.items(query)[0]}"


def test_the_queue_shows_open_items_the_worst_first(pages):
    text = pages.get("/review")
    assert "toll" in text
    assert text.index("critical") > 0
    assert pages.items()


def test_an_item_shows_the_judge_beside_the_human_with_source_and_reason(pages):
    text = pages.get(item_of(pages))
    for shown in ("hallucinated source", "The toll for cars is four euros", "Your label for unit"):
        assert shown in text


def test_blind_mode_holds_the_verdict_back_from_the_page_itself(pages):
    text = pages.get(f"{item_of(pages)}?blind=1")
    for hidden in ("hallucinated source", "by code", "0.500", "Raw output"):
        assert hidden not in text
    assert "hidden until you decide" in text
    queue = pages.get("/review?blind=1").partition("<tbody>")[2]
    assert "hallucinated" not in queue


def test_a_confirmation_is_recorded_with_a_label_and_leads_to_the_next_item(pages):
    first, second = pages.items()[:2]
    answer = pages.send(f"/review/{first}", {"decision": "confirm", "reviewer": "ada"})
    assert answer.status_code == 303
    assert f"/review/{second}" in answer.headers["location"]
    (decision,) = pages.decisions()
    assert (decision.decision, decision.reviewer) == ("confirm", "ada")
    (label,) = pages.labels()
    assert label.origin == decision.decision_id
    assert first not in pages.items()
    assert "Recorded: confirm" in pages.get(answer.headers["location"])


def test_the_name_of_the_reviewer_is_remembered(pages):
    item = item_of(pages)
    pages.send(item, {"decision": "dismiss", "reviewer": "Zoë Ω"})
    assert 'value="Zoë Ω"' in pages.get(item)


def test_an_override_needs_a_score_or_all_labels_and_says_so(pages):
    item = item_of(pages)
    answer = pages.send(item, {"decision": "override", "reviewer": "ada", "note": "kept <b>"})
    assert answer.status_code == 422
    assert "Give a score from 0 to 1" in answer.text
    assert "kept &lt;b&gt;" in answer.text
    assert pages.decisions() == []


def test_a_stale_form_is_answered_409_with_the_other_decision_first_and_both_are_kept(pages):
    item = item_of(pages)
    old = pages.hidden(item)
    pages.send(item, {"decision": "override", "score": "0.9", "reviewer": "ada", "note": "look"})
    mine = {"decision": "override", "score": "0", "reviewer": "bob", "note": "my view"}
    stale = pages.send(item, {**old, **mine}, fresh=False)
    assert stale.status_code == 409
    assert stale.text.index("look") < stale.text.index("my view")
    assert [d.reviewer for d in pages.decisions()] == ["ada"]

    pages.send(item, mine)
    assert [d.reviewer for d in pages.decisions()] == ["ada", "bob"]
    assert "disputed" in pages.get(item)
    assert item.removeprefix("/review/") in pages.items()
    assert "0 of 1" in pages.get("/review")


def test_a_blind_verdict_is_shown_beside_the_judge_afterwards(pages):
    item = item_of(pages)
    answer = pages.send(
        f"{item}?blind=1", {"decision": "override", "score": "1", "reviewer": "eve"}
    )
    assert "revealed=1" in answer.headers["location"]
    text = pages.get(answer.headers["location"])
    assert "hallucinated source" in text
    assert "blind" in text


def test_a_decision_can_be_taken_back_and_both_stay_in_the_record(pages):
    item = item_of(pages)
    pages.send(item, {"decision": "confirm", "reviewer": "ada"})
    (first,) = pages.decisions()
    fields = {"decision": "undo", "reviewer": "ada", "undoes": first.decision_id}
    assert pages.send(item, fields).status_code == 303
    assert [d.decision for d in pages.decisions()] == ["confirm", "undo"]
    assert item.removeprefix("/review/") in pages.items()
    assert "taken back" in pages.get(item)


def test_an_override_counts_from_the_next_gate_on_and_a_label_in_calibration(pages):
    from citeval_assets.evaluation.service import Service

    item = item_of(pages, "?system=candidate")
    pages.send(item, {"decision": "override", "score": "1", "reviewer": "ada"})
    service = Service(pages.opened)
    service.gate()
    rows = pages.project.table("reports", "score, effective_score, overridden, provisional")
    assert (0.5, 1.0, True, False) in rows
    trend = pages.project.table("score_trend", "system, n_overridden, n_provisional")
    assert ("candidate", 1, 0) in trend
    calibrated = [c for c in service.calibrate() if c.agreement.label_source == "human"]
    assert sum(c.agreement.n for c in calibrated) == 1

    (first,) = pages.decisions()
    undo = {"decision": "undo", "reviewer": "ada", "undoes": first.decision_id}
    pages.send(item, undo)
    service.gate()
    rows = pages.project.table("reports", "overridden, provisional")
    assert (True, False) not in rows
    assert not any(
        c.agreement.n for c in service.calibrate() if c.agreement.label_source == "human"
    )


def test_a_rebuilt_warehouse_knows_the_decisions(pages):
    from citeval_assets.evaluation.service import Service

    pages.send(item_of(pages), {"decision": "override", "score": "1", "reviewer": "ada"})
    Service(pages.opened).refresh_review_queue()
    before = pages.project.table("reports"), pages.project.table("score_trend")
    pages.project.warehouse.path.unlink()
    Service(pages.opened).gate()
    assert (pages.project.table("reports"), pages.project.table("score_trend")) == before


@pytest.mark.parametrize(
    "path",
    [
        "/review?severity=worst",
        "/review?page=0",
        "/review?page=x",
        "/review?page=99999999999",
        "/review?sort=score;drop+table+x&dir=desc--&limit=1e9",
    ],
)
def test_addresses_that_make_no_sense_are_refused(pages, path):
    assert pages.client.get(path).status_code == 400


def test_an_unknown_item_is_not_found_and_a_page_past_the_end_says_so(pages):
    assert pages.client.get("/review/0123456789abcdef01234567").status_code == 404
    assert "past the end" in pages.get("/review?page=9")


def test_nothing_is_decided_by_looking(pages):
    assert pages.client.get(f"{item_of(pages)}?decision=confirm&reviewer=x").status_code == 200
    assert pages.decisions() == []


def test_a_form_of_another_site_is_refused(pages):
    item = item_of(pages)
    fields = {**pages.hidden(item), "decision": "confirm", "reviewer": "x"}
    evil = pages.client.post(item, data=fields, headers={"Origin": "https://evil.example"})
    without = pages.client.post(item, data={**fields, "form_token": "x"})
    assert (evil.status_code, without.status_code) == (403, 403)
    assert pages.decisions() == []


def test_the_digest_is_text_to_be_mailed(pages):
    answer = pages.client.get("/review/digest")
    assert answer.headers["content-type"].startswith("text/plain")
    assert "open: " in answer.text


def test_the_calibration_page_tells_who_is_uncalibrated_and_how_people_agree(pages):
    text = pages.get("/calibration")
    assert "uncalibrated" in text or "held against labels" in text
    assert "decided by two people" in text


def test_the_judges_page_has_an_empty_state(pages):
    assert "citeval qualify" in pages.get("/judges")


def test_the_audit_page_walks_the_chain_and_finds_a_case(pages):
    assert "Not walked" in pages.get("/audit")
    token = {"form_token": pages.hidden(item_of(pages))["form_token"]}
    walked = pages.client.post("/audit", data=token)
    assert "whole" in walked.text
    bad = pages.client.post("/audit", data={**token, "anchor": "nonsense"})
    assert bad.status_code == 422
    text = pages.get("/audit?trace=toll")
    assert "score <b" in text
    assert pages.client.get("/audit?trace=nothing").status_code == 404
