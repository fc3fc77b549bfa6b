"""``citeval export``: results for other programs, and rows that people amended."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import CliError, ExitCode

_FILE = click.Path(dir_okay=False, path_type=Path)
_OUT = click.option(
    "--out", "-o", "file", type=_FILE, metavar="FILE",
    help="Write here instead of standard output.",
)  # fmt: skip
_PLAYBOOK = click.option("--playbook", metavar="NAME", help="Only this playbook.")


@click.group("export")
def COMMAND() -> None:  # noqa: N802  (the name every verb's module has)
    """Write reports, findings, amended golden rows, or the digest of the review queue."""


def _table_command(table: str, what: str) -> click.Command:
    @command(table, short_help=f"Write {what} as CSV or JSONL.")
    @_OUT
    @click.option(
        "--format",
        "form",
        type=click.Choice(["csv", "jsonl"]),
        help="By default what the name of the file says, else csv.",
    )
    @_PLAYBOOK
    @click.option("--model", metavar="ID", help="Only of this judge or target model.")
    @click.option("--system", metavar="LABEL", help="Only of this system.")
    def export_command(
        cli: Cli,
        file: Path | None,
        form: str | None,
        playbook: str | None,
        model: str | None,
        system: str | None,
    ) -> ExitCode:
        from citeval_assets.evaluation.project import Project
        from citeval_assets.exporters.tables import Chosen, ExportFormat, export_table
        from citeval_assets.warehouse.connection import open_snapshot

        project = Project.load(cli.project, cli.environ)
        _check_playbook(playbook)
        by_name = "jsonl" if file is not None and file.suffix == ".jsonl" else "csv"
        chosen = Chosen(playbook, model, system)
        kind = ExportFormat(form or by_name)
        with open_snapshot(project.published_path) as connection, _target(cli, file) as out:
            rows = export_table(connection, table, chosen, out, kind)
        _told(cli, file, rows)
        return ExitCode.DONE

    export_command.help = (
        f"Write {what} of the published snapshot.\n\n"
        "In CSV no cell is taken for a formula: text that would start one has an apostrophe "
        "before it, which `citeval_assets.exporters.csv_guard.read_csv` takes away again."
    )
    return export_command


@command("golden", short_help="Propose golden rows amended by what reviewers decided.")
@_OUT
@_PLAYBOOK
def golden_command(cli: Cli, file: Path | None, playbook: str | None) -> ExitCode:
    """Write the cases that people decided about, with their labels, as JSON lines.

    A proposal: read it, then put the rows into the data file of their playbook. Cases on which
    reviewers differ are left out.
    """
    from citeval_assets.evaluation.project import Project
    from citeval_assets.exporters.golden import golden_lines, propose_golden

    _check_playbook(playbook)
    with Project.load(cli.project, cli.environ).open_ledger() as ledger:
        proposal = propose_golden(ledger, playbook)
    with _target(cli, file) as out:
        for line in golden_lines(proposal.rows):
            out.write(line + "\n")
    if proposal.disputed:
        cli.out.warning(f"{proposal.disputed} cases are left out: their reviewers differ")
    playbooks = sorted({row.playbook for row in proposal.rows})
    if playbook is None and len(playbooks) > 1:
        cli.out.note(f"rows of {', '.join(playbooks)}: --playbook gives those of one")
    _told(cli, file, len(proposal.rows), disputed=proposal.disputed)
    return ExitCode.DONE


@command("digest", short_help="Write what is open, ageing and decided in the review queue.")
@_OUT
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown"]), default="text", show_default=True
)
def digest_command(cli: Cli, file: Path | None, form: str) -> ExitCode:
    """Write the digest of the review queue, for a weekly mail or a channel."""
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.reviewing import digest_now
    from citeval_assets.review.digest import digest_markdown, digest_text

    project = Project.load(cli.project, cli.environ)
    digest = digest_now(project)
    with _target(cli, file) as out:
        out.write(digest_markdown(digest) if form == "markdown" else digest_text(digest))
    _told(cli, file, digest.open, ageing=len(digest.ageing))
    return ExitCode.DONE


def _check_playbook(name: str | None) -> None:
    from citeval_assets.evaluation.project import UnknownName
    from citeval_assets.playbooks.registry import all_playbooks

    if name is not None and name not in all_playbooks():
        raise UnknownName("playbook", name, all_playbooks())


@contextmanager
def _target(cli: Cli, file: Path | None) -> Iterator[TextIO]:
    """Open where the export goes. Standard output is left open.

    Raises:
        CliError: ``--json`` without a file.
    """
    if file is None:
        if cli.out.as_json:
            raise CliError("--json needs --out: the export has many lines", code=ExitCode.BAD_INPUT)
        stdout = TextIOWrapper(sys.stdout.buffer, "utf-8", "replace", newline="")
        try:
            yield stdout
        finally:
            stdout.flush()
            stdout.detach()
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8", errors="replace", newline="") as out:
        yield out


def _told(cli: Cli, file: Path | None, rows: int, **more: int) -> None:
    if file is not None:
        cli.out.result({"file": file, "rows": rows, **more})
        cli.out.line(f"{rows} rows written to {file}")


COMMAND.add_command(_table_command("reports", "the current reports"))
COMMAND.add_command(_table_command("findings", "the findings of the current reports"))
COMMAND.add_command(golden_command)
COMMAND.add_command(digest_command)
