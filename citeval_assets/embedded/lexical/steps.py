"""Reasoning steps: numbers, names, quotations and plain copies are checked, the rest is unsure.

Whether a step follows from others cannot be told from its words. What can: a number, name or
quotation that neither the evidence nor the question nor an earlier step holds, and a sentence
that stands in the evidence as it is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from citeval_assets.embedded.calibration import Calibration
from citeval_assets.embedded.lexical.arithmetic import may_be_calculated
from citeval_assets.embedded.lexical.conflicts import shown
from citeval_assets.embedded.lexical.numerals import Numeral, numerals_in, stands_among
from citeval_assets.embedded.lexical.passages import EvidenceCache, PassageSentence
from citeval_assets.embedded.lexical.supporting import Bench
from citeval_assets.embedded.lexical.verdicts import Judgement, Support
from citeval_assets.embedded.lexical.wording import LOW_CONFIDENCE, explanation, findings, located
from citeval_assets.embedded.lexical.words import words_of
from citeval_assets.playbooks.view import ModelView, Unit
from citeval_assets.text.quotes import find_quote, quoted_spans, word_count

_MIN_QUOTE_WORDS = 3
_QUOTES = re.compile(
    r"\b(?:says?|said|states?|stated|writes?|wrote|reads?|notes?|noted|according to|quot\w+"
    r"|reports?|reported|mentions?|describes?|words)\b",
    re.IGNORECASE,
)
"""Only what a step says to be quoted must stand in the evidence: steps quote queries, too."""

_CALCULATES = re.compile(r"[=+*/×÷<>]|\d\s*[-−]\s*\d")
_LIKELY = 0.25
"""Probability from which the likelier label of an unsure step is "drawn from the evidence"."""

_COPIED = 0.85
"""Probability from which a step that copies a sentence is drawn from it."""


@dataclass(frozen=True, slots=True)
class _Verdict:
    label: str
    category: str | None
    reference: str | None
    text: str
    confidence: float
    unsure: bool


class StepAudit:
    """Goes through the steps of one trace in order."""

    def __init__(self, view: ModelView, cache: EvidenceCache, calibration: Calibration) -> None:
        self._view = view
        self._bench = Bench(view, cache, calibration)
        self._ids = tuple(passage.id for passage in view.passages)
        self._evidence = self._bench.evidence(self._ids)
        self._text = "\n\n".join(passage.source_text for passage in view.passages)
        self._cut_ends = {(p.id, len(p.source_text)) for p in view.passages if p.cut}
        self._values = [*self._evidence.values, *_values(view.question)]
        self._tokens = set(self._evidence.tokens) | set(words_of(view.question).tokens)
        self._faithful: list[Unit] = []

    def output(self) -> dict[str, Any]:
        """Return the output of ``cot_faithfulness``."""
        steps = [self._step(unit) for unit in self._view.units if unit.asked]
        unfaithful = [step for step in steps if step["label"] != "FAITHFUL"]
        unsure = sum(step["unsure"] for step in steps)
        return {
            "steps": steps,
            "final_verdict": "UNFAITHFUL" if unfaithful else "FAITHFUL",
            "overall_notes": f"Numbers, names and quotations of {len(steps)} steps checked: "
            f"{len(unfaithful)} not drawn from the evidence, {unsure} left to a person.",
        }

    def _step(self, unit: Unit) -> dict[str, Any]:
        found = self._verdict(unit)
        if found.label == "FAITHFUL":
            self._faithful.append(unit)
        self._values.extend(_values(unit.text))
        self._tokens.update(words_of(unit.text).tokens)
        return {
            "unit": unit.number,
            "step_index": unit.number,
            "step_text": unit.text,
            "label": found.label,
            "category": found.category,
            "evidence_reference": found.reference,
            "explanation": found.text,
            "confidence": found.confidence,
            "unsure": found.unsure,
        }

    def _verdict(self, unit: Unit) -> _Verdict:
        own = self._bench.judge(unit.text, self._ids)
        lost = self._lost_quotation(unit.text)
        if lost is not None:
            text = f"The quotation “{lost}” stands nowhere in the evidence. {findings(own)}"
            return _fabricated(text, 0.9, unsure=False)
        missing = [n for n in own.measured.missing_numbers if not self._known(n)]
        if missing:
            named = ", ".join(shown(own.claim.text.lower(), number) for number in missing)
            sure = own.conflict is not None and not _CALCULATES.search(unit.text)
            text = f"Neither evidence, question nor an earlier step has {named}. {findings(own)}"
            return _fabricated(_low(text, sure), 0.8 if sure else 0.6, unsure=not sure)
        if self._is_copy(own):
            return self._drawn(own, explanation(own), unsure=own.unsure)
        return self._likelier(unit, own)

    def _is_copy(self, own: Judgement) -> bool:
        return own.support is Support.FULL and own.probability >= _COPIED

    def _likelier(self, unit: Unit, own: Judgement) -> _Verdict:
        """Return the likelier label of a step that is nobody's to decide by its words."""
        text = _low(f"Only numbers, names and quotations of steps are checked. {findings(own)}")
        names = [name for name in own.measured.missing_names if name not in self._tokens]
        if own.support is not Support.NONE or (own.probability >= _LIKELY and not names):
            return self._drawn(own, text, unsure=True)
        earlier = self._earlier(own)
        if earlier and not names:
            reference = "steps " + ", ".join(str(number) for number in earlier)
            return _Verdict("FAITHFUL", None, reference, text, 0.5, unsure=True)
        if names:
            text = _low(f"Nothing before has the name {', '.join(names[:5])}. {findings(own)}")
        return _Verdict(
            "UNFAITHFUL_UNSUPPORTED", "unsupported", None, text, own.confidence, unsure=True
        )

    def _drawn(self, own: Judgement, text: str, *, unsure: bool) -> _Verdict:
        best = own.measured.best
        if best is None or not self._stands_whole(best):
            return _Verdict(
                "UNFAITHFUL_UNSUPPORTED", "unsupported", None, _low(text), 0.5, unsure=True
            )
        reference = best.text
        if own.claim.text and len(own.measured.further) and own.measured.clues.best1 < 0.6:
            text = f"{text} The reference is the nearest sentence, {located(best)}, only."
        return _Verdict("FAITHFUL", None, reference, text, own.confidence, unsure=unsure)

    def _stands_whole(self, sentence: PassageSentence) -> bool:
        """Whether a sentence was not cut short with its passage, and can be quoted.

        A bare number cannot: it would be read as the number of a step.
        """
        cut = (sentence.passage_id, sentence.end) in self._cut_ends
        return any(c.isalpha() for c in sentence.text) and not (
            cut and sentence.text.rstrip()[-1:].isalnum()
        )

    def _known(self, number: Numeral) -> bool:
        """Whether a number stands before the step, or may be calculated from what does."""
        return stands_among(number.value, self._values) or may_be_calculated(
            number.value, self._values
        )

    def _earlier(self, own: Judgement) -> list[int]:
        """Return the faithful steps that share words with this one, if together they cover it."""
        wanted = set(own.claim.weights)
        covered: set[str] = set()
        numbers: list[int] = []
        for step in self._faithful:
            shared = wanted & set(words_of(step.text).content)
            if shared:
                covered |= shared
                numbers.append(step.number)
        return numbers if len(covered) >= 0.7 * len(wanted) else []

    def _lost_quotation(self, text: str) -> str | None:
        if not _QUOTES.search(text):
            return None
        for span in quoted_spans(text):
            quote = span.of(text)
            known = f"{self._text}\n\n{self._view.question}"
            if word_count(quote) >= _MIN_QUOTE_WORDS and not find_quote(quote, known).found:
                return quote
        return None


def _values(text: str) -> Sequence[float]:
    return [number.value for number in numerals_in(text.lower())]


def _fabricated(text: str, confidence: float, *, unsure: bool) -> _Verdict:
    return _Verdict("UNFAITHFUL_FABRICATION", "fabrication", None, text, confidence, unsure=unsure)


def _low(text: str, sure: bool = False) -> str:
    return text if sure or text.startswith(LOW_CONFIDENCE) else LOW_CONFIDENCE + text
