"""``embedded/overlap-0``: a deliberately naive judge that counts shared words.

It is there so that everything runs without a key or a network, and as the baseline a better
judge must beat. It knows no synonyms, no negation and no contradiction.
"""

from collections.abc import Callable, Mapping
from typing import Any

from citeval_assets.embedded.model import CannotJudge, EmbeddedModel
from citeval_assets.embedded.overlap_answers import compare_answer
from citeval_assets.embedded.overlap_citations import judge_citations, judge_claims
from citeval_assets.embedded.overlap_traces import judge_steps
from citeval_assets.playbooks.view import ModelView

_JUDGES: Mapping[str, Callable[[ModelView], dict[str, Any]]] = {
    "citation_accuracy": judge_citations,
    "citation_faithfulness": judge_claims,
    "cot_faithfulness": judge_steps,
    "answer_comparison": compare_answer,
}


class Overlap0(EmbeddedModel):
    """Judges by the share of a claim's content words that stand in the passage."""

    name = "embedded/overlap-0"
    version = "1"
    title = "naive judge by shared words"

    def answer(self, view: ModelView) -> dict[str, Any]:
        """Return the judge's output for one of the four judge playbooks.

        Raises:
            CannotJudge: the view belongs to another playbook.
        """
        judge = _JUDGES.get(view.playbook)
        if judge is None:
            raise CannotJudge(f"{self.name} judges {', '.join(_JUDGES)}, not {view.playbook}")
        return judge(view)
