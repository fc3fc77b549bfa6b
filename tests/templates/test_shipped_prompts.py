"""The prompts that come with the project: whole, locked, and true to the playbooks."""

import json
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import pytest
from example_cases import CASES
from pydantic import BaseModel

from citeval_assets.playbooks.attempts import Reply
from citeval_assets.playbooks.registry import all_playbooks, get_playbook
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.settling import settle
from citeval_assets.templates.examples import read_examples
from citeval_assets.templates.library import load_templates, lock_released
from citeval_assets.templates.model import PromptTemplate
from citeval_assets.templates.placeholders import placeholders_in
from citeval_assets.templates.render import render_messages

PROMPTS = Path(__file__).parents[2] / "prompts"
LIBRARY = load_templates(PROMPTS)
TEMPLATES = list(LIBRARY.templates.values())
EXAMPLES = [(key, n) for key, rows in CASES.items() for n in range(len(rows))]


def by_id(item: object) -> str:
    return f"{item.playbook}/{item.version}" if isinstance(item, PromptTemplate) else str(item)


def types_below(annotation: Any) -> Iterator[type]:
    if isinstance(annotation, type):
        yield annotation
        if issubclass(annotation, BaseModel):
            for field in annotation.model_fields.values():
                yield from types_below(field.annotation)
    for argument in get_args(annotation):
        yield from types_below(argument)


def test_every_playbook_has_a_released_prompt_and_nothing_is_broken():
    assert LIBRARY.problems == ()
    assert {template.playbook for template in TEMPLATES} == set(all_playbooks())
    for playbook in all_playbooks():
        assert LIBRARY.newest_released(playbook) is not None


def test_every_released_prompt_is_locked():
    assert LIBRARY.unlocked == ()
    assert lock_released(PROMPTS) == ()


@pytest.mark.parametrize("playbook", ["citation_accuracy", "citation_faithfulness"])
def test_the_second_version_really_differs(playbook: str):
    one, two = (LIBRARY.get(playbook, version) for version in ("v1", "v2"))
    shared = set(one.system.splitlines()) & set(two.system.splitlines())
    assert len([line for line in shared if len(line) > 20]) < 3
    assert not set(one.examples.splitlines()) & {
        line for line in two.examples.splitlines() if '"explanation"' in line
    }


@pytest.mark.parametrize("template", TEMPLATES, ids=by_id)
def test_a_prompt_names_every_field_and_every_label_of_the_output(template: PromptTemplate):
    reply_type = get_playbook(template.playbook).reply_type
    for kind in types_below(reply_type):
        if issubclass(kind, BaseModel):
            names = list(kind.model_json_schema().get("properties", {}))
        elif issubclass(kind, Enum):
            names = [str(member.value) for member in kind]
        else:
            continue
        for name in names:
            assert f"`{name}`" in template.system, f"{name} is not explained"


@pytest.mark.parametrize("template", TEMPLATES, ids=by_id)
def test_a_prompt_warns_of_untrusted_text_and_asks_for_nothing_but_json(template: PromptTemplate):
    assert "[DATA_TOKEN]" in template.user
    assert template.user.index("[DATA_TOKEN]") < min(
        template.user.index(f"[{slot.name}]")
        for slot in get_playbook(template.playbook).slots
        if f"[{slot.name}]" in template.user and slot.name != "CORRECTION_FEEDBACK"
    )
    assert "JSON object" in template.system
    assert "JSON object" in template.user
    assert template.user.endswith("[CORRECTION_FEEDBACK]")
    assert placeholders_in(template.system) == ("FEW_SHOT_EXAMPLES",)


@pytest.mark.parametrize("template", TEMPLATES, ids=by_id)
def test_examples_fit_the_output_schema(template: PromptTemplate):
    playbook = get_playbook(template.playbook)
    examples = read_examples(template.examples)
    assert len(examples) >= max(2, playbook.min_examples)
    for example in examples:
        example.reply(playbook.reply_type)


def prepared_case(playbook_name: str, row: dict[str, Any]) -> Any:
    playbook = get_playbook(playbook_name)
    base = {"test_case_id": "example", "system": "s", "question": "What is the case?"}
    case = playbook.case_type.model_validate({**base, **row})
    return playbook, playbook.prepare(case, DomainRules())


def example_of(key: tuple[str, str], number: int) -> Any:
    path = PROMPTS / key[0] / "examples" / key[1]
    return read_examples(path.read_text(encoding="utf-8"))[number]


@pytest.mark.parametrize(("key", "number"), EXAMPLES, ids=by_id)
def test_an_example_is_what_the_playbook_itself_would_accept(key: tuple[str, str], number: int):
    playbook, prepared = prepared_case(key[0], CASES[key][number])
    reply = example_of(key, number).reply_json
    report = settle(playbook, prepared, [Reply(reply)])
    assert isinstance(report, Report), report
    assert report.score is not None
    assert report.judge_disagreements == ()
    assert "injection_suspected" not in report.flags
    given = json.loads(reply)
    for name in ("overall_citation_accuracy_score", "citation_faithfulness_score"):
        if name in given:
            assert given[name] == pytest.approx(report.score, abs=1e-3)
    if key[0] == "cite_or_abstain":
        assert report.score == 1.0


@pytest.mark.parametrize(("key", "number"), EXAMPLES, ids=by_id)
def test_an_example_shows_its_sources_and_its_case(key: tuple[str, str], number: int):
    text = (PROMPTS / key[0] / "examples" / key[1]).read_text(encoding="utf-8")
    section = text.split("### Example")[number + 1]
    row = CASES[key][number]
    for source in row["sources"]:
        assert source["text"] in section
        assert f"`{source['id']}`" in section
    for step in row.get("reasoning_trace", [])[:2]:
        assert step in section


@pytest.mark.parametrize("template", TEMPLATES, ids=by_id)
def test_a_rendered_prompt_has_no_placeholder_left(template: PromptTemplate):
    key = next(key for key in CASES if key[0] == template.playbook)
    playbook, prepared = prepared_case(key[0], CASES[key][0])
    values = playbook.slot_values(prepared.view)
    messages = render_messages(template, values, feedback="- fix it", secret=b"s" * 32)
    assert [message.role for message in messages] == ["system", "user"]
    for message in messages:
        assert placeholders_in(message.content) == ()
    assert messages[1].content.endswith("- fix it")
    whole = "\n".join(message.content for message in messages)
    for source in prepared.case.sources:
        assert whole.count(source.text) == 1 + template.examples.count(source.text)
