"""The playbook: prepares, shows, validates and scores, each in its own module."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from citeval_assets.playbooks.answers import WrittenAnswer
from citeval_assets.playbooks.attempts import Failure, Problem
from citeval_assets.playbooks.base import Assessment, Playbook, ReadReply, Slot
from citeval_assets.playbooks.cases import TestCase
from citeval_assets.playbooks.citation_faithfulness import checks, scoring, validation
from citeval_assets.playbooks.citation_faithfulness.case import CitationFaithfulnessCase
from citeval_assets.playbooks.citation_faithfulness.checks import CitationFaithfulnessPrepared
from citeval_assets.playbooks.citation_faithfulness.output import CitationFaithfulnessReply
from citeval_assets.playbooks.citation_faithfulness.scoring import CitationFaithfulnessDetails
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.shared import numbered_slot, passages_slot, untrusted_slot
from citeval_assets.playbooks.view import ModelView, SlotValue
from citeval_assets.playbooks.vocabulary import FindingUnit, TemplateKind


class CitationFaithfulness(
    Playbook[CitationFaithfulnessCase, CitationFaithfulnessPrepared, CitationFaithfulnessReply]
):
    """Does each claim of an answer rest on the passages it cites, and only on those?"""

    name = "citation_faithfulness"
    title = "Citation faithfulness of answers"
    kind = TemplateKind.JUDGE
    unit = FindingUnit.CLAIM
    scoring_version = 1
    max_reasks = 1
    case_type: ClassVar[type[TestCase]] = CitationFaithfulnessCase
    reply_type = CitationFaithfulnessReply
    takes_answers = True
    slots = (
        Slot("QUESTION"),
        Slot("GENERATED_ANSWER"),
        Slot("SOURCE_PASSAGES"),
        Slot("RISK_LEVEL"),
        Slot("FEW_SHOT_EXAMPLES"),
        Slot("CORRECTION_FEEDBACK"),
    )

    def prepare(
        self, case: CitationFaithfulnessCase, rules: DomainRules, failure: Failure | None = None
    ) -> CitationFaithfulnessPrepared:
        """Number the asserting sentences, resolve what they cite and check the quotations."""
        return checks.prepare(case, rules, failure)

    def case_of_answer(self, written: WrittenAnswer) -> CitationFaithfulnessCase:
        """Return the answer as a case; an abstention is one without claims."""
        return CitationFaithfulnessCase(**written.shared_fields())

    def slot_values(self, view: ModelView) -> Mapping[str, SlotValue]:
        """Return the question, the answer with its numbered sentences, and the passages."""
        lines = [
            f"unit {unit.number} ({_cites(unit.cited_ids)}): {unit.text}"
            for unit in view.units
            if unit.asked
        ]
        answer = numbered_slot("sentences to evaluate", lines, view.answer or "")
        return {
            "QUESTION": untrusted_slot(view.question),
            "GENERATED_ANSWER": answer,
            "SOURCE_PASSAGES": passages_slot(view),
            "RISK_LEVEL": SlotValue(text=str(view.risk_level)),
        }

    def problems(
        self, prepared: CitationFaithfulnessPrepared, reply: CitationFaithfulnessReply
    ) -> Sequence[Problem]:
        """Name uncovered sentences and citations, and rows that contradict themselves."""
        return validation.problems(prepared, reply)

    def decided(self, prepared: CitationFaithfulnessPrepared) -> Assessment | None:
        """Score an answer all of whose citations are invented: there is nothing to ask."""
        if any(unit.asked for unit in prepared.units):
            return None
        return scoring.assess(prepared, None)

    def assess(
        self,
        prepared: CitationFaithfulnessPrepared,
        reply: CitationFaithfulnessReply,
        readings: Sequence[ReadReply[CitationFaithfulnessReply]],
    ) -> Assessment:
        """Score a valid answer."""
        return scoring.assess(prepared, reply)

    def unseen(
        self, prepared: CitationFaithfulnessPrepared, assessment: Assessment
    ) -> Sequence[str]:
        """Name the claims that are unsupported only because a passage they cite was cut."""
        return scoring.unseen(prepared, assessment.findings)

    def failed_details(
        self,
        prepared: CitationFaithfulnessPrepared,
        readings: Sequence[ReadReply[CitationFaithfulnessReply]],
    ) -> CitationFaithfulnessDetails:
        """Return the arrays a report always carries, and what code knows."""
        return scoring.unjudged_details(prepared)


def _cites(ids: Sequence[str]) -> str:
    return "cites " + ", ".join(repr(source_id) for source_id in ids) if ids else "no citation"


PLAYBOOK = CitationFaithfulness()
