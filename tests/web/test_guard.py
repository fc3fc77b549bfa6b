"""Who may ask, from where, and what a browser may do with the answer."""

import re

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from citeval_assets.web import pages
from citeval_assets.web.app import create_app
from citeval_assets.web.forms import Form, posting
from citeval_assets.web.pages import PageModule
from citeval_assets.web.security import host_known
from citeval_assets.web.site import Access, Site
from tests.web.served import ADDRESS, visiting, with_access

TOKEN = "a-token-of-some-length"
PAGES = ("/", "/compare", "/cases", "/case?playbook=citation_faithfulness&case=ferry", "/nowhere")


def form_token(page: Response) -> str:
    found = re.search(r'name="form_token" value="([0-9a-f]{64})"', page.text)
    assert found is not None
    return found.group(1)


@pytest.fixture
def decisions(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A page that takes a form, and what it was sent."""
    taken: list[str] = []

    def show(request: Request) -> Response:
        from citeval_assets.web.rendering import render

        return render(request, "login.html", next="/", wrong=False)

    def decide(request: Request, form: Form) -> Response:
        taken.append(form["decision"])
        return PlainTextResponse("taken")

    module = PageModule((Route("/decide", show), posting("/decide", decide)))
    known = list(pages.page_modules())
    monkeypatch.setattr("citeval_assets.web.app.page_modules", lambda: [*known, module])
    return taken


@pytest.mark.parametrize("page", PAGES)
def test_every_answer_forbids_foreign_scripts_frames_and_keeping(
    visitor: TestClient, page: str
) -> None:
    headers = visitor.get(page).headers
    policy = headers["content-security-policy"]
    assert "unsafe" not in policy and "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("page", PAGES)
def test_no_page_holds_script_or_style_of_its_own(visitor: TestClient, page: str) -> None:
    text = visitor.get(page).text
    assert all("src=" in tag for tag in re.findall(r"<script\b[^>]*>", text))
    assert "<style" not in text
    assert not re.search(r"<[^>]*\s(?:style|on\w+)\s*=", text)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_host_name_that_is_not_ours_reaches_no_page(site: Site, host: str, method: str) -> None:
    with visiting(site, Host=host, Origin=f"http://{host}") as client:
        assert client.request(method, "/decide").status_code == 421


def test_the_names_of_loopback_are_ours_on_any_port() -> None:
    for host in ("127.0.0.1:8765", "localhost", "localhost:9000", "[::1]:8765"):
        assert host_known(host, Access())
    for host in ("", "192.168.1.4", "user@localhost", "localhost.evil.example", "[::1", "127.1"):
        assert not host_known(host, Access())


def test_addresses_and_given_names_are_ours_where_the_server_listens_beyond_loopback() -> None:
    access = Access(TOKEN, frozenset({"judge.house"}), any_address=True)
    assert host_known("192.168.1.4:80", access) and host_known("judge.house", access)
    assert not host_known("other.house", access)


def test_a_form_with_the_token_of_its_page_is_taken(site: Site, decisions: list[str]) -> None:
    with visiting(site, Origin=ADDRESS) as client:
        token = form_token(client.get("/decide"))
        answer = client.post("/decide", data={"decision": "approve", "form_token": token})
    assert answer.text == "taken" and decisions == ["approve"]


def test_a_form_from_another_site_is_refused(site: Site, decisions: list[str]) -> None:
    with visiting(site) as client:
        token = form_token(client.get("/decide"))
        data = {"decision": "approve", "form_token": token}
        for headers in (
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
            {"Origin": "http://127.0.0.1:1"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
        ):
            assert client.post("/decide", data=data, headers=headers).status_code == 403
    assert decisions == []


def test_a_form_without_its_token_or_with_that_of_another_visitor_is_refused(
    site: Site, decisions: list[str]
) -> None:
    with visiting(site) as other:
        stolen = form_token(other.get("/decide"))
    with visiting(site, Origin=ADDRESS) as client:
        client.get("/decide")
        for data in ({}, {"form_token": ""}, {"form_token": stolen}):
            answer = client.post("/decide", data={"decision": "approve", **data})
            assert answer.status_code == 403
    assert decisions == []


def test_a_form_of_another_kind_or_size_is_refused(site: Site, decisions: list[str]) -> None:
    with visiting(site, Origin=ADDRESS) as client:
        token = form_token(client.get("/decide"))
        assert client.post("/decide", json={"form_token": token}).status_code == 415
        huge = {"form_token": token, "decision": "x" * (1 << 20)}
        assert client.post("/decide", data=huge).status_code == 413
        many = {f"f{n}": "1" for n in range(300)}
        assert client.post("/decide", data=many).status_code == 400
    assert decisions == []


def test_asking_for_a_decision_by_get_changes_nothing(site: Site, decisions: list[str]) -> None:
    with visiting(site) as client:
        client.get("/decide?decision=approve")
        assert client.put("/decide", headers={"Origin": ADDRESS}).status_code == 405
    assert decisions == []


def test_a_page_that_changes_something_without_a_checked_form_is_not_served(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def handler(request: Request) -> Response:
        return PlainTextResponse("")

    module = PageModule((Route("/unchecked", handler, methods=["POST"]),))
    monkeypatch.setattr("citeval_assets.web.app.page_modules", lambda: [module])
    with pytest.raises(ValueError, match=r"without forms\.posting"):
        create_app(site)


def test_the_session_cookie_is_out_of_reach_of_scripts_and_other_sites(site: Site) -> None:
    with visiting(site) as client:
        cookie = client.get("/").headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
        assert "set-cookie" not in client.get("/").headers


def test_with_a_token_nothing_is_shown_before_it_was_given(site: Site) -> None:
    with visiting(with_access(site, Access(TOKEN))) as client:
        asked = client.get("/cases?q=ferry")
        assert asked.status_code == 303
        assert asked.headers["location"] == "/login?next=%2Fcases%3Fq%3Dferry"
        assert client.get("/", headers={"Accept": "*/*"}).status_code == 401
        assert client.get("/static/citeval.css").status_code == 200
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        assert client.get("/", headers=bearer).status_code == 200
        assert client.get("/", headers={"Authorization": "Bearer no"}).status_code == 303


def test_signing_in_and_out(site: Site) -> None:
    with visiting(with_access(site, Access(TOKEN)), Origin=ADDRESS) as client:
        fields = {"form_token": form_token(client.get("/login")), "next": "/cases"}
        assert client.post("/login", data={**fields, "token": "wrong"}).status_code == 401
        assert client.get("/cases").status_code == 303
        answer = client.post("/login", data={**fields, "token": TOKEN})
        assert answer.headers["location"] == "/cases"
        page = client.get("/cases")
        assert page.status_code == 200
        client.post("/logout", data={"form_token": form_token(page)})
        assert client.get("/cases").status_code == 303


@pytest.mark.parametrize("target", ["https://evil.example", "//evil.example", "/\\evil", "x", ""])
def test_signing_in_leads_nowhere_else(site: Site, target: str) -> None:
    with visiting(with_access(site, Access(TOKEN)), Origin=ADDRESS) as client:
        token = form_token(client.get("/login"))
        data = {"form_token": token, "next": target, "token": TOKEN}
        assert client.post("/login", data=data).headers["location"] == "/"


def test_a_forged_session_is_not_trusted(site: Site) -> None:
    with visiting(with_access(site, Access(TOKEN))) as client:
        client.cookies.set("citeval_session", f"{'a' * 32}.{'0' * 64}")
        assert client.get("/").status_code == 303
