"""What is known of the judges, as Markdown tables for asset metadata."""

from collections.abc import Sequence

from citeval_assets.defs.metadata import interval_text, tamed
from citeval_assets.evaluation.calibrating import JudgeCalibration
from citeval_assets.qualification.standards import Qualification, Rate
from citeval_assets.warehouse.judge_reading import JudgeStanding
from citeval_assets.warehouse.judge_tables import BridgeRow


def rate_text(rate: Rate) -> str:
    """Write a rate with its interval, or a dash where there was nothing to count."""
    if rate.rate is None:
        return "-"
    return f"{rate.hits} of {rate.n} [{interval_text(rate.low, rate.high)}]"


def qualification_table(found: Qualification) -> str:
    """Return what a judge saw, fault by fault, and what it faulted that was harmless."""
    lines = ["| fault | seen by the judge | settled by code | floor | |", "|---|---|---|---|---|"]
    for fault in found.faults:
        passed = "-" if fault.passed is None else "pass" if fault.passed else "fail"
        lines.append(
            f"| {fault.fault} | {rate_text(fault.judge)} | {fault.by_code} of {fault.n} | "
            f"{fault.floor:.0%} | {passed} |"
        )
    lines += ["", "| harmless change | faulted all the same |", "|---|---|"]
    lines += [f"| {change.change} | {rate_text(change.rate)} |" for change in found.harmless]
    return "\n".join(lines)


def standing_table(standings: Sequence[JudgeStanding]) -> str:
    """Return which judges are qualified, and why others are not."""
    if not standings:
        return "No judge was put to the test yet: `citeval qualify` does."
    lines = ["| playbook | judge | prompt | qualified | why not |", "|---|---|---|---|---|"]
    lines += [
        f"| {s.playbook} | {tamed(s.model)} | {tamed(s.prompt_version)} | "
        f"{'yes' if s.qualified else 'no'} | {tamed('; '.join(s.reasons))} |"
        for s in standings
    ]
    return "\n".join(lines)


def calibration_table(found: Sequence[JudgeCalibration]) -> str:
    """Return every judge against the labels, those of people and constructed ones apart."""
    lines = [
        "| playbook | judge | prompt | labels | balanced accuracy | kappa | bias | corrected |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for one in found:
        agreed = one.agreement
        corrected = one.corrected[0].score if one.corrected else None
        shown = (
            "-"
            if corrected is None or corrected.mean is None
            else f"{corrected.mean:.3f} [{interval_text(corrected.low, corrected.high)}]"
            f" ({corrected.method})"
        )
        lines.append(
            f"| {one.playbook} | {tamed(one.model)} | {tamed(one.prompt_version)} | "
            f"{agreed.n} {agreed.label_source} ({agreed.state}) | "
            f"{_number(agreed.balanced_accuracy)} | {_number(agreed.kappa.mean)} | "
            f"{_number(agreed.bias)} | {shown} |"
        )
    return "\n".join(lines)


def bridge_table(rows: Sequence[BridgeRow]) -> str:
    """Return the known offsets between epochs."""
    lines = ["| playbook | from | to | offset | anchors |", "|---|---|---|---|---|"]
    lines += [
        f"| {row.playbook} | {tamed(f'{row.old_model}, {row.old_prompt_version}')} "
        f"{row.old_epoch[:8]} | {tamed(f'{row.new_model}, {row.new_prompt_version}')} "
        f"{row.new_epoch[:8]} | {row.score_offset:+.3f} [{interval_text(row.ci_low, row.ci_high)}]"
        f" | {row.anchors} |"
        for row in rows
    ]
    return "\n".join(lines) if rows else "No bridge between epochs."


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
