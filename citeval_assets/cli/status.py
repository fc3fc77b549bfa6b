"""``citeval status``: the evaluation matrix."""

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import ExitCode
from citeval_assets.cli.wording import reasons_text


@command("status", short_help="Say of every cell whether it is done, missing or stale, and why.")
@click.option("--playbook", "playbooks", multiple=True, metavar="NAME", help="Only this playbook.")
def COMMAND(cli: Cli, playbooks: tuple[str, ...]) -> ExitCode:  # noqa: N802
    """Say of every cell (playbook x model x prompt version) how it stands, and why.

    `done`: evaluated as the files are now. `missing`: never evaluated. `stale`: cases, template,
    rules or judge changed since. `incomplete`: some cases wait for the next run.
    """
    from citeval_assets.evaluation.project import Project
    from citeval_assets.evaluation.service import Service

    matrix = Service(Project.load(cli.project, cli.environ)).matrix(playbooks)
    cli.out.result({"cells": matrix})
    cli.out.table(
        ("playbook", "model", "prompt", "state", "cases", "statuses", "why"),
        (
            (
                cell.playbook,
                cell.model,
                cell.prompt_version,
                cell.state,
                cell.cases,
                reasons_text(cell.statuses) or None,
                "; ".join(cell.why) or None,
            )
            for cell in matrix
        ),
        right=("cases",),
    )
    return ExitCode.DONE
