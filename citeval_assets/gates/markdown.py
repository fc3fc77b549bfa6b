"""Verdicts as Markdown, for a comment on a pull request.

Everything that comes from cases, models and files stands in code spans: no link, mention, image
or HTML of theirs comes alive in the comment.
"""

from collections.abc import Iterator

from citeval_assets.gates.document import gate_lines
from citeval_assets.gates.model import GateReport, GateResult, SideSummary, Verdict
from citeval_assets.gates.wording import (
    alarm_text,
    allowed_text,
    bounds_text,
    coverage_text,
    difference_text,
    drop_text,
    mean_text,
)

_MARK = {Verdict.PASS: "✅", Verdict.FAIL: "❌", Verdict.INCONCLUSIVE: "⚠️"}
_SHOWN = 10
_TEXT_CHARS = 200


def gate_markdown(report: GateReport) -> str:
    """Return the report as Markdown, the verdict first."""
    lines = [f"## {_MARK[report.verdict]} citeval gate: {report.verdict}", ""]
    lines += [f"{reason}" for reason in report.reasons if not report.gates]
    if report.gates:
        lines += _verdicts(report)
        lines += _sides(report)
    for gate in report.gates:
        lines += _details(gate)
    return "\n".join(lines).rstrip() + "\n"


def _verdicts(report: GateReport) -> Iterator[str]:
    yield (
        "| | gate | metric | candidate against baseline | difference [interval], points | pairs "
        "| detectable drop | false alarm | allowed | why |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for gate in report.gates:
        for line in gate_lines(gate):
            why = "; ".join(line.reasons)
            yield (
                f"| {_MARK[Verdict(line.verdict)]} {line.verdict} | {_code(gate.gate)} | "
                f"{line.metric} | {_code(line.candidate)} against {_code(line.baseline)} | "
                f"{difference_text(line)} | {line.pairs} | {drop_text(line)} | "
                f"{alarm_text(line)} | {allowed_text(line)} | {_code(why) if why else ''} |"
            )
    yield ""


def _sides(report: GateReport) -> Iterator[str]:
    yield "| gate | side | mean [95 %] | if unscored failed / passed | scored |"
    yield "|---|---|---|---|---|"
    for gate in report.gates:
        for side in (gate.baseline, gate.candidate):
            if side is not None:
                yield _side(gate, side)
    yield ""


def _side(gate: GateResult, side: SideSummary) -> str:
    return (
        f"| {_code(gate.gate)} | {_code(side.label)} | {mean_text(side)} | {bounds_text(side)} | "
        f"{coverage_text(side)} |"
    )


def _details(gate: GateResult) -> Iterator[str]:
    if not (gate.new_failures or gate.notes or gate.patterns):
        return
    yield f"<details><summary>{len(gate.new_failures)} new failures of a gate</summary>"
    yield ""
    yield f"Gate {_code(gate.gate)}"
    yield ""
    for note in gate.notes:
        yield f"- {_code(note)}"
    for failure in gate.new_failures[:_SHOWN]:
        scores = f"{failure.baseline_score:.2f} → {failure.candidate_score:.2f}"
        yield f"- {_code(failure.test_case_id)} {scores}"
        for text in failure.texts[:2]:
            yield f"  - {_code(text)}"
    if len(gate.new_failures) > _SHOWN:
        yield f"- and {len(gate.new_failures) - _SHOWN} more"
    for pattern in gate.patterns[:_SHOWN]:
        new = "not seen before" if pattern.unseen else "new on clean cases"
        allowed = f", {len(pattern.allowed_cases)} allowed" if pattern.allowed_cases else ""
        yield f"- pattern {_code(pattern.fingerprint)}: {new}, {pattern.count} cases{allowed}"
    yield ""
    yield "</details>"
    yield ""


def _code(text: str) -> str:
    """Return text as a code span that nothing in it can close, also inside a table."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    short = plain if len(plain) <= _TEXT_CHARS else f"{plain[: _TEXT_CHARS - 1]}…"
    return "`" + (short.replace("`", "'").replace("|", "\\|") or " ") + "`"
