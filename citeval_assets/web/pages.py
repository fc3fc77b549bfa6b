"""Which pages there are. A module of this room adds its own by a line in ``MODULES``.

A page module has a ``PAGE``: its routes, and its entries in the navigation. Handlers are plain
functions ``(request) -> Response``; they run in a small pool of threads, so they may query the
snapshot and the ledger without care for the event loop. What changes something is wrapped in
``forms.posting``, which checks the form's token first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module

from starlette.routing import Route

MODULES: Sequence[str] = (
    "overview",
    "compare",
    "cases",
    "case",
    "review",
    "judges",
    "audit",
    "session",
)
"""The page modules, in the order of their navigation entries."""


@dataclass(frozen=True, slots=True)
class NavEntry:
    """One entry of the navigation. ``path`` is where it leads."""

    path: str
    title: str


@dataclass(frozen=True, slots=True)
class PageModule:
    """The pages one module serves."""

    routes: tuple[Route, ...]
    nav: tuple[NavEntry, ...] = ()


def page_modules() -> Iterator[PageModule]:
    """Import and yield the page modules."""
    for name in MODULES:
        yield import_module(f"citeval_assets.web.{name}").PAGE
