"""The judges: against human labels (calibration), and against injected faults (qualification)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.warehouse.judge_reading import (
    bridge_rows,
    calibration_rows,
    noise_rows,
    qualification_rows,
)
from citeval_assets.warehouse.judge_tables import (
    CalibrationRow,
    JudgeQualificationRow,
)
from citeval_assets.web.decided import decided_so_far
from citeval_assets.web.pages import NavEntry, PageModule
from citeval_assets.web.rendering import render
from citeval_assets.web.site import site_of
from citeval_assets.web.tones import Tone

_CONFLICTS = 12
_WHOLE = "*"


@dataclass(frozen=True, slots=True)
class Conflict:
    """One case on which judge and label are far apart."""

    test_case_id: str
    system: str
    judged: float
    label: float


@dataclass(frozen=True, slots=True)
class Calibrated:
    """One judge against the labels of one source. ``matrix``: label, then what was judged."""

    row: CalibrationRow
    classes: tuple[str, ...]
    matrix: tuple[tuple[str, tuple[int, ...]], ...]
    largest: int
    per_label: tuple[dict[str, Any], ...]
    conflicts: tuple[Conflict, ...]


@dataclass(frozen=True, slots=True)
class CalibratedPlaybook:
    """The judges of one playbook, those with human labels first."""

    name: str
    title: str
    human: tuple[Calibrated, ...]
    constructed: tuple[Calibrated, ...]


@dataclass(frozen=True, slots=True)
class Missed:
    """One changed case that a judge got wrong: which, and what had been changed."""

    test_case_id: str
    change: str


@dataclass(frozen=True, slots=True)
class FaultCell:
    """How one judge did on one kind of fault or harmless change."""

    hits: int
    n: int
    by_code: int
    low: float | None
    high: float | None
    rate: float | None
    tone: Tone
    word: str
    missed: tuple[Missed, ...]


@dataclass(frozen=True, slots=True)
class TriedJudge:
    """One judge that was put to the test, as a column."""

    model: str
    prompt: str
    whole: JudgeQualificationRow
    qualified: bool
    reasons: tuple[str, ...]
    false_alarms: dict[str, Any]


@dataclass(frozen=True, slots=True)
class FaultLine:
    """One kind of change, with a cell for each judge (``None``: not tried on it)."""

    name: str
    cells: tuple[FaultCell | None, ...]


@dataclass(frozen=True, slots=True)
class TriedPlaybook:
    """The judges of one playbook against injected faults and harmless changes."""

    name: str
    title: str
    judges: tuple[TriedJudge, ...]
    faults: tuple[FaultLine, ...]
    harmless: tuple[FaultLine, ...]


def show_calibration(request: Request) -> Response:
    """Show the judges against labels, and the reviewers against each other."""
    site = site_of(request)
    with site.snapshot.reading() as connection:
        rows = calibration_rows(connection)
        bridges = bridge_rows(connection)
        noise = noise_rows(connection)
    with site.ledger() as ledger:
        decided = decided_so_far(request, ledger)
    config = site.project.settings.calibration
    return render(
        request,
        "calibration.html",
        playbooks=_calibrated(rows),
        bridges=bridges,
        noise=noise,
        agreement=decided.agreement,
        upheld=decided.upheld,
        min_labels=config.min_labels,
        min_per_class=config.min_per_class,
    )


def show_qualification(request: Request) -> Response:
    """Show what each judge saw of the faults that were put in on purpose."""
    with site_of(request).snapshot.reading() as connection:
        rows = qualification_rows(connection)
    return render(request, "qualification.html", playbooks=_tried(rows))


def _title(playbook: str) -> str:
    known = all_playbooks().get(playbook)
    return known.title if known is not None else playbook


def _calibrated(rows: Sequence[CalibrationRow]) -> list[CalibratedPlaybook]:
    found: list[CalibratedPlaybook] = []
    ordered = sorted(rows, key=lambda row: (row.playbook, row.model, row.prompt_version))
    for playbook, members in groupby(ordered, key=lambda row: row.playbook):
        mine = [_calibration(row) for row in members]
        human = tuple(one for one in mine if one.row.label_source == "human")
        others = (one for one in mine if one.row.label_source != "human")
        constructed = tuple(one for one in others if one.row.n_labelled)
        found.append(CalibratedPlaybook(playbook, _title(playbook), human, constructed))
    return found


def _calibration(row: CalibrationRow) -> Calibrated:
    confusion: dict[str, dict[str, int]] = json.loads(row.confusion)
    details: dict[str, Any] = json.loads(row.details)
    classes = tuple(confusion)
    matrix = tuple((label, tuple(confusion[label].get(c, 0) for c in classes)) for label in classes)
    conflicts = sorted(
        (
            Conflict(c["test_case_id"], c["system"], c["judged"], c["label"])
            for c in details.get("conflicts") or ()
        ),
        key=lambda c: (-abs(c.judged - c.label), c.test_case_id, c.system),
    )
    return Calibrated(
        row=row,
        classes=classes,
        matrix=matrix,
        largest=max((count for _, counts in matrix for count in counts), default=0),
        per_label=tuple(json.loads(row.per_label).values()),
        conflicts=tuple(conflicts[:_CONFLICTS]),
    )


def _tried(rows: Sequence[JudgeQualificationRow]) -> list[TriedPlaybook]:
    found: list[TriedPlaybook] = []
    ordered = sorted(rows, key=lambda row: (row.playbook, row.model, row.prompt_version))
    for playbook, members in groupby(ordered, key=lambda row: row.playbook):
        mine = list(members)
        wholes = [row for row in mine if row.fault == _WHOLE]
        cells = {(row.model, row.prompt_version, row.fault): row for row in mine}
        names = dict.fromkeys(row.fault for row in mine if row.fault != _WHOLE)
        harmless = [
            name for name in names if any(r.fault == name and _is_harmless(r) for r in mine)
        ]
        faults = [name for name in names if name not in harmless]
        found.append(
            TriedPlaybook(
                name=playbook,
                title=_title(playbook),
                judges=tuple(map(_judge, wholes)),
                faults=tuple(_line(name, wholes, cells) for name in sorted(faults)),
                harmless=tuple(_line(name, wholes, cells) for name in sorted(harmless)),
            )
        )
    return found


def _is_harmless(row: JudgeQualificationRow) -> bool:
    return row.verdict.startswith("harmless")


def _judge(whole: JudgeQualificationRow) -> TriedJudge:
    return TriedJudge(
        model=whole.model,
        prompt=whole.prompt_version,
        whole=whole,
        qualified=whole.verdict == "qualified",
        reasons=tuple(json.loads(whole.reasons)),
        false_alarms=json.loads(whole.details).get("false_alarm_rate") or {},
    )


def _line(
    name: str,
    wholes: Sequence[JudgeQualificationRow],
    cells: dict[tuple[str, str, str], JudgeQualificationRow],
) -> FaultLine:
    rows = (cells.get((whole.model, whole.prompt_version, name)) for whole in wholes)
    return FaultLine(name, tuple(None if row is None else _cell(row) for row in rows))


def _cell(row: JudgeQualificationRow) -> FaultCell:
    details: dict[str, Any] = json.loads(row.details)
    if _is_harmless(row):
        alarms = row.n_false_alarms
        tone = Tone.GOOD if not alarms else Tone.BAD
        named, word = details.get("faulted") or (), "faulted" if alarms else "left alone"
        return _cell_of(row, alarms, row.n_cases, 0, tone, word, named)
    judge: dict[str, Any] = details.get("judge") or {}
    tones = {"pass": Tone.GOOD, "fail": Tone.BAD, "by_code": Tone.GOOD}
    return _cell_of(
        row,
        judge.get("hits", row.n_caught),
        judge.get("n", row.n_cases),
        details.get("by_code", 0),
        tones.get(row.verdict, Tone.PART),
        row.verdict,
        details.get("missed") or (),
    )


def _cell_of(
    row: JudgeQualificationRow,
    hits: int,
    n: int,
    by_code: int,
    tone: Tone,
    word: str,
    named: Sequence[dict[str, Any]],
) -> FaultCell:
    missed = tuple(Missed(str(m["test_case_id"]), str(m["change"])) for m in named)
    return FaultCell(hits, n, by_code, row.ci_low, row.ci_high, row.catch_rate, tone, word, missed)


PAGE = PageModule(
    routes=(Route("/calibration", show_calibration), Route("/judges", show_qualification)),
    nav=(NavEntry("/calibration", "Calibration"), NavEntry("/judges", "Judges")),
)
