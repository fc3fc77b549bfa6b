"""The application: pages, static files, the guard around them, and what an error looks like."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from citeval_assets.warehouse.connection import WarehouseError, WarehouseMissing
from citeval_assets.web.pages import page_modules
from citeval_assets.web.rendering import render, static_path
from citeval_assets.web.security import Guard
from citeval_assets.web.site import Site

_THREADS = 8
"""How many pages are made at once: more would only share the same two cores and more memory."""

_TITLES = {
    400: "This address cannot be read",
    403: "Not allowed",
    404: "Not found",
    405: "Not possible this way",
    409: "Somebody was faster",
    413: "Too large",
    415: "Not a form",
}


def create_app(site: Site) -> Starlette:
    """Return the pages over one site.

    Raises:
        ValueError: where a page module would change something without a checked form.
    """
    modules = list(page_modules())
    routes = [route for module in modules for route in module.routes]
    _check(routes)
    app = Starlette(
        routes=[
            *routes,
            Route("/favicon.ico", _icon),
            Mount("/static", _Static(directory=str(_static_folder()))),
        ],
        middleware=[Middleware(Guard, site=site)],
        exception_handlers={
            HTTPException: _refused,
            WarehouseMissing: _nothing_published,
            WarehouseError: _unreadable,
            Exception: _failed,
        },
        lifespan=_lifespan,
    )
    app.state.site = site
    app.state.nav = tuple(entry for module in modules for entry in module.nav)
    return app


class _Static(StaticFiles):
    """Files of this package. Their addresses change with their content, so they may be kept."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
    try:
        yield
    finally:
        app.state.site.close()


def _check(routes: list[Route]) -> None:
    for route in routes:
        changing = (route.methods or set()) - {"GET", "HEAD"}
        if changing and route.name != f"post {route.path}":
            raise ValueError(f"{route.path} takes {changing} without forms.posting")


def _icon(request: Request) -> Response:
    """Answer browsers that ask for an icon beside a download, which cannot name one."""
    return RedirectResponse(static_path("icon.svg"), 308)


def _static_folder() -> object:
    return files("citeval_assets.web").joinpath("static")


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    title = _TITLES.get(error.status_code, "This did not work")
    return render(
        request, "message.html", status=error.status_code, title=title, text=error.detail,
        headers=error.headers,
    )  # fmt: skip


def _nothing_published(request: Request, error: Exception) -> Response:
    return render(request, "nothing_published.html", status=503, detail=str(error))


def _unreadable(request: Request, error: Exception) -> Response:
    return render(
        request,
        "message.html",
        status=503,
        title="The published snapshot cannot be read",
        text=str(error),
    )


def _failed(request: Request, error: Exception) -> Response:
    """Answer where something went wrong that nobody foresaw; Starlette logs the traceback."""
    return render(
        request,
        "message.html",
        status=500,
        title="Something went wrong here",
        text=f"{type(error).__name__}. The log of `citeval serve` has the details. Nothing was "
        "changed by looking at a page.",
    )
