"""``embedded/extractive-0``: answers with sentences of the chunks, word for word, or abstains."""

from collections.abc import Sequence
from typing import Any

from citeval_assets.embedded.model import CannotJudge, EmbeddedModel
from citeval_assets.embedded.words import PassageSentence, covered, sentences_of, words_of
from citeval_assets.playbooks.view import ModelView
from citeval_assets.text.assertions import asserts
from citeval_assets.text.markers import scan_citations

MAX_SENTENCES = 3
ANSWERED_SHARE = 0.7
"""Share of the question's words in the chosen sentences from which the question is answered."""

PARTIAL_SHARE = 0.4
"""From here on, the answer is partial; under it, the model abstains."""


class Extractive0(EmbeddedModel):
    """Picks the sentences that hold most of the question's words, and says what is missing."""

    name = "embedded/extractive-0"
    version = "1"
    title = "plain extractive answerer"

    def answer(self, view: ModelView) -> dict[str, Any]:
        """Return the output of ``cite_or_abstain``.

        Raises:
            CannotJudge: the view belongs to another playbook.
        """
        if view.playbook != "cite_or_abstain":
            raise CannotJudge(f"{self.name} answers cite_or_abstain, not {view.playbook}")
        question = words_of(view.question)
        ids = tuple(passage.id for passage in view.passages)
        candidates = [
            sentence
            for sentence in sentences_of(view.passages)
            if _may_be_said(sentence.text, view.question, ids)
        ]
        chosen = _choose(question, candidates)
        held = frozenset[str]().union(*(sentence.words for sentence in chosen))
        share = covered(question, held)
        missing = sorted(question - held)
        if not chosen or share < PARTIAL_SHARE:
            return _abstention(missing)
        return _answer(chosen, share, missing)


def _may_be_said(sentence: str, question: str, ids: Sequence[str]) -> bool:
    """Whether a sentence can stand in an answer: a statement without citations of its own."""
    return asserts(sentence, question) and not scan_citations(sentence, ids).markers


def _choose(
    question: frozenset[str], candidates: Sequence[PassageSentence]
) -> list[PassageSentence]:
    """Pick greedily what adds most of the question's words; ties go to the earlier sentence."""
    chosen: list[PassageSentence] = []
    open_words = question
    while open_words and len(chosen) < MAX_SENTENCES:
        best = max(candidates, key=lambda s: len(s.words & open_words), default=None)
        if best is None or not best.words & open_words:
            break
        chosen.append(best)
        open_words -= best.words
    return sorted(chosen, key=candidates.index)


def _answer(
    chosen: Sequence[PassageSentence], share: float, missing: Sequence[str]
) -> dict[str, Any]:
    answered = share >= ANSWERED_SHARE
    confidence = "high" if answered else "medium"
    return {
        "status": "answered" if answered else "partial",
        "answer": " ".join(f"{sentence.text} [{sentence.passage_id}]" for sentence in chosen),
        "citations": [
            {
                "chunk_id": sentence.passage_id,
                "excerpt": sentence.text,
                "confidence": confidence,
            }
            for sentence in chosen
        ],
        "missing_evidence": None if answered else [_missing(missing)],
        "abstention_reason": None if answered else "Part of the question stands in no chunk.",
    }


def _abstention(missing: Sequence[str]) -> dict[str, Any]:
    return {
        "status": "abstained",
        "answer": None,
        "citations": [],
        "missing_evidence": [_missing(missing)] if missing else None,
        "abstention_reason": "No chunk shares enough words with the question.",
    }


def _missing(words: Sequence[str]) -> str:
    return f"The chunks say nothing of: {', '.join(words)}."
