"""Processes that judge one cell divide its cases: none is prepared twice, none is lost."""

import json
import re
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from citeval_assets.evaluation import partition, sharing, tasks
from citeval_assets.evaluation.kept import SettledCase, SettledCases
from citeval_assets.evaluation.service import Service
from citeval_assets.evaluation.sharing import SharedCases
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.ledger.members import Members
from citeval_assets.ledger.owners import retire
from citeval_assets.ledger.records import DatasetMember
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.vocabulary import Reason, Routing, Status
from tests.evaluation.judged_project import CELL, NAME, judged_project, labelled_rows
from tests.judging.toy import ScriptedClient, completion

MEMBERS = [DatasetMember("d", "golden", f"case-{n:03}", "{}", n) for n in range(100)]


@pytest.fixture
def late() -> list[timedelta]:
    """How far the ledger's clock is ahead; the last entry counts."""
    return [timedelta()]


@pytest.fixture
def ledger(tmp_path, late) -> Iterator[Ledger]:
    url = f"sqlite:///{tmp_path}/ledger.db"
    with Ledger.open(url, now=lambda: datetime.now(UTC) + late[-1]) as opened:
        yield opened


def at_work(ledger: Ledger, **settings) -> SharedCases:
    return SharedCases.of(
        ledger, JudgingPolicy(**settings), ["cell"], Members(MEMBERS), SettledCases()
    )


def settled(member: DatasetMember, status: Status = Status.VALID) -> SettledCase:
    reason = None if status is Status.VALID else Reason.UNREACHABLE
    return SettledCase(
        member.case_hash, "t", "s", status, reason, 1.0, Routing.DELIVER, (), (), (),
        position=member.position,
    )  # fmt: skip


def judge(shared: SharedCases, part, status: Status = Status.VALID) -> list[str]:
    for member in part:
        shared.note(settled(member, status), interrupted=False)
    return [member.case_hash for member in part]


def nothing():
    return []


def waited(shared: SharedCases, elsewhere=nothing) -> list[SettledCase]:
    """Return what others settled while this process waited."""
    own = len(shared.cases)
    shared.wait(elsewhere)
    return shared.cases[own:]


def names(cases) -> list[str]:
    return [case.case_hash for case in cases]


def test_each_case_is_drawn_by_one_process_and_taken_over_by_the_other(ledger):
    one, two = at_work(ledger), at_work(ledger)
    parts = {id(one): one.parts(), id(two): two.parts()}
    mine: dict[int, list[str]] = {id(one): [], id(two): []}
    while one.left or two.left:
        for shared in (one, two):
            mine[id(shared)] += judge(shared, next(parts[id(shared)], ()))
    both = mine[id(one)] + mine[id(two)]
    assert all(mine.values())
    assert sorted(both) == [member.case_hash for member in MEMBERS]
    assert sorted(names(waited(one))) == sorted(mine[id(two)])
    assert sorted(names(waited(two))) == sorted(mine[id(one)])
    assert not one.left
    assert not two.left


def test_who_meets_nobody_publishes_nothing(ledger):
    alone = at_work(ledger)
    for part in alone.parts():
        judge(alone, part)
    alone.end()
    assert ledger.all_current("settled_block") == {}
    assert ledger.claims(block.name for block in alone.blocks) == {}


def test_the_cases_of_a_process_that_died_are_taken_up(ledger):
    dead, alive = at_work(ledger), at_work(ledger)
    lost = names(next(dead.parts()))
    drawn = [name for part in alive.parts() for name in judge(alive, part)]
    retire(dead.owner)
    assert waited(alive) == []
    assert alive.left
    assert [name for part in alive.parts() for name in judge(alive, part)] == lost
    assert len(drawn) + len(lost) == len(MEMBERS)


def test_a_lease_that_ran_out_frees_the_cases(ledger, late):
    gone, alive = at_work(ledger), at_work(ledger)
    lost = names(next(gone.parts()))
    for part in alive.parts():
        judge(alive, part)
    late.append(timedelta(seconds=gone.policy.longest_call_s + 1))
    alive.wait(nothing)
    assert names(member for part in alive.parts() for member in part) == lost


def test_what_one_could_not_settle_the_other_takes_up(ledger):
    one, two = at_work(ledger), at_work(ledger)
    first = judge(one, next(one.parts()), Status.ERROR)
    for part in two.parts():
        judge(two, part)
    one.end()
    assert waited(two) == []
    assert names(member for part in two.parts() for member in part) == first


