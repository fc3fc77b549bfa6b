"""The outputs of ``citation_accuracy`` and ``citation_faithfulness``."""

from collections.abc import Sequence
from typing import Any

from citeval_assets.embedded.calibration import Calibration
from citeval_assets.embedded.lexical.passages import Evidence, EvidenceCache
from citeval_assets.embedded.lexical.verdicts import Judgement, Support, judge_claim
from citeval_assets.embedded.lexical.wording import explanation
from citeval_assets.playbooks.view import ModelView, Passage, Unit
from citeval_assets.text.quotes import find_quote, quoted_spans, word_count

_MIN_QUOTE_WORDS = 3
_STRENGTH = {
    Support.FULL: "fully_supported",
    Support.PARTIAL: "partially_supported",
    Support.NONE: "unsupported",
}
_FIDELITY = {
    Support.FULL: "accurate",
    Support.PARTIAL: "partial_mismatch",
    Support.NONE: "mismatch",
}
_WEIGHT = {Support.FULL: 1.0, Support.PARTIAL: 0.5, Support.NONE: 0.0}


class Bench:
    """One view with its passages prepared: judges its units one by one."""

    def __init__(self, view: ModelView, cache: EvidenceCache, calibration: Calibration) -> None:
        self._view = view
        self._cache = cache
        self._calibration = calibration
        self._passages = {passage.id: passage for passage in view.passages}
        self._ids = tuple(self._passages)

    def judge(self, text: str, source_ids: Sequence[str]) -> Judgement:
        """Judge a text by the named passages together."""
        return judge_claim(
            text,
            self.evidence(source_ids),
            question=self._view.question,
            calibration=self._calibration,
            source_ids=self._ids,
        )

    def evidence(self, source_ids: Sequence[str]) -> Evidence:
        """Return the named passages, each with the neighbour chunks it is shown with."""
        found: dict[str, str] = {}
        for source_id in source_ids:
            passage = self._passages.get(source_id)
            if passage is not None:
                found[passage.id] = passage.source_text
                found.update((near.id, near.source_text) for near in self._neighbours(passage))
        return self._cache.of(tuple(found.items()))

    def _neighbours(self, passage: Passage) -> list[Passage]:
        if passage.document is None or passage.index is None:
            return []
        return [
            other
            for other in self._view.passages
            if not other.cited and other.document == passage.document and other.index is not None
        ]

    def text_of(self, source_id: str) -> str:
        """Return the text of a passage; empty where there is none."""
        passage = self._passages.get(source_id)
        return passage.source_text if passage is not None else ""


def judge_citations(bench: Bench, view: ModelView) -> dict[str, Any]:
    """Return the output of ``citation_accuracy``."""
    evaluations: list[dict[str, Any]] = []
    flags: list[dict[str, Any]] = []
    units = [unit for unit in view.units if unit.asked and unit.cited_ids]
    for unit in units:
        own = bench.judge(unit.text, unit.cited_ids[:1])
        support = own.support
        together = _cited_with(unit, units)
        if support is Support.NONE and own.conflict is None and len(together) > 1:
            joint = bench.judge(unit.text, together)
            support = Support.PARTIAL if joint.support is Support.FULL else support
        evaluations.append(_evaluation(unit, own, support, bench))
        if support is Support.NONE:
            flags.append(_flag(unit, own))
    weights = [
        0.0 if one["flagged"] else _WEIGHT[_support_of(one["claim_support_strength"])]
        for one in evaluations
    ]
    unsure = sum(one["unsure"] for one in evaluations)
    return {
        "overall_citation_accuracy_score": sum(weights) / len(weights) if weights else 0.0,
        "total_citations_evaluated": len(evaluations),
        "citation_evaluations": evaluations,
        "misattribution_flags": flags,
        "summary": f"{len(evaluations)} citations judged by words, numbers and names: "
        f"{len(flags)} flagged, {unsure} left to a person.",
    }


def _cited_with(unit: Unit, units: Sequence[Unit]) -> tuple[str, ...]:
    """Return the sources that stand behind the same sentence."""
    same = [u for u in units if u.step_index == unit.step_index and u.text == unit.text]
    return tuple(dict.fromkeys(u.cited_ids[0] for u in same))


