"""A judged case ready to be shown: its text marked by verdict, its units, its sources."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.cases import Source, TestCase
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.report import Finding, Report
from citeval_assets.review.unit_labels import choices_of
from citeval_assets.web.marked import Mark, Piece, around, pieces
from citeval_assets.web.tones import Tone, finding_tone


@dataclass(frozen=True, slots=True)
class ShownUnit:
    """One thing judged, with every finding about it and whether a person may label it."""

    number: int
    text: str
    findings: tuple[Finding, ...]
    tone: Tone
    labelled: bool


@dataclass(frozen=True, slots=True)
class ShownSource:
    """One passage, with the spans the report names. ``shortened``: not the whole of it."""

    source: Source
    pieces: tuple[Piece, ...]
    cited: bool
    shortened: bool


@dataclass(frozen=True, slots=True)
class ShownCase:
    """A case with its report. ``case`` is ``None`` where the ledger lacks its text.

    ``details`` is the playbook's own part of the report, as plain data.
    """

    report: Report
    details: Mapping[str, Any]
    case: TestCase | None
    text: tuple[Piece, ...]
    units: tuple[ShownUnit, ...]
    sources: tuple[ShownSource, ...]


def show_case(
    ledger: Ledger,
    playbook: str,
    case_hash: str,
    report_json: str,
    *,
    blind: bool = False,
    source_chars: int | None = None,
) -> ShownCase:
    """Return a case as it is shown.

    Args:
        ledger: where its texts are.
        playbook: its playbook.
        case_hash: which case.
        report_json: the report, as the warehouse keeps it.
        blind: leave out of the marks whatever would give the verdict away.
        source_chars: show about so much of each source, around what is marked; by default all.
    """
    report = Report.model_validate_json(report_json)
    details: dict[str, Any] = json.loads(report_json).get("details") or {}
    case = _case(ledger, playbook, case_hash)
    return ShownCase(
        report=report,
        details=details,
        case=case,
        text=pieces(_judged_text(case, details), _unit_marks(report, blind=blind)),
        units=_units(report, playbook),
        sources=_sources(case, report, source_chars, blind=blind),
    )


def _case(ledger: Ledger, playbook: str, case_hash: str) -> TestCase | None:
    known = all_playbooks().get(playbook)
    if known is None:
        return None
    for record in ledger.cases([case_hash]):
        return known.case_type.model_validate_json(record.canonical_json)
    return None


def _judged_text(case: TestCase | None, details: Mapping[str, Any]) -> str:
    """Return the text the offsets of the findings count in."""
    written = details.get("answer")
    if isinstance(written, str) and written:
        return written
    if case is None:
        return ""
    trace = getattr(case, "reasoning_trace", None) or ""
    steps = trace if isinstance(trace, str) else "\n".join(trace)
    return case.judged_text or steps or getattr(case, "answer", None) or ""


def _unit_marks(report: Report, *, blind: bool) -> list[Mark]:
    return [
        Mark(
            finding.char_start,
            finding.char_end,
            finding.unit_number,
            "none" if blind else str(finding_tone(finding.label, finding.weight)),
        )
        for finding in report.findings
        if finding.char_start is not None and finding.char_end is not None
    ]


def _units(report: Report, playbook: str) -> tuple[ShownUnit, ...]:
    by_number: dict[int, list[Finding]] = {}
    for finding in report.findings:
        by_number.setdefault(finding.unit_number, []).append(finding)
    choices = choices_of(playbook)
    return tuple(
        ShownUnit(
            number=number,
            text=findings[0].text,
            findings=tuple(findings),
            tone=min(
                (finding_tone(f.label, f.weight) for f in findings), key=lambda tone: tone.rank
            ),
            labelled=bool(choices) and any(f.weight is not None for f in findings),
        )
        for number, findings in sorted(by_number.items())
    )


def _sources(
    case: TestCase | None, report: Report, most: int | None, *, blind: bool
) -> tuple[ShownSource, ...]:
    cited = {finding.source_id for finding in report.findings if finding.source_id}
    found: list[ShownSource] = []
    for source in case.unique_sources if case is not None else ():
        marks = [
            Mark(place.char_start, place.char_end, finding.unit_number, "good")
            for finding in report.findings
            for place in finding.evidence
            if place.source_id == source.id and not blind
        ]
        text, marks, shortened = around(source.text, marks, most or len(source.text))
        found.append(ShownSource(source, pieces(text, marks), source.id in cited, shortened))
    return tuple(sorted(found, key=lambda shown: not shown.cited))
