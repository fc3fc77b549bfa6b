"""A generated answer made ready to be compared with its ground truth."""

from dataclasses import dataclass

from citeval_assets.playbooks.answer_comparison.claims import Claim, SearchedAnswer, claims_of
from citeval_assets.playbooks.answer_comparison.numbers import compare_numbers
from citeval_assets.playbooks.answer_comparison.schema import (
    AbstentionScore,
    AnswerCase,
    NumberCheck,
)
from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.base import Prepared
from citeval_assets.playbooks.quoting import QuoteChecker
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.shared import (
    NamedText,
    effective_risk_level,
    invisible_warnings,
    passages_of,
    scan_citations_of,
    suspicions_in,
    untrusted_texts,
)
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import Reason
from citeval_assets.text.abstention import is_abstention
from citeval_assets.text.markers import attach_citations, scan_citations, without_citations
from citeval_assets.text.references import claim_sentences

NO_REFERENCE = "The question cannot be answered from the given sources."
"""The ground truth of a case that golden data calls unanswerable and gives no reference for."""


@dataclass(frozen=True)
class ComparisonPrepared(Prepared):
    """What code knows of an answer before a judge is asked.

    ``judges_sources`` is false for a case without sources: citations and faithfulness are
    not judged then. ``cites`` says that the answer cites a source there is, and
    ``uncounted_citations`` how many citations point to none.
    """

    is_abstention: bool = False
    answerable: bool = True
    judges_sources: bool = True
    cites: bool = False
    claims: tuple[Claim, ...] = ()
    searched: SearchedAnswer | None = None
    number_check: NumberCheck | None = None
    uncounted_citations: int = 0
    lost_quotes: int = 0

    @property
    def possible_abstention_scores(self) -> tuple[AbstentionScore, ...]:
        """The abstention scores that can be true of this case."""
        if self.is_abstention:
            right, wrong = AbstentionScore.CORRECT_ABSTENTION, AbstentionScore.INCORRECT_ABSTENTION
            return (wrong,) if self.answerable else (right,)
        if not self.answerable:
            return (AbstentionScore.INCORRECT_ANSWER,)
        return (
            AbstentionScore.CORRECT_ANSWER,
            AbstentionScore.INCORRECT_ANSWER,
            AbstentionScore.NOT_APPLICABLE,
        )


def prepare(case: AnswerCase, rules: DomainRules, failure: Failure | None) -> ComparisonPrepared:
    """Decide what needs no judge: abstention, answerability, citations, single numbers."""
    scan, scan_failure = scan_citations_of(case.answer, case, rules)
    sources = case.unique_sources
    ids = tuple(source.id for source in sources)
    sentences = claim_sentences(case.answer)
    checker = QuoteChecker({s.id: s.text for s in sources}, rules.quote_matching)
    quotes = checker.check(case.answer, sentences, attach_citations(sentences, scan), scan.markers)
    reference = case.reference_answer or ""
    abstains = is_abstention(case.answer)
    risk = effective_risk_level(case, rules)
    texts = untrusted_texts(
        case, NamedText("answer", case.answer), NamedText("reference answer", reference)
    )
    return ComparisonPrepared(
        case=case,
        rules=rules,
        risk_level=risk,
        view=ModelView(
            playbook="answer_comparison",
            question=case.question,
            risk_level=risk,
            passages=passages_of(sources),
            answer=case.answer,
            reference_answer=reference or NO_REFERENCE,
            constraints=rules.additional_constraints,
        ),
        warnings=(*scan.warnings, *invisible_warnings(texts), *checker.warnings),
        suspicions=suspicions_in(texts),
        not_applicable=Reason.MULTI_TURN if case.history else None,
        failure=failure or scan_failure,
        is_abstention=abstains,
        answerable=_answerable(case),
        judges_sources=bool(sources),
        cites=any(citation.resolved for citation in scan.citations),
        claims=claims_of(case.answer, scan, quotes, case.question),
        searched=SearchedAnswer(case.answer, scan, ids),
        number_check=compare_numbers(
            without_citations(case.answer, scan),
            without_citations(reference, scan_citations(reference, ids)),
            rules.numeric_tolerance,
        ),
        uncounted_citations=sum(not citation.resolved for citation in scan.citations),
        lost_quotes=sum(not quote.found for quote in quotes),
    )


def _answerable(case: AnswerCase) -> bool:
    if case.answerable is not None:
        return case.answerable
    return not is_abstention(case.reference_answer or "")
