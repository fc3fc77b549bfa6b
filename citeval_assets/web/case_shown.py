"""A judged case ready to be shown: its text marked by verdict, its units, its sources."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.report import Finding, Report
from citeval_assets.review.unit_labels import choices_of
from citeval_assets.web.marks import Mark, Piece, cut, marks_of
from citeval_assets.web.named_spans import named_spans
from citeval_assets.web.subject import ShownSource, Subject, read_subject
from citeval_assets.web.tones import Tone, finding_tone

_MOST_QUOTED = 100
"""Findings whose explanations are searched for quotes: the search takes time."""


@dataclass(frozen=True, slots=True)
class ShownUnit:
    """One thing judged, with every finding about it and whether a person may label it."""

    number: int
    text: str
    findings: tuple[Finding, ...]
    tone: Tone
    labelled: bool


@dataclass(frozen=True, slots=True)
class SourceOfCase:
    """One passage, with the spans the report names. ``shortened``: not the whole of it."""

    source: ShownSource
    pieces: tuple[Piece, ...]
    cited: bool
    shortened: bool


@dataclass(frozen=True, slots=True)
class ShownCase:
    """A case with its report. ``subject`` is ``None`` where the ledger lacks its texts.

    ``details`` is the playbook's own part of the report, as plain data.
    """

    report: Report
    details: Mapping[str, Any]
    subject: Subject | None
    text: tuple[Piece, ...]
    units: tuple[ShownUnit, ...]
    sources: tuple[SourceOfCase, ...]

    @property
    def places(self) -> bool:
        """Whether anything is marked in the sources."""
        return any(piece.mark for source in self.sources for piece in source.pieces)


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
    stored = json.loads(report_json)
    details: dict[str, Any] = stored.get("details") or {}
    report = Report.model_validate({**stored, "details": {}})
    subject = read_subject(next(ledger.cases([case_hash]), None), details)
    text = subject.text if subject is not None else ""
    return ShownCase(
        report=report,
        details=details,
        subject=subject,
        text=tuple(cut(text, _text_marks(report, len(text), blind=blind))),
        units=_units(report, playbook),
        sources=_sources(subject, report, source_chars, blind=blind),
    )


def _text_marks(report: Report, length: int, *, blind: bool) -> list[Mark]:
    """Return the marks of the judged text; they name units, not findings."""
    found: list[Mark] = []
    for mark in marks_of(report.findings, length):
        units = tuple(dict.fromkeys(report.findings[n].unit_number for n in mark.findings))
        found.append(replace(mark, findings=units, tone=Tone.NONE if blind else mark.tone))
    return found


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
    subject: Subject | None, report: Report, most: int | None, *, blind: bool
) -> tuple[SourceOfCase, ...]:
    cited = {finding.source_id for finding in report.findings if finding.source_id}
    found: list[SourceOfCase] = []
    for source in subject.sources if subject is not None else ():
        marks = [] if blind else _source_marks(report, source)
        text, marks, shortened = around(source.text, marks, most or len(source.text))
        found.append(SourceOfCase(source, tuple(cut(text, marks)), source.id in cited, shortened))
    return tuple(sorted(found, key=lambda shown: not shown.cited))


def _source_marks(report: Report, source: ShownSource) -> list[Mark]:
    """Return what the report rests on; where it names no place, what the judge quotes (untoned)."""
    places: dict[tuple[int, int, Tone], list[int]] = {}
    for number, finding in enumerate(report.findings):
        spots = finding.evidence
        tone = Tone.GOOD
        if not spots and number < _MOST_QUOTED and finding.source_id in (None, source.id):
            spots, tone = named_spans(finding, [source]), Tone.NONE
        for place in spots:
            start, end = max(0, place.char_start), min(len(source.text), place.char_end)
            if place.source_id == source.id and start < end:
                places.setdefault((start, end, tone), []).append(finding.unit_number)
    return [
        Mark(start, end, tone, tuple(dict.fromkeys(units)))
        for (start, end, tone), units in sorted(places.items())
    ]


def around(text: str, marks: Sequence[Mark], most: int) -> tuple[str, list[Mark], bool]:
    """Return at most about ``most`` characters around the marks, and whether something is left out.

    Cut at blanks; the marks move with the text.
    """
    if len(text) <= most:
        return text, list(marks), False
    first = min((mark.start for mark in marks), default=0)
    last = max((mark.end for mark in marks), default=0)
    room = max(0, most - (last - first))
    start = max(0, first - room // 2)
    if start:
        blank = text.find(" ", start, first)
        start = blank + 1 if blank >= 0 else start
    end = min(len(text), max(last, start + most))
    if end < len(text):
        blank = text.rfind(" ", last, end)
        end = blank if blank > 0 else end
    moved = [replace(mark, start=mark.start - start, end=mark.end - start) for mark in marks]
    return text[start:end], moved, True
