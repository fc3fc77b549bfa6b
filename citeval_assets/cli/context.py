"""What every command is given, and the options every command has."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeval_assets.cli.exits import ExitCode
from citeval_assets.cli.output import Output

if TYPE_CHECKING:
    from citeval_assets.config.settings import Settings


@dataclass
class Cli:
    """One invocation of ``citeval``.

    ``saved_note`` is what the user is told when the command is interrupted: a command sets it
    once there is something that an interruption does not lose.
    """

    out: Output
    project: Path = field(default_factory=Path)
    debug: bool = False
    verbose: bool = False
    saved_note: str = "Nothing was lost: every reply that arrived is in the ledger. Run it again."

    @property
    def environ(self) -> Mapping[str, str]:
        """The environment variables, read when asked for."""
        return os.environ

    def settings(self) -> "Settings":
        """Read ``citeval.yaml`` of the project.

        Raises:
            ConfigError: with every fault found; ends the command with exit code 2.
        """
        from citeval_assets.config.loading import load_settings

        return load_settings(self.project, self.environ)


Verb = Callable[..., ExitCode | None]

_PROJECT = click.Path(exists=True, file_okay=False, path_type=Path)


def shared_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--project`` and ``--json`` to a command."""
    function = click.option(
        "--json",
        "as_json",
        is_flag=True,
        help="Print exactly one JSON document; logs go to standard error.",
    )(function)
    return click.option(
        "--project",
        type=_PROJECT,
        metavar="DIR",
        help="The project folder (where citeval.yaml is); by default this one.",
    )(function)


def command(name: str, **attributes: Any) -> Callable[[Verb], click.Command]:
    """Make a command of a function ``(cli, ...) -> ExitCode | None``.

    ``--project`` and ``--json`` may stand before or after the name of the verb; the function
    gets them through ``cli``.
    """

    def decorate(function: Verb) -> click.Command:
        @wraps(function)
        @click.pass_context
        def invoke(
            context: click.Context, project: Path | None, as_json: bool, **given: Any
        ) -> int:
            cli = context.find_object(Cli)
            assert cli is not None
            cli.project = project or cli.project
            return int(function(cli, **given) or ExitCode.DONE)

        return click.command(name, **attributes)(shared_options(invoke))

    return decorate
