"""The root command: finds the verb, runs it, and turns whatever happens into an exit code.

The modules of the verbs are imported when they are called, so that ``citeval --help`` answers
at once and nothing imports Dagster or litellm before it is needed.
"""

import contextlib
import logging
import os
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module, metadata
from pathlib import Path
from typing import IO

import click
from click.exceptions import NoArgsIsHelpError

from citeval_assets.cli.context import Cli, shared_options
from citeval_assets.cli.exits import ExitCode, expected_code, file_error_text, unknown_name
from citeval_assets.cli.output import Output

VERBS: Mapping[str, tuple[str, str]] = {
    "demo": ("demo", "Judge the golden data offline in a fresh folder and show what came out."),
    "init": ("init", "Make a new project folder."),
    "run": ("run", "Judge what is not settled yet; write reports, trends and the snapshot."),
    "gate": ("gate", "Say whether the candidate may be released, and why."),
    "compare": ("compare", "Show case by case what became better and worse, with the texts."),
    "calibrate": ("calibrate", "Hold the judges against labels; fit an embedded one to them."),
    "qualify": ("qualify", "Put the judges to the test by injected faults."),
    "status": ("status", "Say of every cell whether it is done, missing or stale, and why."),
    "validate": ("validate", "Check configuration, prompt templates and data; make no call."),
    "report": ("report", "Write one HTML file: overview, gates, worst cases, charts."),
    "export": ("export", "Write reports, findings, amended golden rows, the review digest."),
    "import": ("import_", "Turn other people's files into test cases."),
    "serve": ("serve", "Serve the pages: overview, comparisons, cases with their evidence."),
    "doctor": ("doctor", "Say what is in place and what is missing."),
    "audit": ("audit", "Verify the ledger's hash chain; show what happened to a case."),
}
"""Each verb: the module of this room whose ``COMMAND`` it is, and its line in ``--help``."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of the table."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a verb and return its command."""
        if cmd_name not in VERBS:
            return None
        module, _ = VERBS[cmd_name]
        return import_module(f"citeval_assets.cli.{module}").COMMAND

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; where there is none, name the nearest."""
        if args and args[0] not in VERBS:
            raise click.UsageError(str(unknown_name("command", args[0], VERBS)), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(verb, line) for verb, (_, line) in VERBS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@shared_options
@click.option("--debug", is_flag=True, help="Show where an unexpected error came from.")
@click.option("--verbose", "-v", is_flag=True, help="Show what is going on, on standard error.")
@click.version_option(metadata.version("citeval"), prog_name="citeval")
@click.pass_context
def citeval(
    context: click.Context, project: Path | None, as_json: bool, debug: bool, verbose: bool
) -> None:
    """Judge citations and faithfulness of RAG answers, and gate releases on the result.

    Exit codes: 0 done, 1 error or not everything judged, 2 bad usage or input, 3 gate failed,
    4 gate inconclusive, 130 interrupted.
    """
    cli = context.find_object(Cli)
    assert cli is not None
    cli.project = project or cli.project
    cli.debug, cli.verbose = debug, verbose
    level = logging.DEBUG if debug else logging.INFO if verbose else logging.WARNING
    logging.basicConfig(
        stream=sys.stderr, level=level, format="%(levelname)s %(name)s: %(message)s"
    )


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code.

    With ``--json``, standard output gets one JSON document whatever happens, and what any
    library prints goes to standard error.
    """
    as_json = _wants_json(arguments)
    out = Output(sys.stdout, sys.stderr, as_json=as_json)
    cli = Cli(out)
    with _stdout_kept_clean() if as_json else contextlib.nullcontext():
        try:
            code = citeval.main(
                list(arguments), prog_name="citeval", standalone_mode=False, obj=cli
            )
            return int(code or ExitCode.DONE)
        except (KeyboardInterrupt, click.Abort):
            return _failed(
                out, "interrupted", f"interrupted. {cli.saved_note}", ExitCode.INTERRUPTED
            )
        except click.ClickException as error:
            return _refused(out, error)
        except BrokenPipeError:
            return _nobody_reads()
        except Exception as error:  # noqa: BLE001  (the last place where one can be reported)
            return _error(cli, error)


def _wants_json(arguments: Sequence[str]) -> bool:
    """Whether the command line asks for JSON. Help is for people, also beside ``--json``."""
    options = list(arguments)
    if "--" in options:
        options = options[: options.index("--")]
    return "--json" in options and not {"--help", "-h", "--version"} & set(options)


@contextlib.contextmanager
def _stdout_kept_clean() -> Iterator[None]:
    """Send what anybody prints to standard error; ``Output`` holds the real standard output."""
    with contextlib.redirect_stdout(sys.stderr):
        yield


def _refused(out: Output, error: click.ClickException) -> int:
    """Report a command line that cannot be understood."""
    if isinstance(error, NoArgsIsHelpError) and not out.as_json:
        out.line(error.ctx.get_help() if error.ctx else error.format_message())
        return int(ExitCode.BAD_INPUT)
    nothing = isinstance(error, NoArgsIsHelpError)
    text = "no command was given" if nothing else error.format_message()
    if isinstance(error, click.UsageError) and error.ctx is not None:
        text = f"{text}\nTry '{error.ctx.command_path} --help'."
    return _failed(out, "usage", text, ExitCode.BAD_INPUT)


def _error(cli: Cli, error: Exception) -> int:
    """Report an error: in its own words where they are meant for people."""
    code = expected_code(error)
    problems = [str(problem) for problem in getattr(error, "problems", ())]
    if code is not None:
        if cli.debug:
            traceback.print_exception(error, file=sys.stderr)
        kind = "input" if code is ExitCode.BAD_INPUT else "error"
        return _failed(cli.out, kind, str(error), code, problems)
    about_a_file = file_error_text(error)
    if about_a_file is not None and not cli.debug:
        return _failed(cli.out, "error", about_a_file, ExitCode.INCOMPLETE)
    from citeval_assets.redaction import Redactor

    clean = Redactor().clean
    if cli.debug:
        cli.out.note(clean("".join(traceback.format_exception(error))))
    text = clean(f"{type(error).__name__}: {error}") + (
        ""
        if cli.debug
        else "\nThis was not foreseen; `citeval --debug ...` shows where it happened."
    )
    return _failed(cli.out, "unexpected", text, ExitCode.INCOMPLETE)


def _failed(
    out: Output, kind: str, message: str, code: ExitCode, problems: Sequence[str] = ()
) -> int:
    out.error(message)
    if not out.emitted:
        document = {"kind": kind, "message": message, "problems": list(problems) or [message]}
        out.result({"error": document, "exit_code": int(code)})
    return int(code)


def _nobody_reads() -> int:
    """Whoever read our output went away; say no more, also not when Python flushes at exit."""
    sys.stdout = _null()
    return int(ExitCode.INCOMPLETE)


def _null() -> IO[str]:
    return Path(os.devnull).open("w", encoding="utf-8")
