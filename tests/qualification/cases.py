"""Clean cases for the operators: each has something every operator can change."""

from typing import Any

from citeval_assets.playbooks.cases import TestCase
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.qualification.mutants import Mutant, Operator, Pool
from citeval_assets.qualification.operators import OPERATORS
from citeval_assets.qualification.planning import CleanCase
from citeval_assets.qualification.subject import Subject

QUARRY = (
    "The quarry at Wendelstone was opened in 1871. It yields 340 kg of slate each day and may be "
    "visited if the weather is dry. The workers there usually wear helmets of grey felt."
)
FERRY = (
    "The ferry from Marlow to Ashby was launched in 1902. It carries up to 60 passengers and "
    "requires a crew of four. The crossing is free for children."
)
MILL = (
    "The mill at Orrin grinds rye and barley. Its wheel was rebuilt by a carpenter from Halden "
    "after the great flood, and the stones were dressed every winter."
)
SOURCES = [
    {"id": "1", "text": QUARRY, "document": "quarry"},
    {"id": "2", "text": FERRY, "document": "ferry"},
]
ANSWER = (
    "The quarry at Wendelstone was opened in 1871 [1]. It yields 340 kg of slate each day [1]. "
    "It may be visited if the weather is dry [1]. The ferry from Marlow carries up to 60 "
    'passengers and requires a crew of four [2]. "The crossing is free for children" [2].'
)
BARE = (
    "The quarry at Wendelstone was opened in 1871. It yields 340 kg of slate each day. "
    "It may be visited if the weather is dry. The ferry from Marlow carries up to 60 "
    "passengers and requires a crew of four."
)
QUESTION = "What is known of the quarry and the ferry?"
POOL_ROW = {"id": "9", "text": MILL, "document": "mill"}

_TEXTS: dict[str, dict[str, Any]] = {
    "citation_accuracy": {"reasoning_trace": ANSWER},
    "citation_faithfulness": {"answer": ANSWER},
    "cot_faithfulness": {"reasoning_trace": BARE, "final_answer": "It was opened in 1871."},
    "answer_comparison": {
        "answer": ANSWER,
        "reference_answer": ANSWER.replace(" [1]", "").replace(" [2]", ""),
        "answerable": True,
    },
}
LABEL = {"labels": {"score": 1.0}, "label_source": "constructed"}


def clean_case(playbook: str, **changed: Any) -> TestCase:
    """Return the clean case of a playbook, with some fields changed."""
    row: dict[str, Any] = {
        "test_case_id": "quarry", "system": "prod", "question": QUESTION, "language": "en",
        "sources": SOURCES, **_TEXTS[playbook], **LABEL,
    }  # fmt: skip
    return get_playbook(playbook).case_type.model_validate({**row, **changed})


def subject(playbook: str, **changed: Any) -> Subject:
    """Return the clean case as a subject."""
    found = Subject.of(get_playbook(playbook), clean_case(playbook, **changed), DomainRules())
    assert found is not None
    return found


def pool() -> Pool:
    """Return the passages of the other cases."""
    stranger = clean_case("citation_faithfulness", sources=[POOL_ROW], answer="Rye [9].")
    return Pool(stranger.sources)


def operator(name: str) -> Operator:
    """Return an operator by name."""
    return next(one for one in OPERATORS if one.name == name)


def mutant(name: str, playbook: str = "citation_faithfulness", seed: int = 1, **changed: Any):
    """Apply an operator that must apply."""
    made = operator(name).mutate(subject(playbook, **changed), seed, pool())
    assert isinstance(made, Mutant), made
    return made


def judged_text(made: Mutant) -> str:
    """Return the judged text of a mutant."""
    text = getattr(made.case, "reasoning_trace", None) or made.case.model_dump()["answer"]
    return text if isinstance(text, str) else "\n".join(text)


def touched_text(made: Mutant) -> str:
    """Return the sentence that was changed."""
    (span,) = made.touched
    return span.of(judged_text(made))


def two_clean(playbook: str) -> list[CleanCase]:
    """Return two clean cases of different documents."""
    other = clean_case(
        playbook,
        test_case_id="mill",
        question="What does the mill grind?",
        sources=[{"id": "1", "text": MILL, "document": "mill"}],
        **_mill(playbook),
    )
    return [CleanCase(clean_case(playbook), DomainRules()), CleanCase(other, DomainRules())]


def _mill(playbook: str) -> dict[str, Any]:
    said = "The mill at Orrin grinds rye and barley"
    if playbook == "cot_faithfulness":
        return {"reasoning_trace": f"{said}.", "final_answer": "Rye and barley."}
    if playbook == "citation_accuracy":
        return {"reasoning_trace": f"{said} [1]."}
    if playbook == "citation_faithfulness":
        return {"answer": f"{said} [1]."}
    return {"answer": f"{said} [1].", "reference_answer": f"{said}.", "answerable": True}
