"""``citeval init``: a new project folder to put one's own data into."""

import re
import shutil
from pathlib import Path

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import CliError, ExitCode

_SOURCE = Path(__file__).resolve().parents[2]
"""The checkout citeval runs from: its configuration and prompts are the starting point."""

_COPIED = ("citeval.yaml", "workspace.yaml", "prompts", "data/schemas")

_ONLY_DEMO = re.compile(r"^ *# demo: begin\n.*?^ *# demo: end\n\n?", re.DOTALL | re.MULTILINE)
"""Entries that go with data which a new project does not have."""

_IGNORED = "dagster_home/*\n!dagster_home/dagster.yaml\n.env\n"


@command("init", short_help="Make a new project folder.")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
def COMMAND(cli: Cli, folder: Path) -> ExitCode:  # noqa: N802  (the name every verb's module has)
    """Make a project in DIR: configuration, prompt templates and row schemas, ready to be changed.

    DIR must be empty or absent. Put your test cases into DIR/data/golden/<playbook>.jsonl.
    """
    if folder.exists() and any(folder.iterdir()):
        raise CliError(
            f"{folder} is not empty; name a folder that is empty or does not exist",
            code=ExitCode.BAD_INPUT,
        )
    missing = [name for name in _COPIED if not (_SOURCE / name).exists()]
    if missing:
        raise CliError(
            f"{_SOURCE} holds no {', '.join(missing)}: run citeval from a checkout of the project"
        )
    for name in _COPIED:
        _copy(_SOURCE / name, folder / name)
    settings = folder / "citeval.yaml"
    settings.write_text(
        _ONLY_DEMO.sub("", settings.read_text(encoding="utf-8")), encoding="utf-8", newline="\n"
    )
    (folder / "data" / "golden").mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text(_IGNORED, encoding="utf-8")
    cli.out.result({"project": folder.resolve(), "files": list(_COPIED)})
    cli.out.line(f"A new project is in {folder}. Next:")
    cli.out.line(f"  put test cases into {folder / 'data' / 'golden'}/<playbook>.jsonl")
    cli.out.line(f"  citeval validate --project {folder}")
    cli.out.line(f"  citeval run --project {folder}")
    return ExitCode.DONE


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copyfile(source, target)
