"""The list of cases: filtered, sorted and paged in the database, by what stands in the address."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from citeval_assets.exporters.csv_guard import CellKind, Column, Value, csv_text
from citeval_assets.warehouse.page_reading import (
    CaseFilter,
    CasePage,
    Connection,
    ListedCase,
    Sort,
    filter_words,
    known_playbooks,
    list_cases,
)
from citeval_assets.web.pages import NavEntry, PageModule
from citeval_assets.web.rendering import render, url, whole_number
from citeval_assets.web.site import Site, site_of

PER_PAGE = 50
MOST_DOWNLOADED = 200_000
"""Rows of the largest download."""

_STEP = 5_000

_ADDRESS = {"model": "judge", "text": "q"}
"""Filter fields that are called otherwise in the address."""

_OFFERED = ("system", "model", "prompt", "dataset", "status", "routing", "label", "flag",
            "escalation")  # fmt: skip
_TITLES = {
    "system": "System",
    "model": "Judge or model",
    "prompt": "Prompt",
    "dataset": "Dataset",
    "status": "Status",
    "routing": "Routing",
    "label": "Verdict on a finding",
    "flag": "Flag",
    "escalation": "Reason to review",
}
_COLUMNS = (
    (Sort.CASE, "Case"),
    (Sort.SYSTEM, "System"),
    (Sort.JUDGE, "Judge"),
    (Sort.STATUS, "Status"),
    (Sort.SCORE, "Score"),
    (Sort.FAILING, "Worst finding"),
    (Sort.NEWEST, "Judged"),
)
_FIRST_DOWN = frozenset({Sort.FAILING, Sort.NEWEST})
"""Columns whose first click sorts downwards."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One select of the filter form."""

    field: str
    title: str
    chosen: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """One column heading: where a click leads, and how the list is sorted by it now."""

    title: str
    address: str
    sorted: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for."""

    wanted: CaseFilter
    sort: Sort
    descending: bool
    page: int

    @classmethod
    def read(cls, query: Mapping[str, str]) -> "Asked":
        """Read the parameters of an address; what makes no sense counts as not given."""
        values = {
            field.name: query.get(_ADDRESS.get(field.name, field.name), "").strip()[:500]
            for field in fields(CaseFilter)
        }
        try:
            sort = Sort(query.get("sort", Sort.SCORE))
        except ValueError:
            sort = Sort.SCORE
        down = query.get("way", "down" if sort in _FIRST_DOWN else "up") == "down"
        return cls(CaseFilter(**values), sort, down, max(1, whole_number(query.get("page"), 1)))

    def parameters(self, **changed: object) -> dict[str, object]:
        """Return the parameters of an address for the same list, some of them changed."""
        given: dict[str, object] = {
            _ADDRESS.get(name, name): value for name, value in asdict(self.wanted).items()
        }
        if self.sort is not Sort.SCORE:
            given["sort"] = self.sort
        if self.descending is not (self.sort in _FIRST_DOWN):
            given["way"] = "down" if self.descending else "up"
        return {**given, **changed}


def cases(request: Request) -> Response:
    """Show one page of the list."""
    asked = Asked.read(request.query_params)
    site = site_of(request)
    with site.snapshot.reading() as connection:
        page, found = asked.page, _listed(connection, asked, asked.page)
        pages = max(1, -(-found.totals.reports // PER_PAGE))
        if page > pages:
            page, found = pages, _listed(connection, asked, pages)
        playbooks = site.memo.get("playbooks", lambda: known_playbooks(connection))
        words = site.memo.get(
            ("words", asked.wanted.playbook),
            lambda: filter_words(connection, asked.wanted.playbook),
        )
    return render(
        request,
        "cases.html",
        asked=asked,
        totals=found.totals,
        rows=found.rows,
        page=page,
        pages=pages,
        first=(page - 1) * PER_PAGE + 1,
        headings=[_heading(asked, sort, title) for sort, title in _COLUMNS],
        playbooks=playbooks,
        choices=_choices(words, asked.wanted),
        narrowed=_narrowed(asked),
        previous_page=_address(asked, page - 1) if page > 1 else None,
        next_page=_address(asked, page + 1) if page < pages else None,
        download=url("/cases.csv", **asked.parameters()),
    )


def _listed(connection: Connection, asked: Asked, page: int) -> CasePage:
    return list_cases(
        connection,
        asked.wanted,
        sort=asked.sort,
        descending=asked.descending,
        limit=PER_PAGE,
        offset=(page - 1) * PER_PAGE,
    )


def _address(asked: Asked, page: int) -> str:
    return url("/cases", **asked.parameters(page=page if page > 1 else None))


def _choices(words: Mapping[str, list[str]], wanted: CaseFilter) -> list[Choice]:
    choices: list[Choice] = []
    for field in _OFFERED:
        chosen = getattr(wanted, field)
        offered = words.get(field, [])
        if chosen and chosen not in offered:
            offered = [chosen, *offered]
        choices.append(Choice(_ADDRESS.get(field, field), _TITLES[field], chosen, tuple(offered)))
    return choices


def _narrowed(asked: Asked) -> list[tuple[str, str, str]]:
    """Return each condition in force with the address of the list without it."""
    titles = {**_TITLES, "playbook": "Playbook", "text": "Search"}
    return [
        (titles[name], value, url("/cases", **asked.parameters(**{_ADDRESS.get(name, name): None})))
        for name, value in asdict(asked.wanted).items()
        if value
    ]


def _heading(asked: Asked, sort: Sort, title: str) -> Heading:
    given = asked.parameters(sort=None if sort is Sort.SCORE else sort, way=None)
    if sort is not asked.sort:
        return Heading(title, url("/cases", **given), "")
    turned = not asked.descending
    if turned is not (sort in _FIRST_DOWN):
        given["way"] = "down" if turned else "up"
    return Heading(title, url("/cases", **given), "descending" if asked.descending else "ascending")


_NUMBERS = {"score": CellKind.NUMBER, "findings": CellKind.WHOLE, "failing": CellKind.WHOLE}
_FLAGS = frozenset({"overridden", "escalated", "immediate", "provisional"})
_DOWNLOADED = tuple(
    Column(
        field.name,
        CellKind.FLAG if field.name in _FLAGS else _NUMBERS.get(field.name, CellKind.TEXT),
        nullable=True,
    )
    for field in fields(ListedCase)
)


def download(request: Request) -> Response:
    """Send the whole list as CSV, with every cell guarded against being read as a formula."""
    asked = Asked.read(request.query_params)
    site = site_of(request)
    with site.snapshot.reading() as connection:
        found = list_cases(connection, asked.wanted, limit=1).totals.reports
    if found > MOST_DOWNLOADED:
        raise HTTPException(
            400, f"The list has {found} rows, more than {MOST_DOWNLOADED}: narrow it first."
        )
    return StreamingResponse(
        _csv(site, asked),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="citeval-cases.csv"'},
    )


def _csv(site: Site, asked: Asked) -> Iterator[str]:
    offset = 0
    while True:
        with site.snapshot.reading() as connection:
            rows = list_cases(
                connection,
                asked.wanted,
                sort=asked.sort,
                descending=asked.descending,
                limit=_STEP,
                offset=offset,
            ).rows
        text = csv_text(_DOWNLOADED, (_cells(row) for row in rows))
        yield text if offset == 0 else text.partition("\r\n")[2]
        if len(rows) < _STEP:
            return
        offset += _STEP


def _cells(row: ListedCase) -> tuple[Value, ...]:
    """Return one row of the download; several words of one cell stand with blanks between."""
    return tuple(_cell(getattr(row, column.name)) for column in _DOWNLOADED)


def _cell(value: object) -> Value:
    if isinstance(value, list):
        return " ".join(str(item) for item in value)
    if isinstance(value, datetime):
        return value.isoformat()
    return value if isinstance(value, str | int | float | bool) else None


PAGE = PageModule(
    routes=(Route("/cases", cases), Route("/cases.csv", download)),
    nav=(NavEntry("/cases", "Cases"),),
)