def test_two_that_could_not_settle_all_do_not_wait_for_each_other(ledger):
    one, two = at_work(ledger, deadline_s=0.0), at_work(ledger, deadline_s=0.0)
    first = judge(one, next(one.parts()), Status.ERROR)
    for part in two.parts():
        judge(two, part, Status.ERROR)
    assert list(one.parts()) == []
    one.wait(nothing)
    two.wait(nothing)
    assert not two.interrupted
    assert names(member for part in two.parts() for member in part) == first


def test_an_evaluation_recorded_meanwhile_settles_what_is_waited_for(ledger):
    one, two = at_work(ledger), at_work(ledger)
    for part in one.parts():
        judge(one, part)
    assert list(two.parts()) == []
    recorded = [settled(member) for member in MEMBERS]
    assert len(waited(two, lambda: recorded)) == len(MEMBERS)
    assert not two.left


def test_what_was_recorded_while_looking_is_taken_over(ledger):
    one, two = at_work(ledger), at_work(ledger)
    for part in one.parts():
        judge(one, part)
    assert list(two.parts()) == []
    recorded = [settled(member) for member in MEMBERS]
    one.end()
    assert len(waited(two, lambda: recorded)) == len(MEMBERS)
    assert not two.left


def test_an_interrupted_run_leaves_nothing_out_and_waits_for_nobody(ledger):
    one, two = at_work(ledger), at_work(ledger)
    first = names(next(one.parts()))
    drawn = two.parts()
    two.note(settled(next(drawn)[0]), interrupted=True)
    for _ in drawn:
        pass
    assert waited(two) == []
    assert names(member for part in two.parts() for member in part) == first


def test_the_time_of_a_run_is_not_waited_away(ledger):
    one, two = at_work(ledger), at_work(ledger, deadline_s=0.0)
    next(one.parts())
    for part in two.parts():
        judge(two, part)
    two.wait(nothing)
    assert two.interrupted
    assert two.left


def test_other_rules_or_another_repetition_are_other_work(ledger):
    one = at_work(ledger)
    next(one.parts())
    other = at_work(ledger, repeat=1)
    assert sum(map(len, other.parts())) == len(MEMBERS)
    assert not other.shared


class Judge(ScriptedClient):
    """Supports every claim."""

    def _next(self, request):
        found = re.findall(r"^unit (\d+) \((.+?)\): (.+)$", request.messages[-1].content, re.M)
        rows = [
            {"unit": int(unit), "claim_text": text, "explanation": "so", **verdict(cited)}
            for unit, cited, text in found
        ]
        reply = {"citation_faithfulness_score": 1.0, "claims_analysis": rows}
        return completion(json.dumps({**reply, "overall_assessment": "good"}))


def verdict(cited: str) -> dict[str, str | None]:
    source = re.search(r"cites '([^']+)'", cited)
    if source is None:
        return {"cited_source_id": None, "verdict": "no_citation"}
    return {"cited_source_id": source[1], "verdict": "supported"}


def test_two_that_judge_one_cell_prepare_each_case_once(tmp_path, monkeypatch):
    monkeypatch.setattr(sharing, "BLOCK", 4)
    project = judged_project(tmp_path, labelled_rows(40))
    client, prepared = Judge(), []
    real = tasks.prepared_cases

    def watched(*arguments):
        for case in real(*arguments):
            prepared.append(case.case_hash)
            yield case

    monkeypatch.setattr(tasks, "prepared_cases", watched)
    monkeypatch.setattr(partition, "client_of", lambda *_: client)
    services = [Service(project.load()) for _ in range(2)]
    services[0].register_cases(NAME)
    summaries = []
    together = threading.Barrier(2)
    draw, met = SharedCases.parts, []

    def drawn_together(shared):
        parts = draw(shared)
        if all(shared is not one for one in met):
            first = next(parts)
            met.append(shared)
            together.wait(timeout=60)
            yield first
        yield from parts

    monkeypatch.setattr(SharedCases, "parts", drawn_together)

    def work(service):
        summaries.append(service.judge(CELL))

    threads = [threading.Thread(target=work, args=(service,)) for service in services]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    one, two = summaries
    assert one.evaluation_id == two.evaluation_id
    assert one.valid == two.valid == 40
    assert len(prepared) == len(set(prepared)) == 40
    keys = [request.call_key for request in client.requests]
    assert len(keys) == len(set(keys)) == one.calls + two.calls
