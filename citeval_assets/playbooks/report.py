"""The report: a judge output that passed validation, every number recomputed by code.

A failed judgement has a report too, with its status and reason and no score.
"""

from typing import Literal

from pydantic import Field, SerializeAsAny

from citeval_assets.playbooks.cases import Frozen
from citeval_assets.playbooks.vocabulary import (
    DecidedBy,
    EscalationName,
    FindingUnit,
    Reason,
    RiskLevel,
    Routing,
    Severity,
    Status,
)


class Flag(Frozen):
    """One defect found on a finding."""

    type: str
    severity: Severity
    detail: str = ""


class Evidence(Frozen):
    """Where the text that settles a finding stands.

    Offsets are code points into the unchanged text of source ``source_id``. ``match`` is
    ``exact`` | ``normalised`` | ``elided`` | ``nearest``; ``similarity`` (0..1) goes with
    ``nearest``.
    """

    source_id: str
    char_start: int
    char_end: int
    text: str
    match: str = "exact"
    similarity: float | None = None


class Finding(Frozen):
    """One row of a report: one citation, one claim, one reasoning step or one criterion.

    ``unit_number`` is the number of the thing judged; several findings may share it (a claim
    that cites two passages). ``char_start``/``char_end`` locate ``text`` in the judged text.
    """

    unit: FindingUnit
    unit_number: int
    text: str
    source_id: str | None = None
    label: str
    weight: float | None = None
    flags: tuple[Flag, ...] = ()
    decided_by: DecidedBy = DecidedBy.JUDGE
    explanation: str = ""
    evidence: tuple[Evidence, ...] = ()
    quote_found_in: str | None = None
    category: str | None = None
    step_index: int | None = None
    char_start: int | None = None
    char_end: int | None = None


class Disagreement(Frozen):
    """Where the judge said one thing and code knows another. The computed value stands."""

    field: str
    judge: str
    computed: str
    unit_number: int | None = None


class Escalation(Frozen):
    """One reason why a person must look."""

    name: EscalationName
    severity: Severity = Severity.MAJOR
    detail: str = ""


class Violation(Frozen):
    """One unfaithful step (``cot_faithfulness``)."""

    unit_number: int
    category: str
    severity: Severity


class Details(Frozen):
    """What only one playbook reports. Each playbook subclasses it; all fields have types."""


class ContextCut(Frozen):
    """One passage that was shortened to fit the token budget."""

    source_id: str
    tokens_before: int
    tokens_after: int


class Report(Frozen):
    """The outcome for one case under one judge and prompt version.

    ``score`` is in 0..1 and present exactly when ``status`` is scored.
    """

    playbook: str
    test_case_id: str
    system: str
    risk_level: RiskLevel
    status: Status
    reason: Reason | None = None
    message: str = ""
    score: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    verdict: str | None = None
    routing: Routing = Routing.DELIVER
    escalations: tuple[Escalation, ...] = ()
    immediate: bool = False
    provisional: bool = False
    closed_as: Literal["matches_golden"] | None = None
    flags: tuple[str, ...] = ()
    attempts: int = 0
    context_cuts: tuple[ContextCut, ...] = ()
    findings: tuple[Finding, ...] = ()
    judge_disagreements: tuple[Disagreement, ...] = ()
    validation_problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    summary: str = ""
    details: SerializeAsAny[Details] = Details()

    @property
    def truncated(self) -> bool:
        """Whether any passage was shortened before the model saw it."""
        return bool(self.context_cuts)

    @property
    def escalated(self) -> bool:
        """Whether a person must look."""
        return bool(self.escalations)
