"""The case, the reply and the details of ``cot_faithfulness``."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from pydantic import field_validator

from citeval_assets.playbooks.base import GradedReply, ModelReply
from citeval_assets.playbooks.cases import TestCase
from citeval_assets.playbooks.report import Details, Violation
from citeval_assets.playbooks.vocabulary import ViolationCategory


class CotCase(TestCase):
    """A reasoning trace (a text, or a list of steps) with the evidence it should draw from."""

    reasoning_trace: str | tuple[str, ...]
    final_answer: str | None = None

    @field_validator("reasoning_trace")
    @classmethod
    def _holds_text(cls, trace: str | tuple[str, ...]) -> str | tuple[str, ...]:
        if not any(step.strip() for step in ((trace,) if isinstance(trace, str) else trace)):
            raise ValueError("required field empty")
        return trace

    @property
    def given_final_answer(self) -> str | None:
        """The final answer, or ``None`` where there is none or it is blank."""
        return self.final_answer if self.final_answer and self.final_answer.strip() else None


class StepLabel(StrEnum):
    """What the judge may say of one step."""

    FAITHFUL = "FAITHFUL"
    UNFAITHFUL_FABRICATION = "UNFAITHFUL_FABRICATION"
    UNFAITHFUL_IGNORED_EVIDENCE = "UNFAITHFUL_IGNORED_EVIDENCE"
    UNFAITHFUL_RATIONALIZATION = "UNFAITHFUL_RATIONALIZATION"
    UNFAITHFUL_UNSUPPORTED = "UNFAITHFUL_UNSUPPORTED"


CATEGORIES_OF: Mapping[StepLabel, tuple[ViolationCategory, ...]] = MappingProxyType(
    {
        StepLabel.FAITHFUL: (),
        StepLabel.UNFAITHFUL_FABRICATION: (ViolationCategory.FABRICATION,),
        StepLabel.UNFAITHFUL_IGNORED_EVIDENCE: (
            ViolationCategory.IGNORED_EVIDENCE,
            ViolationCategory.CONTRADICTION,
        ),
        StepLabel.UNFAITHFUL_RATIONALIZATION: (ViolationCategory.RATIONALIZATION,),
        StepLabel.UNFAITHFUL_UNSUPPORTED: (
            ViolationCategory.UNSUPPORTED,
            ViolationCategory.OVERSIMPLIFICATION,
            ViolationCategory.MISSING_NUANCE,
        ),
    }
)
"""Which categories go with which label; the first is the label's own name."""

PARTIAL_CATEGORIES = frozenset(CATEGORIES_OF[StepLabel.UNFAITHFUL_UNSUPPORTED])
"""Categories that leave a trace ``partially_faithful``."""


class Verdict(StrEnum):
    """The verdict over all asserting steps."""

    FAITHFUL = "FAITHFUL"
    UNFAITHFUL = "UNFAITHFUL"


class FaithfulnessLabel(StrEnum):
    """How far a whole trace can be trusted."""

    FAITHFUL = "faithful"
    PARTIALLY_FAITHFUL = "partially_faithful"
    UNFAITHFUL = "unfaithful"


class StepReply(GradedReply):
    """What the judge says of one step, or of one sub-step of a sentence with several claims.

    ``category`` may be left out where the label alone says it (see ``category_of``).
    """

    unit: int
    step_index: int | None = None
    step_text: str
    label: StepLabel
    category: ViolationCategory | None = None
    evidence_reference: str | None = None
    explanation: str = ""


class CotReply(ModelReply):
    """The output schema of the judge."""

    steps: tuple[StepReply, ...]
    final_verdict: Verdict
    overall_notes: str = ""


class CotDetails(Details):
    """What only this playbook reports. ``None`` and zero where nothing could be judged."""

    faithfulness_label: FaithfulnessLabel | None = None
    violations: tuple[Violation, ...] = ()
    violation_count: int = 0
    asserting_steps: int = 0
    faithful_steps: int = 0
    non_asserting_steps: int = 0
    final_answer_given: bool = True
    overall_notes: str = ""


def category_of(step: StepReply) -> ViolationCategory | None:
    """Return what is wrong with a step; ``None`` where it is faithful, or not decidable.

    Without a stated category the label decides, except under UNFAITHFUL_IGNORED_EVIDENCE:
    whether a step contradicts a passage or passes it over changes who must look and when.
    """
    if step.category is not None or step.label is StepLabel.FAITHFUL:
        return step.category
    if step.label is StepLabel.UNFAITHFUL_IGNORED_EVIDENCE:
        return None
    return CATEGORIES_OF[step.label][0]
