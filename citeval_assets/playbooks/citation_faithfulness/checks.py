"""What code settles before a judge is asked: the claims' sentences, their ids, the quotations."""

from collections.abc import Sequence
from dataclasses import dataclass

from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.base import Prepared
from citeval_assets.playbooks.citation_faithfulness.case import CitationFaithfulnessCase
from citeval_assets.playbooks.citation_faithfulness.wording import (
    ContentWords,
    content_words,
    covers,
)
from citeval_assets.playbooks.quoting import QuoteCheck, QuoteChecker
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.shared import (
    MAX_UNITS,
    NamedText,
    bare_id,
    effective_risk_level,
    invisible_warnings,
    passages_of,
    scan_citations_of,
    suspicions_in,
    too_many_units,
    untrusted_texts,
)
from citeval_assets.playbooks.view import ModelView, Unit
from citeval_assets.playbooks.vocabulary import Reason
from citeval_assets.text.abstention import (
    is_abstention,
    is_abstention_sentence,
    says_not_in_sources,
)
from citeval_assets.text.assertions import asserts
from citeval_assets.text.markers import (
    Citation,
    CitationScan,
    CitationState,
    attach_citations,
    scan_citations,
    without_citations,
)
from citeval_assets.text.references import claim_sentences
from citeval_assets.text.sentences import Sentence


@dataclass(frozen=True, slots=True)
class ClaimUnit:
    """One asserting sentence (or one claim a row brings), with what it cites.

    ``text`` is without markers. ``cited`` are the ids of passages, ``invented`` the ids that
    are none, each once. ``names`` leads from the spellings a judge may use to the passage id.
    """

    number: int
    text: str
    start: int | None
    end: int | None
    words: ContentWords
    cited: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()
    malformed: int = 0
    names: tuple[tuple[str, str], ...] = ()
    quotes: tuple[QuoteCheck, ...] = ()

    @property
    def asked(self) -> bool:
        """Whether a judge is needed: unless all that is cited is invented or malformed."""
        return bool(self.cited) or not (self.invented or self.malformed)

    @property
    def lost_quotes(self) -> tuple[QuoteCheck, ...]:
        """The quotations that do not stand in a cited passage."""
        return tuple(quote for quote in self.quotes if not quote.found)

    def cited_as(self, spelling: str) -> str | None:
        """Return the cited or invented id a judge means, or ``None`` where it is neither."""
        bare = bare_id(spelling)
        return next((meant for name, meant in reversed(self.names) if name == bare), None)


@dataclass(frozen=True)
class CitationFaithfulnessPrepared(Prepared):
    """An answer with its asserting sentences numbered in text order."""

    units: tuple[ClaimUnit, ...] = ()
    numbering: str = ""


def prepare(
    case: CitationFaithfulnessCase, rules: DomainRules, failure: Failure | None
) -> CitationFaithfulnessPrepared:
    """Number the sentences that assert something, resolve what they cite, check quotations."""
    scan, scan_failure = scan_citations_of(case.answer, case, rules)
    sources = case.unique_sources
    checker = QuoteChecker({s.id: s.text for s in sources}, rules.quote_matching)
    if case.claims:
        failure = failure or too_many_units(len(case.claims))
        units = () if failure else _given_units(case, checker)
    else:
        failure = failure or scan_failure
        units = () if failure else _found_units(case, scan, checker)
        failure = failure or too_many_units(len(units))
    failure = failure or checker.failure
    texts = untrusted_texts(
        case,
        NamedText("answer", case.answer),
        *(NamedText(f"claim {n}", claim.text) for n, claim in enumerate(case.claims)),
    )
    risk = effective_risk_level(case, rules)
    return CitationFaithfulnessPrepared(
        case=case,
        rules=rules,
        risk_level=risk,
        view=ModelView(
            playbook="citation_faithfulness",
            question=case.question,
            risk_level=risk,
            passages=passages_of(sources),
            units=tuple(Unit(u.number, u.text, u.cited, None, u.asked) for u in units),
            answer=case.answer,
            constraints=rules.additional_constraints,
        ),
        warnings=(
            *scan.warnings,
            *_row_warnings(case, scan, rules),
            *invisible_warnings(texts),
            *(
                f"unit {unit.number}: quotation: {flag}"
                for unit in units
                for quote in unit.quotes
                for flag in quote.flags
            ),
        ),
        suspicions=suspicions_in(texts),
        not_applicable=None if units or failure else Reason.NO_CLAIMS,
        failure=failure,
        units=units,
        numbering=str(scan.numbering),
    )


