"""The release gates as an asset, with checks that stop what is downstream of it."""

import hashlib

import dagster as dg

from citeval_assets.defs.automation import follows_any_cell
from citeval_assets.defs.metadata import gate_side_table, gate_table
from citeval_assets.defs.names import Citeval, reports_key
from citeval_assets.gates.deciding import worst
from citeval_assets.gates.document import gate_lines
from citeval_assets.gates.model import GateReport, GateResult, Verdict
from citeval_assets.gates.recording import decisions_of
from citeval_assets.playbooks.registry import all_playbooks

GATES_KEY = dg.AssetKey(["regression_gates"])
GROUP = "gates"
SOMETHING_COMPARED = "something_was_compared"


def gate_check_name(playbook: str) -> str:
    """Return the name of the check that holds a playbook's gates."""
    return f"{playbook}_gates_pass"


def _check_specs() -> list[dg.AssetCheckSpec]:
    specs = [
        dg.AssetCheckSpec(
            gate_check_name(playbook),
            asset=GATES_KEY,
            description=f"Every gate of {playbook} passes; an inconclusive one does not.",
            blocking=True,
        )
        for playbook in all_playbooks()
    ]
    compared = dg.AssetCheckSpec(
        SOMETHING_COMPARED,
        asset=GATES_KEY,
        description="There is a gate at all: no release passes by absence.",
        blocking=True,
    )
    return [*specs, compared]


@dg.asset(
    key=GATES_KEY,
    deps=[reports_key(name) for name in all_playbooks()],
    group_name=GROUP,
    kinds={"duckdb"},
    automation_condition=follows_any_cell(),
    check_specs=_check_specs(),
    description=(
        "Each configured comparison of a candidate with what runs today, with its verdict: "
        "gate_results. The verdicts are in the ledger with everything they were drawn from."
    ),
)
def regression_gates(context: dg.AssetExecutionContext, citeval: Citeval) -> dg.MaterializeResult:
    """Decide every gate and record the verdicts."""
    report = citeval.service(context.run.run_id).gate()
    ids = [d.decision_id for gate in report.gates for d in decisions_of(gate)]
    lines = [line for gate in report.gates for line in gate_lines(gate)]
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": len(lines),
            "verdict": dg.MetadataValue.text(str(report.verdict)),
            "verdicts": dg.MetadataValue.md(gate_table(lines)),
            "sides": dg.MetadataValue.md(gate_side_table(report.gates)),
        },
        data_version=dg.DataVersion(hashlib.sha256("".join(ids).encode()).hexdigest()),
        check_results=[*(_result(name, report) for name in all_playbooks()), _anything(report)],
    )


def _result(playbook: str, report: GateReport) -> dg.AssetCheckResult:
    gates = [gate for gate in report.gates if gate.playbook == playbook]
    held = [gate for gate in gates if not _passes(gate)]
    reasons = [f"{gate.gate} ({gate.verdict}): {'; '.join(gate.reasons)}" for gate in held]
    verdict = worst(gate.verdict for gate in gates) if gates else None
    return dg.AssetCheckResult(
        check_name=gate_check_name(playbook),
        passed=not held,
        severity=dg.AssetCheckSeverity.ERROR,
        description="\n".join(reasons) or None,
        metadata={"gates": len(gates), "verdict": str(verdict) if verdict else "no gate"},
    )


def _passes(gate: GateResult) -> bool:
    return gate.verdict is Verdict.PASS or gate.counts_as_passed


def _anything(report: GateReport) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        check_name=SOMETHING_COMPARED,
        passed=bool(report.gates),
        severity=dg.AssetCheckSeverity.ERROR,
        description=None if report.gates else "; ".join(report.reasons),
        metadata={"gates": len(report.gates)},
    )
