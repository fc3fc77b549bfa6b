"""Verdicts kept: in the ledger for good, with what they were drawn from, and in the warehouse.

A verdict drawn from the same inputs is the same decision, however often it is asked for. The
warehouse table is made from the ledger alone, so a rebuilt warehouse shows the same verdicts.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from citeval_assets.datasets.hashing import canonical_json
from citeval_assets.gates.document import GateLine, gate_lines
from citeval_assets.gates.model import GateResult, SideSummary
from citeval_assets.ledger import evaluations
from citeval_assets.ledger.records import GateDecision
from citeval_assets.ledger.schema import GATE_DECISIONS
from citeval_assets.ledger.store import Ledger
from citeval_assets.warehouse.tables import GateResultRow
from citeval_assets.warehouse.values import read_time

_GATE, _GATES, _ALL = "gate", "gates", "*"


def decisions_of(gate: GateResult) -> list[GateDecision]:
    """Return one decision per metric, named by the hash of everything it rests on."""
    return [_decision(gate, line) for line in gate_lines(gate)]


def _decision(gate: GateResult, line: GateLine) -> GateDecision:
    inputs = canonical_json(
        {
            "line": asdict(line),
            "settings": gate.settings,
            "sides": [_side(side) for side in (gate.baseline, gate.candidate) if side],
            "pairs_digest": gate.pairs_digest,
            "qualified": gate.qualified,
        }
    )
    named = canonical_json([line.gate, line.metric, line.verdict, inputs])
    return GateDecision(
        decision_id=hashlib.sha256(named.encode()).hexdigest()[:32],
        gate=line.gate,
        playbook=line.playbook,
        metric=line.metric,
        baseline=line.baseline,
        candidate=line.candidate,
        verdict=line.verdict,
        inputs_json=inputs,
    )


def _side(side: SideSummary) -> dict[str, object]:
    return asdict(side)


def record(ledger: Ledger, gates: Sequence[GateResult], *, all_gates: bool) -> None:
    """Record the verdicts that are new and make these the current ones.

    ``all_gates``: these are all gates there are; others that were current are so no more.
    """
    for gate in gates:
        decisions = decisions_of(gate)
        known = {found.decision_id for found in _known(ledger, [d.decision_id for d in decisions])}
        for decision in decisions:
            if decision.decision_id not in known:
                ledger.record_gate_decision(decision)
        ids = json.dumps([decision.decision_id for decision in decisions])
        ledger.make_current(_GATE, gate.gate, ids)
    names = [gate.gate for gate in gates]
    if not all_gates:
        names = list(dict.fromkeys((*_current_names(ledger), *names)))
    ledger.make_current(_GATES, _ALL, json.dumps(names))


def current_rows(ledger: Ledger) -> list[GateResultRow]:
    """Return the rows of ``gate_results``: the current verdict of each gate and metric."""
    wanted: list[str] = []
    for name in _current_names(ledger):
        wanted += json.loads(ledger.current(_GATE, name) or "[]")
    found = {decision.decision_id: decision for decision in _known(ledger, wanted)}
    return [_row(found[decision_id]) for decision_id in wanted if decision_id in found]


def _current_names(ledger: Ledger) -> list[str]:
    return json.loads(ledger.current(_GATES, _ALL) or "[]")


def _known(ledger: Ledger, ids: Sequence[str]) -> Iterable[GateDecision]:
    if not ids:
        return []
    among = GATE_DECISIONS.table.c.decision_id.in_(ids)
    return list(evaluations.walk(ledger.reading, GATE_DECISIONS, GateDecision, among))


def _row(decision: GateDecision) -> GateResultRow:
    line = json.loads(decision.inputs_json)["line"]
    low, high = line["interval"] or (None, None)
    return GateResultRow(
        gate=decision.gate,
        playbook=decision.playbook,
        metric=decision.metric,
        mode=line["mode"] or "count",
        baseline=decision.baseline,
        candidate=decision.candidate,
        model=line["judge"],
        prompt_version=line["prompt_version"],
        scope=line["scope"],
        difference=line["difference"],
        ci_low=low,
        ci_high=high,
        pairs=line["pairs"],
        detectable_drop=line["detectable_drop"],
        threshold=line["threshold"],
        overridden=line["overridden"],
        provisional=line["provisional"],
        verdict=decision.verdict,
        reasons=json.dumps(line["reasons"], ensure_ascii=False),
        inputs=decision.inputs_json,
        decision_id=decision.decision_id,
        decided_at=read_time(decision.created_at),
    )
