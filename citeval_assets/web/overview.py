"""The first page: how every system stands, under which judge, and how far to trust it."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from citeval_assets.web.pages import NavEntry, PageModule
from citeval_assets.web.rendering import render
from citeval_assets.web.site import site_of


def overview(request: Request) -> Response:
    """Show all playbooks."""
    with site_of(request).snapshot.reading() as connection:
        counts = connection.execute("SELECT count(*) FROM reports").fetchone()
    return render(request, "overview.html", reports=counts[0] if counts else 0)


PAGE = PageModule(routes=(Route("/", overview),), nav=(NavEntry("/", "Overview"),))
