"""A retriever behind HTTP: what is asked, what is tried again, what is a fault."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from citeval_assets.config import Settings
from citeval_assets.config.data import RetrieverConfig
from citeval_assets.retrieval import RetrieverError, RetrieverUnreachable, retriever_for

PASSAGES = {"passages": [{"id": 1, "text": "first"}, {"id": "2", "text": "second"}]}


class Service:
    """Answers from a script; the last entry of a path repeats."""

    def __init__(self) -> None:
        self.script: dict[str, list[tuple[int, object]]] = {
            "/version": [(200, {"version": "v7"})],
            "/search": [(200, PASSAGES)],
            "/fetch": [(200, PASSAGES)],
        }
        self.seen: list[tuple[str, object, str | None]] = []

    def answer(self, path: str, body: object, key: str | None) -> tuple[int, object]:
        self.seen.append((path, body, key))
        answers = self.script[path]
        return answers.pop(0) if len(answers) > 1 else answers[0]


@pytest.fixture
def service() -> Iterator[Service]:
    found = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size)) if size else None
            status, reply = found.answer(self.path, body, self.headers.get("Authorization"))
            text = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def do_GET(self) -> None:
            self.do_POST()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_port}"  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield found
    server.shutdown()
    server.server_close()
    thread.join()


def opened(service, tmp_path, environ=None, **options):
    config = RetrieverConfig.model_validate(
        {"name": "r", "kind": "http", "options": {"url": service.url, **options}}
    )
    settings = Settings(
        project_dir=tmp_path, state_dir=tmp_path, ledger_url="", models=(), retrievers=(config,)
    )
    found = retriever_for(settings, "r", environ or {})
    object.__setattr__(found, "sleep", lambda seconds: None)
    return found


def test_questions_and_ids_are_posted_and_passages_come_back(service, tmp_path):
    found = opened(service, tmp_path, environ={"SHELF_KEY": "k-1"}, api_key_env="SHELF_KEY")
    assert found.version == "v7"
    assert [s.id for s in found.search("When?", 1)] == ["1"]
    assert [s.text for s in found.fetch(["1", "2"])] == ["first", "second"]
    assert service.seen == [
        ("/version", None, "Bearer k-1"),
        ("/search", {"question": "When?", "k": 1}, "Bearer k-1"),
        ("/fetch", {"ids": ["1", "2"]}, "Bearer k-1"),
    ]
    assert "k-1" not in repr(found)


def test_a_version_in_the_configuration_is_not_asked_for(service, tmp_path):
    assert opened(service, tmp_path, version="2026-11").version == "2026-11"
    assert service.seen == []


def test_a_service_without_a_version_is_refused_with_the_remedy(service, tmp_path):
    service.script["/version"] = [(200, {})]
    with pytest.raises(RetrieverError, match=r"give options\.version"):
        _ = opened(service, tmp_path).version


def test_what_may_pass_is_tried_again(service, tmp_path):
    service.script["/search"] = [(503, {}), (429, {}), (200, PASSAGES)]
    assert len(opened(service, tmp_path).search("When?", 5)) == 2
    assert len(service.seen) == 3


def test_what_does_not_pass_makes_it_unreachable(service, tmp_path):
    service.script["/search"] = [(500, {})]
    with pytest.raises(RetrieverUnreachable, match=r"status 500 \(2 tries\)"):
        opened(service, tmp_path, tries=2).search("When?", 5)


@pytest.mark.parametrize(
    ("status", "reply", "told"),
    [
        (404, {}, "status 404"),
        (200, b"<html>", "JSON object"),
        (200, {"passages": [{"id": "1"}]}, "id and text"),
        (200, {"hits": []}, "id and text"),
    ],
)
def test_another_kind_of_answer_is_a_fault_that_is_named(service, tmp_path, status, reply, told):
    service.script["/search"] = [(status, reply)]
    with pytest.raises(RetrieverError, match=told):
        opened(service, tmp_path).search("When?", 5)
    assert len(service.seen) == 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"url": "ftp://x"}, "http://"),
        ({"url": "http://me:secret-1@127.0.0.1"}, "options.url holds a user name"),
        ({"tries": 0}, "options.tries"),
        ({"corpus": "x"}, "unknown options.corpus"),
        ({"api_key_env": "NOT_SET"}, "NOT_SET"),
    ],
)
def test_settings_that_cannot_work_are_refused_before_anything_is_asked(
    service, tmp_path, options, told
):
    with pytest.raises(RetrieverError, match=told):
        opened(service, tmp_path, **options)
    assert service.seen == []
