"""``citeval serve``: the pages, on this machine."""

import socket
from typing import TYPE_CHECKING

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import CliError, ExitCode

if TYPE_CHECKING:
    from citeval_assets.web.site import Access

_SHORTEST_TOKEN = 16


@command("serve", short_help="Serve the pages: results, cases, comparisons, review.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Listen there. Another address than loopback needs --token-env.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True)
@click.option(
    "--token-env",
    metavar="NAME",
    help="Ask every visitor for the token in this environment variable.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="A host name under which this server is called, beside localhost.",
)
def COMMAND(  # noqa: N802  (the name every verb's module has)
    cli: Cli, host: str, port: int, token_env: str | None, names: tuple[str, ...]
) -> ExitCode:
    """Serve the pages until interrupted.

    They read the published snapshot and the ledger, so they stay up while a run writes. By
    default only this machine can reach them.
    """
    import uvicorn

    from citeval_assets.evaluation.project import Project
    from citeval_assets.web.app import create_app
    from citeval_assets.web.site import Site
    from citeval_assets.web.snapshot import Snapshot

    access = _access(cli, host, token_env, names)
    project = Project.load(cli.project, cli.environ)
    with _listening(host, port) as taken:
        with project.open_ledger() as ledger:
            secret = ledger.secret()
        app = create_app(Site(project, Snapshot(project.published_path), secret, access))
        shown = f"[{host}]" if ":" in host else host
        url = f"http://{shown}:{taken.getsockname()[1]}"
        cli.out.result({"url": url, "published": project.published_path.exists()})
        cli.out.line(f"The pages are on {url} (Ctrl+C ends it)")
        if not project.published_path.exists():
            cli.out.note("Nothing has been published yet: `citeval run` does.")
        cli.saved_note = "The pages are down; nothing was lost."
        settings = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, proxy_headers=False,
            lifespan="on",
        )  # fmt: skip
        uvicorn.Server(settings).run(sockets=[taken])
    return ExitCode.DONE


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens there.

    Raises:
        CliError: where the address cannot be had.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        taken = socket.create_server((host, port), family=family)
    except OSError as error:
        raise CliError(
            f"cannot listen on {host}, port {port}: {error.strerror or error}; choose another with "
            "--port (0 takes a free one)",
            code=ExitCode.BAD_INPUT,
        ) from error
    return taken


def _access(cli: Cli, host: str, token_env: str | None, names: tuple[str, ...]) -> "Access":
    """Return who may come in.

    Raises:
        CliError: where others could reach the pages without a token.
    """
    from citeval_assets.web.security import is_loopback
    from citeval_assets.web.site import Access

    token = None
    if token_env is not None:
        token = cli.environ.get(token_env, "")
        if len(token) < _SHORTEST_TOKEN:
            raise CliError(
                f"the environment variable {token_env} holds no token of {_SHORTEST_TOKEN} "
                "characters or more; make one: export "
                f"{token_env}=$(python3 -c 'import secrets; print(secrets.token_urlsafe(24))')",
                code=ExitCode.BAD_INPUT,
            )
    if not is_loopback(host) and token is None:
        raise CliError(
            f"others could reach {host}, and the pages show and decide everything: name the "
            "environment variable that holds an access token (--token-env NAME), or listen on "
            "127.0.0.1, the default",
            code=ExitCode.BAD_INPUT,
        )
    known = frozenset(name.lower() for name in names)
    return Access(token, known, any_address=not is_loopback(host))
