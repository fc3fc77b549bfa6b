"""``citeval audit``: is the ledger whole, and what happened to a case?"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from citeval_assets.cli.context import Cli, command
from citeval_assets.cli.exits import CliError, ExitCode

if TYPE_CHECKING:
    from citeval_assets.ledger.audit import Anchor
    from citeval_assets.ledger.history import CaseHistory, JudgedIn
    from citeval_assets.ledger.records import CallIntent, StoredCall

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.group("audit")
def COMMAND() -> None:  # noqa: N802  (the name every verb's module has)
    """Verify the ledger's hash chain, anchor it, export it, and show what happened to a case."""


@command("verify")
@click.option(
    "--anchor",
    "anchors",
    multiple=True,
    metavar="ROWS:HASH",
    help="What `audit anchor` printed earlier: finds a cut tail and a recomputed whole.",
)
@click.option(
    "--anchors", "files", multiple=True, type=_FILE, metavar="FILE", help="A file of anchors."
)
def verify_command(cli: Cli, anchors: tuple[str, ...], files: tuple[Path, ...]) -> ExitCode:
    """Walk the hash chain and name every changed, missing, added or swapped row.

    Exit code 1 where one is found. A plain chain cannot see that its tail was cut off or that
    it was computed anew as a whole: compare it with an anchor kept elsewhere.
    """
    from citeval_assets.evaluation.project import Project
    from citeval_assets.ledger.audit import verify

    wanted = _parsed(anchors, files)
    with Project.load(cli.project, cli.environ).open_ledger() as ledger:
        report = verify(ledger, wanted)
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
        if not report.anchors:
            cli.out.line("no anchor was given: a cut end or a chain computed anew would go unseen")
    return ExitCode.DONE if report.ok else ExitCode.INCOMPLETE


def _parsed(anchors: tuple[str, ...], files: tuple[Path, ...]) -> "list[Anchor]":
    """Read the anchors asked for; one that is none is bad usage, not a fault found."""
    from citeval_assets.ledger.audit import Anchor, kept_anchors
    from citeval_assets.ledger.errors import LedgerError

    try:
        wanted = [Anchor.parse(text) for text in anchors]
        for file in files:
            if not file.exists():
                raise CliError(f"there is no file of anchors {file}", code=ExitCode.BAD_INPUT)
            wanted += kept_anchors(file)
    except LedgerError as error:
        raise CliError(str(error), code=ExitCode.BAD_INPUT) from error
    return wanted


@command("anchor")
@click.option("--file", type=_FILE, metavar="FILE", help="Add the anchor to this file as well.")
def anchor_command(cli: Cli, file: Path | None) -> ExitCode:
    """Print the head of the chain, to be kept outside: in CI output, a ticket, a signed mail."""
    from citeval_assets.evaluation.project import Project
    from citeval_assets.ledger.audit import anchor, keep_anchor
    from citeval_assets.ledger.times import utc_text

    with Project.load(cli.project, cli.environ).open_ledger() as ledger:
        head, now = anchor(ledger), utc_text(ledger.now())
    if file is not None:
        keep_anchor(file, head, now)
    cli.out.result({"anchor": str(head)})
    cli.out.line(str(head))
    return ExitCode.DONE


@command("export")
@click.option(
    "--out", "file", type=_FILE, metavar="FILE", help="Write here instead of standard output."
)
@click.option(
    "--sign-key-env",
    metavar="NAME",
    help="Sign the end of the chain with the key in this environment variable (HMAC-SHA256).",
)
def export_command(cli: Cli, file: Path | None, sign_key_env: str | None) -> ExitCode:
    """Write the whole ledger as JSON lines that an auditor can check without citeval.

    docs/ledger.md has the recipe. The secret of the installation is left out.
    """
    from citeval_assets.evaluation.project import Project
    from citeval_assets.ledger.export import export_lines

    if cli.out.as_json and file is None:
        raise CliError("--json needs --out: the export has many lines", code=ExitCode.BAD_INPUT)
    key = None if sign_key_env is None else cli.environ.get(sign_key_env, "").encode()
    if key == b"":
        raise CliError(
            f"the environment variable {sign_key_env} is not set; set it to the key the auditor "
            "knows, too",
            code=ExitCode.BAD_INPUT,
        )
    with Project.load(cli.project, cli.environ).open_ledger() as ledger:
        lines = export_lines(ledger, key)
        if file is None:
            for line in lines:
                click.echo(line)
            return ExitCode.DONE
        file.parent.mkdir(parents=True, exist_ok=True)
        written = 0
        with file.open("w", encoding="ascii", newline="\n") as out:
            for line in lines:
                out.write(line + "\n")
                written += 1
    cli.out.result({"file": file, "rows": written - 2, "signed": key is not None})
    cli.out.line(f"{written - 2} rows written to {file}")
    return ExitCode.DONE


