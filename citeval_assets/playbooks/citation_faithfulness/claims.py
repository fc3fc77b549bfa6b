"""From the judge's rows to claims: who cites what, with the verdict that stands.

Rows of one unit with the same words are one claim. Ids are code's business: an invented id
makes its row ``hallucinated_source`` whatever the judge says; an id the sentence does not cite
supports nothing. Verdicts are lowered, never raised.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from citeval_assets.playbooks.citation_faithfulness.checks import ClaimUnit
from citeval_assets.playbooks.citation_faithfulness.output import ClaimAnalysis, Verdict
from citeval_assets.playbooks.citation_faithfulness.wording import (
    ContentWords,
    content_words,
    is_about,
)
from citeval_assets.playbooks.report import Disagreement

_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One claim against one source; ``source_id`` is ``None`` for a missing citation."""

    source_id: str | None
    verdict: Verdict
    explanation: str = ""
    by_code: bool = False


_WEIGHTIEST_FIRST = (
    Verdict.HALLUCINATED,
    Verdict.CONTRADICTED,
    Verdict.SUPPORTED,
    Verdict.PARTIAL,
    Verdict.NO_CITATION,
)


@dataclass(slots=True)
class Claim:
    """One claim of one unit, with a row for each source it cites."""

    unit: ClaimUnit
    text: str
    words: ContentWords
    rows: dict[str | None, ClaimRow] = field(default_factory=dict[str | None, ClaimRow])

    @property
    def cites(self) -> bool:
        """Whether any source stands behind the claim."""
        return any(source_id is not None for source_id in self.rows)

    @property
    def verdict(self) -> Verdict:
        """The verdict on the claim as a whole.

        Supported where one of the passages supports it, none contradicts it and none is
        invented: a claim with several citations needs them together, not each.
        """
        said = (row.verdict for row in self.rows.values())
        return min(said, key=_WEIGHTIEST_FIRST.index, default=Verdict.NO_CITATION)

    def add(self, row: ClaimRow) -> None:
        """Keep ``row``; of two rows on one source the worse stands."""
        known = self.rows.get(row.source_id)
        if known is None or row.verdict.badness > known.verdict.badness:
            self.rows[row.source_id] = row


@dataclass(slots=True)
class Settlement:
    """The claims of one unit, and where the judge said otherwise."""

    claims: list[Claim] = field(default_factory=list[Claim])
    disagreements: list[Disagreement] = field(default_factory=list[Disagreement])


def rows_by_unit(rows: Iterable[ClaimAnalysis]) -> dict[int, list[ClaimAnalysis]]:
    """Return the judge's rows by the unit they name."""
    grouped: dict[int, list[ClaimAnalysis]] = {}
    for row in rows:
        grouped.setdefault(row.unit, []).append(row)
    return grouped


def settle_unit(
    unit: ClaimUnit, rows: Sequence[ClaimAnalysis], passages: Mapping[str, str]
) -> Settlement:
    """Return the claims of ``unit`` as code lets them stand.

    ``passages`` maps the spelling of a passage id to the id.
    """
    if not unit.asked:
        return _by_code(unit, rows)
    settlement = Settlement()
    found: dict[tuple[str, bool], Claim] = {}
    for row in rows:
        settled = _settled(unit, row, passages, settlement.disagreements)
        # A row that is alone has no other to be compared with.
        wording = _wording(row.claim_text) if len(rows) > 1 else ""
        key = (wording, settled.source_id is not None)
        if key not in found:
            found[key] = Claim(unit, row.claim_text, content_words(row.claim_text))
        found[key].add(settled)
    settlement.claims = _merged(_without_strays(found), unit)
    _lower_lost_quotes(unit, settlement)
    _add_unnamed(unit, settlement.claims)
    return settlement


def _wording(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))


