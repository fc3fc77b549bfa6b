"""One notice for one cause, to everybody, once."""

import logging
from dataclasses import dataclass, field

import pytest

from citeval_assets.evaluation.notices import (
    LogNotifier,
    Notice,
    NotifierFailed,
    WebhookNotifier,
    is_well,
    tell,
)
from citeval_assets.ledger.store import Ledger
from tests.loopback import loopback


@dataclass
class Listener:
    name: str = "ear"
    deaf: bool = False
    heard: list[str] = field(default_factory=list)

    def send(self, notice: Notice) -> None:
        if self.deaf:
            raise NotifierFailed(f"{self.name} is deaf")
        self.heard.append(notice.cause)


@pytest.fixture
def ledger(tmp_path):
    with Ledger.open(f"sqlite:///{tmp_path / 'ledger.db'}") as ledger:
        yield ledger


def notice(cause: str, topic: str = "gate:a") -> Notice:
    return Notice("gate_failed", topic, cause, "Gate a fails", ("by 4 points",))


def test_a_cause_is_told_once_until_it_was_well_or_is_another(ledger):
    ear = Listener()
    for cause in ("drop", "drop", "hallucination", "hallucination"):
        tell(ledger, [ear], notice(cause))
    is_well(ledger, [ear], "gate:a")
    tell(ledger, [ear], notice("hallucination"))
    assert ear.heard == ["drop", "hallucination", "hallucination"]


def test_who_could_not_be_reached_is_told_later_and_nobody_twice(ledger):
    ear, other = Listener(), Listener("other", deaf=True)
    assert tell(ledger, [other, ear], notice("drop")) == ["other is deaf"]
    other.deaf = False
    assert tell(ledger, [other, ear], notice("drop")) == []
    assert (ear.heard, other.heard) == (["drop"], ["drop"])


def test_a_webhook_gets_json(ledger):
    with loopback() as server:
        tell(ledger, [WebhookNotifier(f"{server.url}/hook")], notice("drop"))
    (body,) = server.received
    assert body["kind"] == "gate_failed" and body["text"] == "Gate a fails\nby 4 points"


def test_a_webhook_that_refuses_is_named_by_its_host_alone():
    with loopback() as server, pytest.raises(NotifierFailed) as failed:
        server.status = 403
        WebhookNotifier(f"{server.url}/services/T0/secret").send(notice("drop"))
    assert str(failed.value) == "webhook at 127.0.0.1 answered HTTP 403"
    assert "secret" not in repr(WebhookNotifier("https://example.org/secret"))


def test_the_log_gets_a_warning(caplog):
    with caplog.at_level(logging.WARNING):
        LogNotifier(logging.getLogger("somewhere")).send(notice("drop"))
    assert "Gate a fails\nby 4 points" in caplog.text
