"""Citations and claims, judged by the words they share with the cited passage."""

from collections.abc import Mapping
from typing import Any

from citeval_assets.embedded.words import covered, words_of
from citeval_assets.playbooks.view import ModelView, Unit
from citeval_assets.text.markers import scan_citations, without_citations
from citeval_assets.text.quotes import find_quote, quoted_spans, word_count

FULL_SUPPORT = 0.75
"""Share of a claim's words in the passage from which it counts as supported."""

PARTIAL_SUPPORT = 0.45
"""From here on it counts as partly supported."""

_MIN_QUOTE_WORDS = 3

_WEIGHTS = {"fully_supported": 1.0, "partially_supported": 0.5, "unsupported": 0.0}
_FIDELITY = {
    "fully_supported": "accurate",
    "partially_supported": "partial_mismatch",
    "unsupported": "mismatch",
}


def judge_citations(view: ModelView) -> dict[str, Any]:
    """Return the output of ``citation_accuracy``."""
    texts = {passage.id: passage.text for passage in view.passages}
    evaluations: list[dict[str, Any]] = []
    flags: list[dict[str, Any]] = []
    for unit in view.units:
        if not unit.asked or not unit.cited_ids:
            continue
        evaluation, flag = _evaluate(unit, texts)
        evaluations.append(evaluation)
        flags.extend(flag)
    weights = [
        0.0 if evaluation["flagged"] else _WEIGHTS[evaluation["claim_support_strength"]]
        for evaluation in evaluations
    ]
    return {
        "overall_citation_accuracy_score": sum(weights) / len(weights) if weights else 0.0,
        "total_citations_evaluated": len(evaluations),
        "citation_evaluations": evaluations,
        "misattribution_flags": flags,
        "summary": f"{len(evaluations)} citations compared by shared words, {len(flags)} flagged.",
    }


def _evaluate(unit: Unit, texts: Mapping[str, str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    source_id = unit.cited_ids[0]
    passage = texts.get(source_id, "")
    share = covered(words_of(_bare(unit.text, tuple(texts))), words_of(passage))
    strength = _strength(share)
    flagged = strength == "unsupported"
    explanation = f"{share:.0%} of the content words of the step stand in the passage."
    evaluation = {
        "unit": unit.number,
        "citation_id": source_id,
        "reasoning_step_index": unit.step_index or 0,
        "reasoning_step_text": unit.text,
        "citation_exists": True,
        "quote_accurate": _quotes_stand(unit.text, passage),
        "context_fidelity": _FIDELITY[strength],
        "claim_support_strength": strength,
        "explanation": explanation,
        "flagged": flagged,
    }
    flag = {
        "unit": unit.number,
        "citation_id": source_id,
        "flag_type": "unsupported",
        "severity": "major",
        "detail": explanation,
    }
    return evaluation, [flag] if flagged else []


def judge_claims(view: ModelView) -> dict[str, Any]:
    """Return the output of ``citation_faithfulness``."""
    words = {passage.id: words_of(passage.text) for passage in view.passages}
    rows: list[dict[str, Any]] = []
    supported = 0
    units = [unit for unit in view.units if unit.asked]
    for unit in units:
        claim = words_of(unit.text)
        verdicts: list[str] = []
        for source_id in unit.cited_ids or (None,):
            if source_id is None:
                share, verdict = 0.0, "no_citation"
            else:
                share = covered(claim, words.get(source_id, frozenset()))
                verdict = "supported" if share >= FULL_SUPPORT else "partially_supported"
            verdicts.append(verdict)
            rows.append(
                {
                    "unit": unit.number,
                    "claim_text": unit.text,
                    "cited_source_id": source_id,
                    "verdict": verdict,
                    "explanation": f"{share:.0%} of the content words stand in the passage.",
                }
            )
        supported += "supported" in verdicts
    return {
        "citation_faithfulness_score": supported / len(units) if units else 0.0,
        "claims_analysis": rows,
        "overall_assessment": f"{supported} of {len(units)} claims share enough words.",
    }


def _strength(share: float) -> str:
    if share >= FULL_SUPPORT:
        return "fully_supported"
    return "partially_supported" if share >= PARTIAL_SUPPORT else "unsupported"


def _bare(text: str, source_ids: tuple[str, ...]) -> str:
    return without_citations(text, scan_citations(text, source_ids))


def _quotes_stand(sentence: str, passage: str) -> bool:
    quotes = [span.of(sentence) for span in quoted_spans(sentence)]
    return all(
        find_quote(quote, passage).found
        for quote in quotes
        if word_count(quote) >= _MIN_QUOTE_WORDS
    )
