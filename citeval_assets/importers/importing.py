"""Read a foreign file, keep what fits, put aside what does not, write canonical rows.

The rows go to ``data/imported/<playbook>/<name>.jsonl``, where they are a data set without an
entry in ``citeval.yaml``. Beside them ``<name>.import.yaml`` keeps the options, the hash of the
file and the refused rows.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from citeval_assets.config.loading import IMPORTED_FOLDER
from citeval_assets.datasets.encoding import WrongEncoding
from citeval_assets.datasets.json_files import read_json_array, read_json_lines
from citeval_assets.datasets.raw import FileNotes, RawRow
from citeval_assets.datasets.rows import RowFault
from citeval_assets.datasets.tables import read_table
from citeval_assets.importers.paths import MISSING, FieldPath, PathMismatch
from citeval_assets.importers.plan import ImportOptions, ImportPlan
from citeval_assets.playbooks.cases import TestCase

ROW_SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv")
"""Kinds of files rows are read from."""

_NAMES_TOLD = 12


class ImportRefused(ValueError):
    """An import that cannot be done; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """One row that gave no test case. ``row`` is the row as it was read, shortened."""

    line: int
    reason: str
    row: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to."""

    cases: tuple[TestCase, ...]
    refused: tuple[RefusedRow, ...]
    warnings: tuple[str, ...]

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems the cases are of."""
        return tuple(sorted({case.system for case in self.cases}))

    @property
    def labelled(self) -> int:
        """How many cases carry a human score."""
        return sum(case.human_score is not None for case in self.cases)


def read_rows(file: Path, notes: FileNotes) -> Iterator[RawRow]:
    """Yield the rows of a JSON Lines, JSON, CSV or TSV file.

    Raises:
        ImportRefused: for another kind of file.
        WrongEncoding: where the file is no text.
        OSError: where it cannot be read.
    """
    suffix = file.suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        return read_json_lines(file, notes)
    if suffix == ".json":
        return read_json_array(file, notes)
    if suffix in (".csv", ".tsv"):
        return read_table(file, TestCase, notes)
    raise ImportRefused(
        f"{file}: unknown kind of file {suffix!r}; rows are read from {', '.join(ROW_SUFFIXES)}"
    )


def import_rows(file: Path, plan: ImportPlan) -> Imported:
    """Return the cases a file gives under a plan, and the rows that give none.

    Of rows with one key (test_case_id, system) the first counts.

    Raises:
        ImportRefused: where the file as a whole cannot be read.
    """
    try:
        return _import_rows(file, plan)
    except WrongEncoding as error:
        raise ImportRefused(f"{file}: {error}") from None
    except UnicodeDecodeError as error:
        raise ImportRefused(f"{file}: wrong encoding: {error.reason}; save it as UTF-8") from None
    except OSError as error:
        raise ImportRefused(f"{file} cannot be read: {error.strerror or error}") from None


def _import_rows(file: Path, plan: ImportPlan) -> Imported:
    notes = FileNotes()
    cases: dict[tuple[str, str], TestCase] = {}
    lines: dict[tuple[str, str], int] = {}
    refused: list[RefusedRow] = []
    unmet = _UnmetPaths(dict(plan.options_with_paths))
    for raw in read_rows(file, notes):
        unmet.look_at(raw)
        try:
            case = plan.case_of(raw)
            key = (case.test_case_id, case.system)
            if key in cases:
                raise RowFault(
                    f"duplicate key: test_case_id {key[0]!r} of system {key[1]!r} stands already "
                    f"at line {lines[key]}"
                )
        except RowFault as fault:
            refused.append(RefusedRow(raw.line, str(fault), raw.text))
        else:
            cases[key], lines[key] = case, raw.line
    warnings = (*notes.warnings, *unmet.warnings)
    return Imported(tuple(cases.values()), tuple(refused), warnings)


@dataclass(slots=True)
class _UnmetPaths:
    """The options whose path stands in no row so far: most likely a misspelt name."""

    left: dict[str, FieldPath]
    names: tuple[str, ...] = ()

    def look_at(self, raw: RawRow) -> None:
        """Strike off the options that find something in this row."""
        if raw.fault is not None or not self.left:
            return
        if isinstance(raw.value, Mapping) and not self.names:
            self.names = tuple(str(name) for name in cast("Mapping[object, object]", raw.value))
        self.left = {o: path for o, path in self.left.items() if not _finds(path, raw.value)}

    @property
    def warnings(self) -> tuple[str, ...]:
        """One line for each option that took nothing from the whole file."""
        if not self.names:
            return ()
        listed = ", ".join(self.names[:_NAMES_TOLD])
        return tuple(f"{o}: stands in no row; the rows have {listed}" for o in self.left)


def _finds(path: FieldPath, row: Any) -> bool:
    try:
        found = path.read(row)
    except PathMismatch:
        return True
    items = cast("list[object]", found) if isinstance(found, list) else [found]
    return found == [] or any(item is not MISSING for item in items)


def target_of(project_dir: Path, playbook: str, name: str) -> Path:
    """Return where the rows of an import go."""
    return project_dir / IMPORTED_FOLDER / playbook / f"{name}.jsonl"


def record_of(target: Path) -> Path:
    """Return where it is kept how the rows of ``target`` came about (no case file: YAML)."""
    return target.with_suffix(".import.yaml")


def canonical_row(case: TestCase) -> str:
    """Return a case as one line of JSON, in the order of the schema, without defaults."""
    content = case.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(content, ensure_ascii=False, allow_nan=False)


def file_text(imported: Imported) -> str:
    """Return the content of the file the rows go to."""
    return "".join(f"{canonical_row(case)}\n" for case in imported.cases)


def write_import(
    target: Path, file: Path, plan: ImportPlan, options: ImportOptions, imported: Imported
) -> None:
    """Write the cases and, beside them, how they came about.

    Raises:
        OSError: where the folder cannot be written.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    record = {
        "playbook": plan.playbook.name,
        "file": file.name,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "options": {**asdict(options), "label_source": str(options.label_source)},
        "rows": len(imported.cases),
        "refused": [asdict(row) for row in imported.refused],
    }
    _write(record_of(target), yaml.safe_dump(record, allow_unicode=True, sort_keys=False))
    _write(target, file_text(imported))


def _write(path: Path, text: str) -> None:
    """Put a whole file in place at once."""
    aside = path.with_name(f"{path.name}.aside")
    aside.write_text(text if text.endswith("\n") else f"{text}\n", encoding="utf-8", newline="\n")
    aside.replace(path)
