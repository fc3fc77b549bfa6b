"""What a person sees beside an asset: counts, scores with interval and coverage, worst cases."""

import json
from collections.abc import Mapping, Sequence

import dagster as dg

from citeval_assets.defs.charts import SHOWN_IN_PLACE, Bar, bar_chart
from citeval_assets.evaluation.matrix import CellState, MatrixCell
from citeval_assets.evaluation.summaries import EvaluationSummary, RegisteredCases
from citeval_assets.gates.document import GateLine
from citeval_assets.gates.model import GateResult
from citeval_assets.gates.wording import (
    alarm_text,
    allowed_text,
    bounds_text,
    coverage_text,
    difference_text,
    drop_text,
    mean_text,
)
from citeval_assets.warehouse.reading import ScoreLine, WorstCase
from citeval_assets.warehouse.segments import epoch_breaks
from citeval_assets.warehouse.tables import ScoreTrendRow

Metadata = dict[str, dg.MetadataValue]

INPUTS_SUMMARY = "registered"
EVALUATION_SUMMARY = "evaluation"
"""Under these names the whole summary of a step stands in its metadata, as JSON."""


def cases_metadata(summary: RegisteredCases) -> Metadata:
    """Describe registered cases: how many, of which systems, what was refused and why."""
    metadata: Metadata = {
        "dagster/row_count": dg.MetadataValue.int(summary.cases),
        "quarantined": dg.MetadataValue.int(summary.quarantined),
        "systems": dg.MetadataValue.text(", ".join(summary.systems) or "none"),
        "dataset version": dg.MetadataValue.text(summary.dataset_version[:16]),
        INPUTS_SUMMARY: dg.MetadataValue.json(summary.model_dump(mode="json")),
    }
    if summary.quarantine_reasons:
        lines = "\n".join(f"- {_plain(reason)}" for reason in summary.quarantine_reasons)
        metadata["refused rows"] = dg.MetadataValue.md(lines)
    if summary.warnings:
        lines = "\n".join(f"- {_plain(warning)}" for warning in summary.warnings[:20])
        metadata["warnings"] = dg.MetadataValue.md(lines)
    return metadata


def evaluation_metadata(summary: EvaluationSummary) -> Metadata:
    """Describe what asking a model came to; ``evaluation`` holds all of it as JSON."""
    return {
        "dagster/row_count": dg.MetadataValue.int(summary.cases),
        "calls made": dg.MetadataValue.int(summary.calls),
        "replies reused": dg.MetadataValue.int(summary.reused_calls),
        "cost": dg.MetadataValue.text(cost_text(summary.cost_usd)),
        "mean score": dg.MetadataValue.text(score_text(summary.mean_score)),
        "coverage": dg.MetadataValue.text(share_text(summary.coverage)),
        "mean if unscored failed / passed": dg.MetadataValue.text(
            interval_text(summary.worst_case_mean, summary.best_case_mean)
        ),
        "statuses": dg.MetadataValue.text(status_text(summary)),
        EVALUATION_SUMMARY: dg.MetadataValue.json(summary.model_dump(mode="json")),
    }


def report_metadata(lines: Sequence[ScoreLine], worst: Sequence[WorstCase]) -> Metadata:
    """Describe validated reports: score per system with interval, chart, worst cases."""
    bars = [Bar(line.system, line.mean_score, line.ci_low, line.ci_high) for line in lines]
    scored = sum(line.n_scored for line in lines)
    total = sum(line.mean_score * line.n_scored for line in lines if line.mean_score is not None)
    metadata: Metadata = {
        "dagster/row_count": dg.MetadataValue.int(sum(line.n_cases for line in lines)),
        "scored": dg.MetadataValue.int(scored),
        "scores": dg.MetadataValue.md(_score_table(lines)),
        "chart": dg.MetadataValue.md(bar_chart("Mean score with 95 % interval", bars)),
        "worst cases": dg.MetadataValue.md(_worst_table(worst)),
    }
    if scored:
        metadata["mean_score"] = dg.MetadataValue.float(total / scored)
    return metadata


def cost_text(cost: float | None) -> str:
    """Write a cost; an unknown price is said, never shown as zero."""
    return "unknown (no price)" if cost is None else f"{cost:.4f} USD"


def score_text(score: float | None) -> str:
    """Write a score in 0..1, or say that nothing was scored."""
    return "nothing scored" if score is None else f"{score:.3f}"


def share_text(share: float | None) -> str:
    """Write a share as a percentage, or say that there was nothing to judge."""
    return "nothing to judge" if share is None else f"{share:.1%}"


def status_text(summary: EvaluationSummary) -> str:
    """Write the status counts in one line, the reasons of unscored cases in brackets."""
    text = (
        f"{summary.valid} valid, {summary.failed} failed validation, "
        f"{summary.indeterminate} indeterminate, {summary.errors} errors, "
        f"{summary.not_applicable} not applicable"
    )
    reasons = ", ".join(f"{reason} {count}" for reason, count in summary.unscored_reasons.items())
    return f"{text} ({reasons})" if reasons else text