def _evaluation(unit: Unit, own: Judgement, support: Support, bench: Bench) -> dict[str, Any]:
    raised = support is not own.support
    reason = "Supported only together with the other cited sources. " if raised else ""
    return {
        "unit": unit.number,
        "citation_id": unit.cited_ids[0],
        "reasoning_step_index": unit.step_index or 0,
        "reasoning_step_text": unit.text,
        "citation_exists": True,
        "quote_accurate": quotes_stand(unit.text, bench.text_of(unit.cited_ids[0])),
        "context_fidelity": _FIDELITY[support],
        "claim_support_strength": _STRENGTH[support],
        "explanation": explanation(own) + (f" {reason.strip()}" if reason else ""),
        "flagged": support is Support.NONE,
        "confidence": own.confidence,
        "unsure": own.unsure or raised,
    }


def _flag(unit: Unit, own: Judgement) -> dict[str, Any]:
    return {
        "unit": unit.number,
        "citation_id": unit.cited_ids[0],
        "flag_type": "unsupported",
        "severity": "critical" if own.conflict is not None and not own.unsure else "major",
        "detail": explanation(own),
    }


def _support_of(strength: str) -> Support:
    return next(support for support, name in _STRENGTH.items() if name == strength)


def quotes_stand(sentence: str, passage: str) -> bool:
    """Whether every quotation of at least three words stands in the passage."""
    return all(
        find_quote(quote, passage).found
        for quote in (span.of(sentence) for span in quoted_spans(sentence))
        if word_count(quote) >= _MIN_QUOTE_WORDS
    )


def judge_claims(bench: Bench, view: ModelView) -> dict[str, Any]:
    """Return the output of ``citation_faithfulness``."""
    units = [unit for unit in view.units if unit.asked]
    rows: list[dict[str, Any]] = []
    supported = unsure = 0
    for unit in units:
        own_rows = _rows(bench, unit)
        rows.extend(own_rows)
        verdicts = {row["verdict"] for row in own_rows}
        supported += "supported" in verdicts and "contradicted" not in verdicts
        unsure += any(row["unsure"] for row in own_rows)
    return {
        "citation_faithfulness_score": supported / len(units) if units else 0.0,
        "claims_analysis": rows,
        "overall_assessment": f"{supported} of {len(units)} claims supported by words, numbers "
        f"and names; {unsure} left to a person.",
    }


def _rows(bench: Bench, unit: Unit) -> list[dict[str, Any]]:
    if not unit.cited_ids:
        text = "The sentence cites no source."
        return [_row(unit, None, "no_citation", text, 1.0, unsure=False)]
    joint = bench.judge(unit.text, unit.cited_ids)
    if len(unit.cited_ids) == 1:
        return [_judged_row(unit, unit.cited_ids[0], joint)]
    alone = {source_id: bench.judge(unit.text, (source_id,)) for source_id in unit.cited_ids}
    best = max(unit.cited_ids, key=lambda source_id: alone[source_id].log_odds)
    rows: list[dict[str, Any]] = []
    for source_id, own in alone.items():
        together = joint.support is Support.FULL and source_id == best
        if together and own.support is not Support.FULL:
            text = f"Together with the other cited sources: {explanation(joint)}"
            rows.append(
                _row(unit, source_id, "supported", text, joint.confidence, unsure=joint.unsure)
            )
        elif joint.support is Support.FULL and own.conflict is not None:
            # What one source has in another number may stand in the next as it is claimed.
            rows.append(
                _row(unit, source_id, "partially_supported", explanation(own), 0.5, unsure=True)
            )
        else:
            rows.append(_judged_row(unit, source_id, own))
    return rows


def _judged_row(unit: Unit, source_id: str, own: Judgement) -> dict[str, Any]:
    verdict = "supported" if own.support is Support.FULL else "partially_supported"
    if own.conflict is not None and not own.unsure:
        verdict = "contradicted"
    return _row(unit, source_id, verdict, explanation(own), own.confidence, unsure=own.unsure)


def _row(
    unit: Unit, source_id: str | None, verdict: str, text: str, confidence: float, *, unsure: bool
) -> dict[str, Any]:
    return {
        "unit": unit.number,
        "claim_text": unit.text,
        "cited_source_id": source_id,
        "verdict": verdict,
        "explanation": text,
        "confidence": confidence,
        "unsure": unsure,
    }
