"""Audit: is the chain whole, and what happened to one case."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import UTC, datetime

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from citeval_assets.ledger.audit import Anchor, ChainReport, anchor, verify
from citeval_assets.ledger.errors import LedgerError, TamperedRowError
from citeval_assets.ledger.history import CaseHistory, JudgedIn, case_history
from citeval_assets.ledger.records import CallIntent, HumanLabel, ReviewDecision, StoredCall
from citeval_assets.web.forms import Form, posting
from citeval_assets.web.pages import NavEntry, PageModule
from citeval_assets.web.rendering import render
from citeval_assets.web.site import site_of

_MOST_EVENTS = 500
_walking = threading.Lock()
"""One walk over the chain at a time: more would only take each other's time."""


@dataclass(frozen=True, slots=True)
class Verified:
    """The last walk over the chain: what it found, when, how long it took (seconds)."""

    report: ChainReport
    at: datetime
    seconds: float


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to a case, of a kind the page shows in its own way."""

    at: str
    kind: str
    call: StoredCall | None = None
    intent: CallIntent | None = None
    result: JudgedIn | None = None
    decision: ReviewDecision | None = None
    label: HumanLabel | None = None

    @property
    def record(self) -> list[tuple[str, str]]:
        """The recorded columns, for those who want all of them."""
        found: list[tuple[str, str]] = []
        parts = (
            self.call.intent if self.call else self.intent,
            self.call.reply if self.call else None,
            self.result.evaluation if self.result else None,
            self.result.item if self.result else None,
            self.decision,
            self.label,
        )
        for part in parts:
            if part is not None:
                found += [
                    (field.name, str(value))
                    for field in fields(part)
                    if (value := getattr(part, field.name)) not in (None, "", ())
                ]
        return found


def show_audit(request: Request) -> Response:
    """Show the state of the chain; with ``trace``, what happened to a case."""
    return _page(request, request.query_params.get("trace", "").strip())


def walk(request: Request, form: Form) -> Response:
    """Walk the whole chain and say what is wrong with it. Changes nothing."""
    given = form.get("anchor", "").strip()
    try:
        anchors = [Anchor.parse(given)] if given else []
    except LedgerError as error:
        return _page(request, "", status=422, problem=str(error), given=given)
    if not _walking.acquire(blocking=False):
        raise HTTPException(409, "The chain is being walked already; load the page in a while.")
    try:
        started = datetime.now(UTC)
        with site_of(request).ledger() as ledger:
            report = verify(ledger, anchors)
        seconds = (datetime.now(UTC) - started).total_seconds()
        request.app.state.chain_verified = Verified(report, started, seconds)
    finally:
        _walking.release()
    return _page(request, "", given=given)


def _page(
    request: Request, trace: str, *, status: int = 200, problem: str = "", given: str = ""
) -> Response:
    history: CaseHistory | None = None
    tampered = ""
    with site_of(request).ledger() as ledger:
        head = anchor(ledger)
        # A reply belongs to one intent, so the difference is what nothing came of.
        maybe_paid = ledger.rows_in("call_intents") - ledger.rows_in("call_replies")
        if trace:
            try:
                history = case_history(ledger, trace)
            except TamperedRowError as error:
                tampered = str(error)
    unknown = history is not None and history.empty
    events = sorted(_events(history), key=lambda event: event.at) if history else []
    return render(
        request,
        "audit.html",
        status=404 if unknown else status,
        head=head,
        maybe_paid=maybe_paid,
        verified=getattr(request.app.state, "chain_verified", None),
        trace=trace,
        history=history,
        tampered=tampered,
        events=events[:_MOST_EVENTS],
        left_out=max(0, len(events) - _MOST_EVENTS),
        problem=problem,
        given=given,
    )


def _events(history: CaseHistory) -> Iterator[Event]:
    for call in history.calls:
        yield Event(call.intent.created_at, "call", call=call)
    for intent in history.unanswered:
        yield Event(intent.created_at, "unanswered", intent=intent)
    for result in history.results:
        yield Event(result.evaluation.finished_at, "result", result=result)
    for decision in history.decisions:
        yield Event(decision.created_at, "decision", decision=decision)
    for label in history.labels:
        yield Event(label.created_at, "label", label=label)


PAGE = PageModule(
    routes=(Route("/audit", show_audit), posting("/audit", walk)),
    nav=(NavEntry("/audit", "Audit"),),
)