def _score_table(lines: Sequence[ScoreLine]) -> str:
    rows = [
        "| system | mean | 95 % interval | scored | coverage | unscored as 0 / 1 | unscored | "
        "not applicable |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for line in lines:
        interval = interval_text(line.ci_low, line.ci_high)
        scored = f"{line.n_scored} of {line.n_cases}"
        rows.append(
            f"| {tamed(line.system)} | {score_text(line.mean_score)} | {interval} | {scored} | "
            f"{share_text(line.coverage)} | "
            f"{interval_text(line.worst_case_mean, line.best_case_mean)} | "
            f"{_causes(line.unscored_reasons)} | {line.n_not_applicable} |"
        )
    return "\n".join(rows)


def _causes(reasons: Mapping[str, int]) -> str:
    return tamed(", ".join(f"{reason} {count}" for reason, count in reasons.items())) or "-"


def _worst_table(worst: Sequence[WorstCase]) -> str:
    """Return as many of the worst cases as are shown in place."""
    if not worst:
        return "Nothing scored under 1."
    rows = ["| case | system | score | why |", "|---|---|---|---|"]
    for case in worst:
        row = (
            f"| {tamed(case.test_case_id)} | {tamed(case.system)} | "
            f"{score_text(case.score)} | {tamed(case.why)} |"
        )
        if sum(map(len, rows)) + len(rows) + len(row) >= SHOWN_IN_PLACE:
            break
        rows.append(row)
    return "\n".join(rows)


def tamed(text: str) -> str:
    """Return text that cannot leave its table cell nor become a link or an image."""
    return _plain(text).replace("|", "\\|")[:80]


def _plain(text: str) -> str:
    folded = " ".join(text.split())
    return "".join(f"\\{c}" if c in "[]!<>`*_" else c for c in folded)


def trend_table(rows: Sequence[ScoreTrendRow], limit: int = 40) -> str:
    """Return the newest trend rows as a Markdown table."""
    lines = [
        "| finished | playbook | judge | prompt | system | mean | 95 % interval | coverage | "
        "unscored as 0 / 1 | scored | unscored | epoch |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    told = list(zip(rows, epoch_breaks(rows), strict=True))
    for row, broken in reversed(told[-limit:]):
        lines.append(
            f"| {row.finished_at:%Y-%m-%d %H:%M} | {row.playbook} | {tamed(row.model)} | "
            f"{tamed(row.prompt_version)} | {tamed(row.system)} | {score_text(row.mean_score)} | "
            f"{interval_text(row.ci_low, row.ci_high)} | {share_text(row.coverage)} | "
            f"{interval_text(row.worst_case_mean, row.best_case_mean)} | "
            f"{row.n_scored} of {row.n_cases - row.n_not_applicable} | "
            f"{_causes(json.loads(row.unscored_reasons))} | "
            f"{row.epoch[:8]}{' (new: the line breaks here)' if broken else ''} |"
        )
    return "\n".join(lines)


def gate_table(lines: Sequence[GateLine]) -> str:
    """Return the verdicts of the gates as a Markdown table."""
    if not lines:
        return "No gate: nothing was compared."
    rows = [
        "| verdict | gate | metric | difference, points | allowed | pairs | detectable drop | "
        "false alarm | why |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for line in lines:
        rows.append(
            f"| {line.verdict} | {tamed(line.gate)} | {tamed(line.metric)} | "
            f"{tamed(difference_text(line))} | {allowed_text(line)} | {line.pairs} | "
            f"{drop_text(line)} | {alarm_text(line)} | {tamed('; '.join(line.reasons))} |"
        )
    return "\n".join(rows)


def gate_side_table(gates: Sequence[GateResult]) -> str:
    """Return both sides of each gate with everything that qualifies their means."""
    rows = [
        "| gate | side | mean [95 %] | unscored as 0 / 1 | scored | overridden |",
        "|---|---|---|---|---|---|",
    ]
    for gate in gates:
        for side in (gate.baseline, gate.candidate):
            if side is not None:
                rows.append(
                    f"| {tamed(gate.gate)} | {tamed(side.label)} | {tamed(mean_text(side))} | "
                    f"{bounds_text(side)} | {tamed(coverage_text(side))} | {side.overridden} |"
                )
    return "\n".join(rows)


_MATRIX_ROWS = 200
"""Rows of the matrix that are shown; ``citeval status`` has them all."""


def matrix_table(cells: Sequence[MatrixCell]) -> str:
    """Return the evaluation matrix as a Markdown table, what is not done first, with the reason."""
    lines = ["| state | why | playbook | model | prompt |", "|---|---|---|---|---|"]
    ordered = sorted(cells, key=lambda cell: cell.state is CellState.DONE)
    for cell in ordered[:_MATRIX_ROWS]:
        lines.append(
            f"| {cell.state} | {tamed('; '.join(cell.why))} | {cell.playbook} | "
            f"{tamed(cell.model)} | {tamed(cell.prompt_version)} |"
        )
    if len(ordered) > _MATRIX_ROWS:
        lines.append(f"| | and {len(ordered) - _MATRIX_ROWS} more: citeval status | | | |")
    return "\n".join(lines)


def interval_text(low: float | None, high: float | None) -> str:
    """Write an interval, or a dash where too little was scored for one."""
    return "-" if low is None or high is None else f"{low:.3f} to {high:.3f}"
