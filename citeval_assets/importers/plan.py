"""What one import does to each row, decided before the first row is read."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from citeval_assets.datasets.raw import RawRow
from citeval_assets.datasets.rows import RowFault, read_case
from citeval_assets.importers.mapping import (
    LABELS,
    Assignment,
    BadMapping,
    CaseShape,
    mapped_row,
    read_map,
)
from citeval_assets.importers.options import LabelMap, read_defaults, with_value_maps
from citeval_assets.importers.paths import MISSING, FieldPath, PathMismatch
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.cases import TestCase
from citeval_assets.playbooks.vocabulary import LabelSource

DEFAULT_SYSTEM = "imported"
"""The system of rows that name none."""


@dataclass(frozen=True)
class ImportOptions:
    """The options of an import as they were given, which also is what is kept beside the rows."""

    maps: Sequence[str]
    value_maps: Sequence[str] = ()
    label_maps: Sequence[str] = ()
    defaults: Sequence[str] = ()
    cites: Sequence[str] = ()
    label_source: str = LabelSource.HUMAN


@dataclass(frozen=True)
class ImportPlan:
    """Turns rows of a foreign file into test cases of one playbook."""

    playbook: AnyPlaybook
    name: str
    shape: CaseShape
    assignments: tuple[Assignment, ...]
    labels: tuple[LabelMap, ...]
    cites: tuple[Assignment, ...]
    defaults: Mapping[str, str] = field(default_factory=dict)
    label_source: str = LabelSource.HUMAN
    may_lack_sources: bool = False

    @classmethod
    def of(cls, playbook: AnyPlaybook, name: str, options: ImportOptions) -> "ImportPlan":
        """Read the options of an import.

        Raises:
            BadMapping: naming the option that cannot be used.
        """
        shape = CaseShape(playbook.case_type)
        assignments = with_value_maps(shape, read_map(shape, options.maps), options.value_maps)
        if not assignments:
            raise BadMapping("nothing is mapped: give --map field=path at least once")
        cites = read_map(shape, options.cites)
        for cite in cites:
            if cite.target.inner or cite.target.field in shape.objects:
                raise BadMapping(f"--cite {cite.target}: only a text or a trace takes markers")
        return cls(
            playbook=playbook,
            name=name,
            shape=shape,
            assignments=assignments,
            labels=tuple(map(LabelMap.parse, options.label_maps)),
            cites=cites,
            defaults=read_defaults(shape, options.defaults),
            label_source=options.label_source,
        )

    @property
    def options_with_paths(self) -> tuple[tuple[str, FieldPath], ...]:
        """Every option that reads rows, as it was written, with the path it reads."""
        return (
            *((f"--map {a.target}={a.path.text}", a.path) for a in self.assignments),
            *((f"--label-map {label.path.text}", label.path) for label in self.labels),
            *((f"--cite {a.target}={a.path.text}", a.path) for a in self.cites),
        )

    def case_of(self, raw: RawRow) -> TestCase:
        """Return the test case a row gives.

        Raises:
            RowFault: with the reason why it gives none.
        """
        if raw.fault is not None:
            raise RowFault(raw.fault)
        try:
            row = mapped_row(self.shape, self.assignments, raw.value)
            self._label(row, raw.value)
            self._cite(row, raw.value)
        except PathMismatch as error:
            raise RowFault(str(error)) from None
        self._complete(row)
        return read_case(self.playbook, row, may_lack_sources=self.may_lack_sources)

    def _label(self, row: dict[str, Any], foreign: Any) -> None:
        found: dict[str, Any] = {}
        for label in self.labels:
            found = {**found, **label.labels_of(foreign)}
        if found:
            row[LABELS] = {**found, **(row.get(LABELS) or {})}
        if row.get(LABELS):
            row.setdefault("label_source", str(self.label_source))

    def _cite(self, row: dict[str, Any], foreign: Any) -> None:
        """Write ids that stand beside a text as markers into it."""
        for cite in self.cites:
            text, ids = row.get(cite.target.field), cite.path.read(foreign)
            if text is None or ids is MISSING or ids is None:
                continue
            if not isinstance(text, list):
                row[cite.target.field] = _marked(text, ids)
                continue
            if not isinstance(ids, list) or len(ids) != len(text):
                raise PathMismatch(
                    f"--cite {cite.target}: one list of ids is wanted for each of the "
                    f"{len(text)} steps"
                )
            row[cite.target.field] = [_marked(*pair) for pair in zip(text, ids, strict=True)]

    def _complete(self, row: dict[str, Any]) -> None:
        for name, value in self.defaults.items():
            if row.get(name) in (None, ""):
                row[name] = [value] if name in self.shape.lists else value
        if "system" not in row and self.playbook.case_type.model_fields["system"].is_required():
            row["system"] = DEFAULT_SYSTEM
        if "test_case_id" not in row:
            row["test_case_id"] = self._made_id(row)

    def _made_id(self, row: Mapping[str, Any]) -> str:
        """Return an id that follows from the question: the same for every system's answer."""
        digest = hashlib.sha256(str(row.get("question", "")).strip().encode("utf-8", "replace"))
        return f"{self.name}-{digest.hexdigest()[:12]}"


def _marked(text: Any, ids: Any) -> Any:
    """Return a text with the markers of those ids that it does not hold yet."""
    if not isinstance(text, str):
        return text
    listed = ids if isinstance(ids, list) else [ids]
    wanted = [str(i) for i in listed if i is not None and i is not MISSING and str(i).strip()]
    markers = "".join(f"[{i}]" for i in dict.fromkeys(wanted) if f"[{i}]" not in text)
    return f"{text} {markers}" if markers else text