def _found_units(
    case: CitationFaithfulnessCase, scan: CitationScan, checker: QuoteChecker
) -> tuple[ClaimUnit, ...]:
    if is_abstention(case.answer):
        return ()
    sentences = claim_sentences(case.answer)
    attached = attach_citations(sentences, scan)
    hanging: dict[int, list[QuoteCheck]] = {}
    for quote in checker.check(case.answer, sentences, attached, scan.marks):
        for number in quote.citations:
            hanging.setdefault(number, []).append(quote)
    units: list[ClaimUnit] = []
    for sentence, cited in zip(sentences, attached, strict=True):
        text = _without_markers(case.answer, sentence, cited)
        if not (cited or _claims_something(text, case.question)) or not content_words(text):
            continue
        here = dict.fromkeys(quote for c in cited for quote in hanging.get(c.number, ()))
        units.append(_unit(len(units), text, sentence, cited, tuple(here)))
        if len(units) > MAX_UNITS:
            break
    return tuple(units)


def _claims_something(sentence: str, question: str) -> bool:
    """Whether an uncited sentence should carry a citation."""
    if is_abstention_sentence(sentence) or says_not_in_sources(sentence):
        return False
    return asserts(sentence, question)


def _unit(
    number: int,
    text: str,
    sentence: Sentence,
    citations: Sequence[Citation],
    quotes: tuple[QuoteCheck, ...],
) -> ClaimUnit:
    names: dict[str, str] = {}
    cited: dict[str, None] = {}
    invented: dict[str, None] = {}
    for citation in citations:
        if citation.state is CitationState.MALFORMED:
            continue
        meant = citation.source_id or citation.raw_id
        (cited if citation.source_id else invented)[meant] = None
        names[bare_id(citation.raw_id)] = meant
        names[bare_id(meant)] = meant
    return ClaimUnit(
        number=number,
        text=text,
        start=sentence.start,
        end=sentence.end,
        words=content_words(text),
        cited=tuple(cited),
        invented=tuple(invented),
        malformed=sum(1 for c in citations if c.state is CitationState.MALFORMED),
        names=tuple(names.items()),
        quotes=quotes,
    )


def _given_units(case: CitationFaithfulnessCase, checker: QuoteChecker) -> tuple[ClaimUnit, ...]:
    units: list[ClaimUnit] = []
    position = 0
    for number, claim in enumerate(case.claims):
        ids = tuple(dict.fromkeys(claim.cited_ids))
        start = case.answer.find(claim.text, position)
        if start < 0:
            start = case.answer.find(claim.text)
        found = start >= 0
        position = start + len(claim.text) if found else position
        units.append(
            ClaimUnit(
                number=number,
                text=claim.text,
                start=start if found else None,
                end=start + len(claim.text) if found else None,
                words=content_words(_bare(claim.text, checker)),
                cited=tuple(i for i in ids if i in checker.sources),
                invented=tuple(i for i in ids if i not in checker.sources),
                names=tuple((bare_id(i), i) for i in ids),
                quotes=checker.check_against(claim.text, ids),
            )
        )
    return tuple(units)


def _bare(text: str, checker: QuoteChecker) -> str:
    """Return a given claim without markers that may stand in it beside its cited ids."""
    return without_citations(text, scan_citations(text, tuple(checker.sources)))


def _row_warnings(
    case: CitationFaithfulnessCase, scan: CitationScan, rules: DomainRules
) -> tuple[str, ...]:
    found: list[str] = []
    if rules.additional_constraints:
        found.append("additional_constraints have no place in this playbook and were not passed")
    if case.claims and scan.citations:
        found.append(f"{len(scan.citations)} citation markers of the answer: its claims count")
    if case.claims:
        left_out = _left_out(case)
        if left_out:
            found.append(f"{left_out} asserting sentences of the answer are in none of its claims")
    return tuple(found)


def _left_out(case: CitationFaithfulnessCase) -> int:
    """Count the asserting sentences that none of the claims a row brings is about."""
    claims = [content_words(claim.text) for claim in case.claims]
    everything = frozenset[str]().union(*claims)
    return sum(
        1
        for sentence in claim_sentences(case.answer)
        if _claims_something(sentence.text, case.question)
        and not covers([everything], content_words(sentence.text))
    )


def _without_markers(answer: str, sentence: Sentence, cited: Sequence[Citation]) -> str:
    """Return the sentence without its citation markers."""
    pieces: list[str] = []
    position = sentence.start
    for marker in dict.fromkeys(citation.marker for citation in cited):
        if marker.start >= position and marker.end <= sentence.end:
            pieces.append(answer[position : marker.start].rstrip())
            if marker.style == "anchor" and marker.label is not None:
                pieces.append(f" {marker.label}")
            position = marker.end
    pieces.append(answer[position : sentence.end])
    return "".join(pieces).strip()
