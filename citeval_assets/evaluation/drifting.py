"""The weekly canary: a fixed set, judged anew, shows whether a judge still judges as it did.

The set of a playbook is drawn once and stays, whatever becomes of the files. What the judge said
the first time under its present conditions is what it is held against. Each week is a repetition
of its own number, so a look that broke off goes on without paying twice.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from pydantic import TypeAdapter

from citeval_assets.config.automation import CanaryConfig
from citeval_assets.datasets.hashing import canonical_json
from citeval_assets.evaluation.bridging import AnchorSet, anchor_set
from citeval_assets.evaluation.cases import prepared_cases, rules_of
from citeval_assets.evaluation.judges import Bench
from citeval_assets.evaluation.partition import cell_epoch_of
from citeval_assets.evaluation.project import Cell
from citeval_assets.ledger.records import JudgeMeasurement
from citeval_assets.ledger.store import Ledger
from citeval_assets.statistics.drift import DriftTest, drift_test

DRIFT = "drift"
CANARY_REPEATS = 10_000_000
"""Repetitions from here on are the weekly canaries, numbered by year and week."""

_SET, _BASELINE = "canary_set", "canary_baseline"
_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)


@dataclass(frozen=True, slots=True)
class DriftFound:
    """How one judge did in one week. ``test`` is ``None`` where this was its first look."""

    playbook: str
    model: str
    prompt_version: str
    week: str
    cases: int
    test: DriftTest | None

    @property
    def drifted(self) -> bool:
        """Whether the judge judges otherwise than it did."""
        return self.test is not None and self.test.drifted


def measure_drift(bench: Bench, cell: Cell, day: date, config: CanaryConfig) -> DriftFound:
    """Judge the canary set anew and hold it against the first time; record what was found."""
    year, week, _ = day.isocalendar()
    anchors = canary_set(bench, cell.playbook, config.cases)
    epoch = cell_epoch_of(bench.project, cell, rules_of(anchors.dataset))
    name = json.dumps([cell.playbook, cell.model, cell.prompt_version, epoch])
    stored = bench.ledger.current(_BASELINE, name)
    if stored is None:
        before = _scores(bench, cell, anchors, 0)
        if before:
            bench.ledger.make_current(_BASELINE, name, canonical_json(before))
        test = None
    else:
        before = json.loads(stored)
        after = _scores(bench, cell, anchors, CANARY_REPEATS + year * 100 + week)
        both = sorted(before.keys() & after.keys())
        test = drift_test(
            [before[case] for case in both], [after[case] for case in both], alpha=config.alpha
        )
    found = DriftFound(
        cell.playbook, cell.model, cell.prompt_version, f"{year}-W{week:02d}", len(before), test
    )
    record_found(bench.ledger, cell, epoch, asdict(found), bench.run_id)
    return found


def record_found(
    ledger: Ledger, cell: Cell, epoch: str, result: object, run_id: str, kind: str = DRIFT
) -> JudgeMeasurement:
    """Record what was found out about a judge; the same finding is recorded once."""
    text = canonical_json(_ANYTHING.dump_python(result, mode="json"))
    basis = canonical_json([kind, *asdict(cell).values(), epoch, text])
    measurement = JudgeMeasurement(
        measurement_id=hashlib.sha256(basis.encode()).hexdigest()[:32],
        kind=kind,
        playbook=cell.playbook,
        model=cell.model,
        prompt_version=cell.prompt_version,
        epoch=epoch,
        result_json=text,
        run_id=run_id,
    )
    ledger.record_measurement(measurement)
    return measurement


def canary_set(bench: Bench, playbook: str, size: int) -> AnchorSet:
    """Return the fixed set of a playbook, drawing it where there is none of this size yet."""
    name = f"{playbook}/{size}"
    stored = bench.ledger.current(_SET, name)
    if stored is not None:
        version, hashes = json.loads(stored)
        dataset = bench.ledger.dataset(playbook, version)
        if dataset is not None:
            members = [m for m in dataset.members if m.case_hash in set(hashes)]
            return AnchorSet(dataset, tuple(prepared_cases(bench.ledger, dataset, members)))
    anchors = anchor_set(bench, playbook, size)
    chosen = [anchors.dataset.dataset_version, [case.case_hash for case in anchors.cases]]
    bench.ledger.make_current(_SET, name, canonical_json(chosen))
    return anchors


def _scores(bench: Bench, cell: Cell, anchors: AnchorSet, repeat: int) -> dict[str, float]:
    policy = replace(bench.policy_of(cell), repeat=repeat)
    return dict(bench.scores(cell, anchors.dataset.dataset_version, anchors.cases, policy))
