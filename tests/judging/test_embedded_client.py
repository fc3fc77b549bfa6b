from decimal import Decimal
from pathlib import Path

import pytest

from citeval_assets.embedded.recorded import Recorded0
from citeval_assets.judging.clients import client_for
from citeval_assets.judging.session import run_session
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.vocabulary import Reason, Status, TemplateKind
from citeval_assets.templates.model import PromptTemplate

from .toy import CaseTask, model, policy

ANSWERER = get_playbook("cite_or_abstain")
TEMPLATE = PromptTemplate(
    playbook="cite_or_abstain",
    version="v1",
    kind=TemplateKind.GENERATE,
    status="released",
    description="",
    system="Answer. Blocks carry [DATA_TOKEN].",
    user="[USER_QUESTION]\n[RETRIEVED_CHUNKS]\n[CORRECTION_FEEDBACK]",
    examples="",
    sha256="c" * 64,
    path=Path("cite_or_abstain/v1.md"),
)
ANSWER = (
    '{"status": "answered", "answer": "It opens at nine. [1]", "citations": [{"chunk_id": "1",'
    ' "excerpt": "The library opens at nine.", "confidence": "high"}]}'
)
ABSTENTION = '{"status": "abstained", "abstention_reason": "Nothing found."}'


def task(name, recorded=None):
    row = {
        "test_case_id": name,
        "system": "s",
        "question": "When does the library open?",
        "sources": [{"id": "1", "text": "The library opens at nine."}],
        "expected_status": "answered",
        "recorded_output": recorded,
    }
    case = ANSWERER.case_type.model_validate(row)
    return CaseTask(f"hash-{name}", "dataset-1", ANSWERER.prepare(case, DomainRules()))


def run(ledger, name, *tasks):
    answering = model(model=f"embedded/{name}", roles=("target",))
    return run_session(
        playbook=ANSWERER,
        template=TEMPLATE,
        model=answering,
        client=client_for(answering, {}),
        ledger=ledger,
        policy=policy(),
        run_id="run-1",
        tasks=tasks,
    )


def test_an_embedded_model_is_on_record_like_any_other_and_costs_nothing(ledger, rows):
    [outcome] = run(ledger, "extractive-0", task("a"))
    [row] = rows()
    assert outcome.report.status is Status.VALID
    assert (outcome.cost_usd, outcome.unpriced_calls) == (Decimal(0), 0)
    assert row.reply.answered_model.startswith("embedded/extractive-0@")
    assert row.intent.endpoint == "embedded"


def test_its_reply_is_reused_until_its_version_changes(ledger, monkeypatch):
    run(ledger, "recorded-0", task("a", ANSWER))
    [again] = run(ledger, "recorded-0", task("a", ANSWER))
    monkeypatch.setattr(Recorded0, "version", "next")
    [changed] = run(ledger, "recorded-0", task("a", ANSWER))
    assert (again.calls, again.reused_calls) == (0, 1)
    assert (changed.calls, changed.reused_calls) == (1, 0)


def test_what_no_prompt_shows_still_tells_two_calls_apart(ledger):
    answered, abstained = run(ledger, "recorded-0", task("a", ANSWER), task("b", ABSTENTION))
    assert [o.report.score for o in (answered, abstained)] == [1.0, 0.0]


def test_a_model_that_has_no_answer_says_so_and_scores_nothing(ledger):
    [outcome] = run(ledger, "recorded-0", task("a"))
    assert outcome.report.status is Status.INDETERMINATE
    assert outcome.report.reason is Reason.REFUSAL
    assert "recorded_output" in outcome.report.message
    assert outcome.report.score is None


def test_an_unknown_embedded_model_is_named_with_those_there_are():
    with pytest.raises(KeyError, match="overlap-0"):
        client_for(model(model="embedded/none"), {})
