"""``load_cases``: all cases of a playbook from its files; what is broken is put aside."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from citeval_assets.config.data import DatasetConfig
from citeval_assets.config.errors import did_you_mean
from citeval_assets.config.settings import Settings
from citeval_assets.datasets.encoding import WrongEncoding
from citeval_assets.datasets.hashing import canonical_json, dataset_version
from citeval_assets.datasets.json_files import read_json_array, read_json_lines
from citeval_assets.datasets.model import CaseSet, LoadedCase, QuarantinedRow
from citeval_assets.datasets.paths import CASE_SUFFIXES, FileRefused, check_path, dataset_files
from citeval_assets.datasets.raw import FileNotes, RawRow, RawRows
from citeval_assets.datasets.rows import read_row, right_name, unknown_fields
from citeval_assets.datasets.tables import read_table
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.registry import get_playbook

_UNKNOWN_NAMED = 20
"""Unknown fields of a dataset that are named; the others are counted."""


class UnknownDataset(KeyError):
    """A dataset name that is not configured; the message lists those there are."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        listed = ", ".join(known) or "none"
        self.text = f"unknown dataset {name!r}: there are {listed}{did_you_mean(name, known)}"
        super().__init__(self.text)

    def __str__(self) -> str:
        return self.text


def load_cases(settings: Settings, playbook: str, only: Sequence[str] | None = None) -> CaseSet:
    """Read the cases of a playbook, all at once. Arguments and errors as of ``read_cases``."""
    reading = read_cases(settings, playbook, only)
    cases = tuple(reading)
    rules = {
        case.dataset: canonical_json(case.rules.model_dump(mode="json"))
        for case in {case.dataset: case for case in cases}.values()
    }
    version = dataset_version((case.dataset, case.case_hash, rules[case.dataset]) for case in cases)
    return CaseSet(
        playbook=reading.playbook.name,
        cases=cases,
        quarantined=tuple(reading.quarantined),
        warnings=tuple(reading.warnings),
        dataset_version=version,
    )


def read_cases(
    settings: Settings, playbook: str, only: Sequence[str] | None = None
) -> "CaseReading":
    """Open the cases of a playbook, to be read one by one.

    Args:
        settings: the project.
        playbook: name of the playbook.
        only: names of datasets; those of other playbooks are passed over. By default all.

    Raises:
        KeyError: for a playbook or dataset there is none of.
    """
    known = [dataset.name for dataset in settings.datasets]
    for name in only or ():
        if name not in known:
            raise UnknownDataset(name, known)
    datasets = [d for d in settings.datasets_of(playbook) if only is None or d.name in only]
    return CaseReading(settings, get_playbook(playbook), datasets)


class CaseReading:
    """Yields the cases of some datasets as they are read; none is held.

    What was refused and what there is to warn of is in ``quarantined`` and ``warnings``, whole
    once the last case was taken.
    """

    def __init__(
        self, settings: Settings, playbook: AnyPlaybook, datasets: Sequence[DatasetConfig]
    ) -> None:
        self.settings = settings
        self.playbook = playbook
        self.datasets = datasets
        self.quarantined: list[QuarantinedRow] = []
        self.warnings: list[str] = []
        self._seen: dict[tuple[str, str], tuple[str, int]] = {}
        self._unknown: dict[str, set[str]] = {}

    def __iter__(self) -> Iterator[LoadedCase]:
        for dataset in self.datasets:
            yield from self._load(dataset)
        self.warnings += self._uncounted_warnings()

    def _load(self, dataset: DatasetConfig) -> Iterator[LoadedCase]:
        """Read one dataset; nothing in its files stops the others."""
        try:
            for path in dataset_files(self.settings, dataset):
                yield from self._load_file(dataset, path)
        except FileRefused as refusal:
            self._put_aside(dataset, dataset.path, str(refusal))

    def _load_file(self, dataset: DatasetConfig, path: Path) -> Iterator[LoadedCase]:
        file = path.relative_to(self.settings.project_dir).as_posix()
        notes = FileNotes()
        rows = 0
        rules = dataset.rules
        try:
            check_path(self.settings, path, dataset.allow_links)
            for raw in self._rows(path, notes):
                rows += 1
                self._warn_of_unknown_fields(dataset, raw)
                row = read_row(self.playbook, dataset, rules, file, raw)
                if isinstance(row, QuarantinedRow):
                    self.quarantined.append(row)
                elif self._is_first(row, raw):
                    yield row
            if rows == 0:
                self._put_aside(dataset, file, "the file is empty; add rows, or remove it")
        except (FileRefused, WrongEncoding) as fault:
            self._put_aside(dataset, file, str(fault))
        except UnicodeDecodeError as error:
            self._put_aside(
                dataset, file, f"wrong encoding: {error.reason}; save the file as UTF-8"
            )
        except OSError as error:
            self._put_aside(dataset, file, f"the file cannot be read: {error.strerror}")
        self.warnings += [f"{file}: {warning}" for warning in notes.warnings]

    def _rows(self, path: Path, notes: FileNotes) -> RawRows:
        suffix = path.suffix.lower()
        if suffix in (".jsonl", ".ndjson"):
            return read_json_lines(path, notes)
        if suffix == ".json":
            return read_json_array(path, notes)
        if suffix in (".csv", ".tsv"):
            return read_table(path, self.playbook.case_type, notes)
        raise FileRefused(
            f"unknown kind of file {suffix!r}; cases are read from {', '.join(CASE_SUFFIXES)}"
        )

    def _is_first(self, row: LoadedCase, raw: RawRow) -> bool:
        """Whether no row before has this key; a later one is put aside."""
        key, here = (row.case.test_case_id, row.case.system), (row.file, row.line)
        first = self._seen.setdefault(key, here)
        if first is here:
            return True
        reason = (
            f"duplicate key: test_case_id {row.case.test_case_id!r} of system "
            f"{row.case.system!r} stands already at {first[0]}:{first[1]}"
        )
        self.quarantined.append(
            QuarantinedRow(row.playbook, row.dataset, row.file, row.line, reason, raw.text)
        )
        return False

    def _warn_of_unknown_fields(self, dataset: DatasetConfig, raw: RawRow) -> None:
        """Warn once of each field name, with the name that may have been meant."""
        known = self._unknown.setdefault(dataset.name, set())
        case_type = self.playbook.case_type
        for name in unknown_fields(raw.value, case_type):
            if name in known:
                continue
            known.add(name)
            if len(known) <= _UNKNOWN_NAMED:
                shown = json.dumps(name[:60], ensure_ascii=False)
                hint = right_name(name, case_type)
                self.warnings.append(f"dataset {dataset.name}: field {shown} is not read{hint}")

    def _uncounted_warnings(self) -> list[str]:
        return [
            f"dataset {name}: {len(fields) - _UNKNOWN_NAMED} more fields are not read"
            for name, fields in self._unknown.items()
            if len(fields) > _UNKNOWN_NAMED
        ]

    def _put_aside(self, dataset: DatasetConfig, file: str, reason: str) -> None:
        self.quarantined.append(QuarantinedRow(self.playbook.name, dataset.name, file, 0, reason))
