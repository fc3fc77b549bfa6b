"""Mutants go through the ordinary session: stored, used again, held to the floors."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from citeval_assets.config.qualification import QualificationConfig
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.qualification.running import Judge, qualify_judge
from citeval_assets.templates.library import load_templates
from tests.qualification.cases import two_clean
from tests.qualification.judges import MODEL, BlindJudge

PLAYBOOK = "citation_faithfulness"
TEMPLATES = load_templates(Path(__file__).resolve().parents[2] / "prompts")
CONFIG = QualificationConfig(min_mutants=2)


@pytest.fixture
def ledger(tmp_path) -> Iterator[Ledger]:
    with Ledger.open(f"sqlite:///{tmp_path / 'ledger.sqlite'}") as opened:
        yield opened


def judge(client: BlindJudge) -> Judge:
    template = TEMPLATES.get(PLAYBOOK, "v1")
    return Judge(get_playbook(PLAYBOOK), template, MODEL, client, JudgingPolicy(), "epoch")


def test_a_judge_that_passes_everything_sees_only_what_code_sees(ledger):
    client = BlindJudge()
    found = qualify_judge(judge(client), ledger, two_clean(PLAYBOOK), CONFIG, run_id="one")
    told = found.qualification
    assert not told.qualified
    assert told.detection.hits == 0
    assert told.false_alarms.rate == 0.0
    faults = {fault.fault: fault for fault in told.faults}
    assert faults["source_invented"].by_code == faults["source_invented"].n == 2
    assert faults["negation"].missed
    assert found.calls == len(client.requests) > 20


def test_a_judge_that_fails_everything_is_given_away_by_its_false_alarms(ledger):
    client = BlindJudge(verdict="contradicted")
    told = qualify_judge(
        judge(client), ledger, two_clean(PLAYBOOK), CONFIG, run_id="one"
    ).qualification
    assert told.detection.rate == 1.0
    assert told.false_alarms.rate == 1.0
    assert not told.qualified


def test_stored_replies_are_used_again(ledger):
    first = qualify_judge(judge(BlindJudge()), ledger, two_clean(PLAYBOOK), CONFIG, run_id="one")
    client = BlindJudge()
    again = qualify_judge(judge(client), ledger, two_clean(PLAYBOOK), CONFIG, run_id="two")
    assert client.requests == []
    assert (again.calls, again.reused_calls) == (0, first.calls + first.reused_calls)
    assert again.qualification == first.qualification


def test_without_clean_cases_nothing_is_asked_and_nobody_qualified(ledger):
    client = BlindJudge()
    told = qualify_judge(judge(client), ledger, [], CONFIG, run_id="one").qualification
    assert client.requests == []
    assert not told.qualified
    assert "too few mutants" in told.reasons[0]
