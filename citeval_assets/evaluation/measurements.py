"""What was found out about the judges: into the ledger once, into the warehouse at will."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from pydantic import TypeAdapter

from citeval_assets.calibration.bridging import Bridge
from citeval_assets.datasets.hashing import canonical_json
from citeval_assets.ledger.records import JudgeMeasurement
from citeval_assets.ledger.store import Ledger
from citeval_assets.qualification.standards import FaultResult, HarmlessResult, Qualification, Rate
from citeval_assets.statistics.repeats import JudgeNoise
from citeval_assets.warehouse.connection import Warehouse
from citeval_assets.warehouse.judge_tables import (
    BridgeRow,
    JudgeNoiseRow,
    JudgeQualificationRow,
)
from citeval_assets.warehouse.values import canonical, read_time
from citeval_assets.warehouse.writers import write_judge_findings

QUALIFICATION, BRIDGE, NOISE = "qualification", "bridge", "noise"
WHOLE = "*"
"""In the place of a fault: the qualification as a whole."""

_QUALIFICATION: TypeAdapter[Qualification] = TypeAdapter(Qualification)
_BRIDGE: TypeAdapter[Bridge] = TypeAdapter(Bridge)
_NOISE: TypeAdapter[JudgeNoise] = TypeAdapter(JudgeNoise)
_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)


def record_qualification(ledger: Ledger, found: Qualification, run_id: str) -> None:
    """Record the qualification of a judge; it replaces an earlier one."""
    judge = (found.playbook, found.model, found.prompt_version)
    _record(ledger, QUALIFICATION, judge, found.epoch, found, run_id, judge)


def record_bridge(ledger: Ledger, found: Bridge, run_id: str) -> None:
    """Record a bridge; it replaces an earlier one between the same epochs."""
    new = found.new
    judge = (found.playbook, new.model, new.prompt_version)
    between = (found.playbook, found.old.epoch, new.epoch)
    _record(ledger, BRIDGE, judge, new.epoch, found, run_id, between)


def record_noise(
    ledger: Ledger, judge: tuple[str, str, str], epoch: str, found: JudgeNoise, run_id: str
) -> None:
    """Record the noise of a judge (playbook, model, prompt version) under an epoch."""
    _record(ledger, NOISE, judge, epoch, found, run_id, (*judge, epoch))


def _record(
    ledger: Ledger,
    kind: str,
    judge: tuple[str, str, str],
    epoch: str,
    found: object,
    run_id: str,
    name: tuple[str, ...],
) -> None:
    playbook, model, prompt_version = judge
    result = canonical_json(_ANYTHING.dump_python(found, mode="json"))
    basis = canonical_json([kind, playbook, model, prompt_version, epoch, result])
    measurement = JudgeMeasurement(
        measurement_id=hashlib.sha256(basis.encode()).hexdigest()[:32],
        kind=kind,
        playbook=playbook,
        model=model,
        prompt_version=prompt_version,
        epoch=epoch,
        result_json=result,
        run_id=run_id,
    )
    ledger.record_measurement(measurement)
    ledger.make_current("measurement", json.dumps([kind, *name]), measurement.measurement_id)


def show_measurements(ledger: Ledger, warehouse: Warehouse) -> None:
    """Write all that is current anew from the ledger: the same rows, however often."""
    qualification: list[JudgeQualificationRow] = []
    bridges: list[BridgeRow] = []
    noise: list[JudgeNoiseRow] = []
    for measurement in ledger.measurements():
        if measurement.kind == QUALIFICATION:
            found = _QUALIFICATION.validate_json(measurement.result_json)
            judge = (found.playbook, found.model, found.prompt_version)
            if _current(ledger, measurement, judge):
                qualification.extend(_qualification_rows(found, measurement))
        elif measurement.kind == BRIDGE:
            bridge = _BRIDGE.validate_json(measurement.result_json)
            between = (bridge.playbook, bridge.old.epoch, bridge.new.epoch)
            if _current(ledger, measurement, between):
                bridges.append(_bridge_row(bridge, measurement))
        elif measurement.kind == NOISE and _current(ledger, measurement, _noise_name(measurement)):
            noise.append(_noise_row(_NOISE.validate_json(measurement.result_json), measurement))
    write_judge_findings(warehouse, qualification, bridges, noise)


def _noise_name(measurement: JudgeMeasurement) -> tuple[str, ...]:
    judge = (measurement.playbook, measurement.model, measurement.prompt_version)
    return (*judge, measurement.epoch)


def _current(ledger: Ledger, measurement: JudgeMeasurement, name: tuple[str, ...]) -> bool:
    key = json.dumps([measurement.kind, *name])
    return ledger.current("measurement", key) == measurement.measurement_id


def _qualification_rows(
    found: Qualification, measurement: JudgeMeasurement
) -> Iterator[JudgeQualificationRow]:
    def row(
        fault: str, n: int, unscored: int, caught: int, alarms: int, rate: Rate, **further: Any
    ) -> JudgeQualificationRow:
        return JudgeQualificationRow(
            playbook=found.playbook,
            model=found.model,
            prompt_version=found.prompt_version,
            epoch=found.epoch,
            fault=fault,
            n_cases=n,
            n_unscored=unscored,
            n_caught=caught,
            n_false_alarms=alarms,
            catch_rate=rate.rate,
            ci_low=rate.low,
            ci_high=rate.high,
            computed_at=read_time(measurement.created_at),
            **further,
        )

    yield row(
        WHOLE,
        sum(fault.n for fault in found.faults),
        found.unscored,
        sum(fault.caught for fault in found.faults),
        found.false_alarms.hits,
        found.detection,
        verdict="qualified" if found.qualified else "not_qualified",
        reasons=canonical(list(found.reasons)),
        details=canonical(
            {
                "clean_cases": found.clean_cases,
                "mutants": found.mutants,
                "seed": found.seed,
                "false_alarm_rate": _plain(found.false_alarms),
            }
        ),
    )
    for fault in found.faults:
        yield row(
            fault.fault,
            fault.n,
            fault.unscored,
            fault.caught,
            0,
            fault.judge,
            verdict=_fault_verdict(fault),
            reasons="[]",
            details=canonical(_plain(fault)),
        )
    for harmless in found.harmless:
        yield row(
            harmless.change,
            harmless.n,
            harmless.unscored,
            0,
            harmless.false_alarms,
            harmless.rate,
            verdict=_harmless_verdict(harmless),
            reasons="[]",
            details=canonical(_plain(harmless)),
        )


def _plain(found: object) -> Any:
    return _ANYTHING.dump_python(found, mode="json")


def _fault_verdict(fault: FaultResult) -> str:
    if fault.passed is not None:
        return "pass" if fault.passed else "fail"
    return "by_code" if fault.n and fault.by_code == fault.n else "too_few"


def _harmless_verdict(harmless: HarmlessResult) -> str:
    if not harmless.n:
        return "too_few"
    return "harmless: faulted" if harmless.false_alarms else "harmless: passed"


def _bridge_row(found: Bridge, measurement: JudgeMeasurement) -> BridgeRow:
    return BridgeRow(
        measurement_id=measurement.measurement_id,
        playbook=found.playbook,
        old_model=found.old.model,
        old_prompt_version=found.old.prompt_version,
        old_epoch=found.old.epoch,
        new_model=found.new.model,
        new_prompt_version=found.new.prompt_version,
        new_epoch=found.new.epoch,
        anchors=found.anchors,
        changed=found.changed,
        score_offset=found.offset,
        ci_low=found.low,
        ci_high=found.high,
        old_mean=found.old_mean,
        new_mean=found.new_mean,
        computed_at=read_time(measurement.created_at),
    )


def _noise_row(found: JudgeNoise, measurement: JudgeMeasurement) -> JudgeNoiseRow:
    return JudgeNoiseRow(
        measurement_id=measurement.measurement_id,
        playbook=measurement.playbook,
        model=measurement.model,
        prompt_version=measurement.prompt_version,
        epoch=measurement.epoch,
        cases=found.cases,
        measurements=found.measurements,
        variance=found.variance,
        deviation=found.deviation,
        largest_spread=found.largest_spread,
        computed_at=read_time(measurement.created_at),
    )
