"""BM25 over a corpus in memory: deterministic, offline, the same on every machine.

The scoring is that of bm25s (the Lucene variant by default); see Robertson and Zaragoza, *The
Probabilistic Relevance Framework: BM25 and Beyond* (2009), and Lù, *BM25S* (2024).
"""

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING

from citeval_assets.playbooks.cases import Source
from citeval_assets.retrieval.store import PassageStore
from citeval_assets.retrieval.tokens import TOKENISER, search_tokens

if TYPE_CHECKING:
    from bm25s import BM25

_DECIMALS = 4
"""Scores that agree so far are a tie, and ties go by id: no machine ranks otherwise."""


@dataclass(frozen=True, slots=True)
class Bm25Parameters:
    """``k1``: how fast a repeated word stops to count more; ``b``: how much length is held
    against a passage (0 to 1)."""

    k1: float = 1.5
    b: float = 0.75


@dataclass(frozen=True)
class Bm25Retriever:
    """Ranks the passages of a store by the words they share with a question."""

    store: PassageStore
    parameters: Bm25Parameters = Bm25Parameters()

    @property
    def version(self) -> str:
        """Hash of the corpus, the parameters, and what tokenises and scores."""
        basis = [
            self.store.version,
            self.parameters.k1,
            self.parameters.b,
            TOKENISER,
            installed_version("bm25s"),
        ]
        return hashlib.sha256(json.dumps(basis).encode()).hexdigest()

    def search(self, question: str, k: int) -> Sequence[Source]:
        """Return the ``k`` best passages; those that share no word with the question never."""
        tokens = search_tokens(question)
        if not tokens or not self._passages:
            return ()
        scores = [round(float(score), _DECIMALS) for score in self._index.get_scores(tokens)]
        ranked = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
        return tuple(self._passages[place] for place in ranked[:k] if scores[place] > 0)

    def fetch(self, ids: Sequence[str]) -> Sequence[Source]:
        """Return the passages of these ids, each once, in their order."""
        return self.store.fetch(ids)

    @cached_property
    def _passages(self) -> list[Source]:
        return [self.store.passages[name] for name in sorted(self.store.passages)]

    @cached_property
    def _index(self) -> "BM25":
        # Imported where it is needed: it takes numpy and scipy along, which most commands never
        # need.
        from bm25s import BM25

        logging.getLogger("bm25s").setLevel(logging.WARNING)
        index = BM25(k1=self.parameters.k1, b=self.parameters.b, method="lucene")
        words = [search_tokens(f"{source.title or ''}\n{source.text}") for source in self._passages]
        index.index(words, show_progress=False)
        return index
