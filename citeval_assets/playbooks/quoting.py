"""Quoted words and the citations they hang on: do they stand in the cited source?

A quotation must stand in one of the sources its citations name, word for word; passages are
never joined.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.quote_places import Located, place_quotes, quotations
from citeval_assets.playbooks.report import Evidence
from citeval_assets.playbooks.vocabulary import QuoteMatching, Reason, Status
from citeval_assets.text.markers import Citation, Marker
from citeval_assets.text.quotes import FoldedText, QuoteMatch, find_quote
from citeval_assets.text.spans import Span

MAX_QUOTES = 2_000
"""Quotations one case may hold."""

_SEARCH_BUDGET = 500_000_000
"""Characters read, all together, to find in which other source a quotation stands."""

_NEAREST_BUDGET = 5_000_000
"""Characters read, all together, to find the passages most like quotations that are lost."""


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """What became of one quotation.

    ``start``/``end`` locate the words between the quotation marks; ``citations`` are the
    numbers of the citations it hangs on. ``found_in`` names another source in which an
    unfound quotation does stand.
    """

    text: str
    start: int
    end: int
    citations: tuple[int, ...]
    found: bool
    evidence: tuple[Evidence, ...]
    found_in: str | None = None
    flags: tuple[str, ...] = ()


@dataclass
class QuoteChecker:
    """Compares quotations with the sources of one case; each source is folded once."""

    sources: Mapping[str, str]
    matching: QuoteMatching
    _folded: dict[str, FoldedText] = field(default_factory=dict[str, FoldedText])
    _seen: int = 0
    _searchable: int = _SEARCH_BUDGET
    _comparable: int = _NEAREST_BUDGET

    def check(
        self,
        text: str,
        sentences: Sequence[Located],
        attached: Sequence[Sequence[Citation]],
        markers: Sequence[Marker] = (),
    ) -> tuple[QuoteCheck, ...]:
        """Check every quotation of ``text`` that a citation with a source is attached to.

        ``attached`` holds the citations of each sentence. Markers inside the quotation marks
        are left out of the comparison.
        """
        checks: list[QuoteCheck] = []
        for placed in place_quotes(text, sentences, attached, markers):
            if any(citation.source_id for citation in placed.citations) and self._counts():
                checks.append(self._compare(placed.text, placed.span, placed.citations))
        return tuple(checks)

    def check_against(self, text: str, ids: Sequence[str]) -> tuple[QuoteCheck, ...]:
        """Check every quotation of a claim that brings its cited ids along."""
        known = [source_id for source_id in ids if source_id in self.sources]
        if not known:
            return ()
        return tuple(
            self._judged(quote, span, (), known)
            for quote, span in quotations(text)
            if self._counts()
        )

    @property
    def failure(self) -> Failure | None:
        """The failure of a case with more quotations than are compared.

        None may be left out: what was not compared could not lower a verdict.
        """
        if self._seen <= MAX_QUOTES:
            return None
        return Failure(
            Reason.CONTEXT_TOO_LONG,
            f"{self._seen} quotations in one case, the limit is {MAX_QUOTES}: split the case",
            Status.INDETERMINATE,
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a playbook that goes on regardless has to say."""
        return () if self.failure is None else (self.failure.detail,)

    def _counts(self) -> bool:
        self._seen += 1
        return self._seen <= MAX_QUOTES

    def _compare(self, quote: str, span: Span, citations: Sequence[Citation]) -> QuoteCheck:
        ids = list(dict.fromkeys(c.source_id for c in citations if c.source_id))
        checked = self._judged(quote, span, tuple(c.number for c in citations), ids)
        if not checked.found:
            return checked
        holding = {evidence.source_id for evidence in checked.evidence}
        numbers = tuple(c.number for c in citations if c.source_id in holding)
        return QuoteCheck(
            quote, span.start, span.end, numbers, True, checked.evidence, None, checked.flags
        )

    def _judged(
        self, quote: str, span: Span, numbers: tuple[int, ...], ids: Sequence[str]
    ) -> QuoteCheck:
        matches = {source_id: self._find(quote, source_id) for source_id in ids}
        holding = {source_id: match for source_id, match in matches.items() if match.found}
        flags = tuple(dict.fromkeys(f for match in matches.values() for f in match.flags))
        if holding:
            evidence = tuple(
                e for source_id, match in holding.items() for e in self._evidence(source_id, match)
            )
            return QuoteCheck(quote, span.start, span.end, numbers, True, evidence, None, flags)
        nearest = tuple(e for source_id in ids for e in self._nearest_passage(quote, source_id))
        elsewhere = self._elsewhere(quote, ids)
        return QuoteCheck(quote, span.start, span.end, numbers, False, nearest, elsewhere, flags)

    def _elsewhere(self, quote: str, cited: Sequence[str]) -> str | None:
        for source_id, source in self.sources.items():
            if source_id in cited:
                continue
            self._searchable -= len(source)
            if self._searchable < 0:
                return None
            if self._find(quote, source_id).found:
                return source_id
        return None

    def _nearest_passage(self, quote: str, source_id: str) -> tuple[Evidence, ...]:
        self._comparable -= len(self.sources[source_id])
        if self._comparable < 0:
            return ()
        return self._evidence(source_id, self._find(quote, source_id, with_nearest=True))

    def _find(self, quote: str, source_id: str, with_nearest: bool = False) -> QuoteMatch:
        if source_id not in self._folded:
            self._folded[source_id] = FoldedText.of(self.sources[source_id])
        return find_quote(
            quote,
            self._folded[source_id],
            matching=self.matching.value,
            with_nearest=with_nearest,
        )

    def _evidence(self, source_id: str, match: QuoteMatch) -> tuple[Evidence, ...]:
        source = self.sources[source_id]
        if match.found:
            return tuple(
                Evidence(
                    source_id=source_id,
                    char_start=span.start,
                    char_end=span.end,
                    text=span.of(source),
                    match=str(match.kind),
                )
                for span in match.spans
            )
        if match.nearest is None:
            return ()
        return (
            Evidence(
                source_id=source_id,
                char_start=match.nearest.start,
                char_end=match.nearest.end,
                text=match.nearest.of(source),
                match="nearest",
                similarity=match.similarity,
            ),
        )


def mismatch_detail(check: QuoteCheck, source_id: str | None) -> str:
    """Return the sentence that tells a reviewer what is wrong with a quotation."""
    detail = f"the quoted words do not stand verbatim in the cited source {source_id!r}"
    return f"{detail}; they stand in {check.found_in!r}" if check.found_in else detail
