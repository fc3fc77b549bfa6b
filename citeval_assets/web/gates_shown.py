"""The gates as the overview shows them: the verdict first, then what it rests on."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from citeval_assets.gates.document import COUNTED
from citeval_assets.warehouse.tables import GateResultRow
from citeval_assets.web.rendering import count_text, points_text
from citeval_assets.web.tones import Tone, verdict_tone

_WORST_FIRST = ("fail", "inconclusive", "pass")
_CASES_SHOWN = 12


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One metric of a gate in words. ``cases`` are those the verdict names."""

    metric: str
    before: str
    after: str
    difference: str
    interval: str
    allowed: str
    pairs: int
    verdict: str
    reasons: tuple[str, ...]
    cases: tuple[str, ...]
    more_cases: int


@dataclass(frozen=True, slots=True)
class ShownGate:
    """One gate with its verdict, the worst of its lines."""

    name: str
    playbook: str
    compare: str
    baseline: str
    candidate: str
    judge: str
    prompt: str
    verdict: str
    decided_at: datetime
    lines: tuple[ShownLine, ...]

    @property
    def tone(self) -> Tone:
        """How the verdict is coloured."""
        return verdict_tone(self.verdict)


def shown_gates(rows: Sequence[GateResultRow]) -> list[ShownGate]:
    """Return the gates, those that failed first."""
    gates = [_gate(list(members)) for _, members in groupby(rows, key=lambda row: row.gate)]
    return sorted(gates, key=lambda gate: (_rank(gate.verdict), gate.name))


def _rank(verdict: str) -> int:
    return _WORST_FIRST.index(verdict) if verdict in _WORST_FIRST else len(_WORST_FIRST)


def _gate(rows: list[GateResultRow]) -> ShownGate:
    first = rows[0]
    line = json.loads(first.inputs).get("line", {})
    lines = sorted((_line(row) for row in rows), key=lambda shown: _rank(shown.verdict))
    return ShownGate(
        name=first.gate,
        playbook=first.playbook,
        compare=line.get("compare", "systems"),
        baseline=first.baseline,
        candidate=first.candidate,
        judge=first.model,
        prompt=first.prompt_version,
        verdict=min((row.verdict for row in rows), key=_rank),
        decided_at=max(row.decided_at for row in rows),
        lines=tuple(lines),
    )


def _line(row: GateResultRow) -> ShownLine:
    line = json.loads(row.inputs).get("line", {})
    counted = row.metric in COUNTED
    cases = tuple(line.get("cases") or ())
    return ShownLine(
        metric=row.metric,
        before=_value(line.get("baseline_value"), counted),
        after=_value(line.get("candidate_value"), counted),
        difference=_difference(row.difference, counted),
        interval=_interval(row),
        allowed=_value(row.threshold, counted, points=True),
        pairs=row.pairs,
        verdict=row.verdict,
        reasons=tuple(json.loads(row.reasons)),
        cases=cases[:_CASES_SHOWN],
        more_cases=max(0, len(cases) - _CASES_SHOWN),
    )


def _value(value: float | None, counted: bool, *, points: bool = False) -> str:
    if value is None:
        return "–"
    if counted:
        return count_text(int(value))
    return f"{100 * value:g} points" if points else f"{value:.3f}"


def _difference(value: float | None, counted: bool) -> str:
    if value is None:
        return "–"
    return f"{int(value):+d}".replace("-", "−") if counted else points_text(value)


def _interval(row: GateResultRow) -> str:
    if row.ci_low is None or row.ci_high is None:
        return ""
    return f"[{points_text(row.ci_low)}, {points_text(row.ci_high)}]"
