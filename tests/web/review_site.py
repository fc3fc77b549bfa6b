"""A small judged project behind the pages, for tests that review it."""

import re
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from citeval_assets.evaluation.project import Project
from citeval_assets.ledger.records import HumanLabel, ReviewDecision
from citeval_assets.web.app import create_app
from citeval_assets.web.site import Site
from citeval_assets.web.snapshot import Snapshot
from tests.small_project import SETTINGS, SmallProject, make_project

RISKY = SETTINGS + (
    "datasets:\n"
    "  - {name: ferries, playbook: citation_faithfulness, "
    "path: data/golden/citation_faithfulness.jsonl, risk_level: high}\n"
)
"""At high risk everything that is not wholly supported reaches a person."""


def judged_project(folder: Path, rows: list[dict[str, Any]] | None = None) -> SmallProject:
    project = make_project(folder, RISKY)
    if rows is not None:
        project.write_rows("citation_faithfulness", rows)
    project.evaluate(playbooks=["citation_faithfulness"], prompts=["v1"])
    return project


@dataclass
class Pages:
    """The pages over a project, as one visitor sees them."""

    project: SmallProject
    opened: Project
    client: TestClient

    @classmethod
    def over(cls, project: SmallProject) -> "Pages":
        opened = project.load()
        with opened.open_ledger() as ledger:
            secret = ledger.secret()
        app = create_app(Site(opened, Snapshot(opened.published_path), secret))
        return cls(project, opened, TestClient(app, "http://127.0.0.1", follow_redirects=False))

    def get(self, path: str) -> str:
        return self.client.get(path).text

    def items(self, query: str = "") -> list[str]:
        """Ids of the open items on the first page, in order."""
        table = self.get(f"/review{query}").partition("What people decided")[0]
        return list(dict.fromkeys(re.findall(r"/review/([0-9a-f]{24})", table)))

    def hidden(self, path: str) -> dict[str, str]:
        """The hidden fields of the form on a page."""
        form = self.get(path).partition('id="decide"')[2].partition("</form>")[0]
        found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
        return {name: unescape(value) for name, value in found}

    def send(self, path: str, fields: dict[str, str], *, fresh: bool = True, **given: str):
        """Send a decision with the fields of its form (``fresh``: read them anew)."""
        values = {**(self.hidden(path) if fresh else {}), **fields, **given}
        return self.client.post(path.partition("?")[0], data=values)

    def decisions(self) -> list[ReviewDecision]:
        with self.opened.open_ledger() as ledger:
            return list(ledger.review_decisions())

    def labels(self) -> list[HumanLabel]:
        with self.opened.open_ledger() as ledger:
            return list(ledger.human_labels())
