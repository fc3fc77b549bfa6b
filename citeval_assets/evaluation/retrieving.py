"""Passages for the golden questions that bring none: asked for once, with what came of it."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pydantic import Field

from citeval_assets.datasets.hashing import canonical_json
from citeval_assets.datasets.loading import load_cases
from citeval_assets.datasets.model import LoadedCase
from citeval_assets.evaluation.evidence import CompletedCase, Shelf, Shelves
from citeval_assets.evaluation.project import Project
from citeval_assets.evaluation.summaries import Summary
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.vocabulary import TemplateKind
from citeval_assets.retrieval import RetrieverError, RetrieverUnreachable


class RetrieverState(Summary):
    """One configured retriever: its version now, or why it has none."""

    name: str
    kind: str
    version: str | None = None
    failure: str | None = None


class RetrievedFrom(RetrieverState):
    """What one retriever found for the questions of its datasets.

    ``searched``: how many of the questions it was asked this time (the others are remembered
    from before). ``expected``: supporting passages golden data names; ``found``: how many of
    them were among the passages.
    """

    questions: int = 0
    searched: int = 0
    failed: int = 0
    passages: int = 0
    expected: int = 0
    found: int = 0

    @property
    def recall(self) -> float | None:
        """Share of the supporting passages that were found."""
        return self.found / self.expected if self.expected else None


class RetrievedPassages(Summary):
    """What all retrievers found. Another ``data_version``: other passages for some question."""

    retrievers: tuple[RetrievedFrom, ...] = ()
    data_version: str = ""
    failures: dict[str, str] = Field(default_factory=dict)
    """Questions without passages, and why; the first of each retriever."""

    @property
    def questions(self) -> int:
        """How many questions bring no passages."""
        return sum(found.questions for found in self.retrievers)

    @property
    def failed(self) -> int:
        """How many of them got none, because a retriever failed."""
        return sum(found.failed for found in self.retrievers)


def retriever_states(project: Project) -> tuple[RetrieverState, ...]:
    """Return every configured retriever with its present version."""
    shelves = Shelves(project)
    return tuple(
        _state(shelves.get(config.name), str(config.kind)) for config in project.settings.retrievers
    )


def states_version(states: Sequence[RetrieverState]) -> str:
    """Return one hash over the versions of all retrievers."""
    known = [[state.name, state.version or f"none: {state.failure}"] for state in states]
    return hashlib.sha256(canonical_json(known).encode()).hexdigest()


def _state(shelf: Shelf, kind: str) -> RetrieverState:
    try:
        return RetrieverState(name=shelf.name, kind=kind, version=shelf.retriever.version)
    except (RetrieverError, RetrieverUnreachable) as error:
        return RetrieverState(name=shelf.name, kind=kind, failure=str(error))


@dataclass(slots=True)
class _Tally:
    questions: int = 0
    failed: int = 0
    passages: int = 0
    expected: int = 0
    found: int = 0
    first_failure: str | None = None
    lines: list[str] = field(default_factory=list[str])

    def add(self, done: CompletedCase) -> None:
        case = done.loaded.case
        ids = {source.id for source in case.sources}
        supporting = case.known_supporting or ()
        self.questions += 1
        self.passages += len(ids)
        self.expected += len(supporting)
        self.found += len(ids.intersection(supporting))
        if done.settings.evidence_failure is not None:
            self.failed += 1
            self.first_failure = self.first_failure or done.settings.evidence_failure
        self.lines.append(done.loaded.case_hash)


def retrieve_passages(project: Project) -> RetrievedPassages:
    """Ask the retrievers about every golden question that brings no passages.

    What was found is remembered by the version of the retriever. One that fails leaves its
    questions without passages, and the others alone.
    """
    shelves = Shelves(project)
    tallies: dict[str, _Tally] = {}
    for loaded in _questions(project):
        assert loaded.retriever is not None
        tallies.setdefault(loaded.retriever, _Tally()).add(shelves.complete(loaded))
    shelves.keep()
    found: list[RetrievedFrom] = []
    for name, tally in tallies.items():
        shelf = shelves.get(name)
        config = project.settings.retriever(name)
        state = _state(shelf, "" if config is None else str(config.kind))
        found.append(
            RetrievedFrom(
                **state.model_dump(exclude={"failure"}),
                failure=tally.first_failure or state.failure,
                questions=tally.questions,
                searched=shelf.searched,
                failed=tally.failed,
                passages=tally.passages,
                expected=tally.expected,
                found=tally.found,
            )
        )
    lines = sorted(line for tally in tallies.values() for line in tally.lines)
    return RetrievedPassages(
        retrievers=tuple(found),
        data_version=hashlib.sha256(canonical_json(lines).encode()).hexdigest(),
        failures={name: t.first_failure for name, t in tallies.items() if t.first_failure},
    )


def _questions(project: Project) -> Iterator[LoadedCase]:
    for name, playbook in all_playbooks().items():
        if playbook.kind is TemplateKind.GENERATE:
            for loaded in load_cases(project.settings, name).cases:
                if loaded.retriever is not None and not loaded.case.sources:
                    yield loaded
