"""What a playbook is: the contract every evaluation recipe fulfils.

A playbook is pure. It prepares a case (numbers the units, runs the checks code can decide),
offers the gold-free view, names what is wrong with a reply, and turns a good reply into an
assessment. ``settle`` (settling.py) drives these four, the same way when a model is being
asked and when a report is rebuilt from stored replies.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic.json_schema import SkipJsonSchema

from citeval_assets.playbooks.answers import WrittenAnswer
from citeval_assets.playbooks.attempts import Failure, Problem
from citeval_assets.playbooks.cases import TestCase
from citeval_assets.playbooks.report import (
    ContextCut,
    Details,
    Disagreement,
    Escalation,
    Finding,
)
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.view import ModelView, SlotValue
from citeval_assets.playbooks.vocabulary import (
    DecidedBy,
    FindingUnit,
    Reason,
    RiskLevel,
    Routing,
    Severity,
    TemplateKind,
)


class ModelReply(BaseModel):
    """Base of the output schemas. Unknown fields are ignored here and recorded by the reader."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


def _share_or_none(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None


def _true_or_false(value: object) -> bool:
    return value is True


class GradedReply(ModelReply):
    """Base of what a judge says of one thing it grades: it may add how sure it is.

    Both fields are optional and not part of the schema a model is asked to fill: a judge that
    knows its limits sends them, all others need not, and what they put there in another form
    ("high", 95) is no reason to ask again. ``unsure`` sends the report to review.
    """

    confidence: SkipJsonSchema[Annotated[float | None, BeforeValidator(_share_or_none)]] = None
    unsure: SkipJsonSchema[Annotated[bool, BeforeValidator(_true_or_false)]] = False


@dataclass(frozen=True, slots=True)
class Slot:
    """One placeholder a template of the playbook must hold, written ``[NAME]``."""

    name: str
    optional: bool = False


@dataclass(frozen=True)
class Prepared:
    """A case made ready to be judged. Playbooks subclass it with what their checks found.

    ``not_applicable`` says there is nothing to judge (no call is made); ``failure`` says the
    case could not be completed (an unreachable evidence store).
    """

    case: TestCase
    rules: DomainRules
    risk_level: RiskLevel
    view: ModelView
    warnings: tuple[str, ...] = ()
    suspicions: tuple[str, ...] = ()
    not_applicable: Reason | None = None
    failure: Failure | None = None
    context_cuts: tuple[ContextCut, ...] = ()


@dataclass(frozen=True)
class Unprepared(Prepared):
    """A case on which our own code failed: no playbook is asked anything more about it."""

    @classmethod
    def of(cls, prepared: Prepared, failure: Failure) -> "Unprepared":
        """Return what is left of a prepared case whose judging tripped over a fault of ours."""
        return cls(
            case=prepared.case,
            rules=prepared.rules,
            risk_level=prepared.risk_level,
            view=prepared.view,
            warnings=prepared.warnings,
            suspicions=prepared.suspicions,
            failure=failure,
            context_cuts=prepared.context_cuts,
        )


CaseT = TypeVar("CaseT", bound=TestCase)
PreparedT = TypeVar("PreparedT", bound=Prepared)
ReplyT = TypeVar("ReplyT", bound=ModelReply)


@dataclass(frozen=True, slots=True)
class ReadReply(Generic[ReplyT]):
    """One attempt after reading: the typed reply, or what was wrong with it.

    ``reason`` is set where the attempt ends the asking or names its kind of fault (refusal,
    truncated, content_filter, empty_response, ambiguous_reply). ``notes`` tell what the reader
    did to the text ("fence removed", "trailing comma removed", "ignored field 'x'").
    """

    value: ReplyT | None = None
    problems: tuple[Problem, ...] = ()
    reason: Reason | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Assessment:
    """What one valid reply amounts to, every number computed by code.

    ``routing`` is set only by playbooks that decide it themselves; else it follows from the
    escalations.
    """

    score: float
    findings: tuple[Finding, ...]
    details: Details
    verdict: str | None = None
    escalations: tuple[Escalation, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    flags: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    summary: str = ""
    immediate: bool = False
    routing: Routing | None = None
    closed_as_golden: bool = False


@dataclass(frozen=True)
class Playbook(ABC, Generic[CaseT, PreparedT, ReplyT]):
    """One evaluation recipe. Subclasses set the class attributes and the five methods."""

    name: ClassVar[str]
    title: ClassVar[str]
    kind: ClassVar[TemplateKind]
    unit: ClassVar[FindingUnit]
    scoring_version: ClassVar[int]
    """Raised by hand whenever parsing, checks or scoring change: part of the epoch."""
    max_reasks: ClassVar[int]
    exhausted_is_indeterminate: ClassVar[bool] = False
    """Playbook 5 calls output that never passed ``indeterminate: validation_failed``."""
    failure_counts: ClassVar[bool] = False
    """Whether output that never passed counts against the model (output under test)."""
    case_type: ClassVar[type[TestCase]]
    reply_type: ClassVar[type[ModelReply]]
    slots: ClassVar[tuple[Slot, ...]]
    min_examples: ClassVar[int] = 1
    needs_sources: ClassVar[bool] = True
    """Whether a case without sources is quarantined (unless a retriever completes it)."""
    takes_answers: ClassVar[bool] = False
    """Whether answers of target models become cases (see ``case_of_answer``)."""

    @abstractmethod
    def prepare(self, case: CaseT, rules: DomainRules, failure: Failure | None = None) -> PreparedT:
        """Number the units and run every check that needs no model.

        ``failure`` is handed in where the evidence of the case could not be fetched.
        """

    @abstractmethod
    def slot_values(self, view: ModelView) -> Mapping[str, SlotValue]:
        """Return what fills each slot of a template, from the gold-free view alone.

        Few-shot examples and correction feedback are filled in by the renderer.
        """

    @abstractmethod
    def problems(self, prepared: PreparedT, reply: ReplyT) -> Sequence[Problem]:
        """Name what a *Validation* list of the SPEC finds wrong: empty means valid."""

    def decided(self, prepared: PreparedT) -> Assessment | None:
        """Return the assessment of a case that code settled whole, so that nothing is asked."""
        return None

    @abstractmethod
    def assess(
        self, prepared: PreparedT, reply: ReplyT, readings: Sequence[ReadReply[ReplyT]]
    ) -> Assessment:
        """Score a valid reply. ``readings`` holds every attempt, the valid one last."""

    def unseen(self, prepared: PreparedT, assessment: Assessment) -> Sequence[str]:
        """Name what of an assessment may be wrong only because text was cut away.

        Asked where passages were shortened to the token budget. By default these are the units
        a judge did not credit in full though the passage they rest on was cut: what supports
        them may stand in the part it was not shown. What the shown text contradicts, and what
        code decided on the whole text, stands.
        """
        cut = {event.source_id for event in prepared.context_cuts}
        return [
            f"unit {finding.unit_number} (source {finding.source_id!r})"
            for finding in assessment.findings
            if finding.source_id in cut
            and finding.decided_by is DecidedBy.JUDGE
            and finding.weight is not None
            and finding.weight < 1.0
            and all(flag.severity is not Severity.CRITICAL for flag in finding.flags)
        ]

    def written_answer(self, case: CaseT, reply: ReplyT | None) -> WrittenAnswer | None:
        """Return the answer a target model wrote; ``None`` where this playbook has none written.

        Without a ``reply`` nothing was answered yet: the answer is empty.
        """
        return None

    def case_of_answer(self, written: WrittenAnswer) -> TestCase | None:
        """Return an answer as a case of this playbook; ``None`` where it cannot be judged."""
        return None

    def failed_details(self, prepared: PreparedT, readings: Sequence[ReadReply[ReplyT]]) -> Details:
        """Return what a report of a case whose output never passed still tells."""
        return Details()


def with_cuts(prepared: PreparedT, view: ModelView, cuts: tuple[ContextCut, ...]) -> PreparedT:
    """Return ``prepared`` as it is after passages were shortened to a token budget."""
    return replace(prepared, view=view, context_cuts=cuts)


AnyPlaybook = Playbook[TestCase, Prepared, ModelReply]
"""A playbook whose type parameters do not matter to the caller."""


__all__ = [
    "AnyPlaybook",
    "Assessment",
    "GradedReply",
    "ModelReply",
    "Playbook",
    "Prepared",
    "ReadReply",
    "Slot",
    "Unprepared",
    "with_cuts",
]
