"""``citeval doctor``: is everything in place, and what is missing?"""

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import ExitCode

if TYPE_CHECKING:
    from citeval_assets.evaluation.project import Project

_PACKAGES = ("dagster", "dagster-webserver", "dagster-duckdb", "duckdb", "litellm", "pandas")
_LEAST_FREE_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. ``remedy`` says what to do where it is not in order."""

    what: str
    ok: bool
    found: str
    remedy: str = ""


@command("doctor", short_help="Say what is in place and what is missing.")
def COMMAND(cli: Cli) -> ExitCode:  # noqa: N802  (the name every verb's module has)
    """Look at the installation, the project, its keys and its stores. Makes no call.

    Exit code 1 where something is missing that a run would need.
    """
    from citeval_assets.evaluation.project import Project

    findings = [*_installation()]
    project = Project.load(cli.project, cli.environ)
    findings += [*_project(project), *_stores(project)]
    cli.out.result({"ok": all(f.ok for f in findings), "findings": findings})
    cli.out.table(
        ("what", "in order", "found", "what to do"),
        [(f.what, f.ok, f.found, f.remedy or None) for f in findings],
    )
    return ExitCode.DONE if all(f.ok for f in findings) else ExitCode.INCOMPLETE


def _installation() -> Iterator[Finding]:
    found = sys.version.split()[0]
    yield Finding("Python", sys.version_info >= (3, 11), found, "use 3.11 or newer")
    for package in _PACKAGES:
        try:
            yield Finding(package, True, version(package))
        except PackageNotFoundError:
            yield Finding(package, False, "not installed", "make demo (installs everything)")


def _project(project: "Project") -> Iterator[Finding]:
    problems = project.templates.problems
    yield Finding(
        "prompt templates",
        not problems,
        f"{len(problems)} cannot be used" if problems else "all usable",
        "citeval validate names them" if problems else "",
    )
    for model in project.settings.models:
        name = model.api_key_env
        if name is None:
            continue
        present = bool(project.environ.get(name))
        remedy = "" if present else f"export {name}=..."
        yield Finding(
            f"key of {model.id}", present, "set" if present else f"{name} is not set", remedy
        )


def _stores(project: "Project") -> Iterator[Finding]:
    folder = project.settings.state_dir
    folder.mkdir(parents=True, exist_ok=True)
    writable = os.access(folder, os.W_OK)
    yield Finding("state folder", writable, str(folder), "" if writable else "make it writable")
    free = shutil.disk_usage(folder).free
    enough = free >= _LEAST_FREE_BYTES
    yield Finding("free disk", enough, f"{free / 1e9:.1f} GB", "" if enough else "free some space")
    with project.open_ledger() as ledger:
        waiting = len(ledger.maybe_paid())
    yield Finding(
        "ledger",
        True,
        f"{waiting} calls are maybe paid: sent, and no reply recorded" if waiting else "in order",
        "they may be sent again, nothing else is" if waiting else "",
    )
    yield Finding(
        "warehouse", True, f"{project.warehouse.state()} (rebuilt by the next run if not)"
    )
