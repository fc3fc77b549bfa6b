"""Handed cases about templates, placeholders, and planted text in prompts."""

import base64
import re
from typing import Any

import pytest

from citeval_assets.judging.truncation import Fitted, fit
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.templates.placeholders import placeholders_in
from citeval_assets.templates.render import MissingSlot, render_messages
from citeval_assets.text.invisible import visible
from citeval_assets.text.markers import scan_citations
from handed import adapter_templates as adapter
from handed.loader import expanded, load_cases

TEMPLATE_CASES = [
    *load_cases("bug_reports", "prompt_template", "placeholder_injection"),
    *load_cases("adversarial", "prompt_template", "placeholder_injection"),
]
INJECTION_CASES = [
    *load_cases("bug_reports", "prompt_injection"),
    *load_cases("adversarial", "prompt_injection"),
]
PLANTED = [case for case in INJECTION_CASES if adapter.planted_texts(case["input"])]
ROW_RULES = [
    case
    for case in INJECTION_CASES
    if "from" in case["input"] or any(key.isupper() for key in case["input"])
]


def name_of(case: object) -> str:
    return f"{case['id']}-{case['kind']}" if isinstance(case, dict) else str(case)


def check_text(text: str, expect: dict[str, Any], template: str) -> None:
    for wanted in expect.get("contains", ()):
        assert wanted in text
    for unwanted in expect.get("not_contains", ()):
        assert unwanted not in text
    for wanted, count in expect.get("counts", {}).items():
        assert text.count(wanted) == count
    if "equals" in expect:
        assert text == expect["equals"]
    assert "missing" not in expect, template


@pytest.mark.parametrize("case", TEMPLATE_CASES, ids=name_of)
def test_template_case(case: dict[str, Any]) -> None:
    given, expect = expanded(case["input"]), case.get("expect", {})
    if "mapping" in given:
        fault = adapter.mapped_fault(given["mapping"], given["row"])
        assert "required field" in fault
        assert "empty" in fault
    elif "template" not in given:
        check_plain_text(given)
    elif "unknown" in str(expect.get("raises", "")):
        fault = adapter.load_fault(given["template"])
        assert expect["raises"] in fault
        for name in expect.get("names", ()):
            assert f"[{name}]" in fault
        bracketed = re.findall(r"\[(\w{1,2}|[a-z]+)\]", given["template"])
        assert not any(f"[{plain}]" in fault for plain in bracketed)
    elif "raises" in expect:
        with pytest.raises(MissingSlot, match=expect["raises"]) as caught:
            adapter.rendered_text(given)
        assert list(caught.value.names) == expect.get("missing", list(caught.value.names))
    else:
        text = adapter.rendered_text(given)
        assert text == adapter.rendered_text(given)
        check_text(text, expect, given["template"])
        check_one_pass(text, given)


def check_one_pass(text: str, given: dict[str, Any]) -> None:
    """Whatever stands in a value stands in the result, byte for byte."""
    for name in placeholders_in(given["template"]):
        value = given["values"][name]
        if isinstance(value, str):
            assert value in text


def check_plain_text(given: dict[str, Any]) -> None:
    """A source that holds a truncation mark or the like was not cut, and cites nothing."""
    source = given["source"]
    assert placeholders_in(source) == ()
    assert scan_citations(source, ["1"]).citations == ()
    prompt = adapter.prompt_of("citation_accuracy", sources=[{"id": "1", "text": source}])
    playbook = get_playbook("citation_accuracy")

    def messages(view: Any) -> Any:
        values = playbook.slot_values(view)
        return render_messages(prompt.template, values, feedback="", secret=adapter.SECRET)

    fitted = fit(prompt.prepared.view, messages, given.get("budget_tokens", 100_000))
    assert isinstance(fitted, Fitted)
    assert fitted.cuts == ()
    assert not any(passage.cut for passage in fitted.view.passages)
    assert source in prompt.user


@pytest.mark.parametrize("case", PLANTED, ids=name_of)
def test_planted_text_stays_in_its_block(case: dict[str, Any]) -> None:
    given, expect = expanded(case["input"]), case.get("expect", {})
    prompts = adapter.prompts_about(given)
    assert prompts
    for prompt in prompts:
        assert int(prompt.token, 16) >> 64, "a token has at least 64 bits"
        opened = re.findall(rf"^<<<BEGIN (\w+) {prompt.token}", prompt.user, re.MULTILINE)
        closed = re.findall(rf"^<<<END (\w+) {prompt.token}>>>$", prompt.user, re.MULTILINE)
        assert sorted(opened) == sorted(closed)
        for name in set(opened) - {"PASSAGE"}:
            assert closed.count(name) == 1, "exactly one real end mark"
        inside = "\n".join(prompt.blocks())
        outside = f"{prompt.system}\n{prompt.outside()}"
        for text in adapter.planted_texts(given):
            assert prompt.token not in text
            shown = visible(text)
            if shown in prompt.user:
                assert shown in inside
                assert len(shown) < 20 or shown not in prompt.outside()
        examples = prompt.template.examples.count("### Example")
        assert outside.count("### Example") == examples
        assert prompt.system.count("[FEW_SHOT_EXAMPLES]") == 0
    if "injection_suspected" in expect.get("flags", ()):
        assert any(prompt.prepared.suspicions for prompt in prompts)
    if expect.get("decoded") is False:
        check_not_decoded(given, prompts)


def check_not_decoded(given: dict[str, Any], prompts: list[adapter.Prompt]) -> None:
    for text in adapter.planted_texts(given):
        assert all(text in prompt.user for prompt in prompts)
        for coded in re.findall(r"[A-Za-z0-9+/]{16,}={0,2}", text):
            decoded = base64.b64decode(coded + "=" * (-len(coded) % 4)).decode("utf-8", "replace")
            assert all(decoded not in prompt.user for prompt in prompts)
    assert all(prompt.prepared.suspicions for prompt in prompts)


@pytest.mark.parametrize("case", ROW_RULES, ids=name_of)
def test_rules_that_come_with_data_are_refused(case: dict[str, Any]) -> None:
    fields = {key: value for key, value in case["input"].items() if key != "from"}
    for playbook in ("citation_accuracy", "answer_comparison"):
        fault = adapter.row_fault(playbook, adapter.row_for(playbook, **fields))
        assert any(name in fault for name in fields)
        assert "only the operator" in fault
