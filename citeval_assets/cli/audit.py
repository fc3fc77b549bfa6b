"""``citeval audit``: is the ledger whole, and what happened to a case?"""

from typing import TYPE_CHECKING

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import CliError, ExitCode

if TYPE_CHECKING:
    from citeval_assets.ledger.audit import Anchor
    from citeval_assets.ledger.records import StoredCall


@click.group("audit")
def COMMAND() -> None:  # noqa: N802  (the name every verb's module has)
    """Verify the ledger's hash chain, anchor it, and show what happened to a case."""


@command("verify")
@click.option(
    "--anchor",
    "anchors",
    multiple=True,
    metavar="ROWS:HASH",
    help="What `audit anchor` printed earlier: finds a cut tail and a recomputed whole.",
)
def verify_command(cli: Cli, anchors: tuple[str, ...]) -> ExitCode:
    """Walk the hash chain and name every changed, missing, added or swapped row.

    Exit code 1 where one is found. A plain chain cannot see that its tail was cut off or that
    it was computed anew as a whole: compare it with an anchor kept elsewhere.
    """
    from citeval_assets.evaluation.project import Project
    from citeval_assets.ledger.audit import verify

    known = _parsed(anchors)
    with Project.load(cli.project, cli.environ).open_ledger() as ledger:
        report = verify(ledger, known)
    document = {
        "ok": report.ok,
        "rows": report.rows,
        "head": report.head,
        "anchors": report.anchors,
        "fault_count": report.fault_count,
        "faults": report.faults,
    }
    cli.out.result(document)
    for fault in report.faults:
        place = f"{fault.table} row {fault.row}" if fault.row else fault.table or "the chain"
        cli.out.error(f"{place}: {fault.kind}: {fault.detail}")
    if report.ok:
        cli.out.line(f"{report.rows} rows, every one in its place")
        cli.out.line(f"anchor: {report.rows}:{report.head}")
    return ExitCode.DONE if report.ok else ExitCode.INCOMPLETE


def _parsed(anchors: tuple[str, ...]) -> "list[Anchor]":
    """Read the anchors of the command line; one that is none is bad usage, not a fault found."""
    from citeval_assets.ledger.audit import Anchor
    from citeval_assets.ledger.errors import LedgerError

    try:
        return [Anchor.parse(text) for text in anchors]
    except LedgerError as error:
        raise CliError(f"--anchor: {error}", code=ExitCode.BAD_INPUT) from error


@command("anchor")
def anchor_command(cli: Cli) -> ExitCode:
    """Print the head of the chain, to be kept outside: in CI output, a ticket, a signed mail."""
    from citeval_assets.evaluation.project import Project
    from citeval_assets.ledger.audit import anchor

    with Project.load(cli.project, cli.environ).open_ledger() as ledger:
        head = anchor(ledger)
    cli.out.result({"anchor": str(head)})
    cli.out.line(str(head))
    return ExitCode.DONE


@command("show")
@click.argument("test_case_id")
def show_command(cli: Cli, test_case_id: str) -> ExitCode:
    """Print every request that was made about a case, and what came back."""
    from citeval_assets.evaluation.project import Project

    with Project.load(cli.project, cli.environ).open_ledger() as ledger:
        calls = list(ledger.calls_of_case(test_case_id))
    if not calls:
        raise CliError(
            f"the ledger holds no call about test case {test_case_id!r}. It may have been decided "
            "without one; `citeval status` shows what was evaluated.",
            code=ExitCode.BAD_INPUT,
        )
    cli.out.result({"test_case_id": test_case_id, "calls": calls})
    for call in calls:
        _show_call(cli, call)
    return ExitCode.DONE


def _show_call(cli: Cli, call: "StoredCall") -> None:
    intent, reply = call.intent, call.reply
    cli.out.line(
        f"{intent.created_at}  {intent.playbook}  {intent.model_id} | {intent.prompt_version}  "
        f"system {intent.system}  attempt {intent.attempt}, try {intent.try_number}",
        style="bold",
    )
    cost = "cost unknown" if reply.cost_usd is None else f"{reply.cost_usd} USD"
    cli.out.line(f"  {reply.outcome} {reply.finish_reason or reply.failure_reason or ''}, {cost}")
    text = reply.text if reply.outcome == "reply" else reply.failure_detail
    cli.out.line(f"  {text or '(nothing)'}")


COMMAND.add_command(verify_command)
COMMAND.add_command(anchor_command)
COMMAND.add_command(show_command)
