"""A real browser over a served site.

The browser is Debian's chromium, or whatever ``CITEVAL_CHROMIUM`` names. Where there is none the
tests that need one are skipped and say so; ``.ci/run`` installs one.
"""

import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from citeval_assets.web.app import create_app
from citeval_assets.web.site import Site

_NAMES = ("chromium", "chromium-browser", "google-chrome")
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 400, "height": 800}


def chromium() -> str:
    """Return the path of the browser; skips the test where there is none."""
    named = os.environ.get("CITEVAL_CHROMIUM")
    if named:
        if not Path(named).exists():
            pytest.fail(f"CITEVAL_CHROMIUM names {named}, which does not exist")
        return named
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(
            "no chromium: apt-get install chromium, or set CITEVAL_CHROMIUM to the browser's path"
        )
    return found


@contextmanager
def browsing() -> Iterator[Browser]:
    """Run a browser for the length of a block."""
    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def serving(site: Site) -> Iterator[str]:
    """Serve a site on loopback, in a thread; yields its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(create_app(site), host="127.0.0.1", port=port, log_level="error")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)


@dataclass
class Visit:
    """A page of the browser with what went wrong in it."""

    page: Page
    address: str
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    status: int = 0

    def go(self, path: str) -> Page:
        """Open a page of the site."""
        answer = self.page.goto(self.address + path, wait_until="load")
        self.status = answer.status if answer is not None else 0
        return self.page

    def violations(self) -> list[str]:
        """Return the serious and critical faults axe-core finds on the page as it stands."""
        self.page.evaluate(AXE.read_text(encoding="utf-8") + "; undefined")
        found: dict[str, Any] = self.page.evaluate("() => axe.run()")
        return [
            f"{rule['impact']} {rule['id']}: {node['html'][:200]} {node['failureSummary'][:300]}"
            for rule in found["violations"]
            if rule["impact"] in ("serious", "critical")
            for node in rule["nodes"]
        ]


@contextmanager
def visiting(
    browser: Browser, address: str, *, viewport: dict[str, int] = WIDE, **options: Any
) -> Iterator[Visit]:
    """Open a fresh visitor; note script errors, and requests that leave the server."""
    context: BrowserContext = browser.new_context(viewport=viewport, **options)  # pyright: ignore[reportArgumentType]
    visit = Visit(context.new_page(), address)
    visit.page.on("pageerror", lambda error: visit.errors.append(str(error)))
    visit.page.on(
        "console",
        lambda m: visit.errors.append(f"{m.text} {m.location}") if m.type == "error" else None,
    )
    visit.page.on(
        "request",
        lambda r: None if r.url.startswith((address, "data:")) else visit.foreign.append(r.url),
    )
    try:
        yield visit
    finally:
        context.close()
