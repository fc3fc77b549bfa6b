"""When the client library is loaded: not without need, and not while nothing else is done."""

import asyncio
import threading

import pytest
from stand_in_server import StandInServer, says

from citeval_assets.judging import litellm_client
from citeval_assets.judging.clients import client_for
from citeval_assets.judging.session import run_session
from citeval_assets.playbooks.vocabulary import Status

from .toy import TEMPLATE, TOY, VALID, model, policy, task, tasks

GOOD = says(VALID)


def judged(server, ledger, cases, **settings):
    judge = model(api_base=server.url)
    return run_session(
        playbook=TOY,
        template=TEMPLATE,
        model=judge,
        client=client_for(judge, {}),
        ledger=ledger,
        policy=policy(**settings),
        run_id="run-1",
        tasks=cases,
        secret=b"s" * 32,
    )


@pytest.fixture
def loadings(monkeypatch):
    """How often the library was asked for."""
    seen: list[str] = []
    real = litellm_client.load_litellm

    def watched():
        seen.append(threading.current_thread().name)
        return real()

    monkeypatch.setattr(litellm_client, "load_litellm", watched)
    return seen


def test_the_library_is_not_loaded_where_every_reply_is_in_the_ledger(ledger, loadings):
    with StandInServer(default=GOOD) as server:
        judged(server, ledger, tasks(6))
        assert len(loadings) == 1
        again = judged(server, ledger, tasks(6))
    assert [o.reused_calls for o in again] == [1] * 6
    assert len(loadings) == 1, "the second run needs no client library"


def test_one_missing_reply_loads_the_library_once(ledger, loadings):
    with StandInServer(default=GOOD) as server:
        judged(server, ledger, tasks(3))
        judged(server, ledger, [*tasks(3), task("new")])
    assert len(loadings) == 2


@pytest.mark.parametrize("refresh", [False, True])
def test_the_library_is_loading_while_further_cases_are_prepared(ledger, monkeypatch, refresh):
    real, told = litellm_client.load_litellm, []
    all_drawn = threading.Event()

    def watched():
        assert all_drawn.wait(20), "no further case is prepared while the library is loading"
        told.append("loading ends")
        return real()

    handed_over = asyncio.to_thread

    async def to_thread(work, *arguments, **named):
        if work is watched:
            told.append("loading begins")
        return await handed_over(work, *arguments, **named)

    def drawn():
        for case in tasks(4):
            told.append("case")
            if told.count("case") == 4:
                all_drawn.set()
            yield case

    monkeypatch.setattr(litellm_client, "load_litellm", watched)
    monkeypatch.setattr(asyncio, "to_thread", to_thread)
    with StandInServer(default=GOOD) as server:
        outcomes = judged(server, ledger, drawn(), max_concurrency=5, refresh=refresh)
    assert {o.report.status for o in outcomes} == {Status.VALID}
    assert told == ["case", "loading begins", *["case"] * 3, "loading ends"]
