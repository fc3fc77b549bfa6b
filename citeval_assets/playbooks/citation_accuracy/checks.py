"""What code settles before a judge is asked: the citations, their sources, the quotations."""

from collections.abc import Sequence
from dataclasses import dataclass

from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.base import Prepared
from citeval_assets.playbooks.citation_accuracy.case import CitationAccuracyCase
from citeval_assets.playbooks.quoting import QuoteCheck, QuoteChecker
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.shared import (
    NamedText,
    effective_risk_level,
    invisible_warnings,
    passages_of,
    scan_citations_of,
    suspicions_in,
    too_many_units,
    untrusted_texts,
    with_neighbours,
)
from citeval_assets.playbooks.view import ModelView, Passage, Unit
from citeval_assets.playbooks.vocabulary import Reason
from citeval_assets.text.assertions import asserts
from citeval_assets.text.markers import (
    Citation,
    CitationScan,
    CitationState,
    attach_citations,
)
from citeval_assets.text.sentences import Sentence
from citeval_assets.text.traces import TraceSentence, read_trace, trace_sentences


@dataclass(frozen=True, slots=True)
class CitationUnit:
    """One occurrence of one citation, with the sentence it belongs to."""

    citation: Citation
    sentence: str
    start: int
    end: int
    step_index: int
    quotes: tuple[QuoteCheck, ...] = ()

    @property
    def number(self) -> int:
        """Position among all citations of the trace, from 0."""
        return self.citation.number

    @property
    def source_id(self) -> str | None:
        """Id of the cited source; ``None`` where there is none."""
        return self.citation.source_id

    @property
    def asked(self) -> bool:
        """Whether a judge is needed: a citation without a source is settled already."""
        return self.citation.state is CitationState.RESOLVED

    @property
    def lost_quotes(self) -> tuple[QuoteCheck, ...]:
        """The quotations that do not stand in the cited source."""
        return tuple(quote for quote in self.quotes if not quote.found)


@dataclass(frozen=True)
class CitationAccuracyPrepared(Prepared):
    """A trace with its citations numbered in text order."""

    units: tuple[CitationUnit, ...] = ()
    uncited: tuple[TraceSentence, ...] = ()
    numbering: str = ""


def prepare(
    case: CitationAccuracyCase, rules: DomainRules, failure: Failure | None
) -> CitationAccuracyPrepared:
    """Number the citations of the trace, resolve them and check the quotations."""
    trace = read_trace(case.reasoning_trace)
    sources = case.unique_sources
    scan, scan_failure = scan_citations_of(trace.text, case, rules)
    too_many = too_many_units(len(scan.citations))
    failure = failure or scan_failure or too_many
    sentences = () if too_many else trace_sentences(trace)
    attached = attach_citations([Sentence(s.start, s.end, s.text) for s in sentences], scan)
    checker = QuoteChecker({s.id: s.text for s in sources}, rules.quote_matching)
    quotes = () if failure else checker.check(trace.text, sentences, attached, scan.marks)
    failure = failure or checker.failure
    units = () if too_many else _units(scan, sentences, attached, quotes)
    texts = untrusted_texts(case, NamedText("reasoning trace", trace.text))
    risk = effective_risk_level(case, rules)
    return CitationAccuracyPrepared(
        case=case,
        rules=rules,
        risk_level=risk,
        view=ModelView(
            playbook="citation_accuracy",
            question=case.question,
            risk_level=risk,
            passages=_passages(case, rules, units),
            units=tuple(_shown(unit) for unit in units),
            trace=trace.text,
            constraints=rules.additional_constraints,
        ),
        warnings=(
            *scan.warnings,
            *invisible_warnings(texts),
            *(f"unit {unit.number}: quotation: {flag}" for unit in units for flag in _flags(unit)),
        ),
        suspicions=suspicions_in(texts),
        not_applicable=None if scan.citations else Reason.NO_CITATIONS,
        failure=failure,
        units=units,
        uncited=() if failure else _uncited(sentences, attached, case.question),
        numbering=str(scan.numbering),
    )


def _units(
    scan: CitationScan,
    sentences: Sequence[TraceSentence],
    attached: Sequence[Sequence[Citation]],
    quotes: Sequence[QuoteCheck],
) -> tuple[CitationUnit, ...]:
    home = {
        citation.number: sentence
        for sentence, cited in zip(sentences, attached, strict=True)
        for citation in cited
    }
    hanging: dict[int, list[QuoteCheck]] = {}
    for quote in quotes:
        for number in quote.citations:
            hanging.setdefault(number, []).append(quote)
    units: list[CitationUnit] = []
    step_index = 0
    for citation in scan.citations:
        sentence = home.get(citation.number)
        checks = tuple(hanging.get(citation.number, ()))
        if sentence is None:  # a marker that stands apart from every sentence
            marker = citation.marker
            unit = CitationUnit(citation, marker.text, marker.start, marker.end, step_index, checks)
        else:
            step_index = sentence.step_index
            unit = CitationUnit(
                citation, sentence.text, sentence.start, sentence.end, step_index, checks
            )
        units.append(unit)
    return tuple(units)


def _shown(unit: CitationUnit) -> Unit:
    cited = (unit.source_id,) if unit.source_id is not None else ()
    return Unit(unit.number, unit.sentence, cited, unit.step_index, unit.asked)


def _passages(
    case: CitationAccuracyCase, rules: DomainRules, units: Sequence[CitationUnit]
) -> tuple[Passage, ...]:
    cited = {unit.source_id for unit in units if unit.source_id is not None}
    if rules.neighbour_chunks:
        return with_neighbours(case.unique_sources, cited, rules.neighbour_chunks)
    return passages_of(case.unique_sources, cited)


def _uncited(
    sentences: Sequence[TraceSentence],
    attached: Sequence[Sequence[Citation]],
    question: str,
) -> tuple[TraceSentence, ...]:
    bare = [s for s, cited in zip(sentences, attached, strict=True) if not cited]
    return tuple(s for s in bare if asserts(s.text, question))


def _flags(unit: CitationUnit) -> tuple[str, ...]:
    return tuple(dict.fromkeys(flag for quote in unit.quotes for flag in quote.flags))
