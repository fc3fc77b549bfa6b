"""The gold-free view: everything of a case that a model may see, and nothing else.

Both the prompt (``Playbook.slot_values``) and the offline models are fed from it, so a gold
field cannot reach a model by any road.
"""

from dataclasses import dataclass, replace

from citeval_assets.playbooks.vocabulary import RiskLevel

CUT_MARK = "[...truncated]"
"""Ends the text of a passage that was cut. A text that merely holds it was not."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One source as a model sees it.

    ``cited`` marks the parts the case cites (neighbour chunks are context only); ``cut`` says
    that ``text`` was shortened to fit the token budget, and ends with ``CUT_MARK``.
    """

    id: str
    text: str
    document: str | None = None
    index: int | None = None
    page: str | None = None
    title: str | None = None
    cited: bool = True
    cut: bool = False

    @property
    def source_text(self) -> str:
        """The text as far as it stands in the source: without the mark of a cut."""
        return self.text.removesuffix(CUT_MARK).rstrip() if self.cut else self.text


@dataclass(frozen=True, slots=True)
class Unit:
    """One numbered thing to judge: a citation, an asserting sentence, or a sentence.

    ``asked`` is false where code has already decided; ``cited_ids`` are the resolved source
    ids that stand with the unit, ``step_index`` the trace step it belongs to.
    """

    number: int
    text: str
    cited_ids: tuple[str, ...] = ()
    step_index: int | None = None
    asked: bool = True


@dataclass(frozen=True, slots=True)
class ModelView:
    """What one model call is about. ``None`` means: this playbook does not pass it."""

    playbook: str
    question: str
    risk_level: RiskLevel
    passages: tuple[Passage, ...]
    units: tuple[Unit, ...] = ()
    answer: str | None = None
    trace: str | None = None
    final_answer: str | None = None
    reference_answer: str | None = None
    constraints: str = ""
    recorded_output: str | None = None

    def with_passages(self, passages: tuple[Passage, ...]) -> "ModelView":
        """Return the same view over shortened passages."""
        return replace(self, passages=passages)


@dataclass(frozen=True, slots=True)
class SlotValue:
    """What fills one template slot.

    ``untrusted`` text comes from cases and is fenced when rendered; ``passages`` render as one
    fenced block each. Exactly one of ``text`` and ``passages`` is used.
    """

    text: str = ""
    untrusted: bool = False
    passages: tuple[Passage, ...] | None = None
