"""Playbook 3: is each step of a reasoning trace drawn from the evidence?"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from citeval_assets.playbooks.attempts import Failure, Problem
from citeval_assets.playbooks.base import Assessment, Playbook, ReadReply, Slot
from citeval_assets.playbooks.cot_faithfulness.assessing import assess, unseen_steps
from citeval_assets.playbooks.cot_faithfulness.checks import problems_of
from citeval_assets.playbooks.cot_faithfulness.prepared import NOT_GIVEN, CotPrepared, prepare
from citeval_assets.playbooks.cot_faithfulness.schema import CotCase, CotDetails, CotReply
from citeval_assets.playbooks.report import Details
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.shared import passages_slot, untrusted_slot
from citeval_assets.playbooks.view import ModelView, SlotValue
from citeval_assets.playbooks.vocabulary import FindingUnit, TemplateKind


class CotFaithfulness(Playbook[CotCase, CotPrepared, CotReply]):
    """Audits a chain of thought step by step against its evidence."""

    name: ClassVar[str] = "cot_faithfulness"
    title: ClassVar[str] = "Chain-of-thought faithfulness"
    kind: ClassVar[TemplateKind] = TemplateKind.JUDGE
    unit: ClassVar[FindingUnit] = FindingUnit.STEP
    scoring_version: ClassVar[int] = 1
    max_reasks: ClassVar[int] = 1
    case_type: ClassVar[type[CotCase]] = CotCase
    reply_type: ClassVar[type[CotReply]] = CotReply
    slots: ClassVar[tuple[Slot, ...]] = (
        Slot("REASONING_TRACE"),
        Slot("FINAL_ANSWER"),
        Slot("SOURCE_EVIDENCE"),
        Slot("RISK_LEVEL", optional=True),
        Slot("FEW_SHOT_EXAMPLES"),
        Slot("CORRECTION_FEEDBACK"),
    )

    def prepare(
        self, case: CotCase, rules: DomainRules, failure: Failure | None = None
    ) -> CotPrepared:
        """Number the sentences of the trace and mark those that assert nothing."""
        return prepare(case, rules, failure)

    def slot_values(self, view: ModelView) -> Mapping[str, SlotValue]:
        """Return the trace as numbered units, the final answer and the evidence."""
        return {
            "REASONING_TRACE": untrusted_slot(_numbered(view)),
            "FINAL_ANSWER": untrusted_slot(view.final_answer or NOT_GIVEN),
            "SOURCE_EVIDENCE": passages_slot(view),
            "RISK_LEVEL": SlotValue(text=view.risk_level.value),
        }

    def problems(self, prepared: CotPrepared, reply: CotReply) -> Sequence[Problem]:
        """Name uncovered, misplaced or misquoted steps and references that prove nothing."""
        return problems_of(prepared, reply)

    def assess(
        self,
        prepared: CotPrepared,
        reply: CotReply,
        readings: Sequence[ReadReply[CotReply]],
    ) -> Assessment:
        """Score a valid reply."""
        return assess(prepared, reply)

    def unseen(self, prepared: CotPrepared, assessment: Assessment) -> Sequence[str]:
        """Name the steps that lack only evidence, while some of the evidence was cut away."""
        return unseen_steps(assessment.findings)

    def failed_details(
        self, prepared: CotPrepared, readings: Sequence[ReadReply[CotReply]]
    ) -> Details:
        """Return how many steps there were to judge."""
        asserting = len(prepared.asserting)
        return CotDetails(
            asserting_steps=asserting,
            non_asserting_steps=len(prepared.steps) - asserting,
            final_answer_given=prepared.final_answer_given,
        )


def _numbered(view: ModelView) -> str:
    """Return all sentences, one a line, so that no text can pass for a numbered line of its own."""
    lines = (
        f"unit {unit.number}{'' if unit.asked else ' (asserts nothing, not judged)'}: "
        + " ".join(unit.text.split())
        for unit in view.units
    )
    head = f"{len(view.units)} sentences of the trace, numbered by the evaluation:"
    return "\n".join((head, *lines))


PLAYBOOK = CotFaithfulness()
