"""The playbook: prepares, shows, validates and scores, each in its own module."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from citeval_assets.playbooks.attempts import Failure, Problem
from citeval_assets.playbooks.base import Assessment, Playbook, ReadReply, Slot
from citeval_assets.playbooks.cases import TestCase
from citeval_assets.playbooks.citation_accuracy import checks, scoring, validation
from citeval_assets.playbooks.citation_accuracy.case import CitationAccuracyCase
from citeval_assets.playbooks.citation_accuracy.checks import CitationAccuracyPrepared
from citeval_assets.playbooks.citation_accuracy.output import CitationAccuracyReply
from citeval_assets.playbooks.citation_accuracy.scoring import CitationAccuracyDetails
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.shared import (
    constraints_slot,
    numbered_slot,
    passages_slot,
)
from citeval_assets.playbooks.view import ModelView, SlotValue
from citeval_assets.playbooks.vocabulary import FindingUnit, TemplateKind


class CitationAccuracy(
    Playbook[CitationAccuracyCase, CitationAccuracyPrepared, CitationAccuracyReply]
):
    """Does each citation of a reasoning trace really support its step?

    Only the citations are judged, never the final answer or the quality of the reasoning.
    """

    name = "citation_accuracy"
    title = "Citation accuracy in reasoning traces"
    kind = TemplateKind.JUDGE
    unit = FindingUnit.CITATION
    scoring_version = 1
    max_reasks = 1
    case_type: ClassVar[type[TestCase]] = CitationAccuracyCase
    reply_type = CitationAccuracyReply
    slots = (
        Slot("REASONING_TRACE"),
        Slot("SOURCE_DOCUMENTS"),
        Slot("ADDITIONAL_CONSTRAINTS"),
        Slot("FEW_SHOT_EXAMPLES"),
        Slot("CORRECTION_FEEDBACK"),
    )
    min_examples = 3

    def prepare(
        self, case: CitationAccuracyCase, rules: DomainRules, failure: Failure | None = None
    ) -> CitationAccuracyPrepared:
        """Number the citations, resolve them and check the quotations."""
        return checks.prepare(case, rules, failure)

    def slot_values(self, view: ModelView) -> Mapping[str, SlotValue]:
        """Return the trace with its numbered citations, the sources and the operator's rules."""
        lines = [
            f"unit {unit.number}: cites {unit.cited_ids[0]!r} in step {unit.step_index}: "
            f"{unit.text}"
            for unit in view.units
            if unit.asked
        ]
        return {
            "REASONING_TRACE": numbered_slot("citations to evaluate", lines, view.trace or ""),
            "SOURCE_DOCUMENTS": passages_slot(view),
            "ADDITIONAL_CONSTRAINTS": constraints_slot(view),
        }

    def problems(
        self, prepared: CitationAccuracyPrepared, reply: CitationAccuracyReply
    ) -> Sequence[Problem]:
        """Name missing, unknown and contradictory evaluations."""
        return validation.problems(prepared, reply)

    def decided(self, prepared: CitationAccuracyPrepared) -> Assessment | None:
        """Score a trace none of whose citations has a source: there is nothing to ask."""
        if any(unit.asked for unit in prepared.units):
            return None
        return scoring.assess(prepared, None)

    def assess(
        self,
        prepared: CitationAccuracyPrepared,
        reply: CitationAccuracyReply,
        readings: Sequence[ReadReply[CitationAccuracyReply]],
    ) -> Assessment:
        """Score a valid answer."""
        return scoring.assess(prepared, reply)

    def failed_details(
        self,
        prepared: CitationAccuracyPrepared,
        readings: Sequence[ReadReply[CitationAccuracyReply]],
    ) -> CitationAccuracyDetails:
        """Return the counts code knows."""
        return scoring.details(prepared)


PLAYBOOK = CitationAccuracy()
