"""One case: the text with every finding marked, the source behind each, and all that was recorded.

A finding is chosen by the address (``finding=3``), so that it can be shared; the script only saves
loading the whole page anew.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from citeval_assets.ledger.records import StoredCall
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.report import Disagreement, Evidence, Finding, Report
from citeval_assets.text.markers import scan_citations
from citeval_assets.text.spans import Span
from citeval_assets.warehouse.page_reading import (
    AttemptRow,
    CaseKey,
    Connection,
    ListedCase,
    StoredReport,
    attempts_of,
    queued_item,
    reports_of_case,
    stored_report,
)
from citeval_assets.warehouse.reading import CaseMoment, case_history
from citeval_assets.web.marks import (
    Piece,
    SourceView,
    cut,
    marks_of,
    source_view,
    with_markers,
)
from citeval_assets.web.named_spans import named_spans
from citeval_assets.web.pages import PageModule
from citeval_assets.web.rendering import render, whole_number
from citeval_assets.web.site import site_of
from citeval_assets.web.subject import ShownSource, Subject, read_subject

_MOST_FINDINGS = 2_000
"""Findings shown of one report; a report with more says how many it left out."""

_LONGEST_TEXT = 400_000
"""Characters of a judged text that are shown."""


@dataclass(frozen=True, slots=True)
class ChosenFinding:
    """The finding whose source is shown, and other passages it rests on.

    ``named``: the spans shown are those that the judge quotes, for want of spans on record.
    """

    number: int
    finding: Finding
    source: ShownSource | None
    view: SourceView | None
    more: tuple[tuple[ShownSource, SourceView], ...]
    disagreements: tuple[Disagreement, ...]
    named: bool
    previous: int | None
    next: int | None


@dataclass(frozen=True, slots=True)
class AttemptShown:
    """One request with its reply, from the snapshot, and its full record from the ledger."""

    row: AttemptRow
    call: StoredCall | None
    messages: tuple[tuple[str, str], ...]
    record: tuple[tuple[str, str], ...]


def case(request: Request) -> Response:
    """Show one report of one case."""
    query = request.query_params
    playbook, test_case_id = query.get("playbook", ""), query.get("case", "")
    if not playbook or not test_case_id:
        raise HTTPException(404, "The address names no case: it needs playbook= and case=.")
    site = site_of(request)
    with site.snapshot.reading() as connection:
        reports = reports_of_case(connection, playbook, test_case_id)
        history = case_history(connection, playbook, test_case_id)
        found = _find(connection, query, reports, history)
        if found is None:
            raise HTTPException(
                404,
                f"The published snapshot has no report of {test_case_id!r} in {playbook!r} that "
                "fits this address. It may have been judged under another name, or not yet.",
            )
        key, stored = found
        rows = attempts_of(connection, stored.evaluation_id, key)
        item = queued_item(connection, key)
    with site.ledger() as ledger:
        record = next(ledger.cases([stored.case_hash]), None)
        calls = ledger.calls([row.call_id for row in rows])
    report = Report.model_validate({**stored.report, "details": {}})
    details: dict[str, Any] = stored.report.get("details") or {}
    subject = read_subject(record, details)
    findings = report.findings[:_MOST_FINDINGS]
    text = (subject.text if subject else "")[:_LONGEST_TEXT]
    known = all_playbooks()
    return render(
        request,
        "case.html",
        key=key,
        title=known[playbook].title if playbook in known else playbook,
        stored=stored,
        report=report,
        details=_details(details),
        subject=subject,
        pieces=_pieces(text, findings, subject),
        findings=findings,
        left_out=len(report.findings) - len(findings),
        chosen=_chosen(query.get("finding"), report, findings, subject),
        attempts=[_attempt(row, calls.get(row.call_id)) for row in rows],
        siblings=reports,
        current=_is_current(stored, key, reports),
        item=item,
        history=[m for m in reversed(history) if m.system == key.system],
        link=_linker(key, stored, reports),
    )


def _find(
    connection: Connection,
    query: Mapping[str, str],
    reports: Sequence[ListedCase],
    history: Sequence[CaseMoment],
) -> tuple[CaseKey, StoredReport] | None:
    """Return the report an address means: the named one, else the worst current one."""
    wanted = {name: query.get(name) for name in ("system", "judge", "prompt", "evaluation")}

    def fits(system: str, model: str, prompt: str, evaluation: str) -> bool:
        have = {"system": system, "judge": model, "prompt": prompt, "evaluation": evaluation}
        return all(not value or have[name] == value for name, value in wanted.items())

    places = [
        (r.evaluation_id, CaseKey(r.playbook, r.test_case_id, r.system, r.model, r.prompt_version))
        for r in sorted(reports, key=lambda r: (r.score is None, r.score or 0.0))
        if fits(r.system, r.model, r.prompt_version, r.evaluation_id)
    ]
    playbook, case_id = query.get("playbook", ""), query.get("case", "")
    places += [
        (m.evaluation_id, CaseKey(playbook, case_id, m.system, m.model, m.prompt_version))
        for m in reversed(history)
        if fits(m.system, m.model, m.prompt_version, m.evaluation_id)
    ]
    for evaluation_id, key in places[:1]:
        stored = stored_report(connection, evaluation_id, key)
        if stored is not None:
            return key, stored
    return None


def _is_current(stored: StoredReport, key: CaseKey, reports: Sequence[ListedCase]) -> bool:
    return any(r.evaluation_id == stored.evaluation_id and r.system == key.system for r in reports)


def _linker(key: CaseKey, stored: StoredReport, reports: Sequence[ListedCase]) -> dict[str, Any]:
    """Return the parameters of an address that leads to this very report."""
    parameters: dict[str, Any] = {
        "playbook": key.playbook,
        "case": key.test_case_id,
        "system": key.system,
        "judge": key.model,
        "prompt": key.prompt_version,
    }
    if not _is_current(stored, key, reports):
        parameters["evaluation"] = stored.evaluation_id
    return parameters


def _pieces(text: str, findings: Sequence[Finding], subject: Subject | None) -> list[Piece]:
    marks = marks_of(findings, len(text))
    if subject is not None and marks:
        scan = scan_citations(text, [source.id for source in subject.sources])
        markers = [Span(marker.start, marker.end) for marker in scan.markers]
        marks = with_markers(text, marks, markers)
    return cut(text, marks)


def _chosen(
    asked: str | None, report: Report, findings: Sequence[Finding], subject: Subject | None
) -> ChosenFinding | None:
    """Return the finding the address names, else the worst one."""
    if not findings:
        return None
    number = whole_number(asked, -1)
    if not 0 <= number < len(findings):
        number = min(range(len(findings)), key=lambda n: (_weight(findings[n]), n))
    finding = findings[number]
    rests_on = _rests_on(finding, subject)
    named = () if finding.evidence else named_spans(finding, rests_on)
    views = [(source, _view(source, finding.evidence or named)) for source in rests_on]
    source, view = views[0] if views else (None, None)
    mine = tuple(d for d in report.judge_disagreements if d.unit_number == finding.unit_number)
    return ChosenFinding(
        number=number,
        finding=finding,
        source=source,
        view=view,
        more=tuple(views[1:]),
        disagreements=mine,
        named=bool(named),
        previous=number - 1 if number > 0 else None,
        next=number + 1 if number + 1 < len(findings) else None,
    )


def _weight(finding: Finding) -> float:
    return 2.0 if finding.weight is None else finding.weight


def _rests_on(finding: Finding, subject: Subject | None) -> list[ShownSource]:
    """Return the passages of a finding: where its evidence stands, then the one it cites."""
    if subject is None:
        return []
    ids = [e.source_id for e in finding.evidence]
    ids += [i for i in (finding.source_id, finding.quote_found_in) if i is not None]
    found = (subject.source(source_id) for source_id in dict.fromkeys(ids))
    return [source for source in found if source is not None]


def _view(source: ShownSource, evidence: Sequence[Evidence]) -> SourceView:
    return source_view(source.text, [e for e in evidence if e.source_id == source.id])


def _details(details: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what only this playbook reports, as names and values; what is empty is left out."""
    return [
        (name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for name, value in sorted(details.items())
        if value not in (None, "", [], {}) and name != "answer"
    ]


def _attempt(row: AttemptRow, call: StoredCall | None) -> AttemptShown:
    if call is None:
        return AttemptShown(row, None, (), ())
    intent, reply = call.intent, call.reply
    record: list[tuple[str, object]] = [
        ("call id", intent.call_id),
        ("run id", intent.run_id),
        ("test case", intent.test_case_id),
        ("system", intent.system),
        ("case hash", intent.case_hash),
        ("sources", ", ".join(intent.source_ids)),
        ("playbook", intent.playbook),
        ("model id", intent.model_id),
        ("model", intent.model),
        ("endpoint", intent.endpoint),
        ("answered by", reply.answered_model),
        ("provider", reply.provider),
        ("fingerprint", reply.fingerprint),
        ("prompt version", intent.prompt_version),
        ("template sha256", intent.template_sha256),
        ("dataset version", intent.dataset_version),
        ("parameters", intent.parameters_json),
        ("response schema sha256", intent.response_schema_sha256),
        ("attempt, try, repeat", f"{intent.attempt}, {intent.try_number}, {intent.repeat}"),
        ("context cuts", intent.context_cuts_json),
        ("asked at", intent.created_at),
        ("answered at", reply.created_at),
        ("outcome", reply.outcome),
        ("finish reason", reply.finish_reason),
        ("failure", " ".join(filter(None, (reply.failure_reason, reply.failure_detail)))),
        ("http status", reply.http_status),
        ("tokens in, cached, out", _tokens(call)),
        ("cost in USD", reply.cost_usd if reply.cost_usd is not None else reply.cost_note),
        ("latency in ms", None if reply.latency_ms is None else round(reply.latency_ms, 1)),
        ("notes", reply.notes_json),
    ]
    return AttemptShown(
        row,
        call,
        tuple(_messages(intent.messages_json)),
        tuple((name, str(value)) for name, value in record if value not in (None, "", "[]")),
    )


def _tokens(call: StoredCall) -> str:
    reply = call.reply
    counts = (reply.prompt_tokens, reply.cached_tokens, reply.completion_tokens)
    if all(count is None for count in counts):
        return ""
    return ", ".join("–" if count is None else str(count) for count in counts)


def _messages(text: str) -> list[tuple[str, str]]:
    """Return what was sent, message by message."""
    try:
        return [(str(m["role"]), str(m["content"])) for m in json.loads(text)]
    except (ValueError, KeyError, TypeError):
        return [("as recorded", text)]


PAGE = PageModule(routes=(Route("/case", case),))
