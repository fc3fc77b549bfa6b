"""Review: the queue, one item with judge beside human, decisions, and the digest."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from citeval_assets.evaluation.reviewing import digest_now
from citeval_assets.ledger.records import ReviewDecision
from citeval_assets.ledger.reviews import StaleDecision
from citeval_assets.review.decisions import (
    MAX_NAME_CHARS,
    DecisionKind,
    DecisionRefused,
    Given,
    labels_of,
    make_decision,
)
from citeval_assets.review.digest import digest_markdown
from citeval_assets.review.labels import label_of
from citeval_assets.review.subjects import Subject
from citeval_assets.warehouse.review_reading import (
    QueueFilter,
    facets,
    neighbours,
    queue_page,
)
from citeval_assets.web.decided import decided_so_far
from citeval_assets.web.forms import Form, posting
from citeval_assets.web.pages import NavEntry, PageModule
from citeval_assets.web.rendering import render, url
from citeval_assets.web.review_item import ReviewItem, find_item
from citeval_assets.web.site import site_of

PAGE_ITEMS = 50
_RECENT = 8
_NAME_COOKIE = "citeval_reviewer"
_FILTERS = ("playbook", "model", "system", "severity", "reason")
_YEAR_SECONDS = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class View:
    """What the address asks for: which items, and whether the verdict is hidden."""

    chosen: QueueFilter
    blind: bool

    @property
    def parameters(self) -> dict[str, str | None]:
        """The same, for addresses of other pages."""
        names = {name: getattr(self.chosen, name) for name in _FILTERS}
        return {**names, "blind": "1" if self.blind else None}


@dataclass(frozen=True, slots=True)
class RecentDecision:
    """One decision for the list of the newest."""

    decision: ReviewDecision
    item_id: str


def show_queue(request: Request) -> Response:
    """Show the queue, the worst and oldest first."""
    unknown = sorted(set(request.query_params) - {*_FILTERS, "blind", "page", "recorded"})
    if unknown:
        raise HTTPException(
            400,
            f"The queue has a fixed order, and is narrowed by {', '.join(_FILTERS)} alone; "
            f"the address asks for {unknown[0][:40]!r}.",
        )
    view, page = _view(request.query_params), _page(request.query_params)
    site = site_of(request)
    with site.ledger() as ledger:
        decided = decided_so_far(request, ledger)
    with site.snapshot.reading() as connection:
        found = queue_page(
            connection,
            view.chosen,
            done=decided.done,
            limit=PAGE_ITEMS,
            offset=(page - 1) * PAGE_ITEMS,
        )
        narrowing = site.memo.get(
            ("review facets", len(decided.decisions)), lambda: facets(connection, decided.done)
        )
    newest = [
        RecentDecision(one, Subject.of(one).item_id)
        for one in reversed(decided.decisions[-_RECENT:])
    ]
    return render(
        request,
        "review.html",
        view=view,
        page=page,
        pages=max(1, -(-found.total // PAGE_ITEMS)),
        found=found,
        items=[(item, tuple(json.loads(item.reasons))) for item in found.items],
        facets=narrowing,
        disputed=decided.disputed,
        recent=newest,
        decisions=len(decided.decisions),
        agreement=decided.agreement,
        upheld=decided.upheld,
    )


def show_next(request: Request) -> Response:
    """Lead to the first open item."""
    view = _view(request.query_params)
    site = site_of(request)
    with site.ledger() as ledger:
        done = decided_so_far(request, ledger).done
    with site.snapshot.reading() as connection:
        found = queue_page(connection, view.chosen, done=done, limit=1)
    if not found.items:
        return RedirectResponse(url("/review", **view.parameters), 303)
    return RedirectResponse(_address(found.items[0].item_id, view), 303)


def show_digest(request: Request) -> Response:
    """Show the digest as Markdown text, to be copied or mailed."""
    return PlainTextResponse(digest_markdown(digest_now(site_of(request).project)))


def show_item(request: Request) -> Response:
    """Show one item."""
    params = request.query_params
    return _item_page(
        request,
        request.path_params["item"],
        _view(params),
        revealed=params.get("revealed") == "1",
        recorded=params.get("recorded", ""),
    )


def decide(request: Request, form: Form) -> Response:
    """Record a decision, or say why it cannot be."""
    item_id, site, view = request.path_params["item"], site_of(request), _view(form)
    blind = view.blind and form.get("decision") != DecisionKind.UNDO
    with site.ledger() as ledger, site.snapshot.reading() as connection:
        decided = decided_so_far(request, ledger)
        item = find_item(connection, ledger, item_id, decided, blind=False)
        if item is None:
            raise HTTPException(404, "There is no such item in the queue, and none was decided.")
        before = [past.decision for past in item.history]
        try:
            decision = make_decision(item.in_view, _given(form, blind=blind), before)
            label = label_of(decision)
            labels = [label] if label is not None else []
            ledger.decide(decision, seen=form.get("seen", ""), labels=labels)
        except DecisionRefused as refused:
            return _item_page(request, item_id, view, status=422, form=form, refused=refused)
        except StaleDecision as stale:
            return _item_page(request, item_id, view, status=409, form=form, newer=stale.newer)
    return _named(_after(request, item_id, view, decision), decision.reviewer)


def _after(request: Request, item_id: str, view: View, decision: ReviewDecision) -> Response:
    """Lead on: to the next item; to the same one where there is something to see first."""
    kind = DecisionKind(decision.decision)
    told = {"recorded": decision.decision_id}
    if not kind.settles:
        return RedirectResponse(_address(item_id, view, **told), 303)
    if view.blind:
        return RedirectResponse(_address(item_id, view, revealed="1", **told), 303)
    site = site_of(request)
    with site.ledger() as ledger:
        done = decided_so_far(request, ledger).done
    with site.snapshot.reading() as connection:
        beside = neighbours(connection, item_id, view.chosen, done)
        following = beside.following
        if following is None:
            first = queue_page(connection, view.chosen, done=done, limit=1).items
            following = first[0].item_id if first else None
    if following is None or following == item_id:
        return RedirectResponse(url("/review", **view.parameters, **told), 303)
    return RedirectResponse(_address(following, view, **told), 303)


def _item_page(
    request: Request,
    item_id: str,
    view: View,
    *,
    status: int = 200,
    form: Form | None = None,
    refused: DecisionRefused | None = None,
    newer: Sequence[ReviewDecision] = (),
    revealed: bool = False,
    recorded: str = "",
) -> Response:
    site = site_of(request)
    blind = view.blind and not revealed and not newer
    with site.ledger() as ledger, site.snapshot.reading() as connection:
        decided = decided_so_far(request, ledger)
        item = find_item(connection, ledger, item_id, decided, blind=blind)
        beside = neighbours(connection, item_id, view.chosen, decided.done)
    if item is None:
        raise HTTPException(404, "There is no such item in the queue, and none was decided.")
    last = next((d for d in decided.decisions if d.decision_id == recorded), None)
    return render(
        request,
        "review_item.html",
        status=status,
        item=item,
        view=view,
        blind=blind,
        beside=beside,
        form=form or {},
        refused=refused,
        newer=[(one, labels_of(one)) for one in newer],
        newer_ids={one.decision_id for one in newer},
        last=last,
        last_item=Subject.of(last).item_id if last else "",
        reviewer=(form or {}).get("reviewer") or _reviewer(request),
        mine=_mine(item, _reviewer(request)),
    )


def _mine(item: ReviewItem, reviewer: str) -> Mapping[int, str]:
    """Return the labels the reviewer gave before, to be shown beside the judge's."""
    for position in item.standing.positions:
        if position.reviewer == reviewer:
            return labels_of(position.decision).units
    return {}


