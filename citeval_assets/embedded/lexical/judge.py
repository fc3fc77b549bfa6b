"""``embedded/lexical-1``: weighs words, numbers and names, and says when it does not know."""

from typing import Any

from citeval_assets.embedded.calibration import MIN_LABELS, UNCALIBRATED, Calibration
from citeval_assets.embedded.lexical.comparing import compare_answer
from citeval_assets.embedded.lexical.passages import EvidenceCache
from citeval_assets.embedded.lexical.steps import StepAudit
from citeval_assets.embedded.lexical.supporting import Bench, judge_citations, judge_claims
from citeval_assets.embedded.model import CannotJudge, EmbeddedModel
from citeval_assets.playbooks.view import ModelView

BASE_VERSION = "1"


class Lexical1(EmbeddedModel):
    """A logistic regression over clues that can be shown: words, numbers, names, negations.

    What words cannot tell (paraphrases, other languages, arithmetic, evidence far apart) it
    marks as unsure. With a calibration its cut and its confidence follow local labels; the
    calibration is part of the version.
    """

    name = "embedded/lexical-1"
    version = BASE_VERSION
    title = "lexical judge that knows its limits"
    calibratable = True

    def __init__(self, calibration: Calibration = UNCALIBRATED) -> None:
        self._calibration = calibration
        self._cache = EvidenceCache()
        if calibration.is_fitted:
            self.version = f"{BASE_VERSION}-cal.{calibration.sha256[:16]}"

    @property
    def calibration_note(self) -> str:
        """What the judge says of its calibration."""
        if not self._calibration.is_fitted:
            return f"Uncalibrated: fewer than {MIN_LABELS} human labels."
        return f"Calibrated on {self._calibration.labels} human labels."

    def calibrated(self, calibration: Calibration) -> "Lexical1":
        """Return this judge under a calibration."""
        return Lexical1(calibration)

    def answer(self, view: ModelView) -> dict[str, Any]:
        """Return the judge's output for one of the four judge playbooks.

        Raises:
            CannotJudge: the view belongs to another playbook.
        """
        if view.playbook == "answer_comparison":
            return compare_answer(view, self._cache, self._calibration)
        if view.playbook == "cot_faithfulness":
            output = StepAudit(view, self._cache, self._calibration).output()
            return self._noted(output, "overall_notes")
        bench = Bench(view, self._cache, self._calibration)
        if view.playbook == "citation_accuracy":
            return self._noted(judge_citations(bench, view), "summary")
        if view.playbook == "citation_faithfulness":
            return self._noted(judge_claims(bench, view), "overall_assessment")
        raise CannotJudge(
            f"{self.name} judges citation_accuracy, citation_faithfulness, cot_faithfulness and "
            f"answer_comparison, not {view.playbook}"
        )

    def log_odds(self, view: ModelView) -> dict[int, float]:
        """Return the log odds of each unit that cites something, before any calibration."""
        bench = Bench(view, self._cache, UNCALIBRATED)
        return {
            unit.number: bench.judge(unit.text, unit.cited_ids).log_odds
            for unit in view.units
            if unit.asked and unit.cited_ids
        }

    def _noted(self, output: dict[str, Any], field: str) -> dict[str, Any]:
        return {**output, field: f"{output[field]} {self.calibration_note}"}
