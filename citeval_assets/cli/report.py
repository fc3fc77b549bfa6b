"""``citeval report``: everything a decision needs, in one file."""

from pathlib import Path

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import ExitCode

_FILE = click.Path(dir_okay=False, path_type=Path)


@command("report", short_help="Write one HTML file: overview, gates, worst cases, charts.")
@click.option(
    "--out",
    "-o",
    "file",
    type=_FILE,
    metavar="FILE",
    help="Write here; by default into the state folder, reports/report.html.",
)
@click.option(
    "--worst",
    type=click.IntRange(0, 50),
    default=3,
    show_default=True,
    help="Cases of each playbook shown in full.",
)
def COMMAND(cli: Cli, file: Path | None, worst: int) -> ExitCode:  # noqa: N802
    """Write the report over the published snapshot.

    One self-contained file: no server, no script, no outside address. Every run that publishes
    writes one, too.
    """
    from citeval_assets.evaluation.project import Project
    from citeval_assets.web.report import write_report

    project = Project.load(cli.project, cli.environ)
    path = write_report(project, file or project.report_path, worst=worst)
    size = path.stat().st_size
    cli.out.result({"file": path, "bytes": size})
    cli.out.line(f"{path} ({size / 1024:.0f} kB)")
    return ExitCode.DONE