@command("maybe-paid")
def maybe_paid_command(cli: Cli) -> ExitCode:
    """List requests that went out and of which nothing came back: they may have been billed."""
    from citeval_assets.evaluation.project import Project

    with Project.load(cli.project, cli.environ).open_ledger() as ledger:
        intents = ledger.maybe_paid()
    cli.out.result({"count": len(intents), "calls": [_named(intent) for intent in intents]})
    cli.out.table(
        ("sent", "model", "playbook", "test case", "system", "attempt", "try", "call"),
        (
            (i.created_at, i.model_id, i.playbook, i.test_case_id, i.system, i.attempt,
             i.try_number, i.call_id)
            for i in intents
        ),
        right=("attempt", "try"),
    )  # fmt: skip
    cli.out.line(f"{len(intents)} calls may have been paid for though no reply is recorded")
    return ExitCode.DONE


@command("show")
@click.argument("trace_id")
def show_command(cli: Cli, trace_id: str) -> ExitCode:
    """Print what happened to a case: every request, what came back, what was made of it.

    TRACE_ID is the id of a test case, or of one of its calls.
    """
    from citeval_assets.evaluation.project import Project
    from citeval_assets.ledger.history import case_history

    with Project.load(cli.project, cli.environ).open_ledger() as ledger:
        history = case_history(ledger, trace_id)
    if history.empty:
        raise CliError(
            f"the ledger holds nothing about test case {trace_id!r}: `citeval status` shows what "
            "was evaluated.",
            code=ExitCode.BAD_INPUT,
        )
    cli.out.result(history)
    _show(cli, history)
    return ExitCode.DONE


def _show(cli: Cli, history: "CaseHistory") -> None:
    for case in history.cases:
        cli.out.line(f"{case.playbook}  {case.test_case_id}  system {case.system}", style="bold")
        cli.out.line(f"  content {case.case_hash}")
    for call in history.calls:
        _show_call(cli, call)
    for intent in history.unanswered:
        cli.out.line(f"{_asked(intent)}: nothing came back, it may have been paid", style="bold")
    for result in history.results:
        _show_result(cli, result)
    for decision in history.decisions:
        cli.out.line(f"{decision.created_at}  {decision.reviewer}: {decision.decision}")
        cli.out.line(f"  {decision.note or '(no note)'}")
    for label in history.labels:
        cli.out.line(f"{label.created_at}  label by {label.labeller or label.label_source}")
        cli.out.line(f"  {label.labels_json}")


def _show_call(cli: Cli, call: "StoredCall") -> None:
    reply = call.reply
    cli.out.line(_asked(call.intent), style="bold")
    cost = "cost unknown" if reply.cost_usd is None else f"{reply.cost_usd} USD"
    who = f", answered by {reply.answered_model}" if reply.answered_model else ""
    cli.out.line(
        f"  {reply.outcome} {reply.finish_reason or reply.failure_reason or ''}, {cost}{who}"
    )
    text = reply.text if reply.outcome == "reply" else reply.failure_detail
    cli.out.line(f"  {text or '(nothing)'}")


def _show_result(cli: Cli, result: "JudgedIn") -> None:
    record, item = result.evaluation, result.item
    reason = f": {item.reason}" if item.reason else ""
    score = "no score" if item.score is None else f"score {item.score:.3f}"
    escalated = f", escalated: {', '.join(item.escalations)}" if item.escalations else ""
    cli.out.line(
        f"{record.finished_at}  evaluation {record.evaluation_id}  {record.model} | "
        f"{record.prompt_version}  system {item.system}",
        style="bold",
    )
    cli.out.line(f"  {item.status}{reason}, {score}, {item.routing}{escalated}")


def _asked(intent: "CallIntent") -> str:
    return (
        f"{intent.created_at}  {intent.playbook}  {intent.model_id} | {intent.prompt_version}  "
        f"system {intent.system}  attempt {intent.attempt}, try {intent.try_number}"
    )


def _named(intent: "CallIntent") -> dict[str, object]:
    """Return what identifies a request, without its prompt."""
    names = ("call_id", "created_at", "run_id", "model_id", "model", "endpoint", "playbook",
             "test_case_id", "system", "attempt", "try_number", "repeat")  # fmt: skip
    return {name: getattr(intent, name) for name in names}


COMMAND.add_command(verify_command)
COMMAND.add_command(anchor_command)
COMMAND.add_command(export_command)
COMMAND.add_command(maybe_paid_command)
COMMAND.add_command(show_command)
