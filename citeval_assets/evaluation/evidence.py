"""Passages for cases that bring none: found for a question, or fetched by the ids a text cites.

A retriever that fails leaves its cases without a score (``error: evidence_unreachable``), never
without a word, and harms nobody else; the next run asks it again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel, ConfigDict

from citeval_assets.datasets.hashing import canonical_json, case_hash
from citeval_assets.datasets.model import LoadedCase
from citeval_assets.evaluation.project import Project
from citeval_assets.playbooks.cases import Source
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.vocabulary import Reason, TemplateKind
from citeval_assets.retrieval import (
    Retriever,
    RetrieverError,
    RetrieverUnreachable,
    SearchMemory,
    config_of,
    passages_wanted,
    retriever_for,
    wanted_ids,
)

GIVES_UP_AFTER = 3
"""Failures in a row after which a retriever is not asked again in one reading of the cases."""

_Fault = RetrieverError | RetrieverUnreachable


class CaseSettings(BaseModel):
    """What is kept with a case of a dataset: the operator's rules, and where passages came from.

    ``retriever`` names the one that found the passages of a question; ``evidence_failure`` says
    why a case has none, or no answer yet, and ``evidence_reason`` is that in one word.
    """

    model_config = ConfigDict(frozen=True)

    rules: DomainRules
    evidence_failure: str | None = None
    evidence_reason: Reason = Reason.EVIDENCE_UNREACHABLE
    retriever: str | None = None

    def to_json(self) -> str:
        """Return the canonical JSON that is stored and hashed."""
        always = {"rules", "evidence_failure"}
        content = self.model_dump(mode="json", include=always)
        return canonical_json(
            content | self.model_dump(mode="json", exclude_defaults=True, exclude=always)
        )


@dataclass(frozen=True, slots=True)
class CompletedCase:
    """A loaded case after its sources were fetched, or the fetching failed."""

    loaded: LoadedCase
    settings: CaseSettings


@dataclass
class Shelf:
    """One retriever, opened once in a reading of the cases.

    ``failure``: why it is not asked any more.
    """

    project: Project
    name: str
    failure: _Fault | None = None
    _in_a_row: int = 0
    _retriever: Retriever | None = None
    _memory: SearchMemory | None = None

    def search(self, question: str) -> tuple[Source, ...]:
        """Return the passages for a question.

        Raises:
            RetrieverError: the retriever is not set up as it must be.
            RetrieverUnreachable: it cannot be asked just now.
        """
        remembered = None if self._memory is None else self._memory.recall(question)
        if remembered is not None:
            return remembered
        return tuple(self._guarded(lambda: self.memory.search(question)))

    def fetch(self, ids: tuple[str, ...]) -> tuple[Source, ...]:
        """Return the passages of these ids, as far as they are known. Raises as ``search``."""
        return tuple(self._guarded(lambda: self.retriever.fetch(ids)))

    @property
    def retriever(self) -> Retriever:
        """The retriever, opened."""
        if self._retriever is None:
            settings, environ = self.project.settings, self.project.environ
            self._retriever = retriever_for(settings, self.name, environ)
        return self._retriever

    @property
    def memory(self) -> SearchMemory:
        """What this version of the retriever found before."""
        if self._memory is None:
            settings = self.project.settings
            self._memory = SearchMemory.of(
                settings.state_dir / "retrieved",
                self.name,
                self.retriever,
                passages_wanted(config_of(settings, self.name)),
            )
        return self._memory

    @property
    def searched(self) -> int:
        """How many questions were not in memory."""
        return 0 if self._memory is None else self._memory.asked

    def keep(self) -> None:
        """Write down what was found."""
        if self._memory is not None:
            self._memory.keep()

    def _guarded(self, ask: Callable[[], Sequence[Source]]) -> Sequence[Source]:
        if self.failure is not None:
            raise self.failure
        try:
            found = ask()
        except (RetrieverError, RetrieverUnreachable) as error:
            self._in_a_row += 1
            never_opened = self._retriever is None
            if never_opened or self._in_a_row >= GIVES_UP_AFTER:
                self.failure = error
            raise
        self._in_a_row = 0
        return found


@dataclass
class Shelves:
    """The retrievers of one reading of the cases."""

    project: Project
    by_name: dict[str, Shelf] = field(default_factory=dict[str, Shelf])

    def get(self, name: str) -> Shelf:
        """Return the retriever of this name, to be opened when it is first asked."""
        return self.by_name.setdefault(name, Shelf(self.project, name))

    def keep(self) -> None:
        """Write down what was found."""
        for shelf in self.by_name.values():
            shelf.keep()

    def complete(self, loaded: LoadedCase) -> CompletedCase:
        """Give a case its passages; note it where that fails."""
        playbook = get_playbook(loaded.playbook)
        lacks = not loaded.case.sources and playbook.needs_sources
        if loaded.retriever is None or not lacks:
            return CompletedCase(loaded, CaseSettings(rules=loaded.rules))
        asks = playbook.kind is TemplateKind.GENERATE
        settings = CaseSettings(rules=loaded.rules, retriever=loaded.retriever if asks else None)
        shelf = self.get(loaded.retriever)
        try:
            sources = shelf.search(loaded.case.question) if asks else _fetched(shelf, loaded)
        except (RetrieverError, RetrieverUnreachable) as error:
            return CompletedCase(
                loaded, settings.model_copy(update={"evidence_failure": str(error)})
            )
        case = loaded.case.model_copy(update={"sources": sources})
        completed = replace(loaded, case=case, case_hash=case_hash(loaded.playbook, case))
        return CompletedCase(completed, settings)


def _fetched(shelf: Shelf, loaded: LoadedCase) -> tuple[Source, ...]:
    """Fetch what a case cites.

    Raises:
        RetrieverError: nothing of this playbook's cases cites passages by id, so that a model
            would be asked without any.
        RetrieverUnreachable: the store cannot be reached just now.
    """
    wanted = wanted_ids(loaded.case, loaded.rules)
    if not wanted and not loaded.case.judged_text:
        raise RetrieverError(
            f"the case came without sources and cites none that {shelf.name!r} could fetch: "
            "give it its sources"
        )
    return shelf.fetch(wanted)
