"""Cases from files into the ledger: read, complete, register."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel, ConfigDict

from citeval_assets.datasets.hashing import canonical_json, case_hash, dataset_version
from citeval_assets.datasets.loading import load_cases
from citeval_assets.datasets.model import CaseSet, LoadedCase
from citeval_assets.evaluation.project import ALL_DATASETS, Project
from citeval_assets.evaluation.summaries import RegisteredCases
from citeval_assets.ledger.records import CaseRecord, DatasetMember, DatasetRecord
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.cases import Source
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.retrieval import (
    Retriever,
    RetrieverError,
    RetrieverUnreachable,
    retriever_for,
    wanted_ids,
)


class CaseSettings(BaseModel):
    """What is kept with a case of a dataset: the operator's rules, and a failed completion."""

    model_config = ConfigDict(frozen=True)

    rules: DomainRules
    evidence_failure: str | None = None

    def to_json(self) -> str:
        """Return the canonical JSON that is stored and hashed."""
        return canonical_json(self.model_dump(mode="json"))


@dataclass(frozen=True, slots=True)
class CompletedCase:
    """A loaded case after its sources were fetched, or the fetching failed."""

    loaded: LoadedCase
    settings: CaseSettings


@dataclass(frozen=True, slots=True)
class Registered:
    """The cases of one playbook as read, completed and registered."""

    summary: RegisteredCases
    case_set: CaseSet
    completed: tuple[CompletedCase, ...]


def scope_name(datasets: Sequence[str]) -> str:
    """Name what an evaluation covers: ``*`` for all datasets, else the names joined by ``+``."""
    return "+".join(sorted(set(datasets))) if datasets else ALL_DATASETS


def load_completed(
    project: Project, playbook: str, datasets: Sequence[str] = ()
) -> tuple[CaseSet, tuple[CompletedCase, ...], str]:
    """Read the cases of a playbook and fetch the sources of those that came without.

    Returns:
        The case set as read, the completed cases, and the dataset version of the latter.
    """
    case_set = load_cases(project.settings, playbook, tuple(datasets) or None)
    shelves = _Shelves(project)
    completed = tuple(_complete(shelves, loaded) for loaded in case_set.cases)
    version = dataset_version(
        (item.loaded.dataset, item.loaded.case_hash, item.settings.to_json()) for item in completed
    )
    return case_set, completed, version


def complete_cases(project: Project, loaded: Iterable[LoadedCase]) -> tuple[CompletedCase, ...]:
    """Fetch the sources of cases that came without."""
    shelves = _Shelves(project)
    return tuple(_complete(shelves, case) for case in loaded)


def register_cases(
    project: Project, ledger: Ledger, playbook: str, datasets: Sequence[str] = ()
) -> Registered:
    """Register the present cases of a playbook by content and make them the current ones."""
    case_set, completed, version = load_completed(project, playbook, datasets)
    scope = scope_name(datasets)
    members = tuple(
        DatasetMember(
            dataset=item.loaded.dataset,
            split=item.loaded.split,
            case_hash=item.loaded.case_hash,
            rules_json=item.settings.to_json(),
            position=position,
        )
        for position, item in enumerate(completed)
    )
    record = DatasetRecord(playbook, version, members)
    ledger.register_dataset(record, (_case_record(item.loaded) for item in completed))
    changed = ledger.make_current("dataset", f"{playbook}/{scope}", version)
    summary = RegisteredCases(
        playbook=playbook,
        dataset_version=version,
        scope=scope,
        cases=len(completed),
        quarantined=len(case_set.quarantined),
        systems=tuple(sorted({item.loaded.case.system for item in completed})),
        changed=changed,
        quarantine_reasons=tuple(
            f"{row.file}:{row.line}: {row.reason}" for row in case_set.quarantined[:20]
        ),
        warnings=case_set.warnings,
    )
    return Registered(summary, case_set, completed)


def _case_record(loaded: LoadedCase) -> CaseRecord:
    return CaseRecord(
        case_hash=loaded.case_hash,
        playbook=loaded.playbook,
        test_case_id=loaded.case.test_case_id,
        system=loaded.case.system,
        canonical_json=canonical_json(loaded.case.model_dump(mode="json", exclude_defaults=True)),
    )


@dataclass(slots=True)
class _Shelves:
    """The retrievers of one reading of the cases, each opened once, also where that fails."""

    project: Project
    _opened: dict[str, Retriever | Exception] = field(
        default_factory=dict[str, "Retriever | Exception"]
    )

    def get(self, name: str) -> Retriever:
        if name not in self._opened:
            try:
                self._opened[name] = retriever_for(self.project.settings, name)
            except (RetrieverError, RetrieverUnreachable) as error:
                self._opened[name] = error
        found = self._opened[name]
        if isinstance(found, Exception):
            raise found
        return found


def _complete(shelves: _Shelves, loaded: LoadedCase) -> CompletedCase:
    """Fetch the cited sources of a case that came without; note it where that fails."""
    settings = CaseSettings(rules=loaded.rules)
    playbook = get_playbook(loaded.playbook)
    if loaded.case.sources or not playbook.needs_sources or loaded.retriever is None:
        return CompletedCase(loaded, settings)
    try:
        sources = _fetched(shelves, loaded, loaded.retriever)
    except (RetrieverError, RetrieverUnreachable) as error:
        failed = settings.model_copy(update={"evidence_failure": str(error)})
        return CompletedCase(loaded, failed)
    case = loaded.case.model_copy(update={"sources": tuple(sources)})
    completed = replace(loaded, case=case, case_hash=case_hash(loaded.playbook, case))
    return CompletedCase(completed, settings)


def _fetched(shelves: _Shelves, loaded: LoadedCase, retriever: str) -> Sequence[Source]:
    """Fetch what a case cites.

    Raises:
        RetrieverError: nothing of this playbook's cases cites passages by id, so that a model
            would be asked without any.
        RetrieverUnreachable: the store cannot be reached just now.
    """
    wanted = wanted_ids(loaded.case, loaded.rules)
    if not wanted and not loaded.case.judged_text:
        raise RetrieverError(
            f"the case came without sources and cites none that {retriever!r} could fetch: "
            "give it its sources"
        )
    return shelves.get(retriever).fetch(wanted)
