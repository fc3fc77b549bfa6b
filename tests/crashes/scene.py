"""A provider that counts, processes that die, and what is left of them."""

import json
import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from citeval_assets.datasets.hashing import canonical_json
from citeval_assets.ledger.audit import verify
from citeval_assets.ledger.store import Ledger
from tests.crashes import child
from tests.crashes.child import Crash, SessionPlan
from tests.small_project import SmallProject, make_project, rows_of
from tests.stand_in_server import Scripted, StandInServer, says

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(["tests.crashes.child"])

CONCURRENCY = 8
SETTINGS = f"""\
models:
  - {{id: paid, model: prov/judge, roles: [judge], stage: production,
     limits: {{max_concurrency: {CONCURRENCY}, tries: 3, backoff_s: 0.01, backoff_max_s: 0.05}}}}
"""
PLAYBOOK = "citation_faithfulness"


class CountingServer(StandInServer):
    """Tells of each request before it answers, and knows what was asked how often."""

    def __init__(self, reply: Scripted, on_request: Callable[[int], None] | None = None):
        super().__init__(default=reply)
        self.on_request = on_request

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        if self.on_request is not None:
            self.on_request(len(self.requests) + 1)
        return await super()._answer(request)

    def asked(self) -> Counter[str]:
        """Return how often each question was put: its messages as the ledger spells them."""
        return Counter(canonical_json(request["body"]["messages"]) for request in self.requests)


@dataclass
class Aftermath:
    """What came of a run that died and was taken up again.

    Attributes:
        lost: Replies that were on record before and are no more; questions never answered.
        sent_again: Recorded questions that were put a second time.
        repeats: Requests beyond one for each question.
        unlisted: Repeated questions that are not listed as maybe paid.
        chain_ok: Whether the audit is content.
        exit_code: How the first process ended.
        requests: All requests the provider saw; ``intents``: all the ledger knows of.
    """

    exit_code: int | None
    lost: int = 0
    sent_again: int = 0
    repeats: int = 0
    unlisted: int = 0
    chain_ok: bool = True
    requests: int = 0
    intents: int = 0
    results: Any = field(default=None, repr=False)

    def check(self, concurrency: int = CONCURRENCY) -> None:
        """Say what must hold after every crash."""
        assert (self.lost, self.sent_again, self.unlisted) == (0, 0, 0), self
        assert self.repeats <= concurrency, self
        assert self.chain_ok, self
        # An intent whose request never left is listed, too: it might have.
        assert 0 <= self.intents - self.requests <= concurrency, self


def questions(ledger: Ledger) -> tuple[set[str], set[str], int]:
    """Return what is answered, what may have been paid, and how many intents there are."""
    with ledger.reading() as connection:
        rows = connection.exec_driver_sql(
            "SELECT t.content, r.outcome FROM call_intents i "
            "JOIN texts t ON t.sha256 = i.messages_sha256 "
            "LEFT JOIN call_replies r ON r.call_id = i.call_id"
        ).all()
    answered = {content for content, outcome in rows if outcome == "reply"}
    open_ = {content for content, outcome in rows if outcome is None}
    return answered, open_, len(rows)


def run_to_the_end(target: Callable[..., None], *given: Any) -> int | None:
    """Run something in a process of its own and return how it ended."""
    process = processes.Process(target=target, args=given)
    process.start()
    process.join(120)
    assert process.exitcode is not None, "the process hangs"
    return process.exitcode