def _given(form: Form, *, blind: bool) -> Given:
    units: dict[int, str] = {}
    for name, value in form.items():
        prefix, _, number = name.partition(".")
        if prefix == "unit" and number.isascii() and number.isdigit() and len(number) < 8:
            units[int(number)] = value
    return Given(
        kind=form.get("decision", ""),
        reviewer=form.get("reviewer", ""),
        note=form.get("note", ""),
        score=form.get("score", ""),
        answer=form.get("answer", ""),
        units=units,
        blind=blind,
        undoes=form.get("undoes", ""),
    )


def _view(given: Mapping[str, str]) -> View:
    values = {name: given.get(name) or None for name in _FILTERS}
    if values["severity"] not in (None, "critical", "major", "minor"):
        raise HTTPException(400, "severity is critical, major or minor.")
    return View(QueueFilter(**values), given.get("blind") == "1")


def _page(given: Mapping[str, str]) -> int:
    text = given.get("page", "1")
    if not (text.isascii() and text.isdigit() and int(text[:9]) > 0 and len(text) < 7):
        raise HTTPException(400, "page is a number from 1.")
    return int(text)


def _address(item_id: str, view: View, **more: str) -> str:
    return url(f"/review/{item_id}", **view.parameters, **more)


def _reviewer(request: Request) -> str:
    """Return the name the reviewer gave last. It is a convenience, no proof of anything."""
    return unquote(request.cookies.get(_NAME_COOKIE, ""))[:MAX_NAME_CHARS]


def _named(response: Response, reviewer: str) -> Response:
    response.set_cookie(
        _NAME_COOKIE, quote(reviewer), max_age=_YEAR_SECONDS, httponly=True, samesite="strict"
    )
    return response


PAGE = PageModule(
    routes=(
        Route("/review", show_queue),
        Route("/review/next", show_next),
        Route("/review/digest", show_digest),
        Route("/review/{item}", show_item),
        posting("/review/{item}", decide),
    ),
    nav=(NavEntry("/review", "Review"),),
)