def _settled(
    unit: ClaimUnit,
    row: ClaimAnalysis,
    passages: Mapping[str, str],
    disagreements: list[Disagreement],
) -> ClaimRow:
    def said(field_name: str, judge: str, computed: str) -> None:
        disagreements.append(
            Disagreement(field=field_name, judge=judge, computed=computed, unit_number=unit.number)
        )

    given = row.cited_source_id
    if given is None:
        return ClaimRow(None, Verdict.NO_CITATION, row.explanation)
    meant = unit.cited_as(given)
    if meant in unit.invented:
        if row.verdict is not Verdict.HALLUCINATED:
            said("verdict", row.verdict, Verdict.HALLUCINATED)
        return ClaimRow(meant, Verdict.HALLUCINATED, row.explanation, by_code=True)
    if meant is not None:
        return ClaimRow(meant, row.verdict, row.explanation)
    said("cited_source_id", given, "not cited by this sentence")
    passage = passages.get(given)
    if row.verdict is Verdict.CONTRADICTED and passage is not None:
        return ClaimRow(passage, Verdict.CONTRADICTED, row.explanation)
    return ClaimRow(None, Verdict.NO_CITATION, row.explanation, by_code=True)


def _without_strays(found: Mapping[tuple[str, bool], Claim]) -> list[Claim]:
    """Drop an overridden row where the same claim has rows of its own citations."""
    kept: list[Claim] = []
    for (wording, cites), claim in found.items():
        overridden = not cites and all(row.by_code for row in claim.rows.values())
        if not (overridden and (wording, True) in found):
            kept.append(claim)
    return kept


def _merged(claims: Sequence[Claim], unit: ClaimUnit) -> list[Claim]:
    """Join claims of which one only repeats a part of another: they count once.

    Of such a pair the longer one's words stay, with the worse verdict on each source.
    """
    kept: list[Claim] = []
    for claim in claims:
        words = claim.words & unit.words
        twin = next(
            (
                other
                for other in kept
                if claim.cites == other.cites and _one_repeats(words, other.words & unit.words)
            ),
            None,
        )
        if twin is None:
            kept.append(claim)
            continue
        if len(words) > len(twin.words & unit.words):
            twin.text, twin.words = claim.text, claim.words
        for row in claim.rows.values():
            twin.add(row)
    return kept


def _one_repeats(one: ContentWords, other: ContentWords) -> bool:
    return one <= other or other <= one


def _lower_lost_quotes(unit: ClaimUnit, settlement: Settlement) -> None:
    """Lower what rests on a quotation that does not stand in the cited passage."""
    for quote in unit.lost_quotes:
        words = content_words(quote.text)
        quoting = [claim for claim in settlement.claims if is_about(words, claim.words)]
        for claim in quoting or settlement.claims:
            for source_id, row in claim.rows.items():
                if row.verdict is not Verdict.SUPPORTED:
                    continue
                claim.rows[source_id] = replace(row, verdict=Verdict.PARTIAL, by_code=True)
                settlement.disagreements.append(
                    Disagreement(
                        field="verdict",
                        judge=Verdict.SUPPORTED,
                        computed=Verdict.PARTIAL,
                        unit_number=unit.number,
                    )
                )


def _add_unnamed(unit: ClaimUnit, claims: Sequence[Claim]) -> None:
    """Count the citations no judge needs to name: invented ids, malformed marks.

    An invented id that no claim names stands behind all of them; which of them it belongs to
    is not known, and none may profit.
    """
    named = {source_id for claim in claims for source_id in claim.rows}
    for source_id in unit.invented:
        if source_id not in named:
            for claim in claims:
                claim.add(ClaimRow(source_id, Verdict.HALLUCINATED, by_code=True))
    if unit.malformed and claims:
        claims[0].add(_malformed(unit))


def _by_code(unit: ClaimUnit, rows: Sequence[ClaimAnalysis]) -> Settlement:
    """Settle a unit whose citations are all invented or malformed: one claim, unsupported."""
    claim = Claim(unit, unit.text, unit.words)
    for source_id in unit.invented:
        explanation = "there is no passage with this id"
        claim.add(ClaimRow(source_id, Verdict.HALLUCINATED, explanation, by_code=True))
    if unit.malformed:
        claim.add(_malformed(unit))
    otherwise = {row.verdict for row in rows if row.verdict is not claim.verdict}
    disagreements = [
        Disagreement(field="verdict", judge=said, computed=claim.verdict, unit_number=unit.number)
        for said in sorted(otherwise)
    ]
    return Settlement([claim], disagreements)


def _malformed(unit: ClaimUnit) -> ClaimRow:
    explanation = f"{unit.malformed} citation mark(s) without a usable id"
    return ClaimRow(None, Verdict.NO_CITATION, explanation, by_code=True)
