"""What many answers of one target model under one prompt amount to.

Every metric looks at the first output of a case, before any re-ask: what a model does when
nobody corrects it. Numerator and denominator stand beside each rate. A case whose first output
fits no schema is counted in ``readable`` and in no other rate.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from citeval_assets.playbooks.cite_or_abstain.schema import (
    AnswerStatus,
    CiteDetails,
    Confidence,
    FirstAttempt,
)


@dataclass(frozen=True, slots=True)
class Rate:
    """A share. ``value`` is ``None`` where there was nothing to count."""

    numerator: int
    denominator: int

    @property
    def value(self) -> float | None:
        """The share in 0..1."""
        return self.numerator / self.denominator if self.denominator else None


@dataclass(frozen=True, slots=True)
class ConfidenceError:
    """How often citations stated with one confidence are wrong."""

    confidence: Confidence
    rate: Rate


@dataclass(frozen=True, slots=True)
class AbstentionMetrics:
    """The metrics of one target model x prompt.

    ``first_pass``: first outputs that passed validation, of all first outputs.
    ``readable``: first outputs that fit the schema, of all first outputs.
    ``false_abstention``: abstained, of cases golden data calls answered or partial.
    ``missed_abstention``: not abstained, of cases golden data calls abstained.
    ``silent_gap``: statements backed by no excerpt, of all statements.
    ``verbatim_excerpt``: excerpts that stand in the chunk they name, of all excerpts.
    ``citation_precision``: cited chunks that support the answer, of all cited chunks; invented
    ids are cited chunks that support nothing. ``citation_recall``: supporting chunks that are
    cited, of all supporting chunks. Both over the cases whose supporting chunks are known.
    ``partial_status``: called partial, of cases golden data calls partial.
    ``conflict_handling``: conflict shown from both sides, of cases whose chunks conflict.
    ``error_by_confidence``: wrong citations, of the citations stated with that confidence.
    ``abstention`` and ``expected_abstention``: the share of abstentions, given and golden.
    """

    cases: int
    first_pass: Rate
    readable: Rate
    false_abstention: Rate
    missed_abstention: Rate
    silent_gap: Rate
    verbatim_excerpt: Rate
    citation_precision: Rate
    citation_recall: Rate
    partial_status: Rate
    conflict_handling: Rate
    error_by_confidence: tuple[ConfidenceError, ...]
    abstention: Rate
    expected_abstention: Rate

    @property
    def abstention_excess(self) -> float | None:
        """How far the abstention rate lies above the expected one (below: negative)."""
        given, expected = self.abstention.value, self.expected_abstention.value
        return None if given is None or expected is None else given - expected


@dataclass(frozen=True, slots=True)
class _Outcome:
    """One readable first output beside its golden expectation."""

    golden: CiteDetails
    first: FirstAttempt

    @property
    def abstained(self) -> bool:
        """Whether nothing was answered: the text decides, else what the model says."""
        return self.first.overall_abstention

    @property
    def cited(self) -> set[str]:
        return {*self.first.cited_chunk_ids, *self.first.invented_chunk_ids}


def abstention_metrics(details: Iterable[CiteDetails]) -> AbstentionMetrics:
    """Compute all metrics over the reports of one target model x prompt.

    Cases that were never answered (provider unreachable, not applicable) bring no first
    attempt and are left out altogether.
    """
    answered = [(d, d.first_attempt) for d in details]
    firsts = [(golden, first) for golden, first in answered if first is not None]
    read = [_Outcome(golden, first) for golden, first in firsts if first.readable]
    abstained, partial = AnswerStatus.ABSTAINED, AnswerStatus.PARTIAL
    answerable = [o for o in read if o.golden.expected_status is not abstained]
    unanswerable = [o for o in read if o.golden.expected_status is abstained]
    wants_partial = [o for o in read if o.golden.expected_status is partial]
    conflicting = [o for o in read if o.golden.conflict]
    return AbstentionMetrics(
        cases=len(firsts),
        first_pass=_rate(first.passed for _, first in firsts),
        readable=_rate(first.readable for _, first in firsts),
        false_abstention=_rate(o.abstained for o in answerable),
        missed_abstention=_rate(not o.abstained for o in unanswerable),
        silent_gap=_ratio(
            (o.first.silent_citation_gaps, o.first.asserting_sentences) for o in read
        ),
        verbatim_excerpt=_ratio((o.first.verbatim_excerpts, o.first.excerpts) for o in read),
        citation_precision=_precision(read),
        citation_recall=_recall(read),
        partial_status=_rate(o.first.status is partial for o in wants_partial),
        conflict_handling=_rate(o.first.conflict_handled is True for o in conflicting),
        error_by_confidence=_errors(read),
        abstention=_rate(o.abstained for o in read),
        expected_abstention=Rate(len(unanswerable), len(read)),
    )


def _rate(hits: Iterable[bool]) -> Rate:
    counted = [bool(hit) for hit in hits]
    return Rate(sum(counted), len(counted))


def _ratio(pairs: Iterable[tuple[int, int]]) -> Rate:
    listed = list(pairs)
    return Rate(sum(top for top, _ in listed), sum(bottom for _, bottom in listed))


def _precision(read: Iterable[_Outcome]) -> Rate:
    return _ratio(
        (len(o.cited & set(o.golden.supporting_chunk_ids)), len(o.cited))
        for o in read
        if o.golden.supporting_chunk_ids is not None
    )


def _recall(read: Iterable[_Outcome]) -> Rate:
    return _ratio(
        (
            len(o.cited & set(o.golden.supporting_chunk_ids)),
            len(set(o.golden.supporting_chunk_ids)),
        )
        for o in read
        if o.golden.supporting_chunk_ids is not None
    )


def _errors(read: Iterable[_Outcome]) -> tuple[ConfidenceError, ...]:
    tallies = [tally for o in read for tally in o.first.by_confidence]
    return tuple(
        ConfidenceError(
            confidence,
            _ratio((t.wrong, t.citations) for t in tallies if t.confidence is confidence),
        )
        for confidence in Confidence
    )
