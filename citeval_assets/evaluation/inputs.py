"""Cases from files, and from the answers of target models, into the ledger."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from citeval_assets.datasets.hashing import canonical_json, dataset_version
from citeval_assets.datasets.loading import load_cases
from citeval_assets.datasets.model import CaseSet, LoadedCase
from citeval_assets.evaluation.evidence import CaseSettings, CompletedCase, Shelves
from citeval_assets.evaluation.generated import generated_cases, generated_name
from citeval_assets.evaluation.project import ALL_DATASETS, Project
from citeval_assets.evaluation.summaries import RegisteredCases
from citeval_assets.ledger.records import CaseRecord, DatasetMember, DatasetRecord
from citeval_assets.ledger.store import Ledger


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
    project: Project,
    playbook: str,
    datasets: Sequence[str] = (),
    ledger: Ledger | None = None,
) -> tuple[CaseSet, tuple[CompletedCase, ...], str]:
    """Read the cases of a playbook and get the passages of those that came without.

    Args:
        project: the opened project.
        playbook: name of the playbook.
        datasets: names of the datasets to read; by default all.
        ledger: where the answers of target models are; without it they are left out.

    Returns:
        The case set as read, the completed cases, and the dataset version of the latter.
    """
    named = [name for name in datasets if name != generated_name(playbook)]
    only_generated = bool(datasets) and not named
    case_set = CaseSet(playbook)
    if not only_generated:
        case_set = load_cases(project.settings, playbook, tuple(named) or None)
    completed = [*complete_cases(project, case_set.cases)]
    if ledger is not None and (not datasets or generated_name(playbook) in datasets):
        generated = generated_cases(project, ledger, playbook)
        completed += generated.cases
        case_set = replace(case_set, warnings=(*case_set.warnings, *generated.warnings))
    version = dataset_version(
        (item.loaded.dataset, item.loaded.case_hash, item.settings.to_json()) for item in completed
    )
    return case_set, tuple(completed), version


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
    case_set, completed, version = load_completed(project, playbook, datasets, ledger)
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


__all__ = [
    "CaseSettings",
    "CompletedCase",
    "Registered",
    "complete_cases",
    "load_completed",
    "register_cases",
    "scope_name",
]
