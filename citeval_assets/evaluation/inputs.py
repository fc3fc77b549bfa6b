"""Cases from files, and from the answers of target models, into the ledger."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from citeval_assets.datasets.hashing import canonical_json, dataset_version
from citeval_assets.datasets.loading import read_cases
from citeval_assets.datasets.model import LoadedCase, QuarantinedRow
from citeval_assets.evaluation.evidence import CaseSettings, CompletedCase, Shelves
from citeval_assets.evaluation.generated import generated_cases, generated_name
from citeval_assets.evaluation.project import ALL_DATASETS, Project
from citeval_assets.evaluation.summaries import RegisteredCases
from citeval_assets.ledger.members import Members
from citeval_assets.ledger.records import CaseRecord, DatasetMember, DatasetRecord
from citeval_assets.ledger.store import Ledger

_PAGE = 500
"""Cases that are registered together."""


@dataclass(frozen=True, slots=True)
class Registered:
    """The cases of one playbook as registered, and the rows that were refused."""

    summary: RegisteredCases
    record: DatasetRecord
    quarantined: tuple[QuarantinedRow, ...]


class CaseStream:
    """The present cases of a playbook with their passages, one after the other; none is held.

    What was refused and what there is to warn of is whole once the last case was taken.
    """

    def __init__(
        self,
        project: Project,
        playbook: str,
        datasets: Sequence[str] = (),
        ledger: Ledger | None = None,
    ) -> None:
        self.quarantined: tuple[QuarantinedRow, ...] = ()
        self.warnings: tuple[str, ...] = ()
        self._project, self._playbook, self._ledger = project, playbook, ledger
        made = generated_name(playbook)
        self._named = tuple(name for name in datasets if name != made)
        self._reads_files = bool(self._named) or not datasets
        self._takes_answers = ledger is not None and (not datasets or made in datasets)

    def __iter__(self) -> Iterator[CompletedCase]:
        if self._reads_files:
            reading = read_cases(self._project.settings, self._playbook, self._named or None)
            shelves = Shelves(self._project)
            for case in reading:
                yield shelves.complete(case)
            shelves.keep()
            self.quarantined, self.warnings = tuple(reading.quarantined), tuple(reading.warnings)
        if self._takes_answers and self._ledger is not None:
            generated = generated_cases(self._project, self._ledger, self._playbook)
            yield from generated.cases
            self.warnings += generated.warnings


def scope_name(datasets: Sequence[str]) -> str:
    """Name what an evaluation covers: ``*`` for all datasets, else the names joined by ``+``."""
    return "+".join(sorted(set(datasets))) if datasets else ALL_DATASETS


def load_completed(
    project: Project,
    playbook: str,
    datasets: Sequence[str] = (),
    ledger: Ledger | None = None,
) -> tuple[CaseStream, tuple[CompletedCase, ...], str]:
    """Read the cases of a playbook and get the passages of those that came without.

    Args:
        project: the opened project.
        playbook: name of the playbook.
        datasets: names of the datasets to read; by default all.
        ledger: where the answers of target models are; without it they are left out.

    Returns:
        What was refused, the completed cases, and their dataset version.
    """
    stream = CaseStream(project, playbook, datasets, ledger)
    completed = tuple(stream)
    version = dataset_version(
        (item.loaded.dataset, item.loaded.case_hash, item.settings.to_json()) for item in completed
    )
    return stream, completed, version


def complete_cases(project: Project, loaded: Iterable[LoadedCase]) -> tuple[CompletedCase, ...]:
    """Get the passages of cases that came without."""
    shelves = Shelves(project)
    completed = tuple(shelves.complete(case) for case in loaded)
    shelves.keep()
    return completed


def register_cases(
    project: Project, ledger: Ledger, playbook: str, datasets: Sequence[str] = ()
) -> Registered:
    """Register the present cases of a playbook by content and make them the current ones."""
    stream = CaseStream(project, playbook, datasets, ledger)
    systems: set[str] = set()
    members = Members(_stored(ledger, stream, systems))
    version = dataset_version((m.dataset, m.case_hash, m.rules_json) for m in members)
    scope = scope_name(datasets)
    record = DatasetRecord(playbook, version, members)
    ledger.register_dataset(record, ())
    changed = ledger.make_current("dataset", f"{playbook}/{scope}", version)
    summary = RegisteredCases(
        playbook=playbook,
        dataset_version=version,
        scope=scope,
        cases=len(members),
        quarantined=len(stream.quarantined),
        systems=tuple(sorted(systems)),
        changed=changed,
        quarantine_reasons=tuple(
            f"{row.file}:{row.line}: {row.reason}" for row in stream.quarantined[:20]
        ),
        warnings=stream.warnings,
    )
    return Registered(summary, record, stream.quarantined)


def _stored(
    ledger: Ledger, cases: Iterable[CompletedCase], systems: set[str]
) -> Iterator[DatasetMember]:
    """Yield the members of a dataset once their content is in the ledger; note their systems."""
    rest = iter(cases)
    position = 0
    while page := list(islice(rest, _PAGE)):
        known = ledger.case_names(item.loaded.case_hash for item in page)
        new = [_case_record(i.loaded) for i in page if i.loaded.case_hash not in known]
        if new:
            ledger.add_cases(new)
        for item in page:
            loaded = item.loaded
            systems.add(loaded.case.system)
            rules = item.settings.to_json()
            yield DatasetMember(loaded.dataset, loaded.split, loaded.case_hash, rules, position)
            position += 1


def _case_record(loaded: LoadedCase) -> CaseRecord:
    return CaseRecord(
        case_hash=loaded.case_hash,
        playbook=loaded.playbook,
        test_case_id=loaded.case.test_case_id,
        system=loaded.case.system,
        canonical_json=canonical_json(loaded.case.model_dump(mode="json", exclude_defaults=True)),
    )


__all__ = [
    "CaseSettings",
    "CaseStream",
    "CompletedCase",
    "Registered",
    "complete_cases",
    "load_completed",
    "register_cases",
    "scope_name",
]
