"""``embedded/extractive-1``: ranks sentences, answers with the best, says what is not covered."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from citeval_assets.embedded.lexical.conflicts import NumberConflict, rival_numbers
from citeval_assets.embedded.model import CannotJudge, EmbeddedModel
from citeval_assets.embedded.questions import Part, Question
from citeval_assets.embedded.words import PassageSentence, sentences_of
from citeval_assets.playbooks.view import ModelView, Passage
from citeval_assets.text.assertions import asserts
from citeval_assets.text.markers import scan_citations
from citeval_assets.text.numbers import numbers_in

MAX_SENTENCES = 3
ABSTAIN_UNDER = 0.55
"""Share of the question, by weight of its words, under which nothing is answered."""

PART_STANDS = 0.5
"""Share of one part of a question from which that part is answered."""

SURE = 0.8
_LEAST_GAIN = 0.15
_NEARBY = 0.6
"""What a term counts that stands in the chunk or its title, but not in the sentence itself."""

_SAME_MATTER = 0.7
"""Share of a sentence's words of the question that another holds that speaks of the same."""

_SATURATION = 1.2
_LENGTH_WEIGHT = 0.4
_NUMBER_BONUS = 1.3


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence that may be said, with the question's terms in it and around it."""

    sentence: PassageSentence
    terms: frozenset[str]
    nearby: frozenset[str]
    length: int
    has_number: bool


@dataclass(frozen=True, slots=True)
class _Conflict:
    own: _Candidate
    other: _Candidate
    numbers: NumberConflict


class Extractive1(EmbeddedModel):
    """Answers with whole sentences, each cited, or abstains; names what it cannot cover.

    Sentences are ranked much as BM25 ranks documents: rare words of the question count most,
    long sentences a little less, and words in the title or elsewhere in the chunk in part.
    """

    name = "embedded/extractive-1"
    version = "1"
    title = "extractive answerer by ranked sentences"

    def answer(self, view: ModelView) -> dict[str, Any]:
        """Return the output of ``cite_or_abstain``.

        Raises:
            CannotJudge: the view belongs to another playbook.
        """
        if view.playbook != "cite_or_abstain":
            raise CannotJudge(f"{self.name} answers cite_or_abstain, not {view.playbook}")
        question = Question.of(view.question)
        ranking = _Ranking(question, view)
        chosen = ranking.choose()
        covered = ranking.covered(chosen)
        missing_keys = sorted(question.keys - ranking.held(chosen))
        if not chosen or covered < ABSTAIN_UNDER or len(missing_keys) * 2 > len(question.keys):
            return _abstention(question, ranking.held(chosen))
        open_parts = [part for part in question.parts if not ranking.answers(part, chosen)]
        if len(open_parts) == len(question.parts):
            return _abstention(question, ranking.held(chosen))
        conflict = ranking.conflict(chosen, view.question)
        if conflict is not None:
            return _conflicting(conflict)
        confidence = "high" if covered >= SURE and not missing_keys else "medium"
        return _answer(chosen, confidence, open_parts)

    def coverage(self, view: ModelView) -> float:
        """Return how much of the question its best sentences cover, 0..1."""
        ranking = _Ranking(Question.of(view.question), view)
        return ranking.covered(ranking.choose())


