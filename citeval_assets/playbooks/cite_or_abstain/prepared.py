"""A golden question with its chunks, ready to be answered."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.base import Prepared
from citeval_assets.playbooks.cite_or_abstain.schema import AnswerStatus, CiteCase
from citeval_assets.playbooks.evidence import SearchedSource, searched
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.shared import (
    effective_risk_level,
    invisible_warnings,
    passages_of,
    shown_id,
    suspicions_in,
    untrusted_texts,
)
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import Reason


@dataclass(frozen=True, slots=True)
class Expectation:
    """What golden data says of a case. ``supporting`` is ``None`` where it is not known."""

    status: AnswerStatus = AnswerStatus.ANSWERED
    supporting: tuple[str, ...] | None = None
    conflict: bool = False


@dataclass(frozen=True)
class CitePrepared(Prepared):
    """The golden expectation, and the chunks ready to be searched."""

    expected: Expectation = field(default_factory=Expectation)
    sources: tuple[SearchedSource, ...] = ()


def prepare(case: CiteCase, rules: DomainRules, failure: Failure | None) -> CitePrepared:
    """Make the gold-free view of a question and its chunks.

    A follow-up question is not put: the template has no place for the turns before it, and
    without them a model could only abstain.
    """
    risk = effective_risk_level(case, rules)
    texts = untrusted_texts(case)
    return CitePrepared(
        case=case,
        rules=rules,
        risk_level=risk,
        view=ModelView(
            playbook="cite_or_abstain",
            question=case.question,
            risk_level=risk,
            passages=passages_of(case.unique_sources),
            recorded_output=case.recorded_output,
        ),
        warnings=(*_golden_warnings(case), *invisible_warnings(texts)),
        suspicions=suspicions_in(texts),
        not_applicable=Reason.MULTI_TURN if case.history else None,
        failure=failure,
        expected=Expectation(case.expected_status, case.known_supporting, case.conflict),
        sources=searched(case.unique_sources),
    )


def _golden_warnings(case: CiteCase) -> Iterator[str]:
    """Tell what in the golden expectation cannot be met with these chunks."""
    ids = {source.id for source in case.sources}
    absent = [shown_id(i) for i in case.known_supporting or () if i not in ids]
    if absent:
        yield f"supporting_chunk_ids: {', '.join(absent[:20])} not among the chunks"
    if case.conflict and case.expected_status is not AnswerStatus.PARTIAL:
        yield (
            f"conflict: golden data expects {case.expected_status!s} although the chunks "
            "conflict; conflicting chunks call for partial"
        )
