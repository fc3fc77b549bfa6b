"""What is wrong with a judge's answer beyond its form, in sentences the judge can act on.

Invented ids, quotations, counts and scores are never a reason to ask again: code knows them.
Asked again is for what only the judge can say: a sentence or citation without a verdict, a
claim that is about another sentence, a verdict that contradicts its own id.
"""

from collections.abc import Sequence

from citeval_assets.playbooks.attempts import Problem
from citeval_assets.playbooks.citation_faithfulness.checks import (
    CitationFaithfulnessPrepared,
    ClaimUnit,
)
from citeval_assets.playbooks.citation_faithfulness.claims import rows_by_unit
from citeval_assets.playbooks.citation_faithfulness.output import (
    CitationFaithfulnessReply,
    ClaimAnalysis,
    Verdict,
)
from citeval_assets.playbooks.citation_faithfulness.wording import (
    content_words,
    covers,
    is_about,
    most_claims,
)
from citeval_assets.playbooks.shared import shown_id


def problems(
    prepared: CitationFaithfulnessPrepared, reply: CitationFaithfulnessReply
) -> list[Problem]:
    """Return every problem of the answer; empty means valid."""
    units = prepared.units
    found: list[Problem] = []
    for index, row in enumerate(reply.claims_analysis):
        where = f"claims_analysis[{index}]"
        if not 0 <= row.unit < len(units):
            text = f"names no unit; the units are 0 to {len(units) - 1}"
            found.append(Problem(f"{where}.unit", text))
        elif units[row.unit].asked:
            found.extend(_row_problems(units[row.unit], row, where))
    rows = rows_by_unit(reply.claims_analysis)
    for unit in units:
        if unit.asked:
            found.extend(_coverage(unit, rows.get(unit.number, [])))
    return found


def _row_problems(unit: ClaimUnit, row: ClaimAnalysis, where: str) -> list[Problem]:
    found: list[Problem] = []
    given = row.cited_source_id
    uncited = row.verdict is Verdict.NO_CITATION
    if uncited and given is not None:
        text = "must be null where the verdict is no_citation, and only there"
        found.append(Problem(f"{where}.cited_source_id", text))
    elif given is None and not uncited:
        text = (
            "is null, which goes with the verdict no_citation only; "
            f"unit {unit.number} {_cites(unit)}"
        )
        found.append(Problem(f"{where}.cited_source_id", text))
    elif row.verdict is Verdict.HALLUCINATED and given and unit.cited_as(given) in unit.cited:
        text = "the cited source is among the passages; say whether it supports the claim"
        found.append(Problem(f"{where}.verdict", text))
    if not is_about(content_words(row.claim_text), unit.words):
        text = (
            f"is not about unit {unit.number}; give a claim of that sentence, in its words "
            "and its language"
        )
        found.append(Problem(f"{where}.claim_text", text))
    return found


def _coverage(unit: ClaimUnit, rows: Sequence[ClaimAnalysis]) -> list[Problem]:
    """Name what of one unit has no verdict: the sentence, a citation, a part of it."""
    where = "claims_analysis"
    if not rows:
        text = f"no claim covers unit {unit.number}, which {_cites(unit)}; add at least one"
        return [Problem(where, text)]
    found: list[Problem] = []
    named = {unit.cited_as(row.cited_source_id) for row in rows if row.cited_source_id}
    for source_id in unit.cited:
        if source_id not in named:
            text = (
                f"unit {unit.number} cites {shown_id(source_id)}, but no claim of it names that "
                "source; add a row for it"
            )
            found.append(Problem(where, text))
    claims = {content_words(row.claim_text) & unit.words for row in rows}
    if len(claims) > most_claims(unit.words):
        text = (
            f"unit {unit.number} is split into too many claims; at most "
            f"{most_claims(unit.words)} are possible"
        )
        found.append(Problem(where, text))
    elif not covers(claims, unit.words):
        text = f"the claims of unit {unit.number} leave out most of the sentence; cover all of it"
        found.append(Problem(where, text))
    return found


def _cites(unit: ClaimUnit) -> str:
    if not unit.cited:
        return "carries no citation"
    return "cites " + ", ".join(shown_id(source_id) for source_id in unit.cited[:10])