class _Ranking:
    """The sentences of a view that may be said, ranked for one question."""

    def __init__(self, question: Question, view: ModelView) -> None:
        self._question = question
        self._passages = {passage.id: passage for passage in view.passages}
        ids = tuple(self._passages)
        around = {p.id: self._surroundings(p) for p in view.passages}
        self._candidates = [
            self._candidate(sentence, around[sentence.passage_id])
            for sentence in sentences_of(view.passages)
            if asserts(sentence.text, view.question)
            and not scan_citations(sentence.text, ids).markers
        ]
        lengths = [candidate.length for candidate in self._candidates]
        self._mean_length = sum(lengths) / len(lengths) if lengths else 1.0
        self._weights = self._local_weights()
        self._wants_number = any(part.wants_number for part in question.parts)

    def _surroundings(self, passage: Passage) -> frozenset[str]:
        head = " ".join(filter(None, (passage.title, passage.document, passage.source_text)))
        return self._question.terms_of(head) & self._question.terms.keys()

    def _candidate(self, sentence: PassageSentence, around: frozenset[str]) -> _Candidate:
        words = self._question.terms_of(sentence.text)
        return _Candidate(
            sentence,
            words & self._question.terms.keys(),
            around,
            len(words),
            bool(numbers_in(sentence.text)),
        )

    def _local_weights(self) -> dict[str, float]:
        """Return the weight of each term: how rare it is in general and among the sentences."""
        count = len(self._candidates)
        weights: dict[str, float] = {}
        for term, general in self._question.terms.items():
            holding = sum(term in candidate.terms for candidate in self._candidates)
            weights[term] = general * math.log(1 + (count + 0.5) / (holding + 0.5))
        return weights

    def _score(self, candidate: _Candidate, open_terms: frozenset[str]) -> float:
        length = 1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * candidate.length / self._mean_length
        within = sum(self._weights[t] for t in sorted(candidate.terms & open_terms))
        nearby = sum(
            self._weights[t] for t in sorted((candidate.nearby - candidate.terms) & open_terms)
        )
        if not within:
            return 0.0
        bonus = _NUMBER_BONUS if self._wants_number and candidate.has_number else 1.0
        return bonus * (within + _NEARBY * nearby) * (1 + _SATURATION) / (1 + _SATURATION * length)

    def choose(self) -> list[_Candidate]:
        """Pick the best sentence, then those that cover more; ties go to the earlier one."""
        chosen: list[_Candidate] = []
        open_terms = frozenset(self._weights)
        total = sum(self._weights.values()) or 1.0
        while open_terms and len(chosen) < MAX_SENTENCES:
            rest = [c for c in self._candidates if c not in chosen]
            best = max(rest, key=lambda c: round(self._score(c, open_terms), 9), default=None)
            gain = sum(self._weights[t] for t in best.terms & open_terms) if best else 0.0
            if best is None or gain <= (_LEAST_GAIN * total if chosen else 0.0):
                break
            chosen.append(best)
            open_terms -= best.terms
        return sorted(chosen, key=self._candidates.index)

    def held(self, chosen: Sequence[_Candidate]) -> frozenset[str]:
        """Return the terms that the chosen sentences and their chunks hold."""
        return frozenset[str]().union(*(c.terms | c.nearby for c in chosen))

    def covered(self, chosen: Sequence[_Candidate]) -> float:
        """Return the share of the question that the chosen sentences cover, by weight."""
        return self._share(dict(self._question.terms), chosen)

    def _share(self, terms: dict[str, float], chosen: Sequence[_Candidate]) -> float:
        within = frozenset[str]().union(*(c.terms for c in chosen))
        nearby = self.held(chosen) - within
        said = sum(w for t, w in terms.items() if t in within)
        said += _NEARBY * sum(w for t, w in terms.items() if t in nearby)
        return said / (sum(terms.values()) or 1.0)

    def answers(self, part: Part, chosen: Sequence[_Candidate]) -> bool:
        """Whether the chosen sentences answer one part of the question."""
        if self._share(part.terms, chosen) < PART_STANDS:
            return False
        telling = [c for c in chosen if c.terms & part.terms.keys()]
        return not part.wants_number or any(c.has_number for c in telling) or not telling

    def conflict(self, chosen: Sequence[_Candidate], question: str) -> _Conflict | None:
        """Return two sentences of two chunks that give the same thing different numbers."""
        for own in (c for c in chosen if c.has_number):
            for other in self._candidates:
                apart = other.sentence.passage_id != own.sentence.passage_id
                if not (apart and other.has_number and self._same_matter(own, other)):
                    continue
                numbers = rival_numbers(own.sentence.text, other.sentence.text, question)
                if numbers is not None:
                    return _Conflict(own, other, numbers)
        return None

    def _same_matter(self, own: _Candidate, other: _Candidate) -> bool:
        """Whether another sentence holds nearly all that one has of the question."""
        shared = sum(self._weights[t] for t in sorted(own.terms & other.terms))
        whole = sum(self._weights[t] for t in sorted(own.terms))
        return len(own.terms & other.terms) >= 2 and shared >= _SAME_MATTER * whole


def _citation(candidate: _Candidate, confidence: str) -> dict[str, str]:
    return {
        "chunk_id": candidate.sentence.passage_id,
        "excerpt": candidate.sentence.text,
        "confidence": confidence,
    }


def _said(candidates: Sequence[_Candidate]) -> str:
    return " ".join(f"{c.sentence.text} [{c.sentence.passage_id}]" for c in candidates)


def _answer(
    chosen: Sequence[_Candidate], confidence: str, open_parts: Sequence[Part]
) -> dict[str, Any]:
    missing = [f"The chunks do not answer: {' '.join(part.text.split())}" for part in open_parts]
    return {
        "status": "partial" if missing else "answered",
        "answer": _said(chosen),
        "citations": [_citation(c, "medium" if missing else confidence) for c in chosen],
        "missing_evidence": missing or None,
        "abstention_reason": "A part of the question stands in no chunk." if missing else None,
    }


def _conflicting(conflict: _Conflict) -> dict[str, Any]:
    own, other = conflict.own, conflict.other
    claimed, found = conflict.numbers.claimed, conflict.numbers.found
    ids = f"{own.sentence.passage_id} and {other.sentence.passage_id}"
    return {
        "status": "partial",
        "answer": _said((own, other)),
        "citations": [_citation(own, "medium"), _citation(other, "medium")],
        "missing_evidence": [f"Which of the two holds: {claimed} or {found}."],
        "abstention_reason": f"Chunks {ids} contradict each other: {claimed} against {found}.",
    }


def _abstention(question: Question, held: frozenset[str]) -> dict[str, Any]:
    missing = sorted(question.terms.keys() - held)
    named = [f"The chunks say nothing of: {', '.join(missing)}."] if missing else None
    return {
        "status": "abstained",
        "answer": None,
        "citations": [],
        "missing_evidence": named,
        "abstention_reason": "No sentence of the chunks covers what the question asks for.",
    }
