"""The sensors that tell people: failed runs, failed gates, drifting judges, falling trends."""

import hashlib
import json
import re

import dagster as dg

from citeval_assets.defs.gates import GATES_KEY
from citeval_assets.defs.notifiers import notifiers_of
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.evaluation.drifting import DRIFT
from citeval_assets.evaluation.falling import FALL
from citeval_assets.evaluation.notices import Notice, is_well, tell
from citeval_assets.evaluation.project import Project
from citeval_assets.gates.model import Verdict
from citeval_assets.gates.recording import current_rows
from citeval_assets.ledger.store import Ledger

_GATE_HELD = f"{GATES_KEY.path[-1]}: "
_CHECK_FAILED = "DagsterAssetCheckFailedError"
_CHANGING = re.compile(r"0x[0-9a-f]+|[0-9a-f]{8,}(?:-[0-9a-f]{4,})*|\d+")
"""What differs between two reports of the same cause: addresses, ids, numbers."""

_MOST_LINES = 12


class NotTold(RuntimeError):
    """A notice did not reach everybody; it is tried again at the next tick."""


@dg.run_failure_sensor(
    name="failed_runs",
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description=(
        "Tells of failed runs: once per job, partition and cause, until a run of it succeeds."
    ),
)
def failed_runs(
    context: dg.RunFailureSensorContext, citeval: dg.ResourceParam[ServiceFactory]
) -> None:
    """Tell what failed, with the errors in words."""
    errors = _errors(context)
    if errors and all(error.startswith(_GATE_HELD) and _CHECK_FAILED in error for error in errors):
        return  # a gate that does not pass is no fault of the run: quality_notices tells of it
    run = context.dagster_run
    topic = _run_topic(run)
    partition = run.tags.get("dagster/partition", "")
    lines = [line for error in errors for line in error.splitlines()][:_MOST_LINES]
    notice = Notice(
        kind="run_failed",
        topic=topic,
        cause=_CHANGING.sub("#", "\n".join(errors)) or context.failure_event.message or "",
        title=f"Run of {run.job_name} failed{f' for {partition}' if partition else ''}",
        lines=(*lines, f"run {run.run_id}"),
        facts={"job": run.job_name, "run_id": run.run_id, "partition": partition},
    )
    _tell(citeval.project(), notice)


@dg.run_status_sensor(
    run_status=dg.DagsterRunStatus.SUCCESS,
    name="recovered_runs",
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Notes that a job runs well again: its next failure is news.",
)
def recovered_runs(
    context: dg.RunStatusSensorContext, citeval: dg.ResourceParam[ServiceFactory]
) -> None:
    """Close the book on what failed before."""
    project = citeval.project()
    with project.open_ledger() as ledger:
        is_well(ledger, notifiers_of(project), _run_topic(context.dagster_run))


@dg.sensor(
    name="quality_notices",
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description=(
        "Tells of gates that fail (once, until they pass), of judges that drift, of models that "
        "changed silently and of trends that fell suddenly (each once)."
    ),
)
def quality_notices(
    context: dg.SensorEvaluationContext, citeval: dg.ResourceParam[ServiceFactory]
) -> dg.SkipReason:
    """Tell what the ledger knows and nobody was told."""
    project = citeval.project()
    failed: list[str] = []
    notifiers = notifiers_of(project)
    with project.open_ledger() as ledger:
        for notice in (*_gates(project, ledger), *_findings(ledger)):
            failed += tell(ledger, notifiers, notice)
    if failed:
        raise NotTold("; ".join(dict.fromkeys(failed)))
    return dg.SkipReason("everything there is to tell has been told")


def _tell(project: Project, notice: Notice) -> None:
    with project.open_ledger() as ledger:
        failed = tell(ledger, notifiers_of(project), notice)
    if failed:
        raise NotTold("; ".join(failed))


def _run_topic(run: dg.DagsterRun) -> str:
    return f"run:{run.job_name}:{run.tags.get('dagster/partition', '')}"


def _errors(context: dg.RunFailureSensorContext) -> list[str]:
    """Return what caused each failed step, or the run's own failure, in words."""
    found: list[str] = []
    for event in context.get_step_failure_events():
        error = event.step_failure_data.error
        while error is not None and error.cause is not None:
            error = error.cause
        found.append(f"{event.step_key}: {error.message.strip() if error else 'failed'}")
    return found or [context.failure_event.message or "the run failed"]


def _gates(project: Project, ledger: Ledger) -> list[Notice]:
    """Return a notice for each gate that fails; gates that pass are noted to be well."""
    found: list[Notice] = []
    for row in current_rows(ledger):
        topic = f"gate:{row.gate}:{row.metric}"
        if row.verdict == Verdict.PASS:
            is_well(ledger, notifiers_of(project), topic)
        elif row.verdict == Verdict.FAIL:
            reasons = tuple(json.loads(row.reasons))
            found.append(
                Notice(
                    kind="gate_failed",
                    topic=topic,
                    cause="fail",
                    title=f"Gate {row.gate} fails: {row.candidate} against {row.baseline}, "
                    f"{row.metric}",
                    lines=reasons[:_MOST_LINES],
                    facts={"gate": row.gate, "metric": row.metric, "decision": row.decision_id},
                )
            )
    return found


def _findings(ledger: Ledger) -> list[Notice]:
    """Return a notice for each recorded drift and fall."""
    found: list[Notice] = []
    for measurement in ledger.measurements():
        if measurement.kind not in (DRIFT, FALL):
            continue
        result = json.loads(measurement.result_json)
        words = _drift_words(result) if measurement.kind == DRIFT else result["words"]
        if words is None:
            continue
        title = {DRIFT: "A judge may have drifted", FALL: "A trend fell suddenly"}
        found.append(
            Notice(
                kind=measurement.kind,
                topic=f"{measurement.kind}:{measurement.measurement_id}",
                cause=hashlib.sha256(measurement.result_json.encode()).hexdigest(),
                title=title[measurement.kind],
                lines=(words,),
                facts={"model": measurement.model, "playbook": measurement.playbook},
            )
        )
    return found


def _drift_words(result: dict[str, object]) -> str | None:
    """Return a drift in words; ``None`` for a look that found none."""
    if "words" in result:
        return str(result["words"])
    test = result.get("test")
    if not isinstance(test, dict):
        return None
    alpha = float(test["alpha"])
    if min(float(test["p_direction"]), float(test["p_flips"])) > alpha / 2:
        return None
    return (
        f"{result['playbook']} {result['model']}|{result['prompt_version']}, {result['week']}: of "
        f"{test['cases']} cases judged anew {test['up']} score higher and {test['down']} lower "
        f"than at first (mean shift {float(test['shift']):+.3f}), {test['flips']} by more than 0.3"
    )
