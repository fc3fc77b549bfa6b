"""Playbook 4: a cited answer or an explicit abstention, written by a target model."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from citeval_assets.playbooks.answers import WrittenAnswer
from citeval_assets.playbooks.attempts import Failure, Problem
from citeval_assets.playbooks.base import Assessment, Playbook, ReadReply, Slot
from citeval_assets.playbooks.cite_or_abstain.assessing import (
    assess,
    checked,
    details_of,
    last_readable,
    unseen_chunks,
)
from citeval_assets.playbooks.cite_or_abstain.checks import problems_of
from citeval_assets.playbooks.cite_or_abstain.prepared import CitePrepared, prepare
from citeval_assets.playbooks.cite_or_abstain.schema import (
    AnswerStatus,
    CiteCase,
    CiteReply,
)
from citeval_assets.playbooks.report import Details
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.shared import passages_slot, untrusted_slot
from citeval_assets.playbooks.view import ModelView, SlotValue
from citeval_assets.playbooks.vocabulary import FindingUnit, TemplateKind


class CiteOrAbstain(Playbook[CiteCase, CitePrepared, CiteReply]):
    """Has target models answer golden questions and checks what they cite."""

    name: ClassVar[str] = "cite_or_abstain"
    title: ClassVar[str] = "Cited answer or abstention"
    kind: ClassVar[TemplateKind] = TemplateKind.GENERATE
    unit: ClassVar[FindingUnit] = FindingUnit.CLAIM
    scoring_version: ClassVar[int] = 1
    max_reasks: ClassVar[int] = 1
    failure_counts: ClassVar[bool] = True
    case_type: ClassVar[type[CiteCase]] = CiteCase
    reply_type: ClassVar[type[CiteReply]] = CiteReply
    slots: ClassVar[tuple[Slot, ...]] = (
        Slot("USER_QUESTION"),
        Slot("RETRIEVED_CHUNKS"),
        Slot("RISK_LEVEL"),
        Slot("FEW_SHOT_EXAMPLES"),
        Slot("CORRECTION_FEEDBACK"),
    )
    min_examples: ClassVar[int] = 3

    def prepare(
        self, case: CiteCase, rules: DomainRules, failure: Failure | None = None
    ) -> CitePrepared:
        """Make the gold-free view of a question and its chunks."""
        return prepare(case, rules, failure)

    def slot_values(self, view: ModelView) -> Mapping[str, SlotValue]:
        """Return the question, the chunks and the risk level."""
        return {
            "USER_QUESTION": untrusted_slot(view.question),
            "RETRIEVED_CHUNKS": passages_slot(view),
            "RISK_LEVEL": SlotValue(text=view.risk_level.value),
        }

    def problems(self, prepared: CitePrepared, reply: CiteReply) -> Sequence[Problem]:
        """Name invented chunks, excerpts that are not verbatim and statuses that do not fit."""
        return problems_of(checked(prepared, reply), prepared.sources, prepared.rules)

    def assess(
        self,
        prepared: CitePrepared,
        reply: CiteReply,
        readings: Sequence[ReadReply[CiteReply]],
    ) -> Assessment:
        """Score the first attempt; route the output that passed."""
        return assess(prepared, reply, readings)

    def unseen(self, prepared: CitePrepared, assessment: Assessment) -> Sequence[str]:
        """Name the chunks a model may have abstained for because they were cut."""
        return unseen_chunks(prepared, assessment)

    def written_answer(self, case: CiteCase, reply: CiteReply | None) -> WrittenAnswer:
        """Return the answer; an abstention says nothing that could be judged."""
        abstains = reply is None or reply.status is AnswerStatus.ABSTAINED
        return WrittenAnswer(
            asked=case,
            answer="" if abstains or reply is None else reply.answer or "",
            reference_answer=case.reference_answer,
            answerable=case.expected_status is not AnswerStatus.ABSTAINED,
        )

    def failed_details(
        self, prepared: CitePrepared, readings: Sequence[ReadReply[CiteReply]]
    ) -> Details:
        """Return the first attempt's figures, and the last readable output for the reviewer."""
        output = last_readable(prepared, readings)
        return details_of(prepared, readings, output, passed=False)


PLAYBOOK = CiteOrAbstain()