def die_and_resume(
    server: CountingServer,
    ledger_url: str,
    target: Callable[..., None],
    first: tuple[Any, ...],
    again: tuple[Any, ...],
    *,
    kill_at: int | None = None,
    how: int = signal.SIGKILL,
) -> Aftermath:
    """Run, die, look, run again, and compare what the provider saw with what is on record.

    ``kill_at``: the process is killed when the provider has seen so many requests.
    """
    process = processes.Process(target=target, args=first)

    def kill(number: int) -> None:
        if number == kill_at and process.pid is not None:
            os.kill(process.pid, how)

    server.on_request = kill if kill_at is not None else None
    process.start()
    process.join(120)
    server.on_request = None
    assert process.exitcode is not None, "the process hangs"
    with Ledger.open(ledger_url) as ledger:
        before, open_before, _ = questions(ledger)
        chain_ok = verify(ledger).ok
    asked_before = server.asked()
    assert run_to_the_end(target, *again) == 0
    asked = server.asked()
    with Ledger.open(ledger_url) as ledger:
        after, _, intents = questions(ledger)
        chain_ok = chain_ok and verify(ledger).ok
    repeated = {question for question, count in asked.items() if count > 1}
    return Aftermath(
        exit_code=process.exitcode,
        lost=len(before - after) + len(set(asked) - after),
        sent_again=sum(asked[question] > asked_before[question] for question in before),
        repeats=sum(asked.values()) - len(asked),
        unlisted=len(repeated - open_before),
        chain_ok=chain_ok,
        requests=sum(asked.values()),
        intents=intents,
    )


# --- a session over the toy playbook -------------------------------------------------------

YES = says({"verdict": "yes"}, delay_s=0.01)


def kill_session(
    folder: Path,
    *,
    kill_at: int | None = None,
    crash: Crash | None = None,
    how: int = signal.SIGKILL,
    cases: int = 60,
    ledger_url: str | None = None,
) -> Aftermath:
    """Kill a session over ``cases`` cases and let another one resume it."""
    url = ledger_url or f"sqlite:///{folder / 'ledger.db'}"
    with CountingServer(YES) as server:
        plan = SessionPlan(url, server.url, cases, CONCURRENCY)
        found = die_and_resume(
            server, url, child.run_toy_session, (plan, crash), (plan,), kill_at=kill_at, how=how
        )
        assert len(server.asked()) == cases
    return found


# --- a whole evaluation --------------------------------------------------------------------


def sixty_cases(folder: Path) -> SmallProject:
    """Make a project with sixty different questions for one model."""
    project = make_project(folder, SETTINGS)
    base = rows_of(PLAYBOOK, ("prod",))[0]
    rows = [
        {**base, "test_case_id": f"case-{n:02}", "system": system,
         "question": f"{base['question']} ({system} {n})"}
        for n in range(30)
        for system in ("prod", "candidate")
    ]  # fmt: skip
    project.write_rows(PLAYBOOK, rows)
    return project


def valid_reply() -> Scripted:
    """Return a reply that is valid for each of the sixty cases."""
    row = rows_of(PLAYBOOK, ("prod",))[0]
    claims = [
        {"unit": number, "claim_text": text, "cited_source_id": cited, "verdict": "supported",
         "explanation": ""}
        for number, (text, cited) in enumerate(_sentences(row["answer"]))
    ]  # fmt: skip
    return says(
        {
            "citation_faithfulness_score": 1.0,
            "claims_analysis": claims,
            "overall_assessment": "",
        },
        delay_s=0.01,
    )


def _sentences(answer: str) -> list[tuple[str, str | None]]:
    found: list[tuple[str, str | None]] = []
    for sentence in answer.rstrip(". ").split(". "):
        text, _, cited = sentence.partition(" [")
        found.append((text, cited.rstrip("]") or None))
    return found


def kill_evaluation(project: SmallProject, crash: Crash) -> Aftermath:
    """Let an evaluation die at a named point, and another one resume it."""
    ledger_url = project.load().settings.ledger_url
    with CountingServer(valid_reply()) as server:
        sent = crash.point == "request sent"
        found = die_and_resume(
            server,
            ledger_url,
            child.run_evaluation,
            (project.folder, project.home, server.url, None if sent else crash),
            (project.folder, project.home, server.url, None),
            kill_at=crash.at if sent else None,
            how=crash.signal,
        )
    found.results = results(project)
    return found


def unbroken(project: SmallProject) -> Any:
    """Evaluate without an accident and return the results."""
    with CountingServer(valid_reply()) as server:
        arguments = (project.folder, project.home, server.url, None)
        assert run_to_the_end(child.run_evaluation, *arguments) == 0
    return results(project)


def results(project: SmallProject) -> list[tuple[Any, ...]]:
    """Return what the current reports say, without what names a run."""
    rows = project.table(
        "current_reports", "test_case_id, system, validation_status, score, report"
    )
    return [(*row[:4], json.loads(row[4])) for row in rows]
