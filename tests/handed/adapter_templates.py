"""From the neutral words of the template and injection cases to this project's."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from citeval_assets.datasets.rows import RowFault, read_case
from citeval_assets.playbooks.base import AnyPlaybook, Prepared
from citeval_assets.playbooks.registry import all_playbooks, get_playbook
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.view import SlotValue
from citeval_assets.templates.front_matter import TemplateFault
from citeval_assets.templates.library import TemplateLibrary, check_placeholders, load_templates
from citeval_assets.templates.model import PromptTemplate
from citeval_assets.templates.placeholders import FREE_SLOTS, MAY_BE_EMPTY, RENDERER_SLOTS
from citeval_assets.templates.render import render, render_messages

SECRET = b"a secret of this installation only"
KNOWN_SLOTS = (
    RENDERER_SLOTS
    | FREE_SLOTS
    | {slot.name for playbook in all_playbooks().values() for slot in playbook.slots}
)

_FIELD_OF_SLOT = {
    "SOURCE_DOCUMENTS": ("citation_accuracy", "sources"),
    "REASONING_TRACE": ("citation_accuracy", "reasoning_trace"),
    "SOURCE_PASSAGES": ("citation_faithfulness", "sources"),
    "SOURCE_EVIDENCE": ("cot_faithfulness", "sources"),
    "RETRIEVED_CHUNKS": ("cite_or_abstain", "sources"),
    "QUESTION": ("citation_faithfulness", "question"),
    "USER_QUESTION": ("answer_comparison", "question"),
    "GROUND_TRUTH_ANSWER": ("answer_comparison", "reference_answer"),
}

_ROWS: Mapping[str, dict[str, Any]] = {
    "citation_accuracy": {"reasoning_trace": "A fact [1]."},
    "citation_faithfulness": {"answer": "A fact [1]."},
    "cot_faithfulness": {"reasoning_trace": "A fact.", "final_answer": "A fact."},
    "cite_or_abstain": {"expected_status": "answered"},
    "answer_comparison": {"answer": "A fact.", "reference_answer": "A fact.", "answerable": True},
}


@cache
def library() -> TemplateLibrary:
    """Return the templates of the project."""
    return load_templates(Path(__file__).resolve().parents[2] / "prompts")


def row_for(playbook: str, **fields: Any) -> dict[str, Any]:
    """Return a whole row of a playbook, some fields given."""
    base = {
        "test_case_id": "case",
        "system": "prod",
        "question": "What is a fact?",
        "sources": [{"id": "1", "text": "This is a fact."}],
    }
    return {**base, **_ROWS[playbook], **fields}


def rendered_text(case: Mapping[str, Any]) -> str:
    """Render the template of a case with its values, as ``render`` does."""
    optional = case.get("optional", MAY_BE_EMPTY)
    return render(case["template"], case.get("values", {}), optional=optional)


def load_fault(template: str) -> str:
    """Return what is wrong with the placeholders of a template; empty where nothing is."""
    try:
        check_placeholders(template, (), KNOWN_SLOTS)
    except TemplateFault as fault:
        return str(fault)
    return ""


def mapped_fault(mapping: Mapping[str, str], source_row: Any) -> str:
    """Return why the row is refused whose field a mapping fills with what its path finds."""
    slot, path = next(iter(mapping.items()))
    playbook, field = _FIELD_OF_SLOT[slot]
    found = _resolve(path, source_row)
    value: Any = found
    if field == "sources":
        value = [{"id": "1", "text": found}] if isinstance(found, str) else []
    return row_fault(playbook, row_for(playbook, **{field: value}))


def row_fault(playbook: str, row: Mapping[str, Any]) -> str:
    """Return why a row is put aside; empty where it is not."""
    try:
        read_case(get_playbook(playbook), row)
    except RowFault as fault:
        return str(fault)
    return ""


def _resolve(path: str, row: Any) -> Any:
    for step in re.findall(r"\w+|\[-?\d+\]", path.removeprefix("$")):
        try:
            row = row[int(step[1:-1])] if step.startswith("[") else row[step]
        except (LookupError, TypeError):
            return None
    return row


@dataclass(frozen=True)
class Prompt:
    """A prompt as a model would be sent it, and the case it is about."""

    playbook: AnyPlaybook
    template: PromptTemplate
    prepared: Prepared
    system: str
    user: str
    token: str

    def blocks(self) -> list[str]:
        """Return the insides of all fenced blocks of the user message."""
        pattern = rf"<<<BEGIN (\w+) {self.token}[^\n]*>>>\n(.*?)\n<<<END \1 {self.token}>>>"
        return [found[1] for found in re.findall(pattern, self.user, re.DOTALL)]

    def outside(self) -> str:
        """Return the user message without its blocks."""
        pattern = rf"<<<BEGIN (\w+) {self.token}.*?<<<END \1 {self.token}>>>"
        return re.sub(pattern, "", self.user, flags=re.DOTALL)


def prompt_of(playbook_name: str, version: str = "v1", **fields: Any) -> Prompt:
    """Return the prompt for a row of a playbook."""
    playbook = get_playbook(playbook_name)
    case = read_case(playbook, row_for(playbook_name, **fields))
    prepared = playbook.prepare(case, DomainRules())
    template = library().get(playbook_name, version)
    values: Mapping[str, SlotValue] = playbook.slot_values(prepared.view)
    system, user = render_messages(template, values, feedback="", secret=SECRET)
    token = re.search(r"<<<BEGIN \w+ ([0-9a-f]+)", user.content)
    assert token is not None
    return Prompt(playbook, template, prepared, system.content, user.content, token[1])


def prompts_about(case: Mapping[str, Any]) -> list[Prompt]:
    """Return the prompts in which the planted text of an injection case reaches a model."""
    prompts: list[Prompt] = []
    if isinstance(case.get("trace"), str):
        trace = case["trace"]
        for playbook in ("citation_accuracy", "cot_faithfulness"):
            for version in library().versions(playbook):
                extra = f"A fact [1].\n{trace}"
                prompts.append(prompt_of(playbook, version, reasoning_trace=extra))
    sources = case.get("sources") or ([case["source"]] if "source" in case else [])
    texts = [source if isinstance(source, str) else source["text"] for source in sources]
    if texts:
        made = [{"id": str(n), "text": text} for n, text in enumerate(texts, start=1)]
        for playbook in all_playbooks():
            for version in library().versions(playbook):
                prompts.append(prompt_of(playbook, version, sources=made))
    if isinstance(case.get("answer"), str):
        for playbook in ("citation_faithfulness", "answer_comparison"):
            prompts.append(prompt_of(playbook, answer=f"A fact [1]. {case['answer']}"))
    return prompts


def planted_texts(case: Mapping[str, Any]) -> list[str]:
    """Return the texts of an injection case that others wrote."""
    found = [
        case[name] for name in ("trace", "answer", "source") if isinstance(case.get(name), str)
    ]
    sources = case.get("sources") or []
    return found + [source if isinstance(source, str) else source["text"] for source in sources]
