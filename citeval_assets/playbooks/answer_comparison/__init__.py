"""Playbook 5: a generated answer against its ground truth."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from citeval_assets.playbooks.answer_comparison.assessing import assess, details, unseen_criteria
from citeval_assets.playbooks.answer_comparison.checks import problems_of
from citeval_assets.playbooks.answer_comparison.prepared import ComparisonPrepared, prepare
from citeval_assets.playbooks.answer_comparison.schema import AnswerCase, ComparisonReply
from citeval_assets.playbooks.answers import WrittenAnswer
from citeval_assets.playbooks.attempts import Failure, Problem
from citeval_assets.playbooks.base import Assessment, Playbook, ReadReply, Slot
from citeval_assets.playbooks.report import Details
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.shared import constraints_slot, passages_slot, untrusted_slot
from citeval_assets.playbooks.view import ModelView, SlotValue
from citeval_assets.playbooks.vocabulary import FindingUnit, TemplateKind


class AnswerComparison(Playbook[AnswerCase, ComparisonPrepared, ComparisonReply]):
    """Compares generated answers with reference answers on four criteria."""

    name: ClassVar[str] = "answer_comparison"
    title: ClassVar[str] = "Answer against ground truth"
    kind: ClassVar[TemplateKind] = TemplateKind.JUDGE
    unit: ClassVar[FindingUnit] = FindingUnit.CRITERION
    scoring_version: ClassVar[int] = 1
    max_reasks: ClassVar[int] = 2
    exhausted_is_indeterminate: ClassVar[bool] = True
    case_type: ClassVar[type[AnswerCase]] = AnswerCase
    reply_type: ClassVar[type[ComparisonReply]] = ComparisonReply
    slots: ClassVar[tuple[Slot, ...]] = (
        Slot("USER_QUESTION"),
        Slot("GENERATED_ANSWER"),
        Slot("GROUND_TRUTH_ANSWER"),
        Slot("SOURCE_CONTEXT"),
        Slot("ADDITIONAL_CONSTRAINTS"),
        Slot("FEW_SHOT_EXAMPLES"),
        Slot("CORRECTION_FEEDBACK"),
    )
    needs_sources: ClassVar[bool] = False
    takes_answers: ClassVar[bool] = True

    def prepare(
        self, case: AnswerCase, rules: DomainRules, failure: Failure | None = None
    ) -> ComparisonPrepared:
        """Decide abstention, answerability, citations and single numbers."""
        return prepare(case, rules, failure)

    def case_of_answer(self, written: WrittenAnswer) -> AnswerCase | None:
        """Return the answer beside its reference; without one there is nothing to compare with."""
        if written.answerable is not False and not (written.reference_answer or "").strip():
            return None
        return AnswerCase(
            **written.shared_fields(),
            reference_answer=written.reference_answer,
            answerable=written.answerable,
        )

    def slot_values(self, view: ModelView) -> Mapping[str, SlotValue]:
        """Return the question, both answers, the sources and the operator's constraints."""
        return {
            "USER_QUESTION": untrusted_slot(view.question),
            "GENERATED_ANSWER": untrusted_slot(view.answer or ""),
            "GROUND_TRUTH_ANSWER": untrusted_slot(view.reference_answer or ""),
            "SOURCE_CONTEXT": passages_slot(view),
            "ADDITIONAL_CONSTRAINTS": constraints_slot(view),
        }

    def problems(self, prepared: ComparisonPrepared, reply: ComparisonReply) -> Sequence[Problem]:
        """Name impossible abstention scores and unsupported claims nobody made."""
        return problems_of(prepared, reply)

    def assess(
        self,
        prepared: ComparisonPrepared,
        reply: ComparisonReply,
        readings: Sequence[ReadReply[ComparisonReply]],
    ) -> Assessment:
        """Score a valid reply."""
        return assess(prepared, reply)

    def unseen(self, prepared: ComparisonPrepared, assessment: Assessment) -> Sequence[str]:
        """Name the criteria that fail on the sources alone, while some of them were cut."""
        return unseen_criteria(prepared, assessment)

    def failed_details(
        self,
        prepared: ComparisonPrepared,
        readings: Sequence[ReadReply[ComparisonReply]],
    ) -> Details:
        """Return what code knows without a judge."""
        return details(prepared)


PLAYBOOK = AnswerComparison()
