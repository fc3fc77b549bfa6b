"""The inbox of production traces: each file is taken in once, each trace once, by its content.

Rows are of the canonical form of their playbook, with ``produced_at`` (or ``timestamp``) where the
day they were produced is known. A file may stand in a folder of the name of its playbook, its rows
may name it, or ``sampling.playbooks`` has only one. What is refused is listed beside the files
that were taken in, with line and reason; a file is moved aside when its rows are in the ledger.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, cast

from citeval_assets.datasets.encoding import WrongEncoding
from citeval_assets.datasets.hashing import canonical_json, case_hash
from citeval_assets.datasets.json_files import read_json_lines
from citeval_assets.datasets.raw import FileNotes, RawRow
from citeval_assets.datasets.rows import PLAYBOOK_FIELD, RowFault, read_case
from citeval_assets.evaluation.project import Project
from citeval_assets.ledger.records import CaseRecord, TraceRecord
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.cases import TestCase
from citeval_assets.playbooks.registry import all_playbooks, get_playbook

SUFFIXES = (".jsonl", ".ndjson")
TIME_FIELDS = ("produced_at", "timestamp")
"""Where a row says when it was produced (ISO 8601); without, the day of arrival counts."""

_BATCH = 500
_MOST_REASONS = 20


@dataclass(frozen=True, slots=True)
class InboxFile:
    """A file that waits in the inbox, and how it looked."""

    path: Path
    name: str
    size: int
    changed_ns: int

    @property
    def looks(self) -> str:
        """What changes when the file does."""
        return f"{self.size}:{self.changed_ns}"


@dataclass(frozen=True, slots=True)
class RefusedTrace:
    """A row of the inbox that is no trace, and why. ``line`` 0: the whole file."""

    file: str
    line: int
    reason: str
    row: str = ""


@dataclass(slots=True)
class Intake:
    """What taking in the files of the inbox came to."""

    files: list[str] = field(default_factory=list[str])
    new: int = 0
    known: int = 0
    refused: list[RefusedTrace] = field(default_factory=list[RefusedTrace])

    @property
    def reasons(self) -> list[str]:
        """The first refused rows, in words."""
        return [f"{r.file}:{r.line}: {r.reason}" for r in self.refused[:_MOST_REASONS]]


@dataclass(frozen=True, slots=True)
class _Trace:
    record: TraceRecord
    case: CaseRecord
    row: RawRow


def waiting_files(project: Project) -> list[InboxFile]:
    """List the trace files of the inbox; hidden ones and links are passed over."""
    inbox = project.settings.inbox
    found: list[InboxFile] = []
    for path in sorted(inbox.rglob("*")) if inbox.is_dir() else ():
        if path.suffix.lower() not in SUFFIXES or path.name.startswith(".") or path.is_symlink():
            continue
        looked = path.stat()
        name = path.relative_to(inbox).as_posix()
        found.append(InboxFile(path, name, looked.st_size, looked.st_mtime_ns))
    return found


def take_in(project: Project, ledger: Ledger, *, today: date, only: Mapping[str, str]) -> Intake:
    """Take in the files of the inbox.

    Args:
        project: whose inbox it is.
        ledger: where traces are kept.
        today: the day of arrival (UTC).
        only: the files to take, by name, with their looks; a file that looks otherwise by now is
            still being written and waits. Empty: all files.
    """
    done = Intake()
    for file in waiting_files(project):
        if only and only.get(file.name) != file.looks:
            continue
        _take_file(project, ledger, file, today, done)
    return done


def _take_file(
    project: Project, ledger: Ledger, file: InboxFile, today: date, done: Intake
) -> None:
    refused_before = len(done.refused)
    try:
        for batch in _batches(_traces(project, file, today, done)):
            _take_batch(ledger, batch, file.name, done)
    except (WrongEncoding, UnicodeDecodeError) as error:
        done.refused.append(RefusedTrace(file.name, 0, f"wrong encoding: {error}; save as UTF-8"))
    _set_aside(project, file, done.refused[refused_before:])
    done.files.append(file.name)


def _traces(project: Project, file: InboxFile, today: date, done: Intake) -> Iterator[_Trace]:
    """Yield the traces of a file; rows that are none are noted as refused."""
    for row in read_json_lines(file.path, FileNotes()):
        try:
            yield _trace(project, file, row, today)
        except RowFault as fault:
            done.refused.append(RefusedTrace(file.name, row.line, str(fault), row.text))


def _trace(project: Project, file: InboxFile, row: RawRow, today: date) -> _Trace:
    if row.fault is not None:
        raise RowFault(row.fault)
    if not isinstance(row.value, Mapping):
        raise RowFault("a row must be an object with named fields")
    value = cast("Mapping[str, Any]", row.value)
    playbook = _playbook_of(project, file, value)
    retriever = project.settings.sampling.retriever
    case = read_case(get_playbook(playbook), value, may_lack_sources=retriever is not None)
    hashed = case_hash(playbook, case)
    names = (hashed, playbook, case.test_case_id, case.system)
    record = TraceRecord(*names, day=_day_of(value, today).isoformat(), file=file.name)
    return _Trace(record, CaseRecord(*names, canonical_json=_stored(case)), row)


def _stored(case: TestCase) -> str:
    return canonical_json(case.model_dump(mode="json", exclude_defaults=True))


def _playbook_of(project: Project, file: InboxFile, row: Mapping[str, Any]) -> str:
    sampled = project.settings.sampling.playbooks
    folder = file.name.split("/")[0] if "/" in file.name else None
    named = row.get(PLAYBOOK_FIELD) or folder or (sampled[0] if len(sampled) == 1 else None)
    if named is None:
        raise RowFault(
            f"no playbook: name it in the field {PLAYBOOK_FIELD!r}, or put the file into "
            "inbox/<playbook>/"
        )
    if named not in all_playbooks():
        raise RowFault(f"unknown playbook {str(named)[:60]!r}: there are {_listed()}")
    return str(named)


def _listed() -> str:
    return ", ".join(all_playbooks())


def _day_of(row: Mapping[str, Any], today: date) -> date:
    for name in TIME_FIELDS:
        value = row.get(name)
        if value is None:
            continue
        try:
            moment = datetime.fromisoformat(str(value))
        except ValueError:
            raise RowFault(f"{name}: {str(value)[:60]!r} is no ISO 8601 time") from None
        day = (moment.astimezone(UTC) if moment.tzinfo else moment).date()
        if day > today:
            raise RowFault(f"{name}: {str(value)[:60]!r} lies in the future")
        return day
    return today


def _batches(traces: Iterator[_Trace]) -> Iterator[list[_Trace]]:
    batch: list[_Trace] = []
    for trace in traces:
        batch.append(trace)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _take_batch(ledger: Ledger, batch: list[_Trace], file: str, done: Intake) -> None:
    known: dict[tuple[str, str, str], str] = {}
    for playbook in {trace.record.playbook for trace in batch}:
        ids = {t.record.test_case_id for t in batch if t.record.playbook == playbook}
        for (name, system), hashed in ledger.traces_named(playbook, ids).items():
            known[playbook, name, system] = hashed
    fresh: dict[str, _Trace] = {}
    for trace in batch:
        record = trace.record
        key = (record.playbook, record.test_case_id, record.system)
        stands = known.setdefault(key, record.case_hash)
        if stands != record.case_hash:
            reason = (
                f"duplicate key: test_case_id {record.test_case_id!r} of system {record.system!r} "
                "was taken in before with another content; give the trace an id of its own"
            )
            done.refused.append(RefusedTrace(file, trace.row.line, reason, trace.row.text))
        else:
            fresh.setdefault(record.case_hash, trace)
    added = ledger.take_traces([t.record for t in fresh.values()], [t.case for t in fresh.values()])
    done.new += added
    done.known += len(fresh) - added


def _set_aside(project: Project, file: InboxFile, refused: list[RefusedTrace]) -> None:
    """Move a file out of the inbox, under a name no other file has, with what was refused."""
    folder = project.settings.inbox.parent
    digest = hashlib.sha256(file.path.read_bytes()).hexdigest()[:12]
    name = Path(file.name)
    if refused:
        target = folder / "refused" / name.with_name(f"{name.stem}-{digest}.jsonl")
        target.parent.mkdir(parents=True, exist_ok=True)
        lines = (json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in refused)
        target.write_text("".join(lines), encoding="utf-8")
    target = folder / "taken" / name.with_name(f"{name.stem}-{digest}{name.suffix}")
    target.parent.mkdir(parents=True, exist_ok=True)
    file.path.replace(target)
