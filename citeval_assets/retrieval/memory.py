"""What a retriever found, remembered by its version: nobody is asked the same thing twice.

Reading the cases happens often (a run, a status, a dry run) and must give the same cases while
nothing changed. One file holds what one version of a retriever found for each question; it can be
deleted at any time.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ValidationError

from citeval_assets.playbooks.cases import Source
from citeval_assets.retrieval.base import Retriever


class _Found(BaseModel):
    question: str
    passages: tuple[Source, ...]


@dataclass
class SearchMemory:
    """Searches of one retriever: from memory, else by asking it.

    ``asked`` counts the searches that were not in memory.
    """

    retriever: Retriever
    k: int
    file: Path
    asked: int = 0
    _known: dict[str, tuple[Source, ...]] = field(default_factory=dict[str, tuple[Source, ...]])
    _new: list[_Found] = field(default_factory=list[_Found])

    @classmethod
    def of(cls, folder: Path, name: str, retriever: Retriever, k: int) -> "SearchMemory":
        """Open the memory of the present version of a retriever.

        Raises:
            RetrieverUnreachable: its version cannot be had just now.
        """
        key = hashlib.sha256(json.dumps([retriever.version, k]).encode()).hexdigest()[:24]
        memory = cls(retriever, k, folder / name / f"{key}.jsonl")
        memory._known = dict(_read(memory.file))
        return memory

    def recall(self, question: str) -> tuple[Source, ...] | None:
        """Return what was found for a question before; ``None``: it was never asked."""
        return self._known.get(question)

    def search(self, question: str) -> Sequence[Source]:
        """Return the passages for a question, the best first.

        Raises:
            RetrieverUnreachable: they are not in memory and cannot be had just now.
        """
        if question not in self._known:
            found = _Found(question=question, passages=tuple(self._ask(question)))
            self._known[question] = found.passages
            self._new.append(found)
        return self._known[question]

    def _ask(self, question: str) -> Sequence[Source]:
        self.asked += 1
        return self.retriever.search(question, self.k)

    def keep(self) -> None:
        """Write down what was found since the last time, in one piece."""
        if not self._new:
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", encoding="utf-8", errors="surrogatepass") as file:
            file.write("".join(f"\n{found.model_dump_json()}\n" for found in self._new))
        self._new.clear()


def _read(file: Path) -> Sequence[tuple[str, tuple[Source, ...]]]:
    """Return what is remembered. A line that was cut, by a crash or a full disk, is forgotten."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return ()
    found: list[tuple[str, tuple[Source, ...]]] = []
    for line in filter(None, lines):
        try:
            one = _Found.model_validate_json(line)
        except ValidationError:
            continue
        found.append((one.question, one.passages))
    return found
